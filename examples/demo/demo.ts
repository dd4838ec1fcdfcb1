/** `npm run demo`: runs generate, mock and conform with `dist/`, in a temporary folder. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const bin = join(here, '../../dist/cli/bin.cjs');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const key = 'service-mock-ok';
const broken = 'router.list.limit-clamped';

class StepFailed extends Error {}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const mocks = new Set<ChildProcess>();
const started = performance.now();
const project = await mkdtemp(join(tmpdir(), 'tallystick-demo-'));
try {
  await cp(join(here, 'project'), project, { recursive: true });
  await demo();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\nAll steps passed in ${seconds} s. Next: "Start in 30 seconds" in README.md.`);
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(`\n✖ ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const mock of mocks) mock.kill('SIGTERM');
  await rm(project, { recursive: true, force: true });
}

async function demo(): Promise<void> {
  step(1, 'Generate the clients of all three APIs into a fresh project, and compile them strictly');
  show(expectCode(0, await tallystick('generate', '--out', 'src/api')), /^✔/);
  expectCode(0, await run([tsc, '-p', 'tsconfig.json'], 'tsc -p tsconfig.json'));
  console.log('  ✔ no compiler errors');

  step(2, 'Start the mock, all three on one port, and call it with the generated clients');
  const url = await mock('--deadline', '1s');
  show(expectCode(0, await run(['out/calls.js', url, key], 'node out/calls.js')), /./);

  step(3, 'Let the suite judge the mock as if it were a live server');
  const fixtures = join(project, 'fixtures.json');
  const permissions = ['--fixtures', fixtures, '--allow', 'negatives,billed,publish,jobs'];
  expectCode(0, await tallystickInto(fixtures, 'fixtures'));
  const report = join(project, 'report');
  expectCode(0, await tallystick('conform', url, ...permissions, '--report', report));
  for (const line of await verdicts(join(report, 'report.json'))) console.log(`  ${line}`);

  step(4, 'Break one rule on purpose: the suite must notice, and blame that rule alone');
  const bent = await mock('--deviate', await oneDeviation());
  const area = ['--rule', `${broken.split('.').slice(0, 2).join('.')}.*`];
  const ended = await tallystick('conform', bent, ...permissions, ...area, '--report', report);
  expectCode(1, ended);
  show(ended, /^(✖| {4}(rule|sent|got|repeat) )/);
  const blamed = await rulesWith('fail', join(report, 'report.json'));
  if (blamed.join() !== broken) throw new StepFailed(`blamed for it: ${blamed.join(', ') || 'no rule'}`);
  console.log(`  ✔ only ${broken} fails`);
}

// --- internal ---

function step(number: number, title: string): void {
  console.log(`\n${number}. ${title}`);
}

function tallystick(...args: readonly string[]): Promise<Ended> {
  return run([bin, ...args], `tallystick ${args.map((word) => word.replace(`${project}/`, '')).join(' ')}`);
}

/** The same with its stdout in a file. */
async function tallystickInto(file: string, ...args: readonly string[]): Promise<Ended> {
  const ended = await tallystick(...args);
  await writeFile(file, ended.output);
  return ended;
}

/** Runs Node in the project. */
function run(args: readonly string[], shown: string): Promise<Ended> {
  console.log(`  $ ${shown}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: project,
      env: { ...process.env, TALLYSTICK_API_KEY: key, NO_COLOR: '1' },
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: code === 0 ? output : `${output}${errors}` }));
  });
}

/** Starts a mock; resolves with its address. */
function mock(...args: readonly string[]): Promise<string> {
  console.log(`  $ tallystick mock ${args.join(' ')} &`);
  const child = spawn(process.execPath, [bin, 'mock', '--port', '0', '--print-url', '--quiet', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  mocks.add(child);
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('close', () => {
      mocks.delete(child);
      reject(new StepFailed('the mock did not start'));
    });
  });
}

function expectCode(code: number, ended: Ended): Ended {
  if (ended.code === code) return ended;
  throw new StepFailed(`this ended with ${String(ended.code)} instead of ${code}:\n${ended.output}`);
}

function show({ output }: Ended, wanted: RegExp): void {
  for (const line of output.split('\n')) if (wanted.test(line)) console.log(`  ${line.slice(0, 110)}`);
}

async function oneDeviation(): Promise<string> {
  const { output } = expectCode(0, await tallystick('deviations', '--json'));
  const all = JSON.parse(output) as readonly { readonly id: string; readonly rule: string }[];
  const found = all.find(({ rule }) => rule === broken);
  if (found === undefined) throw new StepFailed(`no deviation breaks ${broken}`);
  return found.id;
}

interface Report {
  readonly rules: readonly { readonly id: string; readonly verdict: string }[];
}

async function readReport(file: string): Promise<Report> {
  return JSON.parse(await readFile(file, 'utf8')) as Report;
}

/** One line for each API. */
async function verdicts(file: string): Promise<string[]> {
  const { rules } = await readReport(file);
  const apis = [...new Set(rules.map(({ id }) => id.split('.')[0] ?? ''))];
  return apis.map((api) => {
    const own = rules.filter(({ id }) => id.startsWith(`${api}.`));
    const counts = new Map<string, number>();
    for (const { verdict } of own) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const told = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
    return `✔ ${api.padEnd(8)}  ${own.length} rules: ${told}`;
  });
}

async function rulesWith(verdict: string, file: string): Promise<string[]> {
  const { rules } = await readReport(file);
  return rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
}
