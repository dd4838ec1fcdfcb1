/** A schema before and after what a check of oasdiff is about, by the end of the id of the check. */
type Schema = Readonly<Record<string, unknown>>;
export type SchemaPair = readonly [old: Schema, next: Schema];

const text = { type: 'string' };
const number = { type: 'integer' };
const object = { type: 'object', properties: { a: text, b: text } };
const list = { type: 'array', items: text };
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const tagged = (discriminator: object | undefined, ...names: readonly string[]): Schema => ({
  oneOf: names.map(ref),
  ...(discriminator === undefined ? {} : { discriminator }),
});
const by = (propertyName: string, ...names: readonly string[]): object => ({
  propertyName,
  mapping: Object.fromEntries(names.map((name) => [name.toLowerCase(), `#/components/schemas/${name}`])),
});
const back = ([old, next]: SchemaPair): SchemaPair => [next, old];
const also = (schema: Schema, more: Schema): SchemaPair => [schema, { ...schema, ...more }];
const other = (schema: Schema, keyword: string, old: unknown, next: unknown): SchemaPair => [
  { ...schema, [keyword]: old },
  { ...schema, [keyword]: next },
];

/** Of a keyword with a number: it is set, gets greater and gets smaller, and is gone. */
function bound(name: string, schema: Schema, keyword: string): Record<string, SchemaPair> {
  return {
    [`${name}-set`]: also(schema, { [keyword]: 5 }),
    [`${name}-unset`]: back(also(schema, { [keyword]: 5 })),
    [`${name}-increased`]: other(schema, keyword, 5, 6),
    [`${name}-decreased`]: other(schema, keyword, 5, 4),
  };
}

/** Of a keyword: it is added, is gone and is another. */
function keyword(
  name: string,
  schema: Schema,
  key: string,
  first: unknown,
  second: unknown = first,
): Record<string, SchemaPair> {
  const added = also(schema, { [key]: first });
  return {
    [`${name}-added`]: added,
    [`${name}-removed`]: back(added),
    [`${name}-changed`]: other(schema, key, first, second),
    [`${name}-deleted`]: back(added),
  };
}

const constraint = { required: ['a'] };

export const schemaPairs: Readonly<Record<string, SchemaPair>> = {
  ...keyword('all-of', object, 'allOf', [constraint]),
  'all-of-added-annotation-only': also(object, { allOf: [{ description: 'words' }] }),
  'all-of-removed-annotation-only': back(also(object, { allOf: [{ description: 'words' }] })),
  'any-of-added': other({}, 'anyOf', [text, number], [text, number, { type: 'boolean' }]),
  'any-of-removed': other({}, 'anyOf', [text, number, { type: 'boolean' }], [text, number]),
  'one-of-added': [tagged(undefined, 'Cat', 'Dog'), tagged(undefined, 'Cat', 'Dog', 'Fish')],
  'one-of-removed': [tagged(undefined, 'Cat', 'Dog', 'Fish'), tagged(undefined, 'Cat', 'Dog')],
  'wrapped-in-one-of': [ref('Cat'), tagged(undefined, 'Cat', 'Dog')],
  'became-enum': also(text, { enum: ['a', 'b'] }),
  'enum-value-added': other(text, 'enum', ['a'], ['a', 'b']),
  'enum-value-removed': other(text, 'enum', ['a', 'b'], ['a']),
  'became-nullable': [text, { type: ['string', 'null'] }],
  'became-not-nullable': [{ type: ['string', 'null'] }, text],
  ...keyword('const', text, 'const', 'a', 'b'),
  ...keyword('contains', { type: 'array' }, 'contains', text),
  ...keyword('content-encoding', text, 'contentEncoding', 'base64', 'base32'),
  ...keyword('content-media-type', text, 'contentMediaType', 'text/html', 'text/css'),
  ...keyword('content-schema', { ...text, contentMediaType: 'application/json' }, 'contentSchema', number),
  ...keyword('default-value', text, 'default', 'a', 'b'),
  ...keyword('dependent-required', object, 'dependentRequired', { a: ['b'] }, { a: ['c'] }),
  ...keyword('dependent-schema', object, 'dependentSchemas', { a: constraint }),
  'discriminator-added': [tagged(undefined, 'Cat', 'Dog'), tagged(by('is', 'Cat', 'Dog'), 'Cat', 'Dog')],
  'discriminator-removed': [tagged(by('is', 'Cat', 'Dog'), 'Cat', 'Dog'), tagged(undefined, 'Cat', 'Dog')],
  'discriminator-property-name-changed': [
    tagged(by('is', 'Cat', 'Dog'), 'Cat', 'Dog'),
    tagged(by('as', 'Cat', 'Dog'), 'Cat', 'Dog'),
  ],
  'discriminator-mapping-added': [
    tagged(by('is', 'Cat'), 'Cat', 'Dog'),
    tagged(by('is', 'Cat', 'Dog'), 'Cat', 'Dog'),
  ],
  'discriminator-mapping-deleted': [
    tagged(by('is', 'Cat', 'Dog'), 'Cat', 'Dog'),
    tagged(by('is', 'Cat'), 'Cat', 'Dog'),
  ],
  'discriminator-mapping-changed': [
    tagged({ propertyName: 'is', mapping: { a: '#/components/schemas/Cat' } }, 'Cat', 'Dog'),
    tagged({ propertyName: 'is', mapping: { a: '#/components/schemas/Dog' } }, 'Cat', 'Dog'),
  ],
  ...keyword('if', object, 'if', constraint),
  ...keyword('then', { ...object, if: constraint }, 'then', { required: ['b'] }),
  ...keyword('else', { ...object, if: constraint }, 'else', { required: ['b'] }),
  'list-of-types-widened': [{ type: ['string', 'integer'] }, { type: ['string', 'integer', 'boolean'] }],
  'list-of-types-narrowed': [{ type: ['string', 'integer', 'boolean'] }, { type: ['string', 'integer'] }],
  'type-changed': [text, object],
  'type-generalized': [number, { type: 'number' }],
  'type-specialized': [{ type: 'number' }, number],
  // The same values in other words.
  'type-compatible': [{ type: ['string'] }, text],
  ...bound('max', number, 'maximum'),
  ...bound('min', number, 'minimum'),
  ...bound('exclusive-max', { type: 'number' }, 'exclusiveMaximum'),
  ...bound('exclusive-min', { type: 'number' }, 'exclusiveMinimum'),
  ...bound('max-length', text, 'maxLength'),
  ...bound('min-length', text, 'minLength'),
  ...bound('max-items', list, 'maxItems'),
  ...bound('min-items', list, 'minItems'),
  ...bound('max-contains', { type: 'array', contains: text }, 'maxContains'),
  ...bound('min-contains', { type: 'array', contains: text }, 'minContains'),
  ...keyword('pattern', text, 'pattern', '^a', '^b'),
  'pattern-generalized': other(text, 'pattern', '^a', '.*'),
  ...keyword('pattern-property', { type: 'object' }, 'patternProperties', { '^x': text }),
  ...keyword('prefix-items', { type: 'array' }, 'prefixItems', [text]),
  ...keyword('property-names', { type: 'object' }, 'propertyNames', { pattern: '^a' }),
  ...keyword('unevaluated-items', { type: 'array' }, 'unevaluatedItems', false),
  ...keyword('unevaluated-properties', object, 'unevaluatedProperties', false),
  deprecated: also(text, { deprecated: true }),
  reactivated: back(also(text, { deprecated: true })),
};
