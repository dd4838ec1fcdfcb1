import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerOf, documentsAt, unpacked } from './cache.ts';
import { compilers, corpusPackages } from './documents.ts';
import { type Outcome, runDocument, versionOf } from './run.ts';

// `npm run corpus` fetches what it reads; `npm run corpus -- figma` takes only documents with that in their names, and
// then leaves the table as it is.
const [only] = process.argv.slice(2);
const own = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const root = fileURLToPath(new URL('../..', import.meta.url));
if (!existsSync(`${root}/dist/cli/main.js`))
  throw new Error('run `npm run build` first: the corpus runs what ships');

interface Row {
  readonly document: string;
  readonly version: string;
  readonly outcome: Outcome;
}

const scripts = compilers.map(({ name, package: specifier }) => ({
  name,
  script: specifier === undefined ? own : compilerOf(specifier),
}));

const rows: Row[] = [];
for (const { package: specifier, documents } of corpusPackages) {
  if (only !== undefined && !specifier.includes(only)) continue;
  const folder = unpacked(specifier);
  for (const file of documents.flatMap((path) => documentsAt(folder, path))) {
    await take(`${specifier.replace(/(?<!^)@.*/, '')} ${relative(folder, file)}`, file);
  }
}
const hostile = fileURLToPath(new URL('hostile', import.meta.url));
for (const name of readdirSync(hostile).sort()) {
  if (only === undefined || 'hostile'.includes(only)) await take(`hostile ${name}`, `${hostile}/${name}`);
}

const failed = rows.filter(
  ({ outcome: { kind, errors, trial } }) =>
    kind === 'crash' ||
    kind === 'timeout' ||
    Object.values(errors).some((count) => count > 0) ||
    (trial !== undefined && trial.faults.length > 0),
);
if (only === undefined) writeFileSync(`${root}/docs/corpus.md`, page(rows));
process.stdout.write(`${String(rows.length)} documents, ${String(failed.length)} of them wrong\n`);
if (failed.length > 0) process.exitCode = 1;

// --- internal ---

async function take(document: string, file: string): Promise<void> {
  const outcome = await runDocument(file, scripts);
  rows.push({ document, version: versionOf(file), outcome });
  process.stdout.write(`${document}: ${outcome.kind} ${outcome.said}${cells(outcome).join(' · ')}\n`);
  for (const fault of outcome.trial?.faults ?? []) process.stdout.write(`  ${fault}\n`);
}

function cells({ kind, operations, seconds, megabytes, bytes, errors, trial }: Outcome): string[] {
  if (kind !== 'generated') return ['', seconds.toFixed(1), '', '', ...compilers.map(() => ''), ''];
  return [
    String(operations),
    seconds.toFixed(1),
    String(megabytes),
    String(Math.round(bytes / 1_000)),
    ...compilers.map(({ name }) => String(errors[name] ?? '')),
    trial === undefined ? '' : [trial.results, trial.refusals, trial.faults.length].join(' / '),
  ];
}

function page(all: readonly Row[]): string {
  const head = [
    'document',
    'OpenAPI',
    'outcome',
    'operations',
    's',
    'MB',
    'kB',
    ...compilers.map(({ name }) => name),
    'calls',
  ];
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  const generated = all.filter(({ outcome }) => outcome.kind === 'generated');
  return [
    '# Documents that the generator was tried on',
    '',
    'Written by `npm run corpus`: documents of published packages, fetched for the run, and hostile ones of our own',
    '(`test/corpus/hostile`). Each one is generated in a process of its own, with types, validators, client and server.',
    'The columns with a version of TypeScript hold the errors that it finds, with every strict option: in clients without',
    'the types of Node, in servers with them. The first version tries NodeNext and bundler resolution; servers are compiled',
    'by the first and the last. Seconds and memory are of one run of the generator on a busy machine with two cores, whole',
    'process: orientation, no promise.',
    '',
    'The last column is the client at work: it is imported, and up to 20 of its operations, from the whole of the document,',
    'are called on the mock that serves the same document, with sample inputs. It counts results, then errors that the',
    'client tells as the answers that they are (a sample does not suit every operation), then faults: anything else that is',
    'thrown, and an answer of which ajv and our validators think differently. A refusal of a document names file, place and what to do.',
    '',
    `${String(generated.length)} of ${String(all.length)} became code; the others were refused.`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...all.map(({ document, version, outcome }) =>
      line([`\`${document}\``, version, outcome.kind, ...cells(outcome)]),
    ),
    '',
    '## What the refusals say',
    '',
    ...all
      .filter(({ outcome }) => outcome.kind !== 'generated')
      .map(({ document, outcome: { said } }) => `- \`${document}\`: ${said.replace(/[|<>`]/g, ' ').trim()}`),
    '',
  ].join('\n');
}
