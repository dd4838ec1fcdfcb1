import { expect, test } from 'vitest';
import { mergeHandlers } from '../../generator/index.ts';

const view = {
  title: 'Sample',
  handlersType: 'SampleHandlers',
  variable: 'sampleHandlers',
  server: './api/sample/server.js',
  operations: [
    { name: 'readPet', comment: ['Read a pet'] },
    { name: 'writePet', comment: [] },
  ],
};

const written = `// Mine.
import type { SampleHandlers } from './api/sample/server.js';
import { pets } from './pets.js'; // kept as it is

export const handlers: SampleHandlers = {
  /** Hand-written. */
  readPet: async (input) => {
      return { status: 200,   body: await pets.read(input.id) }; // odd   spacing
  } // no comma here
  // a last word
};

export default handlers;
`;

test('a missing handlers file is created with a stub for every operation', async () => {
  const merged = await mergeHandlers(undefined, view);
  expect(merged.added).toStrictEqual(['readPet', 'writePet']);
  expect(merged.text).toContain("import type { SampleHandlers } from './api/sample/server.js';");
  expect((await mergeHandlers(merged.text, view)).text).toBe(merged.text);
});

test('a new operation gets a stub, and every line that was written stays', async () => {
  const { text, added, removed } = await mergeHandlers(written, view);
  expect([added, removed]).toStrictEqual([['writePet'], []]);
  expect(text).toBe(`// Mine.
import type { SampleHandlers } from './api/sample/server.js';
import { pets } from './pets.js'; // kept as it is

export const handlers: SampleHandlers = {
  /** Hand-written. */
  readPet: async (input) => {
      return { status: 200,   body: await pets.read(input.id) }; // odd   spacing
  }, // no comma here
  // a last word

  writePet(_input, _call) {
    throw new Error('writePet is not written yet');
  },
};

export default handlers;
`);
  expect((await mergeHandlers(text, view)).text).toBe(text);
});

test('a handler of a removed operation stays, and is reported with its place', async () => {
  const { text, removed } = await mergeHandlers(written.replace('readPet', 'dropPet'), view);
  expect(removed).toStrictEqual([{ name: 'dropPet', line: 7, column: 3 }]);
  expect(text).toContain('dropPet: async (input)');
});

test.each([
  ['an empty object', 'const a: SampleHandlers = {};'],
  ['satisfies', 'export const a = { readPet() { return 1 } } satisfies SampleHandlers;'],
  ['a type with its caller', 'const a: api.SampleHandlers<Me> = { readPet };'],
  ['a class', 'class A implements SampleHandlers {\n  readPet = () => 1;\n  helper() {}\n}'],
  ['what a function returns', 'function a(): SampleHandlers {\n  return {\n    readPet() {},\n  };\n}'],
])('handlers are found in %s', async (_name, text) => {
  const merged = await mergeHandlers(text, view);
  expect(merged.added).toContain('writePet');
  expect(merged.removed).toStrictEqual([]);
  expect((await mergeHandlers(merged.text, view)).text).toBe(merged.text);
});

test('where handlers come from elsewhere too, or are not found, nothing is changed', async () => {
  const spread = 'const a: SampleHandlers = { ...others };';
  expect(await mergeHandlers(spread, view)).toMatchObject({ text: spread, added: [] });
  const strange = await mergeHandlers('export {};', view);
  expect([strange.text, strange.problem]).toStrictEqual([
    'export {};',
    expect.stringContaining('SampleHandlers'),
  ]);
});
