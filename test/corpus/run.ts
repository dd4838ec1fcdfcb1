import { type ChildProcessWithoutNullStreams, fork, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
    const ran = await run(generator, args, dirname(file));
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

interface Ran {
  readonly code: number | null;
  readonly seconds: number;
  /** Its last output. */
  readonly told: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

function run(
  script: string,
  args: readonly string[],
  cwd: string,
  execArgv: readonly string[] = [],
): Promise<Ran> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = fork(script, args, { cwd, silent: true, execArgv: [...execArgv] });
    let stdout = '';
    let stderr = '';
    let told: unknown;
    let timedOut = false;
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    child.on('message', (message) => (told = message));
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1_000;
      resolve({ code, seconds, told, stdout, stderr, timedOut });
    });
  });
}

async function tried(file: string, folder: string): Promise<Trial> {
  // What was generated is TypeScript, and so is what calls it.
  const loader = ['--import', import.meta.resolve('tsx')];
  const { told, stderr, timedOut } = await run(
    caller,
    [`./${basename(file)}`, folder, String(CALLS)],
    dirname(file),
    loader,
  );
  if (told !== undefined) return told as Trial;
  const why = timedOut ? `not done in ${String(LIMIT_MS)} ms` : (stderr.trim().split('\n').at(-1) ?? '');
  return { results: 0, refusals: 0, faults: [`the calls came to no end: ${why}`] };
}

const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

/** Every strictness that a user may have. */
export const strictest = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
};

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

/** How many errors a compiler finds when it looks for modules in this way. */
async function compile(
  folder: string,
  tsc: string,
  resolution: object,
  part: { readonly exclude: readonly string[]; readonly compilerOptions: object },
  limitMs: number,
): Promise<number | 'timeout'> {
  const { exclude } = part;
  const compilerOptions = { ...strictest, ...resolution, ...part.compilerOptions };
  const options = { compilerOptions, include: ['api'], exclude };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const args = ['--max-old-space-size=4000', tsc, '-p', '.', '--pretty', 'false'];
  const compiler = spawn(process.execPath, args, { cwd: folder, timeout: limitMs, killSignal: 'SIGKILL' });
  const { status, signal, stdout } = await ended(compiler);
  if (signal === 'SIGKILL') {
    process.stdout.write(`    ${tsc} was not done in ${(limitMs / 1_000).toFixed(0)} s\n`);
    return 'timeout';
  }
  const found = stdout.match(/error TS\d+/g)?.length ?? 0;
  if (found > 0 && process.env['CORPUS_SHOW'] !== undefined) process.stdout.write(stdout.slice(0, 3_000));
  return found === 0 && status !== 0 ? 1 : found;
}

function ended(
  child: ChildProcessWithoutNullStreams,
): Promise<{ readonly status: number | null; readonly signal: string | null; readonly stdout: string }> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stdout }));
  });
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
