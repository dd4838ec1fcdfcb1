import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodiesOf } from '../../contract/judge/bodies.ts';
import { generate } from '../../generator/index.ts';
import { contractOf, documentOf, imported } from '../generator/generated.ts';

/** The mock's judgement of bodies and the generated guards are made of one document: they say the same. */
const SCHEMAS = {
  Plain: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } },
  },
  Closed: { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false },
  Nullable: { type: ['string', 'null'], maxLength: 3 },
  Listed: { enum: ['a', 1, null, { b: [1] }] },
  Twice: { type: 'array', items: { type: 'integer' }, uniqueItems: true, minItems: 1 },
  Tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  Either: { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 2 }, { type: 'number' }] },
  Any: { anyOf: [{ type: 'object', required: ['a'] }, { type: 'array' }] },
  Based: { allOf: [{ $ref: '#/components/schemas/Plain' }, { required: ['age'] }] },
  Beside: {
    $ref: '#/components/schemas/Plain',
    required: ['more'],
    properties: { more: { type: 'boolean' } },
  },
  Unevaluated: { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
  Never: { not: { type: 'string' } },
  Stepped: { type: 'number', multipleOf: 0.01, exclusiveMinimum: 0 },
  Patterned: { type: 'string', pattern: '^[\\w-.]+$' },
  Mail: { type: 'string', format: 'email' },
  Moment: { type: 'string', format: 'date-time' },
  Open: { required: ['foo'], properties: { foo: { type: 'string' } } },
  Mapped: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 },
  Inherited: { type: 'object', required: ['toString'], properties: { toString: { type: 'string' } } },
  If: { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
  Tree: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'integer' }, next: { $ref: '#/components/schemas/Tree' } },
  },
  Everything: true,
  Nothing: false,
  Counted: { type: 'array', contains: { const: 1 }, minContains: 2 },
  Made: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
  },
};

const LISTED: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 0.29, 1e300, '', 'a', 'ab', 'abc', 'a-b.c', 'a b', 'ada@example.com'],
  ...[
    '2026-01-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    [],
    [1],
    [1, 1],
    [1, 1, 2],
    ['a', 1],
    ['a', 1, 2],
    ['a', 'b'],
    [{}],
  ],
  ...[
    {},
    { name: 'ab' },
    { name: 'a' },
    { name: 'ab', age: 1 },
    { name: 'ab', age: 1.5 },
    { name: 'ab', age: '1' },
  ],
  ...[
    { a: 1 },
    { a: 1, b: 2 },
    { a: 'x' },
    { b: [1] },
    { c: 1 },
    { a: 1, b: 1, c: 1 },
    { foo: 'x' },
    { foo: 1 },
  ],
  ...[
    { name: 'ab', more: true },
    { name: 'ab', more: 1 },
    { toString: 'x' },
    { value: 1, next: { value: 2 } },
  ],
  ...[
    { value: 1, next: { value: '2' } },
    { id: 'x', name: 'n' },
    { id: 1, name: 'n' },
    { name: 'n' },
    JSON.parse('{"__proto__":1}'),
  ],
];

/** Bodies as strangers send them: near to what the schemas ask for. */
const anything = fc.oneof(
  // The quotient of a larger number and `multipleOf` can exceed all numbers. Ajv then accepts any, guards look at the remainder.
  fc.jsonValue({ maxDepth: 2 }).filter((value) => typeof value !== 'number' || Math.abs(value) <= 1e300),
  fc.constantFrom(...LISTED),
  fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'name', 'age', 'more', 'foo', 'value', 'id', 'toString'),
    fc.constantFrom(...LISTED),
    { maxKeys: 4 },
  ),
);

/** Of the table in the page: which schema, and why they differ there. */
const allowed = [
  ...readFileSync(new URL('../../docs/agreement.md', import.meta.url), 'utf8').matchAll(/^\| `([^`]+)`/gm),
].map(([, name]) => name);

interface Differing {
  readonly schema: string;
  readonly value: unknown;
  readonly mock: boolean;
  readonly guard: boolean;
}

async function judges(): Promise<(name: string, value: unknown) => Differing | undefined> {
  const paths = Object.fromEntries(
    Object.keys(SCHEMAS).map((name) => [
      `/${name.toLowerCase()}`,
      {
        post: {
          operationId: `post${name}`,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
          },
          responses: { '204': { description: 'Taken.' } },
        },
      },
    ]),
  );
  const contract = await contractOf(documentOf(SCHEMAS, paths), 'sample');
  const bodies = bodiesOf(contract);
  const guards = (await imported(await generate([contract]), 'sample/validators.ts')) as Record<
    string,
    (value: unknown) => boolean
  >;
  return (name, value) => {
    const content = contract.operations.find(({ id }) => id === `post${name}`)?.requestBody?.content[0];
    const is = guards[`is${name}`];
    if (content === undefined || is === undefined) throw new Error(`there is no guard for ${name}`);
    const found = bodies.judge('request', content, value);
    if ('reason' in found) throw new Error(`${name} cannot be judged: ${found.reason}`);
    const [mock, guard] = [found.length === 0, is(value)];
    return mock === guard ? undefined : { schema: name, value, mock, guard };
  };
}

test('mock and guards of one document agree on listed and random bodies, except as docs/agreement.md lists', async () => {
  const differs = await judges();
  const names = Object.keys(SCHEMAS);
  const found = names.flatMap((name) => LISTED.flatMap((value) => differs(name, value) ?? []));
  expect(found.filter(({ schema }) => !allowed.includes(schema))).toStrictEqual([]);
  // What no longer differs is not in the table.
  expect(allowed.filter((schema) => found.every((one) => one.schema !== schema))).toStrictEqual([]);
  fc.assert(
    fc.property(
      fc.constantFrom(...names.filter((name) => !allowed.includes(name))),
      anything,
      (name, value) => {
        expect(differs(name, value)).toBeUndefined();
      },
    ),
    { numRuns: 1_000 },
  );
});
