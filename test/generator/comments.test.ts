import { expect, test } from 'vitest';
import type { Schema } from '../../contract/index.ts';
import { commentOf } from '../../generator/schemas/comments.ts';

const rows: readonly (readonly [Schema, readonly string[]])[] = [
  [{ type: 'string', format: 'uuid', description: 'Names it.' }, ['Names it.', 'Format `uuid`.']],
  [{ minLength: 1, maxLength: 64, pattern: '^a$' }, ['1 to 64 characters, matches `^a$`.']],
  [{ minLength: 0, maxLength: 1 }, ['At most 1 character.']],
  [{ minItems: 2, maxItems: 2, uniqueItems: true }, ['2 items, no item twice.']],
  [{ minProperties: 1 }, ['At least 1 member.']],
  [{ minimum: 0, maximum: 100, multipleOf: 5 }, ['From 0 to 100, a multiple of 5.']],
  [{ exclusiveMinimum: 0, maximum: 1 }, ['More than 0, at most 1.']],
  [{ default: 10, example: 20 }, ['@default 10', '@example 20']],
  [{ examples: [{ a: [1] }, 2], deprecated: true }, ['@example {"a":[1]}', '@deprecated']],
  [{ example: 'x'.repeat(200), pattern: 'y'.repeat(200) }, []],
  [{ example: '*/ @see x', pattern: '*/' }, ['Matches `*/`.', '@example "*/ \\@see x"']],
  [{ format: 'binary' }, []],
  [{ format: 'int64', minimum: -(2 ** 63), maximum: 2 ** 63, example: 2 ** 60 }, ['Format `int64`.']],
  [{ minimum: 1, maximum: 2 ** 64 }, ['At least 1.']],
  [true, []],
];

test.each(rows)('%j is commented with %j', (schema, want) => {
  expect(commentOf(schema)).toStrictEqual(want);
});
