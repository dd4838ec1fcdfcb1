import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './cache.ts';
import { loadContract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { strictest } from './run.ts';
import { slipDocuments } from './slip-documents.ts';

// `npm run slips` generates code for documents with slips, by tallystick and by other generators, which it fetches, and writes
// docs/slips.md. With words behind it, it tries the documents alone whose name holds one of them and prints what compilers say.
const root = fileURLToPath(new URL('../..', import.meta.url));
const words = process.argv.slice(2);
const LIMIT_MS = 120_000;
/** What other generators promise to compile with. */
const plain = { target: 'es2022', lib: strictest.lib, strict: true, skipLibCheck: true, noEmit: true };

/** Another generator. */
interface Peer {
  readonly name: string;
  readonly package?: string;
  /** The arguments of Node that make `out` of `file`. */
  readonly command: (file: string, out: string) => readonly string[];
}

const inPeers = (path: string): string => join(cacheFolder, 'peers/node_modules', path);
const peers: readonly Peer[] = [
  {
    name: 'openapi-typescript 7.13',
    command: (file, out) => [
      join(root, 'node_modules/openapi-typescript/bin/cli.js'),
      file,
      '-o',
      `${out}/types.ts`,
    ],
  },
  {
    name: 'hey-api 0.99',
    package: '@hey-api/openapi-ts@0.99',
    command: (file, out) => [inPeers('@hey-api/openapi-ts/bin/run.js'), '-i', file, '-o', out],
  },
  {
    name: 'orval 7.13',
    package: 'orval@7.13',
    command: (file, out) => [
      inPeers('orval/dist/bin/orval.js'),
      '--input',
      file,
      '--output',
      `${out}/api.ts`,
    ],
  },
];

interface Outcome {
  readonly kind: 'accepted' | 'repaired' | 'refused' | 'no end';
  readonly warnings: number;
  readonly said: string;
  errors: number;
}

fetchPeers();
const folder = mkdtempSync(join(tmpdir(), 'tallystick-slips-'));
const documents = slipDocuments().filter(({ name }) => !name.includes('/') || /\/root [^/]*$/.test(name));
const chosen = documents.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const generators = ['tallystick', ...peers.map(({ name }) => name)];
const rows = new Map<string, Outcome[]>(chosen.map(({ name }) => [name, []]));
try {
  for (const { name, text } of slipDocuments()) write(join(folder, 'documents', name), text);
  for (const [index, generator] of generators.entries()) {
    const peer = peers[index - 1];
    for (const [at, { name }] of chosen.entries()) {
      const out = join(folder, 'out', String(index), String(at));
      mkdirSync(out, { recursive: true });
      const file = join(folder, 'documents', name);
      rows.get(name)?.push(peer === undefined ? await ours(file, out) : generated(peer, file, out));
    }
    for (const [at, count] of compiled(join(folder, 'out', String(index)), index === 0 ? strictest : plain)) {
      const outcome = rows.get(chosen[Number(at)]?.name ?? '')?.at(-1);
      if (outcome !== undefined) outcome.errors = count;
    }
    process.stdout.write(`${generator}: ${summary(index)}\n`);
  }
  if (words.length === 0) writeFileSync(join(root, 'docs/slips.md'), page());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const wrong = [...rows].filter(([, [own]]) => own?.kind === 'no end' || (own?.errors ?? 0) > 0);
for (const [name] of wrong) process.stdout.write(`  wrong: ${name}\n`);
if (wrong.length > 0) process.exitCode = 1;

// --- internal ---

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function fetchPeers(): void {
  const home = join(cacheFolder, 'peers');
  if (existsSync(inPeers('orval')) || process.env['SLIPS_PEERS'] === 'none') return;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  // The compiler API that they call is that of TypeScript 5.
  const wanted = [...peers.flatMap((peer) => peer.package ?? []), 'typescript@~5.9.0'];
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], { cwd: home });
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

function generated(peer: Peer, file: string, out: string): Outcome {
  const ran = spawnSync(process.execPath, [...peer.command(`./${basename(file)}`, out)], {
    cwd: dirname(file),
    encoding: 'utf8',
    timeout: LIMIT_MS,
    env: { ...process.env, NO_COLOR: '1', CI: '1' },
  });
  const hasCode = readdirSync(out, { recursive: true }).some(
    (name) => String(name).endsWith('.ts') && statSync(join(out, String(name))).size > 0,
  );
  const none = { warnings: 0, said: '', errors: 0 };
  if (ran.status === null) return { kind: 'no end', ...none };
  if (ran.status !== 0 || !hasCode) return { kind: 'refused', ...none };
  return { kind: 'accepted', ...none };
}

/** How many errors the code of each document has: one run of a compiler for all of them. */
function compiled(out: string, options: object): Map<string, number> {
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const compilerOptions = { ...options, ...types, module: 'esnext', moduleResolution: 'bundler' };
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

function summary(index: number): string {
  const all = [...rows.values()].map((outcomes) => outcomes[index]);
  const count = (kind: Outcome['kind']): number => all.filter((outcome) => outcome?.kind === kind).length;
  const broken = all.filter((outcome) => (outcome?.errors ?? 0) > 0).length;
  return `${String(count('accepted'))} accepted, ${String(count('repaired'))} repaired, ${String(count('refused'))} refused, ${String(count('no end'))} without end, ${String(broken)} that do not compile`;
}

function page(): string {
  const cell = ({ kind, warnings, errors }: Outcome): string =>
    `${kind}${kind === 'repaired' ? ` (${String(warnings)})` : ''}${errors > 0 ? `, ${String(errors)} errors` : ''}`;
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  const refused = [...rows].filter(([, [own]]) => own?.kind === 'refused');
  return [
    '# Documents with slips',
    '',
    'Written by `npm run slips`: documents as careless authors, converters and other programs write them',
    '(`test/corpus/slip-documents.ts`). Each generator makes code of each with its usual settings, tallystick with a server as well.',
    'Repaired documents have the number of warnings behind them. Errors are those of TypeScript 7: of tallystick with',
    'every strict option, of the others with `strict` alone. A document may be refused rightly: below is what tallystick says then.',
    '',
    ...generators.map((name, index) => `- ${name}: ${summary(index)}`),
    '',
    line(['document', ...generators]),
    line(['---', ...generators.map(() => '---')]),
    ...[...rows].map(([name, outcomes]) => line([`\`${name}\``, ...outcomes.map(cell)])),
    '',
    '## What the refusals say',
    '',
    ...refused.map(([name, [own]]) => `- \`${name}\`: ${(own?.said ?? '').replace(/[|<>`]/g, ' ').trim()}`),
    '',
  ].join('\n');
}
