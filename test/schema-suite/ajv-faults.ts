import { Ajv2020 } from 'ajv/dist/2020.js';

/** A verdict of ajv's, or the error that it gives up with. */
export type AjvVerdict = boolean | string;

/** What ajv does not do as JSON Schema 2020-12 says. */
export interface AjvFault {
  /** What ajv does. */
  readonly name: string;
  /** Where the specification says otherwise. */
  readonly source: string;
  /** A schema and a value with the fault: ajv does not say `right`. */
  readonly sample: { readonly schema: object; readonly value: unknown; readonly right: boolean };
  /** Whether a difference can come from this fault: JSON of the schema and the value, and what ajv says. */
  readonly explains: (schema: string, value: string, verdict: AjvVerdict) => boolean;
}

/** The judge of ajv for the components of a document. It is the same for all tests that ask ajv about schemas. */
export function ajvJudge(document: object): (name: string, value: unknown) => AjvVerdict {
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, logger: false, allErrors: true },
    ...{ ownProperties: true, multipleOfPrecision: 8 },
  });
  ajv.addSchema(document, 'document');
  const known = new Map<string, (value: unknown) => unknown>();
  return (name, value) => {
    try {
      const judge = known.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` });
      known.set(name, judge);
      return judge(value) === true;
    } catch (error) {
      return String(error);
    }
  };
}

/** The fault that explains why ajv differs; `undefined` where none does. */
export function faultBehind(schema: unknown, value: unknown, verdict: AjvVerdict): AjvFault | undefined {
  const [schemaText, valueText] = [JSON.stringify(schema), JSON.stringify(value)];
  return ajvFaults.find(({ explains }) => explains(schemaText, valueText, verdict));
}

/** Faults of ajv 8. A test asks ajv about each sample, so that a fault that is mended leaves the table. */
export const ajvFaults: readonly AjvFault[] = [
  {
    name: 'It writes code that throws for `patternProperties` beside branches with `unevaluatedProperties`',
    source: 'Core 11.3',
    sample: {
      schema: {
        patternProperties: { '^a': { maxProperties: 0 } },
        oneOf: [{ unevaluatedProperties: { properties: { b: false } } }],
      },
      value: { a: { b: 1 } },
      right: false,
    },
    explains: (_schema, _value, verdict) => String(verdict).includes('Cannot set properties of undefined'),
  },
  {
    name: 'It cannot compare objects that have a member `toString`, `valueOf` or `constructor`',
    source: 'Core 4.2.2: objects are equal when they have the same members',
    sample: { schema: { const: { a: 1 } }, value: { toString: 1 }, right: false },
    explains: (schema, value) =>
      /"(?:const|enum|uniqueItems)":/.test(schema) &&
      ['toString', 'valueOf', 'constructor'].some((name) => has(name, value)),
  },
  {
    name: 'It takes a missing member for present whose name is empty, in what combines schemas',
    source: 'Validation 6.5.3, 6.5.4: every name has to be there, and the empty text is a name',
    sample: { schema: { not: { required: ['', 'a'] } }, value: { a: 1 }, right: true },
    explains: (schema) => /\[(?:"[^"]*",)*""[,\]]/.test(schema),
  },
  {
    name: 'It passes over a schema or names under `__proto__`',
    source: 'Core 10.3.2.1, Validation 6.5.4: every member name of the keyword',
    sample: { schema: { properties: member(false) }, value: member(1), right: false },
    explains: (schema, value) => has('__proto__', schema) && has('__proto__', value),
  },
  {
    name: 'It takes a member for looked at whose name every object inherits',
    source: 'Core 11.3: only names that other keywords have looked at are left out',
    sample: {
      schema: { patternProperties: { '^x': true }, unevaluatedProperties: false },
      value: { constructor: 1 },
      right: false,
    },
    explains: (schema, value) =>
      has('unevaluatedProperties', schema) && INHERITED.some((name) => has(name, value)),
  },
  {
    name: 'It passes over what `if` looks at where neither `then` nor `else` is beside it',
    source: 'Core 10.2.2.1: annotations are collected from `if` without either too',
    sample: {
      schema: { if: { properties: { a: true } }, unevaluatedProperties: false },
      value: { a: 1 },
      right: true,
    },
    explains: (schema) => has('if', schema) && UNEVALUATED.test(schema),
  },
  {
    name: 'It takes all items for looked at where `contains` is, or none where it may match none',
    source: 'Core 10.3.1.3, 11.2: `contains` looks at the items that match it',
    sample: { schema: { contains: { const: 1 }, unevaluatedItems: false }, value: [1, 2], right: false },
    explains: (schema) => has('contains', schema) && has('unevaluatedItems', schema),
  },
  {
    name: 'It takes an empty array to contain what the one before it contains',
    source: 'Core 10.3.1.3, Validation 6.4.5: at least one item has to match',
    sample: { schema: { items: { contains: { const: 1 } } }, value: [[1], []], right: false },
    explains: (schema, value) => has('contains', schema) && value.includes('[]'),
  },
  {
    name: 'It takes no more than one item for looked at where `items` is in a branch',
    source:
      'Core 10.3.1.2, 11.2: `items` looks at every item, and what a branch that holds has looked at counts',
    sample: {
      schema: { oneOf: [{ items: { type: 'integer' } }], unevaluatedItems: false },
      value: [1, 2],
      right: true,
    },
    explains: (schema, value) =>
      has('unevaluatedItems', schema) && BRANCHES.test(schema) && /\[.*,.*\]/.test(value),
  },
  {
    name: 'It takes members of an item for looked at where a branch holds for the item before it',
    source: 'Core 11.3: what a branch has looked at counts for the same object',
    sample: {
      schema: {
        items: {
          oneOf: [{ required: ['a'], additionalProperties: true }, { required: ['b'] }],
          unevaluatedProperties: false,
        },
      },
      value: [{ a: 1 }, { b: 1 }],
      right: false,
    },
    explains: (schema, value, verdict) =>
      verdict === true &&
      has('unevaluatedProperties', schema) &&
      BRANCHES.test(schema) &&
      /"(?:items|contains)":/.test(schema) &&
      /\[.*,.*\]/.test(value),
  },
  {
    name: 'It takes all items for looked at where a branch with `items` or `prefixItems` does not hold',
    source: 'Core 10.3.1.2, 11.2: a branch that does not hold has looked at nothing',
    sample: {
      schema: { anyOf: [true, { items: { type: 'integer' } }], unevaluatedItems: false },
      value: ['x'],
      right: false,
    },
    explains: (schema, _value, verdict) =>
      verdict === true &&
      has('unevaluatedItems', schema) &&
      /"(?:items|prefixItems)":/.test(schema) &&
      BRANCHES.test(schema),
  },
];

// --- internal ---

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const BRANCHES = /"(?:anyOf|oneOf|if|dependentSchemas)":/;
const UNEVALUATED = /"unevaluated(?:Items|Properties)":/;

/** Whether JSON has a member of a name. */
function has(name: string, json: string): boolean {
  return json.includes(`${JSON.stringify(name)}:`);
}

/** An object with a member that only a parser of JSON gives an object. */
function member(value: unknown): object {
  return Object.fromEntries([['__proto__', value]]);
}
