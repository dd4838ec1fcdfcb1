/**
 * `npx tsx test/soak/kill-nine.ts [ROUNDS]`, 200 when left out: a mock with `--data` is killed under load, again and
 * again. No answer that was heard may be forgotten, and what each key cost is counted for itself: every run goes to a
 * model of its own, whose dispatches the mock counts, and every job writes its key into its output. A call that was cut
 * off is sent again with its key, as a client would; the contract says that a run whose answer did not arrive may run
 * again. Exit 1 for an answer forgotten or a key charged twice. With `--write` the table goes to docs/soak.md.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSection } from './page.ts';

const bin = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));
const headers = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };

interface Running {
  readonly url: string;
  readonly control: string;
  readonly child: ChildProcess;
}

interface Heard {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/** What a caller knows of one of its calls. */
interface Call {
  readonly kind: 'run' | 'job' | 'publication';
  readonly key: string;
  /** `undefined` when the connection ended before. */
  heard: Heard | undefined;
  /** The answer to the second attempt, if the first had no answer. */
  again: Heard | undefined;
}

const rounds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 200);
const CALLERS = 8;
const MOST_ANSWERS = 200;
/** More than one round can use: a third of its calls are runs. */
const MODELS = 100;

const sends: Readonly<Record<Call['kind'], (url: string, key: string) => Promise<Response>>> = {
  run: (url, key) =>
    fetch(`${url}/v1/models/${modelOf(key)}`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: '{"prompt":"x"}',
    }),
  job: (url, key) =>
    fetch(`${url}/api/v2/jobs`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify({ 1: { class_type: 'WriteText', inputs: { text: key } } }),
    }),
  publication: (url, key) =>
    fetch(`${url}/publishers/acme/nodes/acme-upscaler/versions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        node: {},
        node_version: { version: key },
        personal_access_token: 'pat-mock-ok',
      }),
    }),
};
const REFUSED = { job: 422, publication: 400 } as const;
const DONE: Readonly<Record<Call['kind'], number>> = { run: 200, job: 201, publication: 201 };

const folder = await mkdtemp(join(tmpdir(), 'tallystick-soak-'));
const calls: Call[] = [];
const forgotten: string[] = [];
let running = await start(folder, 0);
for (let round = 0; round < rounds; round += 1) {
  const before = calls.length;
  // After so many answers, wherever the others are by then.
  let left = 1 + Math.floor(Math.random() * MOST_ANSWERS);
  let enough = (): void => undefined;
  const heardEnough = new Promise<void>((resolve) => (enough = resolve));
  let number = 0;
  const next = (): Call => {
    const kind = (['run', 'job', 'publication'] as const)[number % 3] ?? 'run';
    const key = `${String(round)}${kind === 'publication' ? '.0.' : '-'}${String(number)}`;
    number += 1;
    const call: Call = { kind, key, heard: undefined, again: undefined };
    calls.push(call);
    return call;
  };
  const load = Array.from({ length: CALLERS }, () =>
    callOn(running, next, () => {
      left -= 1;
      if (left === 0) enough();
    }),
  );
  await heardEnough;
  await killed(running);
  await Promise.all(load);
  running = await start(folder, round + 1);
  forgotten.push(...(await misfits(running, calls.slice(before))));
}
// Once more, all of it: what was kept over one end must last over all.
await killed(running);
running = await start(folder, rounds);
forgotten.push(...(await misfits(running, calls)));
const { twice, runAgain, lost } = await countPerKey(running);
forgotten.push(...lost);
await killed(running);
await rm(folder, { recursive: true, force: true });

const unheard = calls.filter(({ heard }) => heard === undefined).length;
process.stdout.write(
  `${writeSection('kill-nine', [
    [
      'rounds',
      'keys',
      'answers heard',
      'calls cut off',
      'run again after a cut',
      'answers forgotten',
      'keys charged twice',
    ],
    [
      rounds,
      calls.length,
      calls.length - unheard,
      unheard,
      runAgain.length,
      new Set(forgotten).size,
      twice.length,
    ].map(String),
  ])}\n`,
);
for (const one of forgotten.slice(0, 10)) process.stdout.write(`✖ forgotten: ${one}\n`);
for (const one of twice.slice(0, 10)) process.stdout.write(`✖ charged twice: ${one}\n`);
if (forgotten.length + twice.length > 0) process.exitCode = 1;

// --- internal ---

function modelOf(key: string): string {
  return `soak/key-${key}`;
}

/** The mock has models for the keys of this round and of the one before, so that a key that it forgot would run. */
async function start(folder: string, round: number): Promise<Running> {
  const settings = join(folder, 'models.json');
  const models = [round - 1, round].flatMap((each) =>
    Array.from({ length: MODELS }, (_, count) => ({
      provider: 'soak',
      model: `key-${String(each)}-${String(count * 3)}`,
      state: 'listed',
      chargesOnPolicyRejection: 'no',
      cents: 1,
    })),
  );
  await writeFile(settings, JSON.stringify({ models }));
  const child = spawn(
    process.execPath,
    [
      bin,
      ...['mock', '--port', '0', '--control-port', '0', '--json', '--quiet'],
      ...['--data', folder, '--settings', settings],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => {
      reject(new Error(`the mock ended with ${String(code)}`));
    });
  });
  const { url, controlUrl } = JSON.parse(line) as { url: string; controlUrl: string };
  return { url, control: controlUrl, child };
}

function killed({ child }: Running): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGKILL');
  });
}

/** Calls until the connection is lost. */
async function callOn({ url }: Running, next: () => Call, heardOne: () => void): Promise<void> {
  for (;;) {
    const call = next();
    try {
      call.heard = await hear(sends[call.kind](url, call.key));
      heardOne();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return;
    }
  }
}

async function hear(answer: Promise<Response>): Promise<Heard> {
  const response = await answer;
  const replayed = response.headers.get('Idempotent-Replayed') === 'true';
  return { status: response.status, text: await response.text(), replayed };
}

/** Answers that were heard and that this process does not know. What nobody heard is sent again first. */
async function misfits({ url }: Running, calls: readonly Call[]): Promise<string[]> {
  const found: string[] = [];
  const left = calls.values();
  const look = async (): Promise<void> => {
    for (const call of left) found.push(...(await misfitsOf(url, call)));
  };
  await Promise.all(Array.from({ length: CALLERS }, look));
  return found;
}

async function misfitsOf(url: string, call: Call): Promise<string[]> {
  const { kind, key } = call;
  if (call.heard === undefined) call.again ??= await hear(sends[kind](url, key));
  const known = call.heard ?? call.again;
  // The first attempt of what nobody heard may have used up the key of a job, and taken a version.
  const isTaken = call.heard === undefined && kind !== 'run' && known?.status === REFUSED[kind];
  const name = `${kind} ${key}`;
  if (known?.status !== DONE[kind] && !isTaken) return [`${name}: answered ${String(known?.status)}`];
  const repeated = await hear(sends[kind](url, key));
  if (kind === 'run') return repeated.text === known?.text && repeated.replayed ? [] : [name];
  if (repeated.status !== REFUSED[kind]) return [name];
  if (kind !== 'job' || isTaken) return [];
  const { id } = JSON.parse(known?.text ?? '{}') as { id?: string };
  const read = await hear(fetch(`${url}/api/v2/jobs/${String(id)}`, { headers }));
  return read.status === 200 ? [] : [`${name}: its job is ${String(read.status)}`];
}

/** What every key cost, over the lives of all processes. */
async function countPerKey({ control }: Running): Promise<{
  readonly twice: readonly string[];
  readonly runAgain: readonly string[];
  readonly lost: readonly string[];
}> {
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${control}/control/v1/${path}`)).json();
  // Every job comes to its end, and shows what it wrote.
  await fetch(`${control}/control/v1/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"advance":"PT1H"}',
  });
  const { byModel } = (await read('dispatches')) as { byModel: Record<string, number> };
  const { jobs } = (await read('jobs')) as {
    jobs: readonly { readonly outputs: readonly { readonly url: string }[] }[];
  };
  const jobsOf = new Map<string, number>();
  for (const { outputs } of jobs) {
    const [, written = ''] = outputs[0]?.url.split(',') ?? [];
    const key = Buffer.from(written, 'base64').toString();
    jobsOf.set(key, (jobsOf.get(key) ?? 0) + 1);
  }
  const counted = calls.map(({ kind, key, heard, again }) => ({
    name: `${kind} ${key}`,
    count: kind === 'run' ? (byModel[modelOf(key)] ?? 0) : kind === 'job' ? (jobsOf.get(key) ?? 0) : 1,
    // The first attempt may have reached the model; its end was heard by nobody, and the retry ran.
    mayRunAgain: kind === 'run' && heard === undefined && again?.replayed === false,
    isDone: (heard ?? again)?.status === DONE[kind],
  }));
  const names = (those: typeof counted): string[] => those.map(({ name }) => name);
  return {
    twice: names(counted.filter(({ count, mayRunAgain }) => count > (mayRunAgain ? 2 : 1))),
    runAgain: names(counted.filter(({ count, mayRunAgain }) => mayRunAgain && count === 2)),
    lost: names(counted.filter(({ count, isDone }) => isDone && count === 0)),
  };
}
