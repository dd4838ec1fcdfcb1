import { expect, test } from 'vitest';

import { ApiError } from '../../../generator/runtime/errors.ts';
import { send } from '../../../generator/runtime/http.ts';
import { settle } from '../../../generator/runtime/settle.ts';
import { fakeServer, jsonAnswer, problem, readThing } from './fake-server.ts';

test('a result is a value that is ok', async () => {
  const { connection } = fakeServer([jsonAnswer({ a: 1 })]);
  expect(await settle(send(connection, readThing, { id: 'a' }))).toMatchObject({
    ok: true,
    status: 200,
    data: { a: 1 },
  });
});

test('an error of the call is a value that is not', async () => {
  const { connection } = fakeServer([problem(404, 'lost')]);
  const outcome = await settle(send(connection, readThing, { id: 'a' }));
  if (outcome.ok) throw new Error('it was a result');
  expect(outcome.error).toBeInstanceOf(ApiError);
  expect(outcome.error).toMatchObject({ status: 404, bucket: 'lost' });
});

test('a wrong argument and an abort are not outcomes: they are thrown', async () => {
  const { connection } = fakeServer([]);
  await expect(settle(send(connection, readThing, {}))).rejects.toThrow(TypeError);
  const reason = new Error('the user left');
  const signal = AbortSignal.abort(reason);
  await expect(settle(send(connection, readThing, { id: 'a' }, { signal }))).rejects.toBe(reason);
});
