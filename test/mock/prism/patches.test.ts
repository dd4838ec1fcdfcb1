import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { ajvInstances, patchPrism, unknownVersions } from '../../../mock/prism/patches.ts';

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
