import { expect, test } from 'vitest';
import { createMock, startMock, virtualClock } from '../../mock/index.ts';
import type { MockOptions } from '../../mock/index.ts';

async function answerTo(assumptions: MockOptions['assumptions'], path: string, init: RequestInit = {}) {
  const mock = createMock({ clock: virtualClock(), ...(assumptions === undefined ? {} : { assumptions }) });
  await mock.ready();
  const headers = { 'X-API-Key': 'service-mock-ok', ...(init.headers as Record<string, string>) };
  const answer = await mock.fetch(path, { ...init, headers });
  const text = await answer.text();
  mock.close();
  return { status: answer.status, header: (name: string) => answer.headers.get(name), text };
}

const run = (body: string | null, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body,
});

test('an invalid override is refused before anything is served', async () => {
  const assumptions = { 'A-03': { status: 'banana' } };
  await expect(startMock({ assumptions })).rejects.toThrow(
    new RangeError('assumptions/A-03/status: status must be an integer, not "banana"'),
  );
  await expect(createMock({ apis: ['jobs'], assumptions }).ready()).rejects.toThrow(
    'assumptions/A-03/status',
  );
});

test('points of contracts that this mock does not serve are known', async () => {
  const mock = createMock({ apis: ['jobs'], assumptions: { 'A-18': { compare: 'json' } } });
  await expect(mock.ready()).resolves.toBeUndefined();
  mock.close();
});

test.each<[point: string, override: object, path: string, init: RequestInit, status: number, bucket: string]>(
  [
    ['A-03', { status: 400, bucket: 'invalid_input' }, '/v1/models/ACME/x', {}, 400, 'invalid_input'],
    ['A-24', { limitNotAnInteger: { status: 422 } }, '/v1/models?limit=x', {}, 422, 'invalid_input'],
    ['A-24', { repeated: { status: 422 } }, '/v1/models?limit=1&limit=2', {}, 422, 'invalid_input'],
    ['A-26', { missing: { status: 411 } }, '/v1/models/mock/ok', run(null), 411, 'invalid_input'],
    ['A-26', { notAnObject: { status: 422 } }, '/v1/models/mock/ok', run('[]'), 422, 'invalid_input'],
    [
      'A-26',
      { otherContentType: { status: 415, bucket: 'client_disconnected' } },
      '/v1/models/mock/ok',
      run('a=b', 'text/plain'),
      415,
      'client_disconnected',
    ],
  ],
)('%s %j has an effect', async (point, override, path, init, status, bucket) => {
  const usual = await answerTo(undefined, path, init);
  const turned = await answerTo({ [point]: override }, path, init);
  expect(usual.status).not.toBe(status);
  expect(turned).toMatchObject({ status });
  expect(turned.header('X-Service-Error-Type')).toBe(bucket);
});

test('A-01: a detail is only where the contract says what it tells', async () => {
  const { text } = await answerTo({ 'A-01': { detail: 'where stated' } }, '/v1/models/acme/none');
  expect(JSON.parse(text)).toEqual({ error_type: 'model_not_found' });
});

test('A-08: a consumed key may be refused with Retry-After', async () => {
  const mock = createMock({
    clock: virtualClock(),
    assumptions: { 'A-08': { retryAfter: { mismatch: 5 } } },
  });
  const send = (body: string) =>
    mock.fetch('/v1/models/mock/ok', {
      method: 'POST',
      headers: {
        'X-API-Key': 'service-mock-ok',
        'Idempotency-Key': 'one',
        'Content-Type': 'application/json',
      },
      body,
    });
  await (await send('{"prompt":"a"}')).text();
  const answer = await send('{"prompt":"b"}');
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([409, '5']);
  mock.close();
});

test('A-30: the tag of a schema document may be weak', async () => {
  const usual = await answerTo(undefined, '/v1/models/mock/ok/openapi.json');
  const weak = await answerTo({ 'A-30': { etag: 'weak' } }, '/v1/models/mock/ok/openapi.json');
  expect(weak.header('ETag')).toBe(`W/${usual.header('ETag')}`);
});

test('A-55: a key may be taken as bearer only, but not beside the router, which takes it in its own header', async () => {
  const status = async (apis: MockOptions['apis']): Promise<number> => {
    const mock = createMock({
      ...(apis === undefined ? {} : { apis }),
      assumptions: { 'A-55': { apiKeyIn: 'bearer' } },
    });
    await mock.ready();
    const answer = await mock.fetch('/proxy/northwind/v1/ai/skin-enhancer/creative', {
      method: 'POST',
      headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' },
      body: '{"image":"https://files.example.com/a.png"}',
    });
    mock.close();
    return answer.status;
  };
  expect(await status(['registry'])).toBe(401);
  expect(await status(['router', 'registry'])).toBe(200);
});

test('A-82: the cancel of a job answers with the job, in any state', async () => {
  await expect(createMock({ assumptions: { 'A-82': { status: 409 } } }).ready()).rejects.toThrow(
    'it is fixed',
  );
});

test('the user’s choices override those of the profile legal-but-odd', async () => {
  const assumptions = { 'A-30': { etag: 'strong' } };
  const mock = createMock({ clock: virtualClock(), profile: 'legal-but-odd', assumptions });
  await mock.ready();
  const answer = await mock.fetch('/v1/models/mock/ok/openapi.json', {
    headers: { 'X-API-Key': 'service-mock-ok' },
  });
  expect(answer.headers.get('ETag')).toMatch(/^"/);
  mock.close();
});
