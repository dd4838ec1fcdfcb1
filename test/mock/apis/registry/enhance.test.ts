import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RegistryOptions } from '../../../../mock/index.ts';
import { enhancer, errorOf, registryMock, type Got, type RegistryMock, type Sent } from './registry-mock.ts';
import { until } from '../../../until.ts';

let registry: RegistryMock;

beforeAll(async () => {
  registry = await registryMock();
});
beforeEach(() => {
  registry.mock.reset();
});

const image = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

function enhance(body: unknown, sent?: Sent): Promise<Got> {
  return registry.send(enhancer, body, sent);
}

test('proxy.skin.200-shape: the work begins, with a task of its own and nothing made yet', async () => {
  const [one, other] = [await enhance({ image }), await enhance({ image })];
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const task = expect.stringMatching(uuid) as string;
  expect([one.status, one.body]).toStrictEqual([
    200,
    { data: { generated: [], status: 'CREATED', task_id: task } },
  ]);
  expect(one.text).not.toBe(other.text);
});

describe('numbers', () => {
  test.each([0, -0, 0.5, 2.5, 99.999, 100, 1e2])(
    'proxy.skin.range-inclusive: %d is within',
    async (value) => {
      expect((await enhance({ image, sharpen: value, smart_grain: value })).status).toBe(200);
    },
  );

  test.each(['sharpen', 'smart_grain'])(
    'proxy.skin.sharpen-range, grain-range: %s is bounded',
    async (member) => {
      for (const value of ['-1', '-0.001', '100.5', '101', '1e400', '-1e400']) {
        const answer = await enhance(`{"image":"${image}","${member}":${value}}`);
        expect(errorOf(answer), value).toMatch(
          new RegExp(`^400 bad_request: /${member} must be [<>]= \\d+\\.$`),
        );
      }
    },
  );

  test('every number within its range is taken, every other one is not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ noNaN: true, min: -200, max: 300 }), async (value) => {
        const answer = await enhance({ image, sharpen: value });
        expect(answer.status).toBe(value >= 0 && value <= 100 ? 200 : 400);
      }),
      { numRuns: 100 },
    );
  });
});

test.each([
  ['no body', undefined, /^400 bad_request: \/image must be there/],
  ['no members', {}, /\/image must be there/],
  ['half an object', '{"image":', /not JSON/],
  ['a list', [], /JSON object/],
  ['an image that is no text', { image: 7 }, /\/image must be string/],
  [
    'proxy.skin.image-forms: an image that is neither',
    { image: 'http://files.example.com/a.jpg' },
    /\/image must be Base64/,
  ],
  ['a number as text', { image, sharpen: '5' }, /\/sharpen must be number/],
  ['null for a number', { image, smart_grain: null }, /\/smart_grain must be number/],
  ['a callback that is no text', { image, webhook_url: {} }, /\/webhook_url must be string/],
  ['a callback that is no address', { image, webhook_url: 'call me' }, /\/webhook_url must be an HTTP/],
  ['a callback to a file', { image, webhook_url: 'file:///etc/hosts' }, /\/webhook_url must be an HTTP/],
])('proxy.errors.shape: %s', async (_name, body, wanted) => {
  const answer = await enhance(body);
  expect(errorOf(answer)).toMatch(wanted);
  expect([answer.status, Object.keys(answer.body)]).toStrictEqual([400, ['error', 'message']]);
});

test('proxy.skin.image-forms, webhook-optional: both forms of a picture, with and without a callback', async () => {
  const address = 'https://files.example.com/portrait.jpg';
  const webhook = 'https://example.com/done';
  const bodies = [{ image }, { image: address }, { image, webhook_url: webhook }, { image, x_new: [1] }];
  for (const body of bodies) expect((await enhance(body)).status).toBe(200);
});

describe('proxy.auth.bearer-and-key: credentials', () => {
  test.each([
    ['none', { authorization: null }, 401],
    ['another scheme', { authorization: 'Basic c2VydmljZQ==' }, 401],
    ['a key of nobody', { authorization: null, headers: { 'x-api-key': 'key-of-nobody' } }, 401],
    ['a key in its header', { authorization: null, headers: { 'x-api-key': 'service-mock-ok' } }, 200],
    ['a key as bearer', { authorization: 'Bearer service-mock-ok' }, 200],
    ['a JWT', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }, 200],
    ['a key without access', { authorization: 'Bearer service-mock-forbidden' }, 403],
    ['a workspace without credits', { authorization: 'Bearer service-mock-no-credits' }, 402],
    ['too many requests', { authorization: 'Bearer service-mock-rate-limited' }, 429],
    ['a partner that fails', { authorization: 'Bearer service-mock-partner-fails' }, 500],
    ['a partner that fails on demand', { headers: { prefer: 'scenario=partner-fails' } }, 500],
  ] satisfies [string, Sent, number][])('%s', async (_name, sent, status) => {
    const answer = await enhance({ image }, sent);
    expect(answer.status).toBe(status);
    if (status !== 200) expect(Object.keys(answer.body)).toStrictEqual(['error', 'message']);
  });

  test('proxy.auth.required: are looked at before the body', async () => {
    expect((await enhance('{', { authorization: null })).status).toBe(401);
  });
});

test('the name of a partner is in lower case, and a partner has one route (open point A-54)', async () => {
  const other = (path: string): Promise<Got> => registry.send(path, { image });
  expect((await other('/proxy/any-partner-7/v1/ai/skin-enhancer/creative')).status).toBe(200);
  expect((await other('/proxy/Northwind/v1/ai/skin-enhancer/creative')).status).toBe(404);
  expect((await other('/proxy/northwind/v1/ai/skin-enhancer/faithful')).status).toBe(404);
});

describe('the callback (open point A-53)', () => {
  let server: Server;
  let calls: { method: string | undefined; body: string }[];
  let respond: (path: string) => { status: number; location?: string } | undefined;
  let address: string;

  beforeEach(async () => {
    calls = [];
    respond = () => ({ status: 204 });
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        calls.push({ method: request.method, body: Buffer.concat(chunks).toString() });
        const answer = respond(request.url ?? '');
        if (answer === undefined) return;
        response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** What the journal says of the callback once the task is done. */
  async function outcome(webhooks: RegistryOptions['webhooks'], target = `${address}/done`): Promise<string> {
    const { send, clock, mock } = await registryMock(
      webhooks === undefined ? {} : { registry: { webhooks } },
    );
    await send(enhancer, { image, webhook_url: target });
    const decisions = (): string[] =>
      mock.journal
        .entries()
        .flatMap(({ trail }) => trail)
        .filter(({ step }) => step === 'callback')
        .map(({ decision }) => decision);
    await clock.advance(60_000);
    await until('the callback is decided', () => decisions().at(-1)?.startsWith('will') !== true);
    mock.close();
    return decisions().at(-1) ?? '';
  }

  test('is never made unless it is switched on, and the journal says so', { tags: 'attack' }, async () => {
    expect(await outcome(undefined)).toBe('not made: switched off');
    expect(await outcome({ deliver: false })).toBe('not made: switched off');
    expect(calls).toStrictEqual([]);
  });

  test('switched on, is one POST when the task is done', async () => {
    expect(await outcome({ deliver: true })).toBe('answered 204');
    expect(calls.map(({ method }) => method)).toStrictEqual(['POST']);
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      status: 'COMPLETED',
      generated: [expect.any(String)],
    });
  });

  test.each([
    'http://10.0.0.1/',
    'https://example.com/',
    'http://169.254.169.254/',
    'http://127.0.0.1.example.com/',
  ])('goes to this machine only, not to %s', { tags: 'attack' }, async (target) => {
    expect(await outcome({ deliver: true }, target)).toBe('not made: not a host to call');
  });

  test('goes to hosts that are named', { tags: 'attack' }, async () => {
    expect(await outcome({ deliver: true, hosts: ['example.org'] })).toBe('not made: not a host to call');
    expect(await outcome({ deliver: true, hosts: ['127.0.0.1'] })).toBe('answered 204');
  });

  test('follows no redirect', { tags: 'attack' }, async () => {
    respond = () => ({ status: 307, location: `${address}/elsewhere` });
    expect(await outcome({ deliver: true })).toBe('answered 307, which was not followed');
    expect(calls).toHaveLength(1);
  });

  test('is not repeated when it fails', async () => {
    respond = () => ({ status: 500 });
    expect(await outcome({ deliver: true })).toBe('answered 500');
    expect(calls).toHaveLength(1);
  });

  test('waits for its answer so long and no longer', async () => {
    respond = () => undefined;
    expect(await outcome({ deliver: true, timeoutMs: 50 })).toBe('no answer within 50 ms');
  });

  test('without a caller is reported as such', async () => {
    await new Promise((resolve) => server.close(resolve));
    expect(await outcome({ deliver: true })).toBe('could not be reached');
  });
});
