import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../e2e/free-port.ts';
import { cpuPerRequest, startServer } from './measure.ts';
import type { Load, Server } from './measure.ts';
import { openStreams } from './open-streams.ts';

/** What passing costs a proxy, in microseconds of its own CPU. */
export interface ProxyFigures {
  readonly call: number;
  /** The same in the thread that forwards: others may judge. NaN where that is not known. */
  readonly forwarding: number;
  /** A request with a body of 10 MB. */
  readonly upload: number;
  /** One of 1,000 streams for one second. */
  readonly stream: number;
}

export interface ProxySubjects {
  /** The command of tallystick. */
  readonly bin: string;
  /** A program that answers everything with `$ANSWER`, and looks at nothing. */
  readonly upstream: string;
  readonly probe: Parameters<typeof startServer>[1];
  readonly seconds: number;
  readonly answer: string;
  /** Prism's proxy, which holds an answer until it is whole: it has no figure but for calls. */
  readonly prism: StartProxy;
  /** A pipe in Node. */
  readonly pipe: StartProxy;
}

export interface ProxyCosts {
  readonly ours: ProxyFigures;
  readonly pipe: ProxyFigures;
  readonly prism: Pick<ProxyFigures, 'call'>;
  /** Absent where it is not installed. */
  readonly nginx: ProxyFigures | undefined;
}

/** Ours, which judges what it passes, beside Prism's, which does so too, and two that do not. */
export async function proxyCosts(subjects: ProxySubjects): Promise<ProxyCosts> {
  const { bin, probe } = subjects;
  const begin = ['--port', '0', '--control-port', '0', '--quiet', '--json'];
  const ours = (target: string): Promise<Server> => startServer([bin, 'proxy', target, ...begin], probe);
  const hasNginx = spawnSync('nginx', ['-v']).status === 0;
  return {
    ours: await figures(ours, subjects),
    pipe: await figures(subjects.pipe, subjects),
    prism: { call: await callFigure(subjects.prism, subjects) },
    nginx: hasNginx ? await figures(startNginx, subjects) : undefined,
  };
}

// --- internal ---

export type StartProxy = (target: string) => Promise<Server>;

async function callFigure(
  start: StartProxy,
  { upstream, probe, seconds, answer }: ProxySubjects,
): Promise<number> {
  const plain = await startServer([upstream], probe, { ANSWER: answer });
  const proxy = await start(plain.url);
  const call = await cpuPerRequest(proxy, {
    path: probe.path,
    method: 'GET',
    headers: probe.headers,
    seconds,
  });
  await Promise.all([proxy.stop(), plain.stop()]);
  if (call.bad > 0) console.error(`▲ ${call.bad} calls through a proxy failed: its figures mean little`);
  return call.microseconds;
}

async function figures(
  start: StartProxy,
  { bin, upstream, probe, seconds, answer }: ProxySubjects,
): Promise<ProxyFigures> {
  const list: Load = { path: probe.path, method: 'GET', headers: probe.headers, seconds };
  const plain = await startServer([upstream], probe, { ANSWER: answer });
  const proxy = await start(plain.url);
  const call = await cpuPerRequest(proxy, list);
  const body = `{"text":"${'x'.repeat(10 * 2 ** 20)}"}`;
  const upload = await cpuPerRequest(proxy, { ...list, path: '/v1/models/mock/ok', method: 'POST', body });
  await Promise.all([proxy.stop(), plain.stop()]);
  for (const { bad } of [call, upload])
    if (bad > 0) console.error(`▲ ${bad} calls through a proxy failed: its figures mean little`);

  const mock = await startServer(
    [bin, 'mock', '--port', '0', '--control-port', '0', '--print-url', '--quiet', '--surface', 'self-hosted'],
    probe,
  );
  const between = await start(mock.url);
  const { cpuMicroseconds, watchedSeconds } = await openStreams(between, STREAMS);
  await Promise.all([between.stop(), mock.stop()]);
  return {
    call: call.microseconds,
    forwarding: call.ofThread,
    upload: upload.microseconds,
    stream: cpuMicroseconds / STREAMS / watchedSeconds,
  };
}

const STREAMS = 1_000;

/** Linux counts the time of a process in these for a second. */
const TICKS = 100;

/** nginx as a plain proxy in one process, whose CPU time the system knows. */
async function startNginx(target: string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, port, new URL(target).host));
  const started = performance.now();
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${String(port)}`;
  while (!(await fetch(url).then(Boolean, () => false)))
    if (child.exitCode !== null) throw new Error(`nginx ended with ${String(child.exitCode)}`);
  return {
    url,
    millisecondsToReady: performance.now() - started,
    cpuMicroseconds: () => Promise.resolve(accountOf(child.pid).cpuMicroseconds),
    // It has no garbage.
    memoryBytes: () => Promise.resolve(accountOf(child.pid).residentBytes),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accountOf(pid = 0): { readonly cpuMicroseconds: number; readonly residentBytes: number } {
  // What follows the name, which is in parentheses: fields 3 and on of proc(5).
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
  return {
    cpuMicroseconds: (((user ?? 0) + (system ?? 0)) * 1_000_000) / TICKS,
    residentBytes: (pages ?? 0) * 4096,
  };
}

function configuration(folder: string, port: number, upstream: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  return `daemon off; master_process off; pid ${join(folder, 'pid')};
events { worker_connections 4096; }
http {
  access_log off; client_max_body_size 0; ${temporary}
  upstream server { server ${upstream}; keepalive 32; }
  server {
    listen 127.0.0.1:${String(port)};
    location / {
      proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host ${upstream}; proxy_buffering off; proxy_request_buffering off;
    }
  }
}
`;
}
