import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMock, type SteerableMock, virtualClock } from '../../mock/index.ts';
import { notesContract } from '../engine/notes.ts';

let mock: SteerableMock;

beforeAll(async () => {
  mock = createMock({ contracts: [await notesContract()], clock: virtualClock({ auto: false }) });
  await mock.ready();
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => {
  mock.close();
});

const call = (
  method: string,
  path: string,
  {
    body,
    headers = {},
    token = 'ada',
  }: { body?: unknown; headers?: Record<string, string>; token?: string } = {},
): Promise<Response> =>
  mock.fetch(`http://localhost${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const add = (text: string, key: string, token?: string): Promise<Response> =>
  call('POST', '/notes', {
    body: { text },
    headers: { 'Idempotency-Key': key },
    ...(token === undefined ? {} : { token }),
  });

test('a retry with the same key is answered with the recorded answer, and marked as the sheet says', async () => {
  expect((await add('milk', 'k1')).status).toBe(201);
  const again = await add('milk', 'k1');
  expect([again.status, again.headers.get('Replayed'), await again.json()]).toStrictEqual([
    201,
    'yes',
    { id: 'n1' },
  ]);
});

test('the same key with another body is refused, and is another key for another caller', async () => {
  await add('milk', 'k1');
  expect((await add('bread', 'k1')).status).toBe(422);
  expect((await add('bread', 'k1', 'bob')).headers.get('Replayed')).toBeNull();
});

test('a key is free again when its window is over', async () => {
  await add('milk', 'k1');
  await mock.clock.advance('PT59M');
  expect((await add('milk', 'k1')).headers.get('Replayed')).toBe('yes');
  await mock.clock.advance('PT2M');
  expect((await add('milk', 'k1')).headers.get('Replayed')).toBeNull();
});

test.each([
  ['/notes', 2, ['a', 'b'], true],
  ['/notes?limit=1', 1, ['a'], true],
  ['/notes?limit=500', 3, ['a', 'b', 'c'], false],
  ['/notes?limit=-1', 2, ['a', 'b'], true],
])('%s is answered with a page of %i', async (path, limit, ids, more) => {
  const page = (await (await call('GET', path)).json()) as { data: { id: string }[] } & Record<
    string,
    unknown
  >;
  expect(page).toMatchObject({ limit, has_more: more });
  expect(page.data.map(({ id }) => id)).toStrictEqual(ids);
  expect('next_cursor' in page).toBe(more);
});

test('cursors lead through the whole list, and a cursor that no page gave is refused', async () => {
  const first = (await (await call('GET', '/notes')).json()) as { next_cursor: string };
  const second = (await (await call('GET', `/notes?cursor=${first.next_cursor}`)).json()) as object;
  expect(second).toMatchObject({ data: [{ id: 'c' }], has_more: false });
  expect((await call('GET', '/notes?cursor=made-up')).status).toBe(400);
});

test('a conditional read has no body', async () => {
  const etag = (await call('GET', '/notes/n1')).headers.get('ETag') ?? '';
  expect(etag).not.toBe('');
  const again = await call('GET', '/notes/n1', { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text(), again.headers.get('ETag')]).toStrictEqual([304, '', etag]);
});

test.each([
  ['a body that the schema refuses', () => call('POST', '/notes', { body: { text: '' } }), 400],
  [
    'a body of another media type',
    () => call('POST', '/notes', { body: 1, headers: { 'Content-Type': 'text/plain' } }),
    415,
  ],
  ['a call without a credential', () => mock.fetch('http://localhost/notes'), 401],
  ['a path that the document does not have', () => call('GET', '/nothing'), 404],
  ['a method that the document does not have', () => call('DELETE', '/notes'), 405],
])('%s is refused', async (_what, ask, status) => {
  expect((await ask()).status).toBe(status);
});

test('the journal says what was decided and by which policy, and shows no credential', async () => {
  await add('milk', 'k1', 'secret-of-ada');
  await add('milk', 'k1', 'secret-of-ada');
  const entries = mock.journal.entries({});
  expect(entries.map(({ trail }) => trail.map(({ step, decision }) => `${step}: ${decision}`))).toStrictEqual(
    [['idempotency: first use', 'answer: an example of the document'], ['idempotency: replayed']],
  );
  expect(JSON.stringify(entries)).not.toContain('secret-of-ada');
});

test('scenarios on the wire work on every operation', async () => {
  await expect(call('GET', '/notes', { headers: { Prefer: 'scenario=cut-before' } })).rejects.toThrow();
});

test('a reset frees all keys', async () => {
  await add('milk', 'k1');
  mock.reset();
  expect((await add('milk', 'k1')).headers.get('Replayed')).toBeNull();
});
