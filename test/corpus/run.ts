import { fork, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What became of one document. */
export interface Outcome {
  /** `crash`: anything but code or a refusal that says where and what to do. */
  readonly kind: 'generated' | 'refused' | 'crash' | 'timeout';
  /** Of a refusal, its first line; of a crash, what it said. */
  readonly said: string;
  readonly operations: number;
  readonly seconds: number;
  readonly megabytes: number;
  readonly bytes: number;
  /** Of each compiler, by its name. */
  readonly errors: Readonly<Record<string, number>>;
}

/** No document may take longer. */
const LIMIT_MS = 120_000;

const script = fileURLToPath(new URL('run-one.mjs', import.meta.url));

/** Generates a document in a process of its own, and compiles what came of it as strictly as can be. */
export async function runDocument(
  file: string,
  compilers: readonly { readonly name: string; readonly script: string }[],
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-corpus-'));
  try {
    const out = join(folder, 'api');
    const args = ['generate', `./${basename(file)}`, '--name', 'sample', '--out', out, '--json', '--server'];
    const { code, seconds, megabytes, stdout, stderr, timedOut } = await run(args, dirname(file));
    const none = { operations: 0, seconds, megabytes, bytes: 0, errors: {} };
    if (timedOut) return { kind: 'timeout', said: `not done in ${String(LIMIT_MS)} ms`, ...none };
    if (code !== 0) {
      const lines = stderr.split('\n').filter((line) => line.trim() !== '');
      const said = lines.find((line) => line.includes('✖')) ?? lines[0] ?? '';
      // A place, in words for people: no stack, and what to do next.
      const isClear = code === 2 && /:\d+:\d+|#\//.test(stderr) && !/^\s+at .*:\d+:\d+\)?$/m.test(stderr);
      return { kind: isClear ? 'refused' : 'crash', said, ...none };
    }
    const { apis } = JSON.parse(stdout) as { apis: { operations: number }[] };
    // Where modules are found is no business of a version: one of them is asked for both ways.
    const errors = compilers.map(
      ({ name, script: tsc }, index) =>
        [name, compile(folder, tsc, index === 0 ? [nodeNext, bundler] : [nodeNext])] as const,
    );
    return {
      kind: 'generated',
      said: '',
      operations: apis.reduce((sum, api) => sum + api.operations, 0),
      seconds,
      megabytes,
      bytes: sizeOf(out),
      errors: Object.fromEntries(errors),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

interface Ran {
  readonly code: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

function run(args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = fork(script, args, { cwd, silent: true, execArgv: [] });
    let stdout = '';
    let stderr = '';
    let megabytes = 0;
    let timedOut = false;
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    child.on('message', (message: { readonly megabytes: number }) => (megabytes = message.megabytes));
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1_000;
      resolve({ code, seconds, megabytes, stdout, stderr, timedOut });
    });
  });
}

const nodeNext = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

/** Every strictness that a user may have. */
const strictest = {
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

/** How many errors a compiler finds, under each of these ways of finding modules. */
function compile(folder: string, tsc: string, resolutions: readonly object[]): number {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // Parts for servers need Node's types; everything else must do without.
  const exclude = ['api/server-runtime', 'api/*/server.ts'];
  return resolutions.reduce((sum, resolution) => {
    const options = { compilerOptions: { ...strictest, ...resolution }, include: ['api'], exclude };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const args = ['--max-old-space-size=4000', tsc, '-p', '.', '--pretty', 'false'];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const found = stdout.match(/error TS\d+/g)?.length ?? 0;
    if (found > 0 && process.env['CORPUS_SHOW'] !== undefined) process.stdout.write(stdout.slice(0, 3_000));
    return sum + (found === 0 && status !== 0 ? 1 : found);
  }, 0);
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
