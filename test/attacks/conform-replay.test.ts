// @module-tag attack
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { curlLine } from '../../conformance/replay/curl-line.ts';
import { replayCommand, runConformance } from '../../conformance/index.ts';
import type { Report, StoredExchange } from '../../conformance/index.ts';
import { freshFolder, tallystickHere } from '../cli/command.ts';
import { routerContract, scripted } from '../conformance/servers.ts';
import { hostileServer } from './hostile-server.ts';
import type { HostileServer } from './hostile-server.ts';

const key = 'service-secret-4711';
const environment = {
  TALLYSTICK_API_KEY: key,
  PAT: 'pat-secret',
  SECOND_KEY: 'second-secret',
  OTHER_KEY: 'other-secret',
};
let folder = '';
let thief: HostileServer;
let received = '';
let report: Report;

beforeEach(async () => {
  folder = await freshFolder();
  received = '';
  thief = await hostileServer((request, response) => {
    received += `${request.url} ${JSON.stringify(request.headers)}`;
    response.writeHead(302, { Location: `${thief.url}/elsewhere` }).end();
  });
  const { transport } = scripted(() => ({ status: 200, body: { data: [], has_more: false, limit: 20 } }));
  report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential: { header: 'X-API-Key', value: key },
    transport,
    rules: ['router.list.limit-default'],
  });
});
afterEach(() => thief.close());

/** The report of an attacker, who changed one exchange. */
async function replay(change: Partial<StoredExchange['request']>, ...args: readonly string[]) {
  const [exchange] = report.exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const stolen = {
    ...report,
    target: { ...report.target, baseUrl: thief.url, origins: { router: thief.url } },
    exchanges: [{ ...exchange, id: 'x0001', request: { ...exchange.request, ...change } }],
  };
  await writeFile(join(folder, 'report.json'), JSON.stringify(stolen));
  return tallystickHere(['conform', 'replay', 'report.json', 'x0001', ...args], { cwd: folder, environment });
}

test('a replay sends nothing to an address that only the report names, and shows that address', async () => {
  const { code, stderr } = await replay({});
  expect(stderr).toContain(`x0001 was sent to ${thief.url}.`);
  expect(stderr).toContain(`tallystick conform replay report.json x0001 --base-url ${thief.url}`);
  expect(stderr).toContain('--trust-report');
  expect(code).toBe(2);
  expect(thief.asked).toEqual([]);
});

test('a server that the user names gets the request, once, and no redirect is followed', async () => {
  for (const word of [['--trust-report'], ['--base-url', thief.url]]) {
    const { code, stdout } = await replay({}, ...word);
    expect(stdout).toContain(`to    ${thief.url}, caller: valid`);
    expect(stdout).not.toContain(key);
    expect(code).toBe(0);
  }
  expect(thief.asked).toEqual(['GET /v1/models', 'GET /v1/models']);
});

test.each<[string, Partial<StoredExchange['request']>, RegExp]>([
  ['in an address', { target: '/v1/models?key=$API_KEY' }, /a secret is never sent in an address/],
  ['of another caller', { headers: [['X', '$SECOND_KEY']] }, /\$SECOND_KEY is not a secret of that caller/],
  ['of a publication in a header', { headers: [['X', '$PAT']] }, /\$PAT is not a secret of that caller/],
  [
    'of a call without a caller',
    { as: 'none', headers: [['X', '$API_KEY']] },
    /\$API_KEY is not a secret of that caller/,
  ],
  [
    'of a caller that is none',
    { as: '__proto__', headers: [['X', '$API_KEY']] },
    /\$API_KEY is not a secret of that caller/,
  ],
  [
    'of the caller in a body',
    { body: { bytes: 8, text: '$API_KEY', encoding: 'text', cut: false } },
    /\$API_KEY is not a secret of that caller/,
  ],
])('a secret %s is not filled in, and nothing is sent', async (_, change, message) => {
  const { code, stderr } = await replay(change, '--trust-report');
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
  expect(thief.asked).toEqual([]);
  expect(received).not.toContain('secret');
});

test('a target that would turn the origin into another one stays a target in a command line', () => {
  const [exchange] = report.exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const line = (target: string): string =>
    curlLine({ ...exchange, request: { ...exchange.request, target } }, 'https://api.example.com');
  expect(line('@evil.example/x')).toMatch(
    / --request-target @evil\.example\/x https:\/\/api\.example\.com\/$/,
  );
  expect(line('/x?$API_KEY')).toMatch(/ 'https:\/\/api\.example\.com\/x\?\$API_KEY'$/);
});

test('paths of a report are words of the command that repeats a rule, and nothing else', () => {
  const [exchange] = report.exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const settings = { folder: "x'; touch never", fixturesFile: '$(touch never)`touch never`\n--trust-report' };
  const rule = { id: 'router.list.limit-clamped', exchanges: [exchange.id] };
  const command = replayCommand(settings.folder, rule, { ...report, settings });
  const words = execFileSync('sh', ['-c', `npx() { printf '%s\\0' "$@"; }; ${command}`])
    .toString()
    .split('\0');
  expect(words).toContain(settings.folder);
  expect(words).toContain(settings.fixturesFile);
});
