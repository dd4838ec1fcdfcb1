import { expect, test } from 'vitest';
import { createMock, type MockOptions, startMock } from '../../mock/index.ts';

/** What programs without a compiler give. */
const given = (options: unknown): MockOptions => options as MockOptions;

test.each<[options: unknown, message: string]>([
  [{ seed: 7 }, 'The option "seed" of a mock takes a text, such as \'7\', not 7.'],
  [{ seed: null }, "takes a text, such as '7', not null."],
  [{ apis: 'router' }, 'takes a list of names of APIs, not "router".'],
  [{ apis: [1] }, 'not this list.'],
  [{ apis: ['routr'] }, 'There is no API "routr". The option "apis" of a mock takes router, registry, jobs;'],
  [{ journalSize: '5' }, 'The option "journalSize" of a mock takes a whole number of at least 0, not "5".'],
  [{ journalSize: Number.NaN }, 'not NaN.'],
  [{ deadlineMs: 0 }, 'takes a number of milliseconds above 0, not 0.'],
  [{ publicUrl: new URL('http://a.test') }, 'not a value of type object.'],
  [{ scenarios: 'slow' }, 'takes a list, such as [{ name: \'slow\' }], not "slow".'],
  [null, 'A mock takes an object of options'],
  ['router', 'A mock takes an object of options'],
])('an option of another type is reported with the expected type: %j', (options, message) => {
  expect(() => createMock(given(options))).toThrow(TypeError);
  expect(() => createMock(given(options))).toThrow(message);
});

test('a mock with a socket reports the same errors', async () => {
  await expect(startMock(given({ seed: 7 }))).rejects.toThrow('takes a text');
});

test('an option that is undefined counts as left out', async () => {
  const mock = createMock(given({ seed: undefined, apis: undefined }));
  await mock.ready();
  mock.close();
});
