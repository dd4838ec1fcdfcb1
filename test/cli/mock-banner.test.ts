import { afterAll, beforeAll, expect, test } from 'vitest';
import { isKey, mockBanner } from '../../cli/mock/banner.ts';
import { pressKey } from '../../cli/mock/keys.ts';
import { makeTerminal } from '../../cli/terminal.ts';
import { createMock, startMock, virtualClock, type RunningMock } from '../../mock/index.ts';

const said: string[] = [];
const stream = { write: (text: string) => said.push(text) > 0 } as unknown as NodeJS.WritableStream;
const terminal = makeTerminal({ stdout: stream, stderr: stream }, {});
const running = { url: 'http://127.0.0.1:4710', controlUrl: 'http://127.0.0.1:4711' };

let served: RunningMock;
beforeAll(async () => {
  served = await startMock({ apis: ['router', 'jobs'], controlPort: false });
});
afterAll(() => served.stop());

function banner(more: { readonly data?: string; readonly keys?: boolean } = {}): string {
  const facts = {
    milliseconds: 640,
    data: more.data,
    deviations: ['router.list.limit-clamped~400'],
    keys: more.keys ?? false,
  };
  return mockBanner({ ...running, state: () => served.state() }, facts, terminal).join('\n');
}

test('the banner shows all addresses, the served APIs, and one line to try', () => {
  const text = banner();
  for (const part of [
    /tallystick mock \S+ {3}router · jobs {3}ready in 640 ms/,
    /API +http:\/\/localhost:4710$/m,
    /Inspector +http:\/\/localhost:4711$/m,
    /State +in memory, lost on exit +\(--data .tallystick keeps it\)/,
    /Breaks +router\.list\.limit-clamped~400/,
    /Try +curl http:\/\/localhost:4710\/v1\/models -H 'X-API-Key: service-mock-ok'/,
  ])
    expect(text).toMatch(part);
  expect(text).not.toContain('press');
});

test('the banner of a mock with TLS explains how to trust its certificate', () => {
  const secure = { ...running, url: 'https://127.0.0.1:4710', state: () => served.state() };
  const facts = { milliseconds: 640, data: undefined, deviations: [], keys: false };
  const text = mockBanner(secure, facts, terminal).join('\n');
  expect(text).toMatch(/Trust +curl -so mock\.pem http:\/\/localhost:4711\/certificate\.pem$/m);
  expect(text).toMatch(/Trust +NODE_EXTRA_CA_CERTS=mock\.pem +\(for clients in Node\)$/m);
  expect(text).toMatch(/Try +curl https:\/\/localhost:4710\/v1\/models --cacert mock\.pem /);
  expect(banner()).not.toContain('Trust');
});

test('the banner names the keys if the terminal reads them, and the folder of stored state', () => {
  const text = banner({ data: 'mine', keys: true });
  expect(text).toContain('kept in mine');
  expect(text).toContain('o open · s scenarios · c clear journal · t +1h clock · r reset · h help · q quit');
});

test('each documented key has its effect, and other keys have none', async () => {
  const mock = createMock({ clock: virtualClock({ auto: false }) });
  await mock.ready();
  let quit = 0;
  const press = (key: string): Promise<void> =>
    pressKey(
      key,
      { ...mock, controlUrl: undefined, state: () => served.state() },
      { terminal, quit: () => (quit += 1) },
    );
  await mock.fetch('/v1/models');
  await press('c');
  expect(mock.journal.entries()).toStrictEqual([]);
  const before = mock.clock.now();
  await press('t');
  expect(mock.clock.now() - before).toBe(3_600_000);
  mock.scenarios.force({ name: 'slow' });
  await press('r');
  expect(mock.scenarios.forced()).toStrictEqual([]);
  said.length = 0;
  await press('s');
  expect(said.join('')).toContain('mock/deadline-exceeded');
  await press('o');
  expect(said.at(-1)).toContain('no inspector');
  await press('q');
  await press('x');
  await press('constructor');
  expect(quit).toBe(1);
  expect(isKey('toString')).toBe(false);
  mock.close();
});
