import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundler, compile, nodeNext } from './compile.ts';
import { run } from './timed-process.ts';
import type { Trial } from './trial.ts';

/** What became of one document. */
export interface Outcome {
  /** `crash`: anything but code or a refusal that says where and what to do. */
  readonly kind: 'generated' | 'refused' | 'crash' | 'timeout';
  /** The first line of a refusal, or the output of a crash. */
  readonly said: string;
  readonly operations: number;
  readonly seconds: number;
  readonly megabytes: number;
  readonly bytes: number;
  /** Of each compiler, by its name; `timeout` where one of its runs was not done in time, which says nothing of the code. */
  readonly errors: Readonly<Record<string, number | 'timeout'>>;
  /** How calls of the generated client ended; `undefined` where there is none. */
  readonly trial: Trial | undefined;
}

export const noOutcome = {
  ...{ said: '', operations: 0, seconds: 0, megabytes: 0, bytes: 0 },
  ...{ errors: {}, trial: undefined },
} as const;

/** No step with a document may take longer: to generate, or to call. */
const LIMIT_MS = 180_000;

/** What a compiler may take beyond that for each megabyte of code. */
const LIMIT_MS_PER_MEGABYTE = 60_000;

/** No client is called more often. */
const CALLS = 20;

const generator = fileURLToPath(new URL('run-one.mjs', import.meta.url));
const caller = fileURLToPath(new URL('trial.ts', import.meta.url));

/**
 * Generates a document in a process of its own, compiles what came of it as strictly as can be, and calls its client on
 * the mock of the same document.
 */
export async function runDocument(
  file: string,
  compilers: readonly { readonly name: string; readonly script: string }[],
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-corpus-'));
  try {
    const out = join(folder, 'api');
    const args = ['generate', `./${basename(file)}`, '--name', 'sample', '--out', out, '--json', '--server'];
    const ran = await run(LIMIT_MS, generator, args, dirname(file));
    const { code, seconds, stdout, stderr, timedOut } = ran;
    const { megabytes } = (ran.told ?? { megabytes: 0 }) as { megabytes: number };
    const none = { ...noOutcome, seconds, megabytes };
    if (timedOut) return { ...none, kind: 'timeout', said: `not done in ${String(LIMIT_MS)} ms` };
    if (code !== 0) {
      const lines = stderr.split('\n').filter((line) => line.trim() !== '');
      const said = lines.find((line) => line.includes('✖')) ?? lines[0] ?? '';
      // A place, in words for people: no stack, and what to do next.
      const isClear = code === 2 && /:\d+:\d+|#\//.test(stderr) && !/^\s+at .*:\d+:\d+\)?$/m.test(stderr);
      return { ...none, kind: isClear ? 'refused' : 'crash', said };
    }
    const { apis } = JSON.parse(stdout) as { apis: { operations: number }[] };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const [trial, errors] = await Promise.all([
      tried(file, join(out, 'sample')),
      compileWithEach(folder, compilers, LIMIT_MS + Math.ceil(sizeOf(out) / 1e6) * LIMIT_MS_PER_MEGABYTE),
    ]);
    return {
      kind: 'generated',
      said: '',
      operations: apis.reduce((sum, api) => sum + api.operations, 0),
      seconds,
      megabytes,
      bytes: sizeOf(out),
      errors,
      trial,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

async function tried(file: string, folder: string): Promise<Trial> {
  // What was generated is TypeScript, and so is what calls it.
  const loader = ['--import', import.meta.resolve('tsx')];
  const { told, stderr, timedOut } = await run(
    LIMIT_MS,
    caller,
    [`./${basename(file)}`, folder, String(CALLS)],
    dirname(file),
    loader,
  );
  if (told !== undefined) return told as Trial;
  const why = timedOut ? `not done in ${String(LIMIT_MS)} ms` : (stderr.trim().split('\n').at(-1) ?? '');
  return { results: 0, refusals: 0, faults: [`the calls came to no end: ${why}`] };
}

/** Parts for servers need Node's types; everything else must do without. */
const clients = { exclude: ['api/server-runtime', 'api/*/server.ts'], compilerOptions: {} };
const all = {
  exclude: [],
  compilerOptions: {
    types: ['node'],
    typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
  },
};

/** How many errors each compiler finds. The first one, and the last one for its speed, see the servers as well. */
async function compileWithEach(
  folder: string,
  compilers: readonly { readonly name: string; readonly script: string }[],
  limitMs: number,
): Promise<Outcome['errors']> {
  const errors: Record<string, number | 'timeout'> = {};
  for (const [index, { name, script }] of compilers.entries()) {
    const isFirst = index === 0;
    const found = [await compile(folder, script, nodeNext, clients, limitMs)];
    if (isFirst) found.push(await compile(folder, script, bundler, all, limitMs));
    else if (index === compilers.length - 1)
      found.push(await compile(folder, script, nodeNext, all, limitMs));
    const counts = found.filter((count) => count !== 'timeout');
    const sum = counts.reduce((total, count) => total + count, 0);
    errors[name] = sum === 0 && counts.length < found.length ? 'timeout' : sum;
  }
  return errors;
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** The version that a document claims, for the table. */
export function versionOf(file: string): string {
  return /["']?(?:openapi|swagger)["']?\s*:\s*["']?([\d.]+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
}
