/**
 * `npm run corpus` fetches what it reads, tries every document, beside openapi-typescript and hey-api, and writes
 * docs/corpus.md. With words behind it, such as `npm run corpus -- figma hostile` or `npm run corpus -- ghec.json`, it tries
 * only the documents whose package or path contains one of them. A document that fails is a row of the table and does not end the run; each step of each document has
 * a time limit. CORPUS_SHOW=1 prints what compilers say.
 *
 * A run takes hours on a busy machine. Results are kept for the built code that they were found with, so that a run
 * that was interrupted continues with the remaining documents, and a run in parts writes the table with its last part.
 * `--again` forgets the results.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, mistaken } from '../command-line.ts';
import { compilerOf, documentsAt, keptRows, unpacked } from './cache.ts';
import { compilers, corpusPackages } from './documents.ts';
import { cells, page, peerCell, type Row } from './page.ts';
import { type PeerOutcome, runPeer } from './peer-run.ts';
import { peers } from './peers.ts';
import { noOutcome, type Outcome, runDocument, versionOf } from './run.ts';

const {
  values: { again },
  positionals: words,
} = commandLine(import.meta.url, {
  options: { again: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const own = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const root = fileURLToPath(new URL('../..', import.meta.url));
if (!existsSync(`${root}/dist/cli/main.js`))
  mistaken(import.meta.url, 'Run `npm run build` first: the corpus runs what ships');

interface Chosen {
  readonly document: string;
  /** Its path, or why there is none. */
  readonly file: string | Error;
}

const scripts = compilers.map(({ name, package: specifier }) => ({
  name,
  script: specifier === undefined ? own : compilerOf(specifier),
}));

const started = performance.now();
const every = allDocuments();
const chosen = every.filter(({ document }) => isWanted(document));
if (chosen.length === 0)
  mistaken(import.meta.url, `No package or path of a document contains ${words.join(' or ')}`);
const kept = keptRows<Row>(`${root}/dist`, again);
const rows: Row[] = [];
for (const each of chosen) {
  const known = kept.rows.find(({ document }) => document === each.document);
  const row = known ?? (await take(each));
  if (known === undefined && !isWrong(row.outcome) && !isUnjudged(row.outcome)) kept.keep(row);
  rows.push(row);
}

const failed = rows.filter(({ outcome }) => isWrong(outcome));
const unjudged = rows.filter(({ outcome }) => isUnjudged(outcome));
const found = every.flatMap(
  ({ document }) => [...rows, ...kept.rows].find((row) => row.document === document) ?? [],
);
if (found.length === every.length) writeFileSync(`${root}/docs/corpus.md`, page(found));
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
process.stdout.write(
  `${String(rows.length)} documents, ${String(failed.length)} of them wrong, in ${minutes} min; ${String(every.length - found.length)} are left\n`,
);
for (const { document } of failed) process.stdout.write(`  wrong: ${document}\n`);
for (const { document } of unjudged) process.stdout.write(`  not compiled in time: ${document}\n`);
if (failed.length + unjudged.length > 0) process.exitCode = 1;

// --- internal ---

function allDocuments(): Chosen[] {
  const hostile = fileURLToPath(new URL('hostile', import.meta.url));
  return [
    ...corpusPackages.flatMap(({ package: specifier, documents }): Chosen[] => {
      const name = specifier.replace(/(?<!^)@.*/, '');
      try {
        const folder = unpacked(specifier);
        return documents
          .flatMap((path) => documentsAt(folder, path))
          .map((file) => ({ document: `${name} ${relative(folder, file)}`, file }));
      } catch (error) {
        const cause = error instanceof Error ? error : new Error(String(error));
        return documents.map((path) => ({ document: `${name} ${path}`, file: cause }));
      }
    }),
    ...readdirSync(hostile)
      .sort()
      .map((name) => ({ document: `hostile ${name}`, file: `${hostile}/${name}` })),
  ];
}

function isWanted(document: string): boolean {
  return words.length === 0 || words.some((word) => document.includes(word));
}

async function take({ document, file }: Chosen): Promise<Row> {
  process.stdout.write(`[${String(rows.length + 1)}/${String(chosen.length)}] ${document} …\n`);
  const since = performance.now();
  let row: Row;
  try {
    if (file instanceof Error) throw file;
    row = {
      document,
      version: versionOf(file),
      outcome: await runDocument(file, scripts),
      peers: await withPeers(file),
    };
  } catch (error) {
    const [said = ''] = String(error instanceof Error ? error.message : error).split('\n');
    row = {
      document,
      version: '',
      outcome: { ...noOutcome, kind: 'crash', said: `not tried: ${said}` },
      peers: {},
    };
  }
  const { outcome } = row;
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  const sign = isWrong(outcome) ? '✖' : '✔';
  process.stdout.write(
    `  ${sign} ${outcome.kind} ${outcome.said}${cells(outcome).join(' · ')}   in ${seconds} s\n`,
  );
  for (const [name, each] of Object.entries(row.peers))
    process.stdout.write(`    ${name}: ${peerCell(each)}\n`);
  for (const fault of outcome.trial?.faults ?? []) process.stdout.write(`    ${fault}\n`);
  return row;
}

async function withPeers(file: string): Promise<Row['peers']> {
  const found: Record<string, PeerOutcome> = {};
  // The last compiler is the fastest, too.
  const { script = own } = scripts.at(-1) ?? {};
  for (const peer of peers) found[peer.name] = await runPeer(peer, file, script);
  return found;
}

function isWrong({ kind, errors, trial }: Outcome): boolean {
  return (
    kind === 'crash' ||
    kind === 'timeout' ||
    Object.values(errors).some((count) => count !== 'timeout' && count > 0) ||
    (trial !== undefined && trial.faults.length > 0)
  );
}

function isUnjudged({ errors }: Outcome): boolean {
  return Object.values(errors).includes('timeout');
}
