// @module-tag long
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type addFormats from 'ajv-formats';
import { compilerErrors, contractOf, documentOf, filesOf, imported, require } from './generated.ts';
import { generate } from '../../generator/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { explain, type Failure } from '../../generator/validation/checks.ts';

/** One schema for every keyword and every way in which keywords are combined. */
const schemas = {
  Text: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-zß😀]*$' },
  Amount: { type: 'number', multipleOf: 0.01, exclusiveMinimum: -1, maximum: 7 },
  Counted: { type: 'integer', minimum: 0, exclusiveMaximum: 3, multipleOf: 2 },
  Choice: { enum: ['a', 1, null, { x: [1] }, ['b']] },
  Fixed: { const: { x: { y: null } } },
  Nullable: { type: ['string', 'null'], format: 'date-time' },
  Tuple: {
    type: 'array',
    prefixItems: [{ type: 'string' }, { $ref: '#/components/schemas/Amount' }],
    items: { type: 'boolean' },
  },
  Closed: {
    type: 'object',
    properties: { a: { type: 'string' }, 'b/c~d': { type: 'number' } },
    additionalProperties: false,
    required: ['a'],
  },
  Large: {
    type: 'object',
    properties: Object.fromEntries('abcdefghij'.split('').map((name) => [name, { type: 'number' }])),
    additionalProperties: false,
  },
  Keyed: {
    type: 'object',
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: { type: 'number' },
    propertyNames: { maxLength: 3 },
  },
  Sized: {
    type: 'object',
    minProperties: 1,
    maxProperties: 2,
    dependentRequired: { a: ['b'] },
    dependentSchemas: { b: { required: ['c'] } },
  },
  Unique: { type: 'array', uniqueItems: true, minItems: 1, maxItems: 3 },
  Containing: { type: 'array', contains: { type: 'number' }, minContains: 1, maxContains: 2 },
  Either: { oneOf: [{ type: 'string' }, { type: 'number' }, { $ref: '#/components/schemas/Counted' }] },
  Any: {
    anyOf: [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Closed' }, { type: 'null' }],
  },
  Excluded: { not: { anyOf: [{ type: 'string' }, { required: ['a'] }] } },
  Conditional: { if: { required: ['a'] }, then: { required: ['b'] }, else: { type: 'object' } },
  Tree: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { $ref: '#/components/schemas/Text' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
  },
  Extended: {
    allOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'object', required: ['extra'] }],
    properties: { extra: { $ref: '#/components/schemas/Either' } },
  },
  Unevaluated: {
    allOf: [{ $ref: '#/components/schemas/Base' }],
    properties: { own: { type: 'string' } },
    unevaluatedProperties: false,
  },
  Base: { type: 'object', properties: { base: { type: 'number' } } },
  UnevaluatedBranch: {
    type: 'object',
    anyOf: [
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'number' } }, required: ['b'] },
    ],
    unevaluatedProperties: false,
  },
  UnevaluatedItems: {
    type: 'array',
    prefixItems: [{ type: 'string' }],
    contains: { type: 'number' },
    unevaluatedItems: false,
  },
  Inherited: {
    type: 'object',
    required: ['constructor', 'toString'],
    properties: { constructor: { type: 'number' } },
  },
  Impossible: false,
  Everything: true,
  Empty: {},
};

const formats = [
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'regex',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'int32',
  'int64',
  'password',
  'unheard-of',
];
const formatSchemas = Object.fromEntries(formats.map((format) => [`F-${format}`, { format }]));

type Guard = (value: unknown) => boolean;
type Check = (value: unknown) => {
  ok: boolean;
  errors?: readonly Failure[];
};

function ajvGuards(all: Record<string, unknown>): Record<string, Guard> {
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
  const ajv = new Ajv({
    // Without it ajv lets an empty array pass where `contains` and `prefixItems` meet `unevaluatedItems`.
    allErrors: true,
    strict: false,
    validateSchema: false,
    logger: false,
    multipleOfPrecision: 8,
    ownProperties: true,
  });
  (require('ajv-formats') as typeof addFormats.default)(ajv);
  ajv.addSchema({ $id: 'document', components: { schemas: all } });
  return Object.fromEntries(
    Object.keys(all).map((name) => [
      name,
      (value) => ajv.validate({ $ref: `document#/components/schemas/${encodeURIComponent(name)}` }, value),
    ]),
  );
}

async function emitted(
  all: object,
): Promise<{ guard: (name: string) => Guard; check: (name: string) => Check }> {
  const module = await imported(await filesOf(documentOf(all)), 'sample/validators.ts');
  const pascal = (name: string): string =>
    name
      .split(/[^A-Za-z0-9]+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('');
  return {
    guard: (name) => module[`is${pascal(name)}`] as Guard,
    check: (name) => module[`check${pascal(name)}`] as Check,
  };
}

/** A valid value for each schema that has one. */
const valid: Record<string, unknown> = {
  Text: 'ab😀',
  Amount: 0.07,
  Counted: 2,
  Choice: { x: [1] },
  Fixed: { x: { y: null } },
  Nullable: '2026-01-15T09:30:00Z',
  Tuple: ['a', 1, true, false],
  Closed: { a: 'x', 'b/c~d': 1 },
  Large: { a: 1, j: 2 },
  Keyed: { 'x-y': 'a', b: 1 },
  Sized: { a: 1, b: 2 },
  Unique: ['a', { x: 1 }, { x: 2 }],
  Containing: ['a', 1],
  Either: 'x',
  Any: { a: 'x' },
  Excluded: { b: 1 },
  Conditional: { a: 1, b: 2 },
  Tree: { name: 'ab', children: [{ name: 'cd', children: [] }, { name: 'ef' }] },
  Extended: { name: 'ab', extra: 'x' },
  Unevaluated: { base: 1, own: 'x' },
  Base: { base: 1 },
  UnevaluatedBranch: { a: 'x', b: 1 },
  UnevaluatedItems: ['a', 1, 2],
  Inherited: { constructor: 1, toString: 'x' },
  Everything: null,
  Empty: [],
};

/** A value with one part of it replaced, taken out or doubled. */
function broken(value: unknown): fc.Arbitrary<unknown> {
  const own: fc.Arbitrary<unknown>[] = [near];
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      own.push(broken(item).map((other) => value.with(index, other)));
      own.push(fc.constant(value.toSpliced(index, 1)), fc.constant([...value, item]));
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const { [name as keyof typeof value]: _, ...others } = value;
      own.push(
        broken(member).map((other) => ({ ...value, [name]: other })),
        fc.constant(others),
      );
      own.push(fc.tuple(memberName, near).map(([more, other]) => ({ ...value, [more]: other })));
    }
  }
  return fc.oneof(...own);
}

/** Values that are near to the schemas: their member names, their constants, and parts of each other. */
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'a',
    'ab',
    'abcd',
    'abcde',
    '😀',
    '😀😀😀',
    'ß',
    'B',
    'b',
    null,
    true,
    false,
    0,
    1,
    2,
    3,
    -1,
    0.07,
    0.071,
    7,
    8,
    1e21,
    { x: [1] },
    { x: { y: null } },
    ['b'],
    '2026-01-15T09:30:00Z',
  ),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const memberName = fc.constantFrom(
  'a',
  'b',
  'c',
  'j',
  'k',
  'b/c~d',
  'name',
  'children',
  'extra',
  'own',
  'base',
  'x-',
  'x-y',
  'x-long',
  'constructor',
  'toString',
  'x',
  'y',
);
const { value: near } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    // JSON has no objects without a prototype, and ajv takes them for unequal to others.
    fc.dictionary(memberName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** What ajv says; nothing where it throws, as it does on `{ toString: {} }` where it compares objects. */
function verdictOf(name: string, guard: Guard | undefined, value: unknown): boolean | undefined {
  if (name === 'UnevaluatedItems') return isTextThenNumbers(value);
  // ajv takes a member whose name every object inherits for one that a schema has looked at.
  if (name.startsWith('Unevaluated') && hasInheritedName(value)) return undefined;
  try {
    return guard?.(value);
  } catch {
    return undefined;
  }
}

/** What `UnevaluatedItems` says: ajv takes every item for looked at where `contains` looks for one. */
function isTextThenNumbers(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [first, ...others] = value as unknown[];
  return typeof first === 'string' && others.length > 0 && others.every((item) => typeof item === 'number');
}

function hasInheritedName(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && Object.keys(value).some((name) => name in Object.prototype)
  );
}

test('a member whose name every object inherits has to be looked at like any other', async () => {
  const { guard } = await emitted(schemas);
  const is = guard('UnevaluatedBranch');
  expect([is({ a: 'x' }), is({ a: 'x', toString: 1 }), is({ a: 'x', constructor: 1 })]).toStrictEqual([
    true,
    false,
    false,
  ]);
});

test('emitted validators and ajv give the same verdict on every keyword', async () => {
  const { guard } = await emitted(schemas);
  const expected = ajvGuards(schemas);
  for (const name of Object.keys(schemas)) {
    const verdicts = new Set<boolean>();
    if (Object.hasOwn(valid, name)) verdicts.add(guard(name)(valid[name]));
    fc.assert(
      fc.property(fc.oneof(near, broken(valid[name])), (value) => {
        const verdict = guard(name)(value);
        verdicts.add(verdict);
        const judged = verdictOf(name, expected[name], value) ?? verdict;
        if (verdict !== judged) throw new Error(`${name}: emitted ${String(verdict)}, ajv ${String(judged)}`);
      }),
      { numRuns: 500 },
    );
    const isDecided = ['Everything', 'Empty', 'Impossible'].includes(name);
    expect({ name, verdicts: verdicts.size }).toStrictEqual({ name, verdicts: isDecided ? 1 : 2 });
  }
});

test('emitted validators and ajv-formats give the same verdict on every format', async () => {
  const { guard } = await emitted(formatSchemas);
  const expected = ajvGuards(formatSchemas);
  const samples: unknown[] = [
    ...[
      '2024-02-29',
      '2023-02-29',
      '2026-13-01',
      '2026-00-10',
      '1900-02-29',
      '2000-02-29',
      '2026-04-31',
      '2026-1-1',
    ],
    ...[
      '09:30:00Z',
      '09:30:00',
      '23:59:60Z',
      '22:59:60-01:00',
      '24:00:00Z',
      '09:30:00+24:00',
      '12:00:00.123+05:30',
    ],
    ...[
      '2026-01-15T09:30:00Z',
      '2026-01-15 09:30:00z',
      '2026-01-15T09:30:00',
      '2026-02-30T09:30:00Z',
      '2026-01-15T23:59:60Z',
    ],
    ...[
      'P1D',
      'P',
      'PT',
      'P1W',
      'PT1H',
      'https://example.com/a?b#c',
      '//x',
      'a:b',
      'a b',
      'x{y}',
      'http://10.0.0.1/',
      'ftp://x.yz',
    ],
    ...[
      'a@b.cd',
      'a@b',
      'A.b+c@example.com',
      'example.com',
      '-x.com',
      '1.2.3.4',
      '256.1.1.1',
      '01.2.3.4',
      '::1',
      '1::2::3',
      'fe80::1',
    ],
    ...[
      '123e4567-e89b-12d3-a456-426614174000',
      'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
      '[',
      'a+',
      '\\Z',
      'x\\Z',
    ],
    ...[
      '/a/b',
      'a',
      '/a~1',
      '/a~2',
      '#/a',
      '0#',
      '1/a',
      'QQ==',
      'QQ=',
      '',
      'QUJD',
      'QUJD\nQUJD',
      2 ** 31,
      -(2 ** 31),
      1.5,
      2 ** 53,
      null,
      true,
    ],
  ];
  for (const [name, guardOfAjv] of Object.entries(expected)) {
    for (const value of samples)
      expect({ name, value, verdict: guard(name)(value) }).toStrictEqual({
        name,
        value,
        verdict: guardOfAjv(value),
      });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.emailAddress(),
          fc.ipV4(),
          fc.ipV6(),
          fc.uuid(),
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        ),
        (value) => guard(name)(value) === guardOfAjv(value),
      ),
      { numRuns: 300 },
    );
  }
});

test('validators compile under every strictness', async () => {
  expect(compilerErrors(await filesOf(documentOf({ ...schemas, ...formatSchemas })))).toStrictEqual([]);
});

test('a failed check names the place, the received value and the valid values', async () => {
  const { check } = await emitted({
    Order: {
      type: 'object',
      required: ['id', 'state'],
      properties: {
        id: { type: 'string', minLength: 1 },
        state: { enum: ['open', 'closed'] },
        lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } },
      },
      additionalProperties: false,
    },
    Line: {
      type: 'object',
      required: ['sku'],
      properties: { sku: { type: 'string' }, 'a/b': { type: ['number', 'null'] } },
    },
  });
  const result = check('Order')({ state: 'shut', lines: [{ sku: 'x' }, { 'a/b': 'no' }], 'x/y': 1 });
  expect(result.ok).toBe(false);
  expect(
    [...(result.errors ?? [])].sort((left, right) => (left.pointer < right.pointer ? -1 : 1)),
  ).toStrictEqual([
    { pointer: '', message: 'must have the property "id"', received: 'object' },
    { pointer: '/lines/1', message: 'must have the property "sku"', received: 'object' },
    { pointer: '/lines/1/a~1b', message: 'must be number or null', received: 'string' },
    {
      pointer: '/state',
      message: 'must be one of the allowed values',
      allowed: ['open', 'closed'],
      received: 'string',
    },
    {
      pointer: '/x~1y',
      message: 'is not allowed here',
      allowed: ['id', 'state', 'lines'],
      received: 'number',
    },
  ]);
});

test('what was probably meant is suggested, for values and for names, and lines say it to people', async () => {
  const { check } = await emitted({
    Order: {
      type: 'object',
      properties: { state: { enum: ['open', 'closed'] }, quantity: { type: 'integer' } },
      additionalProperties: false,
    },
  });
  const { errors = [] } = check('Order')({ state: 'Openn', quanttiy: 1, zzz: 2, quantity: [] });
  expect(errors.map(({ pointer, suggestion }) => [pointer, suggestion])).toStrictEqual([
    ['/quanttiy', 'quantity'],
    ['/zzz', undefined],
    ['/state', 'open'],
    ['/quantity', undefined],
  ]);
  expect(explain(errors)).toBe(
    [
      '/quanttiy is not allowed here. Did you mean "quantity"?',
      '/zzz is not allowed here',
      '/state must be one of the allowed values: "open", "closed", got string. Did you mean "open"?',
      '/quantity must be integer, got array',
    ].join('\n'),
  );
});

const untagged = {
  oneOf: [
    { type: 'string' },
    { type: 'object', required: ['a', 'b'], properties: { a: { type: 'number' }, b: { type: 'number' } } },
    { type: 'object', required: ['c'], properties: { c: { type: 'number' } } },
  ],
};

test.each([
  [
    'one alternative comes closest',
    { c: 'x' },
    ['/of must be exactly one of 3 alternatives', '/of/c must be number'],
  ],
  ['its type says which is meant', { a: 1, b: 'x' }, ['/of must be exactly one of 3 alternatives']],
  ['no alternative has that type', 7, ['/of must be string or object']],
  ['several hold', { a: 1, b: 1, c: 1 }, ['/of must be exactly one of 3 alternatives, and is several']],
])('of alternatives the errors are few: %s', async (_what, of, lines) => {
  const { check } = await emitted({ Holder: { type: 'object', properties: { of: untagged } } });
  const { errors = [] } = check('Holder')({ of });
  expect(errors.map(({ pointer, message }) => `${pointer} ${message}`)).toStrictEqual(lines);
});

test('a tagged union is judged by its tag: one error, not one for each alternative', async () => {
  const shape = (tag: string): object => ({
    type: 'object',
    required: ['size'],
    properties: { kind: { type: 'string' }, size: { type: 'number', description: tag } },
  });
  const { check, guard } = await emitted({
    Circle: shape('radius'),
    Square: shape('side'),
    Shape: {
      oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Square' }],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          round: '#/components/schemas/Circle',
          oval: '#/components/schemas/Circle',
          angular: 'Square',
        },
      },
    },
  });
  expect(guard('Shape')({ kind: 'oval', size: 1 })).toBe(true);
  expect(check('Shape')({ kind: 'angular', size: 'x' }).errors).toStrictEqual([
    { pointer: '/size', message: 'must be number', received: 'string' },
  ]);
  expect(check('Shape')({ kind: 'Circle', size: 1 }).errors).toStrictEqual([
    {
      pointer: '/kind',
      message: 'must be one of the allowed values',
      allowed: ['round', 'oval', 'angular'],
      received: 'string',
    },
  ]);
});

test('checks inside a check do not disturb it', async () => {
  const { check } = await emitted({
    Pair: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'number' }, b: { type: 'number' } },
    },
  });
  const value = {
    a: 'x',
    get b() {
      return check('Pair')({}).ok ? 1 : 'y';
    },
  };
  expect(check('Pair')(value).errors?.map(({ pointer }) => pointer)).toStrictEqual(['/a', '/b']);
});

test('every example of our own documents passes its validator', async () => {
  for (const name of ['router', 'registry', 'jobs'] as const) {
    const contract = await loadOwnContract(name);
    const module = await imported(await generate([contract]), `${name}/validators.ts`);
    const judged = contract.operations
      .flatMap((operation) => [
        ...(operation.requestBody?.content ?? []),
        ...operation.responses.flatMap(({ content }) => content),
      ])
      .flatMap((content) => {
        const reference = typeof content.schema === 'object' ? content.schema['$ref'] : undefined;
        const check =
          typeof reference === 'string'
            ? (module[`check${reference.split('/').at(-1) ?? ''}`] as Check | undefined)
            : undefined;
        return content.examples
          .map(({ value }) => ({ reference, value, result: check?.(value) }))
          .filter(({ result }) => result !== undefined);
      });
    expect(judged.length).toBeGreaterThan(2);
    expect(judged.filter(({ result }) => result?.ok !== true)).toStrictEqual([]);
  }
});

test('validators create no code at run time', async () => {
  const contract = await contractOf(documentOf(schemas));
  for (const { path, text } of await generate([contract])) {
    if (path.endsWith('.ts'))
      expect({ path, found: /\b(?:eval|Function|require)\s*\(/.exec(text)?.[0] }).toStrictEqual({
        path,
        found: undefined,
      });
  }
});
