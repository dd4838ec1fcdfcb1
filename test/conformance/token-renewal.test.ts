import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import {
  curlScripts,
  exitCode,
  renderReport,
  reportFormats,
  runConformance,
} from '../../conformance/index.ts';
import type { ConformanceOptions, Fixtures, Report } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { freshFolder } from '../cli/command.ts';
import { headerIn, routerContract, scripted } from './servers.ts';
import type { Scripted } from './servers.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const webToken = (expiresAt: number, name: string): string =>
  `${encoded({ alg: 'none' })}.${encoded({ exp: expiresAt / 1000, sub: name })}.c2lnbmF0dXJl`;

const unauthorized: Scripted = {
  status: 401,
  headers: { 'X-Service-Request-Id': 'r', 'X-Service-Error-Type': 'unauthorized' },
  body: { error_type: 'unauthorized', detail: 'no' },
};

interface Run {
  readonly report: Report;
  /** The tokens in the order of use, with the status that they got. */
  readonly used: readonly (readonly [token: string, status: number])[];
  readonly renewals: number;
}

/** Judges a server that accepts a token while `accepts` says so; tokens come from `tokens`, one after the other. */
async function judge(
  tokens: readonly (string | Error)[],
  accepts: (token: string, now: number, count: number) => boolean,
  options: Partial<ConformanceOptions> & { readonly slowMs?: number } = {},
): Promise<Run> {
  const clock = virtualClock({ startAt: NOW });
  const used: [string, number][] = [];
  let renewals = 0;
  const { transport } = scripted(async (request) => {
    await clock.sleep(options.slowMs ?? 10);
    const token = /^Bearer (.*)$/.exec(headerIn(request, 'authorization') ?? '')?.[1];
    if (token === undefined || token === 'nonsense') return unauthorized;
    const isAccepted = accepts(token, clock.now(), used.length);
    used.push([token, isAccepted ? 200 : 401]);
    return isAccepted
      ? { status: 200, body: { data: [], has_more: false, limit: 20, echo: token } }
      : unauthorized;
  });
  const [first] = tokens;
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    token: {
      token: String(first),
      renew: () => {
        renewals += 1;
        const next = tokens[Math.min(renewals, tokens.length - 1)];
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(String(next));
      },
    },
    transport,
    clock,
    rules: ['router.list.*'],
    ...options,
  });
  return { report, used, renewals };
}

test('a token that says when it expires is renewed before that', async () => {
  const tokens = [1, 2, 3, 4, 5, 6].map((minutes) => webToken(NOW + minutes * 60_000, `t${minutes}`));
  const expiryOf = (token: string): number => NOW + (tokens.indexOf(token) + 1) * 60_000;
  const { used, report, renewals } = await judge(tokens, (token, now) => now < expiryOf(token), {
    slowMs: 9000,
  });
  expect(renewals).toBeGreaterThan(0);
  expect(used.filter(([, status]) => status === 401)).toEqual([]);
  expect(report.findings).toEqual([]);
});

const opaque = Array.from({ length: 20 }, (_, index) => `opaque-token-${String(index).padStart(6, '0')}`);

test('a token that is refused after it was accepted is renewed, and the request is sent again', async () => {
  let since = 0;
  let current = '';
  const accepts = (token: string, _: number, count: number): boolean => {
    if (token !== current)
      [current, since] = opaque.indexOf(token) > opaque.indexOf(current) ? [token, count] : [current, since];
    return token === current && count - since < 8;
  };
  const { report, used, renewals } = await judge(opaque, accepts);
  const forever = await judge(opaque.slice(0, 1), () => true);
  expect(renewals).toBeGreaterThan(0);
  expect(used.some(([, status]) => status === 401)).toBe(true);
  expect(report.rules.map(({ id, verdict }) => [id, verdict])).toEqual(
    forever.report.rules.map(({ id, verdict }) => [id, verdict]),
  );
  expect(exitCode(report)).toBe(exitCode(forever.report));
});

test('neither the old token nor the new one is in any report', async () => {
  const { report } = await judge(opaque, (token) => token !== opaque[0]);
  const again = await judge(opaque, (token, _, count) => token !== opaque[0] || count < 3);
  for (const one of [report, again.report])
    for (const text of [
      ...reportFormats.map((format) => renderReport(one, format)),
      ...Object.values(curlScripts(one)),
    ])
      for (const token of opaque) expect(text).not.toContain(token);
  expect(again.report.exchanges.some(({ answer }) => answer?.body?.text.includes('"echo":"$') === true)).toBe(
    true,
  );
});

test('a token that was never accepted is not renewed: one finding, exit 2', async () => {
  const { report, renewals } = await judge(opaque, () => false);
  expect(renewals).toBe(0);
  expect(report.findings.map(({ kind }) => kind)).toContain('credential');
  expect(exitCode(report)).toBe(2);
});

test('a command that fails is reported once, is not run endlessly, and the exit code is 2', async () => {
  const { report, renewals } = await judge(
    [opaque[0] ?? '', new Error('it ended with exit code 1: no session')],
    (_, __, count) => count < 3,
  );
  expect(renewals).toBe(3);
  expect(report.findings.filter(({ kind }) => kind === 'credential')).toMatchObject([
    { says: 'The bearer token could not be renewed: it ended with exit code 1: no session' },
  ]);
  expect(exitCode(report)).toBe(2);
});

test('an expired token that cannot be renewed is not sent', async () => {
  const token = webToken(NOW + 50, 'short');
  const { report, used } = await judge([token, new Error('no')], () => true, { slowMs: 40 });
  expect(used.length).toBeLessThan(5);
  expect(report.rules.some(({ reason }) => reason?.includes('it could not be renewed') === true)).toBe(true);
});

test('tokens that have expired by the clock of this machine are used as long as the server accepts them', async () => {
  const tokens = [1, 2, 3].map((hours) => webToken(NOW - hours * 3_600_000, `t${hours}`));
  const { renewals, used } = await judge(tokens, () => true);
  expect(renewals).toBe(0);
  expect(used.length).toBeGreaterThan(5);
});

test('a fresh token that is refused like the one before does not make a run renew for ever', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `opaque-token-${String(index).padStart(6, '0')}`);
  const { renewals } = await judge(many, (_, __, count) => count < 3);
  expect(renewals).toBeLessThanOrEqual(5);
});

test.each<[string, Fixtures, string | undefined, readonly (readonly [string, string])[]]>([
  [
    'the token alone',
    {},
    undefined,
    [
      ['valid', 'Bearer T'],
      ['jwt', 'Bearer T'],
    ],
  ],
  ['an expired JWT in the fixtures', { cred: { jwt: 'old' } }, undefined, [['jwt', 'Bearer T']]],
  [
    'an expired bearer in the fixtures',
    { cred: { valid: { header: 'Authorization', value: 'Bearer old' } } },
    undefined,
    [['valid', 'Bearer T']],
  ],
  [
    'an API key in the fixtures',
    { cred: { valid: { header: 'X-API-Key', value: 'key' } } },
    undefined,
    [
      ['valid', 'key'],
      ['jwt', 'Bearer T'],
    ],
  ],
  [
    'an API key of the command line',
    {},
    'key',
    [
      ['valid', 'key'],
      ['jwt', 'Bearer T'],
    ],
  ],
])('whose credential the token is: %s', async (_, fixtures, key, expected) => {
  const { makeTarget } = await import('../../conformance/target/target.ts');
  const target = makeTarget(await routerContract(), {
    baseUrl: 'https://api.example.com',
    fixtures,
    credential: key === undefined ? undefined : { header: 'X-API-Key', value: key },
    token: { token: 'T', renew: () => Promise.resolve('T') },
  });
  for (const [identity, value] of expected)
    expect([identity, target.credentials[identity as 'valid']?.value]).toEqual([identity, value]);
});

async function tallystick(
  words: readonly string[],
  folder: string,
): Promise<{ readonly code: number; readonly said: string }> {
  let said = '';
  const stream = (): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        said += chunk.toString();
        done();
      },
    });
  const code = await main([...words], {
    stdout: stream(),
    stderr: stream(),
    cwd: folder,
    environment: { ...process.env, TALLYSTICK_API_KEY: '', TALLYSTICK_BEARER: '' },
    onSignal: () => () => undefined,
  });
  return { code, said };
}

test('--token-command: the shell runs it at the start and again, in conform, discover and replay', async () => {
  const folder = await freshFolder();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const bearer = request.headers.authorization ?? '';
    seen.push(bearer);
    // Each token is good for six requests.
    const isAccepted = bearer.startsWith('Bearer token-') && seen.filter((one) => one === bearer).length <= 6;
    response.writeHead(isAccepted ? 200 : 401, { 'Content-Type': 'application/json' });
    response.end(
      isAccepted ? '{"data":[],"has_more":false,"limit":20}' : '{"error_type":"unauthorized","detail":"no"}',
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(join(folder, 'count'), '0');
  const command = 'n=$(($(cat count) + 1)); echo $n > count; printf "  token-secret-%s\\n" $n';
  const judged = await tallystick(
    ['conform', url, '--token-command', command, '--rule', 'router.list.*'],
    folder,
  );
  expect(Number(await readFile(join(folder, 'count'), 'utf8'))).toBeGreaterThan(1);
  expect(new Set(seen.filter((bearer) => bearer.startsWith('Bearer token-'))).size).toBeGreaterThan(1);
  const report = await readFile(join(folder, 'tallystick-report/report.json'), 'utf8');
  for (const text of [judged.said, report]) expect(text).not.toContain('token-secret');

  seen.length = 0;
  expect((await tallystick(['fixtures', 'discover', url, '--token-command', command], folder)).code).toBe(0);
  expect(seen[0]).toMatch(/^Bearer token-secret-\d+$/);
  seen.length = 0;
  const replay = ['conform', 'replay', 'tallystick-report', 'x0001', '--base-url', url];
  expect((await tallystick([...replay, '--token-command', command], folder)).code).toBe(0);
  expect(seen[0]).toMatch(/^Bearer token-secret-\d+$/);
  server.close();
});

test.each([
  ['echo planted; exit 3', 'it ended with exit code 3'],
  ['echo planted; echo "no session" >&2; exit 1', 'it ended with exit code 1: no session'],
  ['true', 'it printed nothing'],
  ['echo planted; echo planted', 'it printed more than a token'],
  ['yes planted', 'it printed more than 65536 characters'],
])('--token-command %s: exit 2, with the reason, without its output', async (command, why) => {
  const { code, said } = await tallystick(
    ['conform', 'http://127.0.0.1:9', '--token-command', command],
    await freshFolder(),
  );
  expect(said).toContain(`--token-command: ${why}`);
  expect(said).not.toContain('planted');
  expect(code).toBe(2);
});

test('--plan does not run the command', async () => {
  const folder = await freshFolder();
  const { code } = await tallystick(
    ['conform', 'http://127.0.0.1:9', '--plan', '--token-command', 'touch ran; echo token'],
    folder,
  );
  await expect(readFile(join(folder, 'ran'))).rejects.toThrow('ENOENT');
  expect(code).toBe(0);
});

test('--token-command and --bearer exclude each other', async () => {
  const { code, said } = await tallystick(
    ['conform', 'http://127.0.0.1:9', '--bearer', 'x', '--token-command', 'echo x'],
    await freshFolder(),
  );
  expect(said).toMatch(/cannot be used together/);
  expect(code).toBe(2);
});
