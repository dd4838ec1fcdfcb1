/**
 * What the general linters do not look at: that Prism, Ajv and the generator judge a document alike, and that every
 * answer has an authored example. A check gives the places where it does not hold.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json, JsonObject } from '../../contract/model.ts';
import { answersOf, parametersOf, requestBodiesOf, schemasOf } from './document-walk.ts';
import { isObject, objectAt, pointer, resolve, valueAt } from './own-specs.ts';

export type DocumentCheck = (root: JsonObject) => readonly string[];

/** Keywords that may be beside a `$ref`: they say something and assert nothing. */
const annotations = new Set([
  '$ref',
  '$comment',
  'title',
  'description',
  'deprecated',
  'examples',
  'default',
]);

export const documentGate: Readonly<Record<string, DocumentCheck>> = {
  'names its dialect': (root) =>
    root['jsonSchemaDialect'] === 'https://json-schema.org/draft/2020-12/schema'
      ? []
      : ['#/jsonSchemaDialect'],

  'has schemas that compile strictly': (root) => {
    const compile = compiler(root);
    return schemasOf(root).flatMap(({ path }) => {
      try {
        compile(path);
        return [];
      } catch (error) {
        return [`${pointer(path)}: ${error instanceof Error ? error.message : String(error)}`];
      }
    });
  },

  // Prism's dereferencing overwrites what the reference points to.
  'asserts nothing beside a $ref': (root) =>
    schemasOf(root).flatMap(({ path, value }) =>
      isObject(value) && '$ref' in value && Object.keys(value).some((keyword) => !annotations.has(keyword))
        ? [pointer(path)]
        : [],
    ),

  'writes null as a type': (root) =>
    schemasOf(root).flatMap(({ path, value }) =>
      isObject(value) && 'nullable' in value ? [pointer(path)] : [],
    ),

  // Prism merges the members of an allOf and ignores it there; unevaluatedProperties says the same rightly.
  'closes no member of an allOf': (root) =>
    schemasOf(root).flatMap(({ path, value }) => {
      const members = valueAt(value, 'allOf');
      if (!Array.isArray(members)) return [];
      const closed = members.some((member: Json) => resolve(root, member)['additionalProperties'] === false);
      return closed || valueAt(value, 'additionalProperties') === false ? [pointer(path)] : [];
    }),

  // The default of OpenAPI is not applied by Prism.
  'says how arrays in parameters explode': (root) =>
    parametersOf(root).flatMap(({ path, schemaPath }) =>
      allows(resolve(root, valueAt(root, ...schemaPath)), 'array') && !('explode' in objectAt(root, ...path))
        ? [pointer(path)]
        : [],
    ),

  'shows an example of every parameter, body and header': (root) =>
    exemplifiedOf(root).flatMap(({ path, examples }) => (examples.length === 0 ? [pointer(path)] : [])),

  'shows examples that pass their own schemas': (root) => {
    const compile = compiler(root);
    return exemplifiedOf(root).flatMap(({ path, schemaPath, examples }) => {
      if (examples.length === 0) return [];
      const validate = compile(schemaPath);
      return examples.flatMap(({ name, value }) =>
        validate(value) === true ? [] : [`${pointer(path)} ${name}: ${JSON.stringify(validate.errors)}`],
      );
    });
  },
};

/**
 * Whether an example of the header repeats what the example of the body says, by the example's name where the header
 * has several.
 */
export const headerExamplesAgree =
  (header: string, member: string): DocumentCheck =>
  (root) =>
    answersOf(root).flatMap(({ path, headers, bodies }) => {
      const shown = headers.find((one) => one.name === header)?.examples ?? [];
      return bodies
        .flatMap((body) => body.examples)
        .filter(({ value }) => isObject(value) && member in value)
        .filter(({ name, value }) => {
          const own = shown.find((one) => one.name === name) ?? shown.find((one) => one.name === '');
          return own === undefined || own.value !== valueAt(value, member);
        })
        .map(({ name }) => `${pointer(path)} ${name}`);
    });

// --- internal ---

function exemplifiedOf(root: JsonObject): readonly ReturnType<typeof parametersOf>[number][] {
  return [
    ...parametersOf(root),
    ...requestBodiesOf(root),
    ...answersOf(root).flatMap(({ headers, bodies }) => [...headers, ...bodies]),
  ];
}

function compiler(root: JsonObject): (path: readonly string[]) => ReturnType<Ajv2020['compile']> {
  // Union types are how 2020-12 writes null; members required in one branch and described in another are legal.
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  // The document itself is what the references are resolved in.
  ajv.addVocabulary(Object.keys(root));
  ajv.addSchema(root, 'document');
  return (path) => ajv.compile({ $ref: `document${encodeURI(pointer(path))}` });
}

function allows(schema: JsonObject, type: string): boolean {
  const types = schema['type'];
  return types === type || (Array.isArray(types) && types.includes(type));
}
