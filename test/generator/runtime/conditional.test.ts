import { expect, test } from 'vitest';

import { refresh } from '../../../generator/runtime/conditional.ts';
import type { Held } from '../../../generator/runtime/conditional.ts';
import { ResponseError } from '../../../generator/runtime/errors.ts';
import type { Answer } from '../../../generator/runtime/operation.ts';

type Thing = { readonly version: number };
type Read = Answer<Thing, 200> | Answer<undefined, 304>;

const answer = (headers: Record<string, string>): Omit<Read, 'status' | 'data'> => ({
  operation: 'getThing',
  method: 'GET',
  headers: new Headers(headers),
  requestId: 'req-1',
  replayed: false,
  idempotencyKey: undefined,
  attempts: 1,
  url: 'https://api.example.com/v1/thing?key=very-secret',
});
const full = (version: number, headers: Record<string, string> = { etag: `"${version}"` }): Read => ({
  ...answer(headers),
  status: 200,
  data: { version },
});
const unchanged = (headers: Record<string, string> = {}): Read => ({
  ...answer(headers),
  status: 304,
  data: undefined,
});
const held: Held<Thing> = { etag: '"1"', data: { version: 1 } };

test('the first read is unconditional and returns the state to keep', async () => {
  const asked: (string | undefined)[] = [];
  const got = await refresh<Thing>(undefined, (etag) => {
    asked.push(etag);
    return Promise.resolve(full(1));
  });
  expect(asked).toStrictEqual([undefined]);
  expect(got).toStrictEqual({ held, data: { version: 1 }, changed: true });
});

test.each([
  ['with the same tag', { etag: '"1"' }],
  ['with the tag made weak', { etag: 'W/"1"' }],
  ['without a tag', {}],
])('a 304 %s gives back the very state that is held', async (_, headers) => {
  const asked: (string | undefined)[] = [];
  const got = await refresh(held, (etag) => {
    asked.push(etag);
    return Promise.resolve(unchanged(headers as Record<string, string>));
  });
  expect(asked).toStrictEqual(['"1"']);
  expect(got.data).toBe(held.data);
  expect(got).toStrictEqual({ held, data: held.data, changed: false });
});

test('a changed state takes the place of the held one', async () => {
  const got = await refresh(held, () => Promise.resolve(full(2)));
  expect(got).toStrictEqual({
    held: { etag: '"2"', data: { version: 2 } },
    data: { version: 2 },
    changed: true,
  });
});

test('a state without a tag cannot be held', async () => {
  expect(await refresh(held, () => Promise.resolve(full(2, {})))).toStrictEqual({
    held: undefined,
    data: { version: 2 },
    changed: true,
  });
});

test.each<[string, Held<Thing> | undefined, Record<string, string>]>([
  ['that nobody asked for', undefined, {}],
  ['of another state', held, { etag: '"2"' }],
])('a 304 %s is refused', async (_, known, headers) => {
  const error: unknown = await refresh(known, () => Promise.resolve(unchanged(headers))).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).toMatchObject({ status: 304, requestId: 'req-1', url: 'https://api.example.com/v1/thing' });
  expect(String(error)).not.toContain('very-secret');
});
