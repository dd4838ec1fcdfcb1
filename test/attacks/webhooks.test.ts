// @module-tag attack
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { enhancer, registryMock } from '../mock/apis/registry/registry-mock.ts';

/** `--webhooks loopback`: a caller of the mock names an address, and the mock must not be led off this machine. */
let listener: Server;
let port: string;
let answer: { readonly status: number; readonly headers: Record<string, string> };
const visits: string[] = [];
beforeAll(async () => {
  listener = createServer((request, response) => {
    visits.push(`${request.method ?? ''} ${request.headers.host ?? ''}${request.url ?? ''}`);
    request.resume();
    response.writeHead(answer.status, answer.headers).end('{"next":"http://169.254.169.254/"}');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = String((listener.address() as AddressInfo).port);
  answer = { status: 204, headers: {} };
});
afterEach(() => {
  visits.length = 0;
  answer = { status: 204, headers: {} };
  vi.restoreAllMocks();
});
afterAll(() => listener.close());

const image = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** What the journal says of the callback, or the status of a request that was refused; and every address that was called. */
async function ask(webhook: string): Promise<{ outcome: string | number; called: readonly string[] }> {
  const called: string[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    called.push(url);
    const { hostname } = new URL(url);
    // Nothing leaves this machine, not even for an attack that succeeds.
    return /^127\.|^localhost$/.test(hostname)
      ? real(input, init)
      : Promise.resolve(new Response(null, { status: 204 }));
  });
  const { mock, clock, send } = await registryMock({ registry: { webhooks: { deliver: true } } });
  const decisions = (): string[] =>
    mock.journal
      .entries()
      .flatMap(({ trail }) => trail)
      .filter(({ step }) => step === 'callback')
      .map(({ decision }) => decision);
  try {
    const { status } = await send(enhancer, { image, webhook_url: webhook });
    if (status !== 200) return { outcome: status, called };
    await clock.advance(60_000);
    await expect.poll(() => decisions().at(-1)).not.toMatch(/^will/);
    return { outcome: decisions().at(-1) ?? '', called };
  } finally {
    mock.close();
  }
}

test.each([
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f000001:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://\uff11\uff12\uff17.0.0.1:PORT/',
  'HTTP:\\\\127.0.0.1:PORT\\',
])('%s is this machine, and is called as 127.0.0.1', async (form) => {
  expect((await ask(form.replace('PORT', port))).outcome).toBe('answered 204');
  expect(visits).toStrictEqual([`POST 127.0.0.1:${port}/`]);
});

test.each([
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://10.0.0.1:PORT/',
  'http://192.168.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[::ffff:169.254.169.254]/',
  'http://126.255.255.255/',
  'http://128.0.0.1/',
  'http://localhost./',
  'http://localhost.evil.example/',
  'http://evil-localhost/',
  'http://127.0.0.1.evil.example/',
  'http://127.0.0.1.nip.io/',
  'http://127.0.0.1@evil.example/',
  'http://localhost:PORT@evil.example/',
  'http://127.0.0.1%40evil.example@evil.example/',
  'http://evil.example#@127.0.0.1/',
  'http://evil.example?@127.0.0.1/',
  'http://evil.example\\@127.0.0.1/',
  'http://evil.example/127.0.0.1',
  'http:evil.example/.localhost',
  '\thttp://evil.example/',
])('%s is not this machine for certain, and is not called', async (form) => {
  const { outcome, called } = await ask(form.replace('PORT', port));
  expect(['not made: not a host to call', 400]).toContain(outcome);
  expect(called).toStrictEqual([]);
  expect(visits).toStrictEqual([]);
});

test.each([
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:PORT/_POST',
  'data:text/plain,x',
  'javascript:fetch("http://127.0.0.1")',
  'ws://127.0.0.1:PORT/',
  'blob:http://127.0.0.1:PORT/x',
  '//127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/\r\nX-Evil: 1',
  'http://127.0.0.1:99999/',
  'http://[::1%25lo]:PORT/',
  'http://evil.example%23.localhost/',
  'http://evil.example%2f.localhost/',
  'http://a b.localhost/',
  'http://',
  '',
])('%j is not an address to call at all', async (form) => {
  expect(await ask(form.replace('PORT', port))).toStrictEqual({ outcome: 400, called: [] });
  expect(visits).toStrictEqual([]);
});

test('a name and a password in an address are not sent', async () => {
  expect((await ask(`http://user:secret@127.0.0.1:${port}/`)).outcome).toBe('could not be reached');
  expect(visits).toStrictEqual([]);
});

test.each([300, 301, 302, 303, 305, 307, 308])(
  'the redirect of a %i answer is not followed',
  async (status) => {
    answer = {
      status,
      headers: { Location: `http://127.0.0.1:${port}/elsewhere`, Refresh: `0;url=http://evil.example/` },
    };
    const { outcome, called } = await ask(`http://127.0.0.1:${port}/`);
    expect(outcome).toBe(`answered ${String(status)}, which was not followed`);
    expect(called).toHaveLength(1);
    expect(visits).toStrictEqual([`POST 127.0.0.1:${port}/`]);
  },
);
