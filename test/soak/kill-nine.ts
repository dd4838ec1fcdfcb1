/**
 * `npx tsx test/soak/kill-nine.ts [ROUNDS]`, 200 when left out: a mock with `--data` is killed under load, again and
 * again. No answer that was heard may be forgotten, and no key whose answer was heard be run twice. Exit 1 otherwise. With
 * `--write` the table goes to docs/soak.md.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
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

/** What a caller knows of one of its calls. */
interface Heard {
  readonly kind: 'run' | 'job' | 'publication';
  readonly key: string;
  /** The body of the answer; `undefined` when the connection ended before. */
  text: string | undefined;
}

const rounds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 200);
const CALLERS = 8;
const MOST_ANSWERS = 200;

const sends: Readonly<Record<Heard['kind'], (url: string, key: string) => Promise<Response>>> = {
  run: (url, key) =>
    fetch(`${url}/v1/models/mock/ok`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: '{"prompt":"x"}',
    }),
  job: (url, key) =>
    fetch(`${url}/api/v2/jobs`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: '{"1":{"class_type":"WriteText","inputs":{"text":"a"}}}',
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

const folder = await mkdtemp(join(tmpdir(), 'tallystick-soak-'));
const calls: Heard[] = [];
const forgotten: string[] = [];
let running = await start(folder);
for (let round = 0; round < rounds; round += 1) {
  const before = calls.length;
  const names = Array.from({ length: CALLERS }, (_, caller) => `${String(round)}-${String(caller)}`);
  // After so many answers, wherever the others are by then.
  let left = 1 + Math.floor(Math.random() * MOST_ANSWERS);
  let enough = (): void => undefined;
  const heardEnough = new Promise<void>((resolve) => (enough = resolve));
  const load = names.map((name) =>
    callOn(running, name, calls, () => {
      left -= 1;
      if (left === 0) enough();
    }),
  );
  await heardEnough;
  await killed(running);
  await Promise.all(load);
  running = await start(folder);
  forgotten.push(...(await misfits(running, calls.slice(before))));
}
// Once more, all of it: what was kept over one end must last over all.
forgotten.push(
  ...(await misfits(
    running,
    calls.filter((_, index) => index % 20 === 0),
  )),
);
const { byModel } = (await (await fetch(`${running.control}/control/v1/dispatches`)).json()) as {
  byModel: Record<string, number>;
};
await killed(running);
await rm(folder, { recursive: true, force: true });

const runs = calls.filter(({ kind }) => kind === 'run');
const unheard = calls.filter(({ text }) => text === undefined).length;
// A run whose answer nobody heard has one dispatch at most as well: nothing sent it again.
const twice = Math.max(0, (byModel['mock/ok'] ?? 0) - runs.length);
process.stdout.write(
  `${writeSection('kill-nine', [
    ['rounds', 'calls', 'answers heard', 'calls cut off', 'answers forgotten', 'keys charged twice'],
    [rounds, calls.length, calls.length - unheard, unheard, forgotten.length, twice].map(String),
  ])}\n`,
);
for (const one of forgotten.slice(0, 10)) process.stdout.write(`✖ forgotten: ${one}\n`);
if (forgotten.length + twice > 0) process.exitCode = 1;

// --- internal ---

async function start(folder: string): Promise<Running> {
  const child = spawn(
    process.execPath,
    [bin, 'mock', '--port', '0', '--control-port', '0', '--json', '--quiet', '--data', folder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
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
async function callOn({ url }: Running, name: string, calls: Heard[], heardOne: () => void): Promise<void> {
  for (let count = 0; ; count += 1) {
    const kind = (['run', 'job', 'publication'] as const)[count % 3] ?? 'run';
    const key =
      kind === 'publication' ? `${name.replace('-', '.')}.${String(count)}` : `${name}-${String(count)}`;
    const heard: Heard = { kind, key, text: undefined };
    calls.push(heard);
    try {
      const response = await sends[kind](url, key);
      heard.text = await response.text();
      heardOne();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return;
    }
  }
}

/** Answers that were heard and that the next process does not know. */
async function misfits({ url }: Running, calls: readonly Heard[]): Promise<string[]> {
  const found: string[] = [];
  for (const { kind, key, text } of calls) {
    if (text === undefined) continue;
    if (kind === 'run') {
      const again = await sends.run(url, key);
      const same = (await again.text()) === text && again.headers.get('Idempotent-Replayed') === 'true';
      if (!same) found.push(`run ${key}`);
    } else if (kind === 'job') {
      const { id } = JSON.parse(text) as { id: string };
      const read = await fetch(`${url}/api/v2/jobs/${id}`, { headers });
      await read.text();
      const again = await sends.job(url, key);
      await again.text();
      if (read.status !== 200 || again.status !== 422) found.push(`job ${key}`);
    } else {
      const again = await sends.publication(url, key);
      await again.text();
      if (again.status !== 400) found.push(`publication ${key}`);
    }
  }
  return found;
}
