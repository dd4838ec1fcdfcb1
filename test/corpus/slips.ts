/**
 * `npm run slips` generates code for documents with slips, beside openapi-typescript and hey-api, and writes docs/slips.md. With
 * words behind it, it tries only the documents whose name contains one of them, and prints what the compiler says.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadContract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { commandLine, mistaken } from '../command-line.ts';
import { bundler, checked } from './compile.ts';
import { HEY_API, type Peer, peers } from './peers.ts';
import { slipDocuments } from './slip-documents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { positionals: words } = commandLine(import.meta.url, { allowPositionals: true });

interface Outcome {
  readonly kind: 'accepted' | 'repaired' | 'refused';
  readonly warnings: number;
  readonly said: string;
  errors: number;
}

const generators = [
  { name: 'tallystick', make: ours },
  ...peers.map((peer) => ({ name: peer.name, make: theirs(peer) })),
];
const names = generators.map(({ name }) => name);

const folder = mkdtempSync(join(tmpdir(), 'tallystick-slips-'));
const documents = slipDocuments().filter(({ name }) => !name.includes('/') || /\/root [^/]*$/.test(name));
const chosen = documents.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
if (chosen.length === 0) mistaken(import.meta.url, `No name of a document contains ${words.join(' or ')}`);
const rows = new Map<string, Outcome[]>(chosen.map(({ name }) => [name, []]));
try {
  for (const { name, text } of slipDocuments()) write(join(folder, 'documents', name), text);
  for (const { name: generator, make } of generators) {
    const all = join(folder, 'out', generator);
    mkdirSync(all, { recursive: true });
    for (const [at, { name }] of chosen.entries())
      rows.get(name)?.push(await make(join(folder, 'documents', name), join(all, String(at))));
    for (const [at, count] of compiled(all)) {
      const outcome = rows.get(chosen[Number(at)]?.name ?? '')?.at(-1);
      if (outcome !== undefined) outcome.errors = count;
    }
    process.stdout.write(`${generator}: ${summary(generator)}\n`);
  }
  if (words.length === 0) writeFileSync(join(root, 'docs/slips.md'), page());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const wrong = [...rows].filter(([, [own]]) => (own?.errors ?? 0) > 0);
for (const [name] of wrong) process.stdout.write(`  wrong: ${name}\n`);
if (wrong.length > 0) process.exitCode = 1;

// --- internal ---

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What this package makes of a document: a client and a server, or a refusal. */
async function ours(file: string, out: string): Promise<Outcome> {
  const loaded = await loadContract({ document: basename(file), cwd: dirname(file), name: 'sample' });
  if (!loaded.ok) {
    const error = loaded.diagnostics.find(({ severity }) => severity === 'error');
    const { line = 0, column = 0 } = error?.location ?? {};
    const said = `${error?.message ?? ''} (${String(line)}:${String(column)}): ${error?.help ?? ''}`;
    return { kind: 'refused', warnings: 0, said, errors: 0 };
  }
  for (const { path, text } of await generate([loaded.contract], { server: true }))
    if (path.endsWith('.ts')) write(join(out, path), text);
  const warnings = loaded.warnings.filter(({ code }) => code === 'repaired').length;
  return { kind: warnings > 0 ? 'repaired' : 'accepted', warnings, said: '', errors: 0 };
}

/** What a peer makes of it. */
function theirs({ types }: Peer): (file: string, out: string) => Promise<Outcome> {
  return async (file, out) => {
    const kind = (await types(file, out)) ? 'accepted' : 'refused';
    return { kind, warnings: 0, said: '', errors: 0 };
  };
}

/** How many errors the code of each document has, by the strictest options: one run of a compiler for all of them. */
function compiled(out: string): Map<string, number> {
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const compilerOptions = { ...checked, ...types, ...bundler };
  writeFileSync(join(out, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: out,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (words.length > 0) process.stdout.write(stdout);
  const counts = new Map<string, number>();
  for (const [, at = ''] of stdout.matchAll(/^(\d+)\/\S+\(\d+,\d+\): error TS/gm))
    counts.set(at, (counts.get(at) ?? 0) + 1);
  return counts;
}

function summary(generator: string): string {
  const all = [...rows.values()].map((outcomes) => outcomes[names.indexOf(generator)]);
  const count = (kind: Outcome['kind']): string =>
    String(all.filter((outcome) => outcome?.kind === kind).length);
  const broken = all.filter((outcome) => (outcome?.errors ?? 0) > 0).length;
  return `${count('accepted')} accepted, ${count('repaired')} repaired, ${count('refused')} refused; the code of ${String(broken)} does not compile`;
}

function page(): string {
  const cell = ({ kind, warnings, errors }: Outcome): string =>
    `${kind}${kind === 'repaired' ? ` (${String(warnings)})` : ''}${errors > 0 ? `, ${String(errors)} errors` : ''}`;
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  const refused = [...rows].filter(([, [own]]) => own?.kind === 'refused');
  return [
    '# Documents with slips',
    '',
    'Written by `npm run slips`: documents with the mistakes of careless authors, converters and other programs',
    '(`test/corpus/slip-documents.ts`). tallystick makes types, a client, guards and a server of each, openapi-typescript and',
    `hey-api (\`${HEY_API}\`) types.`,
    'For a repaired document, the number of warnings is in brackets. Errors are those of TypeScript 7 with every strict option.',
    'Some documents are refused for a good reason; the messages are below the table.',
    '',
    ...names.map((name) => `- ${name}: ${summary(name)}`),
    '',
    line(['document', ...names]),
    line(['---', ...names.map(() => '---')]),
    ...[...rows].map(([name, outcomes]) => line([`\`${name}\``, ...outcomes.map(cell)])),
    '',
    '## What the refusals say',
    '',
    ...refused.map(([name, [own]]) => `- \`${name}\`: ${(own?.said ?? '').replace(/[|<>`]/g, ' ').trim()}`),
    '',
  ].join('\n');
}
