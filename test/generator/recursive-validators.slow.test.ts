// @module-tag long
import type { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { documentOf, filesOf, imported, require } from './generated.ts';
import { recursiveFunctions } from '../../generator/validators/recursive.ts';

const child = { child: { $ref: '#/components/schemas/Node' } };

/** Schemas that lead back to themselves: straight on, in alternatives, and in what looks at all members. */
const schemas = {
  Chain: { type: 'object', properties: { next: { $ref: '#/components/schemas/Chain' } } },
  Node: {
    oneOf: ['a', 'b'].map((name) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' }, ...child },
    })),
  },
  Tree: {
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      { type: 'object', additionalProperties: { $ref: '#/components/schemas/Tree' } },
    ],
  },
  Closed: { $ref: '#/components/schemas/Open', unevaluatedProperties: false },
  Open: {
    type: 'object',
    anyOf: ['a', 'b'].map((name) => ({
      required: [name],
      properties: { [name]: { type: 'string' }, child: { $ref: '#/components/schemas/Closed' } },
    })),
  },
  Other: { not: { $ref: '#/components/schemas/Chain' } },
};

type Check = (value: unknown) => {
  readonly ok: boolean;
  readonly errors?: { message: string }[];
  more?: number;
};

let made: Promise<Record<string, unknown>> | undefined;
let checks: Record<string, Check>;
beforeEach(async () => {
  made ??= filesOf(documentOf(schemas)).then((files) => imported(files, 'sample/validators.ts'));
  checks = (await made) as Record<string, Check>;
});
const check = (name: string, value: unknown): ReturnType<Check> =>
  checks[`check${name}`]?.(value) ?? { ok: false };

function nested(levels: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

test('with two alternatives that both lead deeper, the time does not double with each level', () => {
  const bad = nested(150, (inner) => ({ child: inner }), {});
  expect(check('Node', bad).ok).toBe(false);
  expect(
    check(
      'Node',
      nested(150, (inner) => ({ a: 'x', child: inner }), { b: 'x' }),
    ).ok,
  ).toBe(true);
  expect(
    check(
      'Closed',
      nested(150, (inner) => ({ b: 'x', child: inner }), { a: 'x' }),
    ).ok,
  ).toBe(true);
  expect(
    check(
      'Closed',
      nested(150, (inner) => ({ b: 'x', child: inner }), { a: 'x', c: 1 }),
    ).ok,
  ).toBe(false);
});

test.each(['Chain', 'Tree', 'Other'])('%s: a value of any depth is judged or refused in words', (name) => {
  for (const levels of [199, 200, 201, 100_000]) {
    const deep = nested(levels, (next) => ({ next }), name === 'Tree' ? [] : {});
    const { ok, errors = [] } = check(name, deep);
    expect((checks[`is${name}`] as unknown as (value: unknown) => boolean)(deep)).toBe(ok);
    if (levels > 200) expect(errors).toMatchObject([{ message: 'is nested more than 200 levels deep' }]);
    else expect(ok, String(levels)).toBe(name !== 'Other');
  }
});

test('of many failures the first hundred are given, and the number of the others', () => {
  const { errors, more } = check(
    'Tree',
    Array.from({ length: 500_000 }, () => 1),
  );
  expect(errors).toHaveLength(100);
  expect(more).toBeGreaterThan(0);
});

test('emitted validators and ajv give the same verdict on values that are nested', () => {
  const { Ajv2020: Ajv } = require('ajv/dist/2020') as { Ajv2020: typeof Ajv2020 };
  const ajv = new Ajv({ strict: false });
  ajv.addSchema({ $id: 'all', components: { schemas } });
  const judged = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom('x', 1, null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'child', 'next'), tie('value'), { maxKeys: 3 }),
  })).value;
  fc.assert(
    fc.property(judged, fc.constantFrom(...Object.keys(schemas)), (value, name) => {
      expect(check(name, value).ok).toBe(ajv.getSchema(`all#/components/schemas/${name}`)?.(value));
    }),
    { numRuns: 2_000 },
  );
});

test('functions on a circle are recursive, those that lead into one or out of one are not', () => {
  const calls = { before: ['a'], a: ['b', 'behind'], b: ['a'], own: ['own'], behind: [] };
  const found = recursiveFunctions(
    new Map(Object.entries(calls).map(([name, called]) => [name, new Set(called)])),
  );
  expect([...found].sort()).toStrictEqual(['a', 'b', 'own']);
});
