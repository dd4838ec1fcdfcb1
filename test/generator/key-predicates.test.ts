import { expect, test } from 'vitest';
import { idSegments, isConsumed, isKeyConflict, isStillRunning } from '../../generated/router/answers.ts';

const conflict = (
  headers: Record<string, string>,
  attempts: number,
  status = 409,
): Parameters<typeof isConsumed>[0] => ({
  status,
  attempts,
  headers: new Headers(headers),
});

test.each([
  ['in flight', conflict({ 'retry-after': '1' }, 1), [true, false, false]],
  ['consumed or another body: the first answer does not tell', conflict({}, 1), [false, true, false]],
  ['consumed: this call had sent the same before', conflict({}, 2), [false, true, true]],
  ['another status', conflict({}, 2, 400), [false, false, false]],
])('router.idem: a conflict is %s', (_what, error, want) => {
  expect([isStillRunning(error), isKeyConflict(error), isConsumed(error)]).toStrictEqual(want);
});

test('an id of the catalogue is taken whole', () => {
  expect(idSegments('acme/echo-1')).toStrictEqual({ provider: 'acme', model: 'echo-1' });
});

test.each(['acme', 'acme/', '/echo-1', 'acme/echo/1', ''])('%j is no id of the catalogue', (id) => {
  expect(() => idSegments(id)).toThrow('is not an id of the form provider/model');
});
