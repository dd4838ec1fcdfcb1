import { expect, test } from 'vitest';
import type { Schema } from '../../contract/index.ts';
import { shareParts } from '../../generator/validators/shared-parts.ts';
import { compilerErrors, documentOf, filesOf, imported, textOf } from './generated.ts';

const share = (...schemas: Schema[]) => shareParts(schemas, (position) => `S${String(position)}`);

/** An object with so many texts. */
const person = (members: number, more: object = {}): object => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: members }, (_, index) => [`m${String(index)}`, { type: 'string' }]),
  ),
  ...more,
});

const holding = (properties: object): Schema => ({ type: 'object', properties }) as Schema;

test('what stands in two places is one part, and what it repeats inside is none of its own', () => {
  const team = person(12, { minProperties: 1 });
  const owner = person(12, { maxProperties: 40 });
  const nested = { type: 'object', properties: { owner, team } };
  const { schemas, parts } = share(holding({ a: nested }), holding({ b: nested }));
  expect(schemas).toStrictEqual([holding({ a: { $ref: 'S2' } }), holding({ b: { $ref: 'S2' } })]);
  expect(parts).toStrictEqual([{ schema: nested, foundIn: 0, path: ['a'] }]);
});

test('what is the same as a whole schema refers to that', () => {
  const { schemas, parts } = share(person(12) as Schema, holding({ of: person(12) }));
  expect(schemas[1]).toStrictEqual(holding({ of: { $ref: 'S0' } }));
  expect(parts).toStrictEqual([]);
});

test('small parts stay where they are', () => {
  const both = holding({ a: person(2), b: person(2) });
  expect(share(both)).toStrictEqual({ schemas: [both], parts: [] });
});

test('what looks at the value itself is never taken out: a tag has to be seen there', () => {
  const either = { oneOf: [person(12), person(12)] } as unknown as Schema;
  expect(share(either)).toStrictEqual({ schemas: [either], parts: [] });
});

test('a schema that is too large for one function is taken apart', () => {
  const { parts } = share(
    holding(Object.fromEntries('abcdef'.split('').map((name, index) => [name, person(200 + index)]))),
  );
  expect(parts.map(({ path }) => path)).toStrictEqual('abcdef'.split('').map((name) => [name]));
});

test('a document that repeats a large object grows by one function, says the same, and compiles', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `Event${String(index)}`,
      holding({ number: { const: index }, 'the sender': person(60, { required: ['m0'] }) }),
    ]),
  );
  const files = await filesOf(documentOf(schemas));
  const text = textOf(files, 'sample/validators.ts');
  expect(text.match(/^function validate/gm)).toHaveLength(21);
  expect(compilerErrors(files)).toStrictEqual([]);
  const { checkEvent7 } = await imported(files, 'sample/validators.ts');
  const check = checkEvent7 as (value: unknown) => unknown;
  expect(check({ number: 7, 'the sender': { m0: 'x', m1: 1 } })).toStrictEqual({
    ok: false,
    errors: [expect.objectContaining({ pointer: '/the sender/m1', message: 'must be string' })],
  });
  expect(check({ number: 7, 'the sender': {} })).toMatchObject({ errors: [{ pointer: '/the sender' }] });
});

test('a list of many required members is walked', async () => {
  const members = Array.from({ length: 40 }, (_, index) => `m${String(index)}`);
  const files = await filesOf(documentOf({ Wide: person(40, { required: members }) }));
  const { checkWide } = await imported(files, 'sample/validators.ts');
  const check = checkWide as (value: unknown) => { errors: readonly { message: string }[] };
  expect(check({}).errors.map(({ message }) => message)).toStrictEqual(
    members.map((name) => `must have the property "${name}"`),
  );
  expect(compilerErrors(files)).toStrictEqual([]);
});
