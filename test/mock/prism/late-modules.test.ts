import { createRequire } from 'node:module';
import { expect, test, vi } from 'vitest';
import { loadMaker, loadValidator } from '../../../mock/prism/late-modules.ts';

const require = createRequire(import.meta.url);

test('the generators of random values are loaded when the first is asked for, with the settings of Prism', () => {
  const maker = '@stoplight/prism-http/dist/mocker/generator/JSONSchema.js';
  const makerRequire = createRequire(require.resolve(maker));
  const paths = ['json-schema-faker', '@faker-js/faker'].map((name) => makerRequire.resolve(name));
  for (const path of [...paths, require.resolve(maker)]) Reflect.deleteProperty(require.cache, path);
  const areLoaded = (): boolean => paths.some((path) => require.cache[path] !== undefined);
  const { generate } = loadMaker(maker) as Generating;
  expect(areLoaded()).toBe(false);
  const schema = {
    type: 'object',
    properties: { city: { type: 'string', 'x-faker': 'location.city' }, count: { type: 'integer' } },
  };
  const made = generate({ responses: [] }, {}, schema, 'a seed');
  expect(areLoaded()).toBe(true);
  // By Prism's settings, optional members are made as well; by the seed, they are the same each time.
  expect(made).toStrictEqual({
    _tag: 'Right',
    right: { city: expect.stringMatching(/^[A-Z]/) as string, count: expect.any(Number) as number },
  });
});

test('what Prism would send or log is not loaded with it', () => {
  const maker = '@stoplight/prism-http/dist/mocker/index.js';
  const sending = ['forwarder/index.js', 'utils/logger.js', 'mocker/callback/callbacks.js'].map((file) =>
    require.resolve(`@stoplight/prism-http/dist/${file}`),
  );
  for (const path of [...sending, require.resolve(maker)]) Reflect.deleteProperty(require.cache, path);
  const { default: make } = loadMaker(maker) as { readonly default: Mocker };
  const content = { mediaType: 'application/json', examples: [{ key: 'one', value: { id: 1 } }] };
  const made = make({
    resource: { responses: [{ code: '200', contents: [content] }], callbacks: undefined },
    input: { data: { headers: { 'X-Id': '1' }, body: { id: 2 } }, validations: [] },
    config: { dynamic: false },
  })({ debug: vi.fn(), info: vi.fn(), success: vi.fn() });
  expect(made).toMatchObject({ _tag: 'Right', right: { statusCode: 200, body: { id: 1 } } });
  expect(sending.filter((path) => require.cache[path] !== undefined)).toStrictEqual([]);
});

test('the validator is loaded without the other copy of lodash, and refuses credentials with it', () => {
  const validator = require.resolve('@stoplight/prism-http/dist/validator/index.js');
  const security = require.resolve('@stoplight/prism-http/dist/validator/validators/security/index.js');
  const copy = createRequire(validator).resolve('lodash/fp');
  for (const path of [validator, security, copy]) Reflect.deleteProperty(require.cache, path);
  loadValidator();
  const { validateSecurity } = require(security) as {
    readonly validateSecurity: (given: object) => unknown;
  };
  expect(require.cache[copy]).toBe(undefined);
  const scheme = { key: 'token', type: 'http', scheme: 'bearer' };
  const resource = { security: [[scheme], [{ ...scheme, scheme: 'basic' }]] };
  expect(validateSecurity({ element: { headers: {} }, resource })).toMatchObject({
    _tag: 'Left',
    left: [{ code: 401, tags: ['Bearer', 'Basic realm="*"'] }],
  });
  expect(require.cache[copy]).not.toBe(undefined);
});

type Mocker = (given: object) => (logger: unknown) => unknown;

interface Generating {
  readonly generate: (resource: object, bundle: object, schema: object, seed: string) => unknown;
}
