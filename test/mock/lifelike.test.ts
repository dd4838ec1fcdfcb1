import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { compilerOf } from '../../contract/judge/judge.ts';
import type { JsonObject, Schema } from '../../contract/model.ts';
import { createMock } from '../../mock/index.ts';
import { lifelike } from '../../mock/samples/lifelike.ts';
import { own } from './own-document.ts';

const root: JsonObject = {
  components: {
    schemas: {
      Person: {
        type: 'object',
        required: ['first_name', 'manager'],
        properties: { first_name: { type: 'string' }, manager: { $ref: '#/components/schemas/Person' } },
      },
    },
  },
};

function misfits(schema: Schema, value: unknown): readonly unknown[] {
  const document = { root } as unknown as Parameters<typeof compilerOf>[0]['document'];
  return compilerOf({ document }, new Map([['it', schema]]), new Map()).judge('it', value);
}

const made = (schema: Schema, seed = '1'): unknown => lifelike(schema, root, { seed });

test.each<[string, JsonObject, RegExp]>([
  ['email', { type: 'string' }, /^[\w.+-]+@example\.com$/],
  ['contact', { type: 'string', format: 'email' }, /@example\.com$/],
  ['firstName', { type: 'string' }, /^\p{Lu}\p{L}/u],
  ['created_at', { type: 'string' }, /^2026-\d\d-\d\dT[\d:]+Z$/],
  ['website', { type: 'string', format: 'uri' }, /^https:\/\/example\.com\/[a-z-]+$/],
  ['country_code', { type: 'string', pattern: '^[A-Z]{2}$' }, /^[A-Z]{2}$/],
  ['sku', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, /^[A-Z]{3}-\d{4}$/],
  ['phone', { type: 'string' }, /^\+1-202-555-01\d\d$/],
  ['city', { type: 'string', maxLength: 4 }, /^.{1,4}$/],
  ['id', { type: 'string', format: 'uuid' }, /^[0-9a-f-]{36}$/],
  ['price', { type: 'number' }, /^\d+(\.\d{1,2})?$/],
  ['age', { type: 'integer' }, /^\d\d$/],
  ['status', { type: 'string', enum: ['open'] }, /^open$/],
])('%s by %j looks like %s', (name, schema, pattern) => {
  const value = made({ type: 'object', properties: { [name]: schema } }) as Record<string, unknown>;
  expect(String(value[name])).toMatch(pattern);
});

test('an end is later than its beginning', () => {
  const date = { type: 'string', format: 'date' };
  const schema = { type: 'object', properties: { starts_on: date, ends_on: date } };
  for (const seed of ['a', 'b', 'c', 'd', 'e']) {
    const { starts_on, ends_on } = made(schema, seed) as { starts_on: string; ends_on: string };
    expect(starts_on < ends_on).toBe(true);
  }
});

test('a schema that requires itself without end results in a finite value', () => {
  expect(made({ $ref: '#/components/schemas/Person' })).toHaveProperty('manager.manager.first_name');
});

test('a costly or invalid pattern does not stop the generation', () => {
  for (const pattern of ['^(a+)+$', '(', '[a-z]{100000}'])
    expect(typeof made({ type: 'string', pattern, example: 'x' })).toBe('string');
});

/** Schemas as documents have them: members with bounds, lists, alternatives. */
const bounded = fc.oneof(
  fc
    .tuple(fc.nat(20), fc.nat(20))
    .map(([a, b]) => ({ type: 'string', minLength: Math.min(a, b), maxLength: Math.max(a, b) })),
  fc
    .tuple(fc.integer({ min: -500, max: 500 }), fc.nat(1_000), fc.constantFrom('integer', 'number'))
    .map(([least, more, type]) => ({ type, minimum: least, maximum: least + more })),
  fc
    .constantFrom('date', 'date-time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname', 'time', 'duration')
    .map((format) => ({
      type: 'string',
      format,
    })),
  fc
    .constantFrom('^[A-Z]{2}\\d{3}$', '^[a-z]+$', '^#[0-9a-f]{6}$')
    .map((pattern) => ({ type: 'string', pattern })),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  fc
    .integer({ min: 2, max: 9 })
    .map((multipleOf) => ({ type: 'integer', multipleOf, minimum: 0, maximum: 100 })),
  fc.constant({ type: ['string', 'null'] }),
  fc.constant({ type: 'boolean' }),
);
const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    bounded as fc.Arbitrary<JsonObject>,
    fc
      .tuple(tie('schema'), fc.nat(3), fc.nat(3))
      .map(([items, least, more]) => ({ type: 'array', items, minItems: least, maxItems: least + more })),
    fc
      .dictionary(
        fc.constantFrom('name', 'email', 'price', 'createdAt', 'tags', 'address', 'toString'),
        tie('schema'),
        { maxKeys: 4 },
      )
      .map((properties) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(0, 2),
        additionalProperties: false,
      })),
    tie('schema').map((schema) => ({ oneOf: [{ type: 'null' }, schema] })),
    tie('schema').map((schema) => ({ allOf: [schema] })),
  ),
}));

test('generated values are valid, and equal for equal seeds', () => {
  fc.assert(
    fc.property(schemas.schema, fc.string(), (schema, seed) => {
      // If two alternatives accept null, it belongs to neither.
      const text = JSON.stringify(schema);
      fc.pre(
        !(
          text.includes('oneOf') &&
          /"oneOf":\[\{"type":"null"\},\{"(?:oneOf|allOf|type":\["string)/.test(text)
        ),
      );
      const value = lifelike(schema, root, { seed });
      expect(misfits(schema, value)).toStrictEqual([]);
      expect(lifelike(schema, root, { seed })).toStrictEqual(value);
    }),
    { numRuns: 150 },
  );
});

const PEOPLE = `
openapi: 3.1.0
info: { title: People, version: '1' }
paths:
  /people/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: Somebody.
          content:
            application/json:
              schema: { type: object, required: [email], properties: { email: { type: string } } }
`;

test.each([
  ['a seed', { defaults: { seed: '1' } }, undefined],
  ['dynamic answers', {}, 'dynamic=true, seed=1'],
])('with %s, what an operation without an example answers looks real', async (_what, answers, prefer) => {
  const mock = createMock({ contracts: [await own('people', PEOPLE)], answers });
  onTestFinished(() => {
    mock.close();
  });
  const ask = async (id: string): Promise<{ email: string }> => {
    const headers = prefer === undefined ? {} : { Prefer: prefer };
    return (await (await mock.fetch(`${mock.url}/people/${id}`, { headers })).json()) as { email: string };
  };
  const [first, again, other] = [await ask('1'), await ask('1'), await ask('2')];
  expect(first.email).toMatch(/@example\.com$/);
  expect([again, other.email === first.email]).toStrictEqual([first, false]);
});

test('as stated, a value has the examples of its schema', () => {
  const schema: JsonObject = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', example: 5 }, name: { type: 'string', example: 'oak' } },
  };
  expect(lifelike(schema, root, { seed: '1', asStated: true })).toStrictEqual({ id: 5, name: 'oak' });
  expect(lifelike(schema, root, { seed: '1' })).not.toMatchObject({ id: 5 });
});

test('a new thing has nothing in the lists that its request leaves out', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const schema = {
    type: 'object',
    required: ['tags', 'names'],
    properties: { tags: list, names: { ...list, minItems: 1 } },
  };
  const thing = lifelike(schema, root, { seed: '1', sparse: true }) as { tags: unknown[]; names: unknown[] };
  expect([thing.tags.length, thing.names.length]).toEqual([0, 1]);
});
