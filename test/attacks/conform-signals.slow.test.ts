// @module-tag long
// @module-tag attack
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { bin, ended, freshFolder, start } from '../cli/command.ts';
import { hostileServer, jsonHeaders, page, pour } from './hostile-server.ts';
import type { Handler, HostileServer } from './hostile-server.ts';

const servers: HostileServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const job = { id: '00000000-0000-4000-8000-000000000001', status: 'running', urls: {} };

/** Jobs that are taken, and whose stream is `stream`. */
const jobs =
  (stream: Handler): Handler =>
  (request, response) => {
    if (request.url?.endsWith('/events') === true) stream(request, response);
    else response.writeHead(request.method === 'POST' ? 201 : 200, jsonHeaders).end(JSON.stringify(job));
  };

const catalogue = (answer: Handler): Handler => answer;

interface Case {
  readonly handler: Handler;
  readonly args: readonly string[];
  /** The request after which the signal is sent. */
  readonly at: RegExp;
}

let polls = 0;
const cases: Record<string, Case> = {
  'a body that drips': {
    handler: catalogue((_, response) => void response.writeHead(200, jsonHeaders).write('{"data":[')),
    args: ['--rule', 'router.list.limit-default'],
    at: /models/,
  },
  'a stream that says nothing': {
    handler: jobs((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(': hello\n\n');
    }),
    args: [
      '--api',
      'jobs',
      '--fixtures',
      'jobs.yaml',
      '--allow',
      'jobs',
      '--rule',
      'jobs.sse.ends-after-terminal',
    ],
    at: /events/,
  },
  'a pause that the server asked for': {
    handler: catalogue((_, response) => {
      polls += 1;
      if (polls === 1) response.writeHead(200, jsonHeaders).end(JSON.stringify(page()));
      else response.writeHead(429, { ...jsonHeaders, 'Retry-After': '3600' }).end('{}');
    }),
    args: ['--rule', 'router.list.limit-default'],
    at: /models/,
  },
  'the judgement of large bodies': {
    handler: catalogue((_, response) => {
      const data = Array.from({ length: 150_000 }, () => ({ id: 'a/b', provider: 'a' }));
      response.writeHead(200, jsonHeaders).end(JSON.stringify(page({ data })));
    }),
    args: ['--rule', 'router.list.*,router.ids.*'],
    at: /limit=/,
  },
};

test.each(
  Object.entries(cases).flatMap(([name, one]) =>
    (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, name, one] as const),
  ),
)(
  '%s in %s ends the run, and the report of the finished part is written',
  async (signal, _, { handler, args, at }) => {
    polls = 0;
    const server = await hostileServer(handler);
    servers.push(server);
    const folder = await freshFolder();
    await writeFile(
      join(folder, 'jobs.yaml'),
      'surface: cloud\ncred: { apiKey: key-1234 }\njob: { ok: {} }\n',
    );
    const environment = { TALLYSTICK_API_KEY: 'service-secret-4711' };
    const child = start(process.execPath, [bin, 'conform', server.url, ...args], {
      cwd: folder,
      environment,
    });
    const end = ended(child);
    await server.first((request) => at.test(request));
    child.kill(signal);
    const { code, stderr } = await end;
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(130);
    const report = JSON.parse(
      await readFile(join(folder, 'tallystick-report', 'report.json'), 'utf8'),
    ) as Report;
    expect(report.status).toBe('interrupted');
    expect(report.exchanges.length).toBeGreaterThan(0);
    const files = await readdir(join(folder, 'tallystick-report'));
    expect(files.filter((file) => file.endsWith('.partial'))).toEqual([]);
  },
);

test('an event stream without an end is truncated, and its rules are inconclusive', async () => {
  const event = `event: status\ndata: ${JSON.stringify(job)}\n\n`;
  const server = await hostileServer(
    jobs((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      pour(response, event.repeat(50));
    }),
  );
  servers.push(server);
  const folder = await freshFolder();
  await writeFile(join(folder, 'jobs.yaml'), 'surface: cloud\ncred: { apiKey: key-1234 }\njob: { ok: {} }\n');
  const args = [
    '--api',
    'jobs',
    '--fixtures',
    'jobs.yaml',
    '--allow',
    'jobs',
    '--rule',
    'jobs.sse.ends-after-terminal',
  ];
  // A heap that would not hold such a stream.
  const environment = { TALLYSTICK_API_KEY: 'service-secret-4711', NODE_OPTIONS: '--max-old-space-size=300' };
  const child = start(process.execPath, [bin, 'conform', server.url, ...args], { cwd: folder, environment });
  const { code } = await ended(child);
  const report = JSON.parse(
    await readFile(join(folder, 'tallystick-report', 'report.json'), 'utf8'),
  ) as Report;
  expect(code).toBe(1);
  expect(report.rules[0]).toMatchObject({ verdict: 'inconclusive' });
  expect(report.rules[0]?.reason).toMatch(/the event stream of x\d+ was truncated after 10000 events/);
});

test('the second signal ends the process at once', async () => {
  const server = await hostileServer(cases['a body that drips']?.handler ?? (() => undefined));
  servers.push(server);
  const environment = { TALLYSTICK_API_KEY: 'service-secret-4711' };
  const child = start(process.execPath, [bin, 'conform', server.url], {
    cwd: await freshFolder(),
    environment,
  });
  const end = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, by) => resolve(by)));
  await server.first(() => true);
  child.kill('SIGINT');
  // Sent again and again: only the operating system can tell when the first one was taken.
  const again = setInterval(() => child.kill('SIGTERM'), 1);
  const by = await end;
  clearInterval(again);
  expect([null, 'SIGTERM']).toContain(by);
});
