import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const accountant = fileURLToPath(new URL('account.cjs', import.meta.url));

export interface Server {
  readonly url: string;
  readonly millisecondsToReady: number;
  /** What it has used since it began. */
  readonly cpuMicroseconds: () => Promise<number>;
  /** What its main thread has used; NaN where that is not known. Absent for programs that do not run on Node. */
  readonly threadMicroseconds?: () => Promise<number>;
  /** What is resident after a collection of garbage. */
  readonly memoryBytes: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts a server whose output names its address, and waits until it answers. */
export async function startServer(
  args: readonly string[],
  probe: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', accountant, ...args], {
    env: { ...process.env, ...environment, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const url = await addressOf(child);
  for (;;) {
    const answered = await fetch(`${url}${probe.path}`, { headers: probe.headers }).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answered) break;
  }
  return {
    url,
    millisecondsToReady: performance.now() - started,
    cpuMicroseconds: () => asked(child, 'cpu'),
    threadMicroseconds: async () => {
      const used = await asked(child, 'thread');
      return used < 0 ? Number.NaN : used;
    },
    memoryBytes: () => asked(child, 'memory'),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

export interface Load {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly seconds: number;
  /** What changes with each request, by its number: nothing that was remembered of an equal one helps then. */
  readonly each?: (number: number) => { readonly path?: string; readonly body?: string };
}

/** CPU microseconds of the server and of its main thread for each request, and how many had another status than 2xx. */
export async function cpuPerRequest(
  server: Server,
  load: Load,
): Promise<{ readonly microseconds: number; readonly ofThread: number; readonly bad: number }> {
  const used = async (): Promise<readonly [whole: number, thread: number]> => [
    await server.cpuMicroseconds(),
    (await server.threadMicroseconds?.()) ?? Number.NaN,
  ];
  await fire(server, { ...load, seconds: 1 });
  const before = await used();
  const result = await fire(server, load);
  const after = await used();
  return {
    microseconds: (after[0] - before[0]) / result.requests.total,
    ofThread: (after[1] - before[1]) / result.requests.total,
    bad: result.non2xx + result.errors,
  };
}

/** The account of a program that has ended. */
export interface RunAccount {
  readonly cpuMicroseconds: number;
  /** The largest memory that was resident. */
  readonly largestBytes: number;
  readonly milliseconds: number;
  readonly code: number | null;
}

/** Runs a Node program to its end. */
export async function runProgram(args: readonly string[]): Promise<RunAccount> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-bench-'));
  const file = join(folder, 'account.json');
  const started = performance.now();
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(process.execPath, ['--require', accountant, ...args], {
        env: { ...process.env, ACCOUNT_FILE: file, NO_COLOR: '1', TALLYSTICK_API_KEY: 'service-mock-ok' },
        stdio: 'ignore',
      });
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const milliseconds = performance.now() - started;
    return {
      ...(JSON.parse(await readFile(file, 'utf8')) as Pick<RunAccount, 'cpuMicroseconds' | 'largestBytes'>),
      milliseconds,
      code,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The best of several runs: the others met a busy machine. */
export async function bestOf(times: number, args: readonly string[]): Promise<RunAccount> {
  const runs: RunAccount[] = [];
  for (let i = 0; i < times; i += 1) runs.push(await runProgram(args));
  return runs.reduce((best, run) => (run.cpuMicroseconds < best.cpuMicroseconds ? run : best));
}

// --- internal ---

function asked(child: ChildProcess, question: 'cpu' | 'thread' | 'memory'): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as number));
    child.send(question);
  });
}

function fire(server: Server, load: Load): Promise<autocannon.Result> {
  const { each } = load;
  return autocannon({
    url: `${server.url}${load.path}`,
    method: load.method,
    headers: load.headers,
    ...(load.body === undefined ? {} : { body: load.body }),
    connections: 16,
    duration: load.seconds,
    ...(each === undefined
      ? {}
      : { requests: [{ setupRequest: (request) => ({ ...request, ...each((sent += 1)) }) }] }),
  });
}

/** The count continues from load to load, so that the warm-up sends no request of the measurement. */
let sent = 0;

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`a server ended before it was ready: ${said}`)));
  });
}
