// @module-tag long
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Schema } from '../../contract/index.ts';
import { compilerErrors, documentOf, filesOf, imported, textOf } from './generated.ts';

/** An object with so many texts. */
const person = (members: number, more: object = {}): object => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: members }, (_, index) => [`m${String(index)}`, { type: 'string' }]),
  ),
  ...more,
});

const holding = (properties: object): Schema => ({ type: 'object', properties }) as Schema;

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

const alternative = (index: number): object => ({
  type: 'object',
  additionalProperties: false,
  required: ['id', 'type'],
  properties: { id: { type: 'string' }, type: { enum: [`e${String(index)}`] }, at: { type: 'integer' } },
});
const large: Record<string, object> = {
  any: { anyOf: Array.from({ length: 80 }, (_, index) => alternative(index)) },
  one: { oneOf: Array.from({ length: 80 }, (_, index) => alternative(index % 70)) },
  all: { allOf: Array.from({ length: 4 }, (_, index) => person(50, { required: [`m${String(index)}`] })) },
  wide: person(200, { required: ['m0', 'm199'], additionalProperties: { type: 'integer' } }),
  closed: person(200, { additionalProperties: false, maxProperties: 2 }),
  patterned: person(200, { patternProperties: { '1$': { maxLength: 1 } }, additionalProperties: false }),
  looking: { allOf: [person(200), { properties: { x: true } }], unevaluatedProperties: false },
};
const values: unknown[] = [
  ...[null, 7, 'x', [], {}, { m0: 'a' }, { m0: 'a', m199: 'b' }, { m0: 'a', m1: 'b', m199: 1 }, { m1: 'bb' }],
  ...[
    { m0: 'a', m199: 'b', x: 1 },
    { m0: 'a', m199: 'b', x: 'y' },
    { m0: '', m1: '', m2: '', m3: '' },
    { x: 1 },
  ],
  ...[
    { id: 'a', type: 'e3' },
    { id: 'a', type: 'e50' },
    { id: 'a', type: 'e79', at: 1 },
    { id: 1, type: 'e79' },
  ],
  ...[{ id: 'a', type: 'e79', at: 'x' }, { id: 'a', type: 'e3', b: 1 }, { type: 'e3' }],
];

test('a schema that one function cannot hold is split, and says what ajv says', async () => {
  const names = Object.keys(large);
  const types = Object.fromEntries(names.map((name) => [`Large${name}`, large[name]]));
  const module = await imported(await filesOf(documentOf(types)), 'sample/validators.ts');
  for (const name of names) {
    // In a separate document, because schemas are not split if one uses `unevaluatedProperties`.
    const own = await imported(
      await filesOf(documentOf({ Whole: large[name] ?? {} })),
      'sample/validators.ts',
    );
    const oracle = new Ajv2020({ strict: false }).compile(large[name] ?? {});
    const want = values.map((value) => oracle(value));
    expect(new Set(want).size, name).toBe(2);
    const of = (is: unknown): boolean[] => values.map((value) => (is as (value: unknown) => boolean)(value));
    expect([name, of(own['isWhole'])]).toStrictEqual([name, want]);
    expect([name, of(module[`isLarge${name}`])]).toStrictEqual([name, want]);
  }
});

test('a long chain of references, and a ring of them, are checked to their ends', async () => {
  const count = 400;
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${String(index)}`,
      {
        type: 'object',
        properties: {
          next: { $ref: `#/components/schemas/S${String((index + 1) % count)}` },
          other: {
            anyOf: [{ type: 'string' }, { $ref: `#/components/schemas/S${String((index * 7) % count)}` }],
          },
        },
      },
    ]),
  );
  const { isS0 } = await imported(await filesOf(documentOf(schemas)), 'sample/validators.ts');
  const is = isS0 as (value: unknown) => boolean;
  const deep = (end: unknown): unknown =>
    Array.from({ length: 100 }).reduce((inner: unknown) => ({ next: inner }), end);
  expect([is(deep({})), is(deep({ other: 7 })), is({ other: { other: 'x' } })]).toStrictEqual([
    true,
    false,
    true,
  ]);
});
