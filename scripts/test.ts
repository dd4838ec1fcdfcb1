/**
 * `npm test`: the quick tests. `npm run check`: lint, format and types. `npm run test:slow`: the slow tests, with the
 * checks in parallel. `npm run test:all`: everything. `npm run attacks`: the tests with the tag `attack`. The output of a
 * check is shown when it has ended; the tests print as they run.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectTools, requirementFailure } from '../test/tools.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const cache = 'node_modules/.cache';
const checks: readonly Step[] = [
  {
    name: 'lint',
    command: [
      ...['eslint', '.', '--max-warnings', '0'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/eslint`],
    ],
  },
  { name: 'lint of promises and switches', command: ['oxlint'] },
  {
    name: 'format',
    command: [
      ...['prettier', '--check', '--log-level', 'warn', '.'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/prettier/.prettier-cache`],
    ],
  },
  ...['tsconfig.json', 'tsconfig.web.json', 'mock/inspector'].map((project) => ({
    name: `types of ${project}`,
    // The native compiler takes a third of the time. The build uses the compiler that ships.
    command: [process.execPath, 'node_modules/typescript-7/bin/tsc', '-p', project, '--noEmit'],
  })),
];

const tier = process.argv[2] ?? 'quick';
const failure = ['quick', 'slow', 'all', 'checks', 'attacks'].includes(tier)
  ? requirementFailure(detectTools(process.env), process.env)
  : `There is no tier ${tier}: quick, slow, all, checks or attacks`;
if (failure === undefined) {
  const lanes = [
    ...(tier === 'checks' ? [] : [tests()]),
    ...(['quick', 'attacks'].includes(tier) ? [] : [inTurn(checks)]),
  ];
  const failed = (await Promise.all(lanes)).flat();
  if (failed.length > 0) fail(`failed: ${failed.join(', ')}`);
} else fail(failure);

function fail(message: string): void {
  console.error(`✖ ${message}`);
  process.exitCode = 1;
}

async function tests(): Promise<string[]> {
  const chosen = tier === 'attacks' ? [...attackFiles(), '--tags-filter', 'attack'] : [];
  const code = await run(['vitest', 'run', ...chosen, ...process.argv.slice(3)], 'inherit', {
    TALLYSTICK_TESTS: tier,
  });
  return code.status === 0 ? [] : ['tests'];
}

/** The files with tests that have the tag: to import all others would take longer than these tests do. */
function attackFiles(): readonly string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path))
    .filter((path) => /@module-tag attack|tags: .*attack/.test(readFileSync(path, 'utf8')));
}

/** The checks share one core, because the tests use both; the output of each is printed as a whole. */
async function inTurn(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, command } of steps) {
    const { status, said } = await run(command, 'pipe');
    if (status === 0) continue;
    failed.push(name);
    console.error(`✖ ${name}\n${said}`);
  }
  return failed;
}

interface Ended {
  readonly status: number | null;
  readonly said: string;
}

/** Runs a program of `node_modules/.bin`, which npm puts on the PATH of its scripts. */
function run(
  [program = '', ...parameters]: readonly string[],
  output: 'inherit' | 'pipe',
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(program, parameters, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...environment },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: 1, said: error.message }));
    child.once('close', (status) => resolve({ status, said }));
  });
}
