import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildContract } from '../../../contract/build.ts';
import { type Change, judgementOf } from '../../../contract/diff/change.ts';
import { diffContracts } from '../../../contract/diff/diff.ts';
import { loadOwnContract, ownContractNames } from '../../../contract/index.ts';
import type { Contract, Json, JsonObject } from '../../../contract/index.ts';

/** A contract of a document that is valid as it is; every pointer has the same place. */
function contractOf(schemas: JsonObject, body: Json, answer: Json, dialect: '3.0' | '3.1' = '3.1'): Contract {
  const content = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } });
  const root: JsonObject = {
    openapi: dialect === '3.0' ? '3.0.3' : '3.1.0',
    info: { title: 'Laws', version: '1' },
    paths: {
      '/things': {
        post: {
          operationId: 'make',
          requestBody: { required: true, ...content(body) },
          responses: { 200: { description: 'ok', ...content(answer) } },
        },
      },
    },
    components: { schemas },
  };
  const locate = () => ({ file: 'laws.json', line: 1, column: 1 });
  return buildContract('laws', { file: 'laws.json', dialect, root, hash: '', locate }, undefined);
}

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const { schema } = fc.letrec<{ schema: JsonObject; leaf: JsonObject }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean') }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }) }),
    fc.record({ type: fc.constant(['string', 'null']), maxLength: fc.nat(9) }),
    fc.record({ $ref: fc.constantFrom('#/components/schemas/A', '#/components/schemas/B') }),
  ) as fc.Arbitrary<JsonObject>,
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('leaf')),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('leaf'), { minLength: 1, maxLength: 2 }), not: tie('leaf') }),
  ) as fc.Arbitrary<JsonObject>,
}));
const sample = fc.record({ A: schema, B: schema, body: schema, answer: schema }).filter(
  // Schemas that are nothing but each other are refused when a document is read.
  ({ A, B }) => ![A, B].some((each) => '$ref' in each || 'allOf' in each || 'oneOf' in each),
);
const read = ({ A, B, body, answer }: Record<'A' | 'B' | 'body' | 'answer', JsonObject>): Contract =>
  contractOf({ A, B }, body, answer);

function turned(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, turned(inner)]),
  );
}

test.each(ownContractNames)('%s is no different from itself', async (name) => {
  const contract = await loadOwnContract(name);
  expect(diffContracts(contract, contract).changes).toStrictEqual([]);
});

test('a document does not differ from itself, nor from a copy with its members in another order', () => {
  fc.assert(
    fc.property(sample, (document) => {
      expect(diffContracts(read(document), read(structuredClone(document))).changes).toStrictEqual([]);
      const other = turned(document as unknown as Json) as unknown as typeof document;
      expect(diffContracts(read(document), read(other)).changes).toStrictEqual([]);
    }),
    { numRuns: 100 },
  );
});

/** What is found the other way about. */
const opposite: Partial<Record<Change['kind'], Change['kind']>> = {
  ...{
    'member-added': 'member-removed',
    'member-required': 'member-optional',
    'nullable-added': 'nullable-removed',
  },
  ...{
    'value-added': 'value-removed',
    'values-closed': 'values-opened',
    'limit-tightened': 'limit-loosened',
  },
  ...{ 'alternative-added': 'alternative-removed', 'condition-added': 'condition-removed' },
  ...{ 'type-narrowed': 'type-widened', 'other-members-refused': 'other-members-allowed' },
};
const there = new Map(
  Object.entries(opposite).flatMap(
    ([a, b]) =>
      [
        [a, b],
        [b, a],
      ] as [string, string][],
  ),
);

test('with its sides exchanged, a comparison finds the opposite of everything', () => {
  fc.assert(
    fc.property(sample, sample, (first, second) => {
      const [old, next] = [read(first), read(second)];
      const at = (place: Change['before']): string => place?.pointer ?? '';
      const forth = diffContracts(old, next).changes.map(
        ({ kind, before, after }) => `${kind} ${at(before)} ${at(after)}`,
      );
      const back = diffContracts(next, old).changes.map(
        ({ kind, before, after }) => `${there.get(kind) ?? kind} ${at(after)} ${at(before)}`,
      );
      expect([...new Set(back)].sort()).toStrictEqual([...new Set(forth)].sort());
    }),
    { numRuns: 100 },
  );
});

test('an additional optional member never breaks its sender', () => {
  fc.assert(
    fc.property(sample, names, schema, (document, name, member) => {
      const own = document.body['properties'] as JsonObject | undefined;
      fc.pre(document.body['type'] === 'object' && !Object.hasOwn(own ?? {}, name));
      fc.pre(!(document.body['required'] as Json[] | undefined)?.includes(name));
      // The schema for undeclared members applied to this member, too.
      fc.pre(typeof document.body['additionalProperties'] !== 'object');
      const more = { ...document, body: { ...document.body, properties: { ...own, [name]: member } } };
      const { changes } = diffContracts(read(document), read(more));
      expect(changes.filter(({ callers }) => callers !== 'none')).toStrictEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('what breaks callers in a request breaks servers in an answer', () => {
  fc.assert(
    fc.property(schema, schema, (first, second) => {
      const [a, b] = [{ A: { type: 'string' }, B: { type: 'object' } }, { type: 'string' }];
      const wire = ({ changes }: { changes: readonly Change[] }, party: 'callers' | 'servers'): string[] =>
        changes
          .filter((change) => change[party] === 'wire' && change.kind !== 'default-changed')
          .map(({ says }) => says.replaceAll(/make (?:body|answer 200)/g, 'it'));
      const asked = diffContracts(contractOf(a, first, b), contractOf(a, second, b));
      const answered = diffContracts(contractOf(a, b, first), contractOf(a, b, second));
      expect(wire(asked, 'callers').sort()).toStrictEqual(wire(answered, 'servers').sort());
    }),
    { numRuns: 100 },
  );
});

test('a document of 3.0 says the same as one of 3.1', () => {
  const schemas30 = {
    A: {
      type: 'object',
      nullable: true,
      properties: { n: { type: 'integer', minimum: 1, exclusiveMinimum: true } },
    },
    B: { type: 'object', properties: { a: { nullable: true, allOf: [{ $ref: '#/components/schemas/A' }] } } },
  };
  const schemas31 = {
    A: { type: ['object', 'null'], properties: { n: { type: 'integer', exclusiveMinimum: 1 } } },
    B: {
      type: 'object',
      properties: { a: { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] } },
    },
  };
  const of = { $ref: '#/components/schemas/B' };
  expect(
    diffContracts(contractOf(schemas30, of, of, '3.0'), contractOf(schemas31, of, of)).changes,
  ).toStrictEqual([]);
});

test('schemas that contain themselves end, and so do those that grow with every step', () => {
  const loop = (type: string): JsonObject => ({
    A: {
      type: 'object',
      properties: {
        next: { $ref: '#/components/schemas/A' },
        other: { anyOf: [{ $ref: '#/components/schemas/B' }, { type: 'null' }] },
        is: { type },
      },
    },
    B: {
      oneOf: [
        { $ref: '#/components/schemas/A' },
        { type: 'array', items: { $ref: '#/components/schemas/B' } },
      ],
    },
  });
  const of = { $ref: '#/components/schemas/B' };
  const { changes } = diffContracts(contractOf(loop('string'), of, of), contractOf(loop('integer'), of, of));
  expect(changes.map(({ says }) => says)).toStrictEqual(['A.is was string and is integer']);
  // Each of these has each of them as a member: 100 schemas, 10,000 pairs of members.
  const all = Array.from({ length: 100 }, (_, index) => `S${String(index)}`);
  const dense = (type: string): JsonObject =>
    Object.fromEntries(
      all.map((name) => [
        name,
        {
          type: 'object',
          properties: {
            ...Object.fromEntries(all.map((other) => [other, { $ref: `#/components/schemas/${other}` }])),
            is: { type },
          },
        },
      ]),
    );
  const first = { $ref: '#/components/schemas/S0' };
  const found = diffContracts(
    contractOf(dense('string'), first, first),
    contractOf(dense('integer'), first, first),
  ).changes;
  expect(found).toHaveLength(100);
  expect(
    found.every((change) => judgementOf(change) === 'breaking' && change.operations.join() === 'make'),
  ).toBe(true);
});

test('a schema with more parts than are looked at is unknown, not equal', () => {
  const parts = (last: string): JsonObject => ({
    allOf: Array.from({ length: 3000 }, (_, index) => ({
      properties: { [`m${String(index)}`]: { type: index === 2999 ? last : 'string' } },
    })),
  });
  const { changes } = diffContracts(
    contractOf({}, parts('string'), {}),
    contractOf({}, parts('integer'), {}),
  );
  expect(changes.map(({ kind, callers }) => [kind, callers])).toContainEqual(['too-large', 'unknown']);
});
