import fc from 'fast-check';

/** A schema, and values that fit it: those that a caller may send, and those that a server may answer. */
export interface Shape {
  readonly schema: object;
  readonly sent: fc.Arbitrary<unknown>;
  readonly answered: fc.Arbitrary<unknown>;
}

const both = (schema: object, values: fc.Arbitrary<unknown>): Shape => ({
  schema,
  sent: values,
  answered: values,
});

/** Texts that a careless writer or reader mistakes for something else. */
const ODD = [
  ...[
    'a&b=c',
    '%41',
    'a+b',
    ' a ',
    'a/b',
    'a;b',
    'a,b',
    'a|b',
    'a b',
    '?',
    '#',
    '[0]',
    '{x}',
    '"',
    "'",
    '\\',
  ],
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1e3',
    'undefined',
    '{}',
    '[]',
    '..a',
    '.',
    '..',
    '~',
    ':',
    '*',
    '<a>',
    '%',
    '%zz',
  ],
  ...['é', '漢字', '😀', '\u00A0', 'a\tb', 'a\nb', 'a\r\nb', '\u0000', '\u2028', '__proto__', 'constructor'],
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 8 }),
);

/** Names that mean something to the language, to URLs or to our own code. */
export const ODD_NAMES: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'body', 'contentType', 'partHeaders'],
  ...[
    'class',
    'default',
    'await',
    'arguments',
    'a b',
    'a-b',
    'a_b',
    'aB',
    'a.b',
    '1a',
    '$ref',
    'größe',
    '名',
    '😀',
  ],
  ...[
    'a&b',
    'a=b',
    'a+b',
    '%41',
    'a;b',
    'a,b',
    'a|b',
    "it's",
    'a"b',
    'a\\b',
    'a`b',
    '${a}',
    '*/',
    '<a>',
    'a/b',
    '~0',
  ],
  ...[
    'filter',
    'id',
    'length',
    'name',
    'options',
    'signal',
    'status',
    'data',
    'headers',
    'events',
    'raw',
    'input',
  ],
];

/** A text, a number, a truth value or one of some values: what one piece of a URL or header can be. */
export function scalar(takes: (text: string) => boolean = () => true): fc.Arbitrary<Shape> {
  const texts = anyText.filter(takes);
  const plainTexts = texts.filter((text) => text !== '' && !isOther(text));
  const moment = '2026-01-02T03:04:05.678Z';
  return fc.constantFrom<Shape>(
    both({ type: 'string' }, texts),
    both({ type: 'string' }, texts),
    both({}, texts),
    both({ type: 'integer' }, fc.integer()),
    both({ type: 'boolean' }, fc.boolean()),
    both({ type: 'string', format: 'uuid' }, fc.uuid()),
    both({ enum: ['a-1', 'b'] }, fc.constantFrom('a-1', 'b')),
    both({ type: 'integer', enum: [1, 2] }, fc.constantFrom(1, 2)),
    both({ const: 'only' }, fc.constant('only')),
    both({ type: ['integer', 'string'] }, fc.oneof(fc.integer(), plainTexts)),
    both(
      { oneOf: [{ type: 'boolean' }, { type: 'string', minLength: 1 }] },
      fc.oneof(fc.boolean(), plainTexts),
    ),
    ...(takes(moment) ? [both({ type: 'string', format: 'date-time' }, fc.constant(moment))] : []),
    ...(takes('1.5')
      ? [
          both(
            { type: 'number' },
            fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
          ),
        ]
      : []),
  );
}

/** Whether a text is read as a number, a truth value or null where it may be one. */
const isOther = (text: string): boolean =>
  /^(?:true|false|null|)$/.test(text) || /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);

/** A list of items that has at least one: an empty one leaves no trace in a URL. */
export function listOf(item: Shape, minLength = 1): Shape {
  const of = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.array(values, { minLength, maxLength: 4 });
  return { schema: { type: 'array', items: item.schema }, sent: of(item.sent), answered: of(item.answered) };
}

export interface Member {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  readonly only?: 'request' | 'answer';
}

/** @param least how many members a value has at least */
export function objectOf(members: readonly Member[], least = 1, more: object = {}): Shape {
  const properties = Object.fromEntries(
    members.map(({ name, shape, only }) => [
      name,
      only === undefined
        ? shape.schema
        : { allOf: [shape.schema], [only === 'request' ? 'writeOnly' : 'readOnly']: true },
    ]),
  );
  const required = members.filter((member) => member.required).map(({ name }) => name);
  const values = (way: 'request' | 'answer'): fc.Arbitrary<unknown> =>
    fc
      .tuple(
        ...members.map(({ name, shape, required: isRequired, only }) => {
          const value = (way === 'request' ? shape.sent : shape.answered).map((each) => [[name, each]]);
          if (only !== undefined && only !== way) return fc.constant([]);
          return isRequired
            ? value
            : fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.constant([]) });
        }),
      )
      .map((entries) => Object.fromEntries(entries.flat()) as object)
      .filter((value) => Object.keys(value).length >= least);
  return {
    schema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }), ...more },
    sent: values('request'),
    answered: values('answer'),
  };
}

/** An object with any members of a shape. */
export function mapOf(value: Shape, names: fc.Arbitrary<string>): Shape {
  const of = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc
      .uniqueArray(fc.tuple(names, values), { minLength: 1, maxLength: 3, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries) as object);
  return {
    schema: { type: 'object', additionalProperties: value.schema },
    sent: of(value.sent),
    answered: of(value.answered),
  };
}

/** Any JSON that a document can describe, as deep as `depth`. */
export function json(depth: number): fc.Arbitrary<Shape> {
  const leaf = fc.oneof(
    scalar(() => true),
    fc.constant(both({ type: 'null' }, fc.constant(null))),
    fc.constant(both({ type: ['string', 'null'] }, fc.oneof(anyText, fc.constant(null)))),
    fc.constant(both({}, fc.jsonValue({ maxDepth: 2 }))),
  );
  if (depth === 0) return leaf;
  const inner = json(depth - 1);
  const name = fc.constantFrom(...ODD_NAMES);
  const members = fc
    .uniqueArray(
      fc.record({
        name,
        shape: inner,
        required: fc.boolean(),
        only: fc.constantFrom(undefined, undefined, undefined, 'request', 'answer'),
      }),
      { minLength: 1, maxLength: 4, selector: (member) => member.name },
    )
    .map((found) =>
      found.map(({ only, ...member }): Member =>
        only === undefined ? member : { ...member, only: only as 'request' },
      ),
    );
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 4, arbitrary: members.map((found) => objectOf(found, 0)) },
    { weight: 1, arbitrary: members.map((found) => objectOf(found, 0, { additionalProperties: false })) },
    { weight: 2, arbitrary: inner.map((shape) => listOf(shape, 0)) },
    { weight: 1, arbitrary: inner.map((shape) => mapOf(shape, name)) },
    { weight: 1, arbitrary: inner.map(orNull) },
    { weight: 1, arbitrary: fc.tuple(members, members).map(([one, other]) => tagged(one, other)) },
    { weight: 1, arbitrary: fc.tuple(members, members).map(([one, other]) => joined(one, other)) },
  );
}

// --- internal ---

function orNull(shape: Shape): Shape {
  const or = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(values, fc.constant(null));
  return {
    schema: { anyOf: [shape.schema, { type: 'null' }] },
    sent: or(shape.sent),
    answered: or(shape.answered),
  };
}

/** One of two objects that a member tells apart. */
function tagged(one: readonly Member[], other: readonly Member[]): Shape {
  const [left, right] = [one, other].map((members, index) => {
    const tag = both({ const: `kind ${String(index)}` }, fc.constant(`kind ${String(index)}`));
    return objectOf([...members, { name: 'kind', shape: tag, required: true }]);
  }) as [Shape, Shape];
  return {
    schema: { oneOf: [left.schema, right.schema] },
    sent: fc.oneof(left.sent, right.sent),
    answered: fc.oneof(left.answered, right.answered),
  };
}

/** What two schemas ask for at once; a member of both is the first one's. */
function joined(one: readonly Member[], other: readonly Member[]): Shape {
  const names = new Set(one.map(({ name }) => name));
  const whole = objectOf([...one, ...other.filter(({ name }) => !names.has(name))], 0);
  const [left, right] = [
    objectOf(one, 0),
    objectOf(
      other.filter(({ name }) => !names.has(name)),
      0,
    ),
  ];
  return { ...whole, schema: { allOf: [left.schema, right.schema] } };
}
