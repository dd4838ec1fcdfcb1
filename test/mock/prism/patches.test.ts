import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import {
  ajvInstances,
  patchPrism,
  unknownVersions,
  withoutRandomValues,
} from '../../../mock/prism/patches.ts';

const require = createRequire(import.meta.url);

test('the patches were tried with the versions that are installed', () => {
  expect(unknownVersions()).toStrictEqual([]);
});

test('an unknown version is said in words, by package and version', () => {
  const told = unknownVersions((name) => (name === 'ajv' ? '9.0.0' : undefined));
  expect(told).toHaveLength(4);
  expect(told.find((words) => words.includes('ajv'))).toContain('than is installed (version 9.0.0)');
  expect(told[0]).toContain('@stoplight/prism-http than is installed (an unknown version)');
});

test('patches find their targets, and are applied once', () => {
  patchPrism();
  const wording = require('@stoplight/prism-http/dist/validator/validators/utils.js') as {
    convertAjvErrors: unknown;
  };
  const patched = wording.convertAjvErrors;
  patchPrism();
  expect(wording.convertAjvErrors).toBe(patched);
  // Three drafts, each with and without coercion.
  expect(ajvInstances()).toHaveLength(6);
  for (const ajv of ajvInstances()) expect(ajv.opts.code).toBeTypeOf('object');
});

test('the generators of random values are loaded when the first is asked for, with the settings of Prism', () => {
  const maker = '@stoplight/prism-http/dist/mocker/generator/JSONSchema.js';
  const makerRequire = createRequire(require.resolve(maker));
  const paths = ['json-schema-faker', '@faker-js/faker'].map((name) => makerRequire.resolve(name));
  for (const path of [...paths, require.resolve(maker)]) Reflect.deleteProperty(require.cache, path);
  const areLoaded = (): boolean => paths.some((path) => require.cache[path] !== undefined);
  const { generate } = withoutRandomValues(maker, () => require(maker) as Generating);
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

interface Generating {
  readonly generate: (resource: object, bundle: object, schema: object, seed: string) => unknown;
}
