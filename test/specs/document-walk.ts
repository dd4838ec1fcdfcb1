/** The places of schemas, parameters and answers in an OpenAPI 3.1 document. */
import type { Json, JsonObject } from '../../contract/model.ts';
import { isObject, objectAt, resolve, valueAt } from './own-specs.ts';

export interface Place<Value = Json> {
  readonly path: readonly string[];
  readonly value: Value;
}

/** Anything that has `schema` (or media types with schemas) and examples of its own. */
export interface Exemplified {
  readonly path: readonly string[];
  readonly schemaPath: readonly string[];
  /** Named, `''` for the one of `example`. */
  readonly examples: readonly { readonly name: string; readonly value: Json }[];
}

export interface AnswerPlace {
  readonly operation: string;
  readonly status: string;
  readonly path: readonly string[];
  readonly headers: readonly (Exemplified & { readonly name: string })[];
  readonly bodies: readonly Exemplified[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export function operationsOf(root: JsonObject): readonly Place<JsonObject>[] {
  return Object.entries(objectAt(root, 'paths')).flatMap(([route, item]) =>
    methods
      .filter((method) => isObject(item) && isObject(item[method]))
      .map((method) => ({ path: ['paths', route, method], value: objectAt(item, method) })),
  );
}

export const operationId = (operation: JsonObject): string => String(operation['operationId']);

export function answersOf(root: JsonObject): readonly AnswerPlace[] {
  return operationsOf(root).flatMap(({ path, value }) =>
    Object.keys(objectAt(value, 'responses')).map((status) => {
      const at = target(root, [...path, 'responses', status]);
      const headers = Object.keys(objectAt(root, ...at, 'headers')).map((name) => ({
        name,
        ...exemplified(root, target(root, [...at, 'headers', name])),
      }));
      return { operation: operationId(value), status, path: at, headers, bodies: bodiesOf(root, at) };
    }),
  );
}

export function parametersOf(root: JsonObject): readonly Exemplified[] {
  const lists = Object.entries(objectAt(root, 'paths')).flatMap(([route, item]) => [
    { path: ['paths', route, 'parameters'], list: valueAt(item, 'parameters') },
    ...methods.map((method) => ({
      path: ['paths', route, method, 'parameters'],
      list: valueAt(item, method, 'parameters'),
    })),
  ]);
  return lists.flatMap(({ path, list }) =>
    Array.isArray(list)
      ? list.map((_, index) => exemplified(root, target(root, [...path, String(index)])))
      : [],
  );
}

export function requestBodiesOf(root: JsonObject): readonly Exemplified[] {
  return operationsOf(root).flatMap(({ path, value }) =>
    isObject(value['requestBody']) ? bodiesOf(root, target(root, [...path, 'requestBody'])) : [],
  );
}

/** Every schema, at its own place, subschemas included. */
export function schemasOf(root: JsonObject): readonly Place[] {
  return Object.keys(objectAt(root, 'components', 'schemas'))
    .map((name) => ['components', 'schemas', name])
    .concat(
      [...parametersOf(root), ...requestBodiesOf(root)].map((one) => [...one.schemaPath]),
      answersOf(root).flatMap((answer) =>
        [...answer.headers, ...answer.bodies].map((one) => [...one.schemaPath]),
      ),
    )
    .flatMap((path) => subschemas({ path, value: valueAt(root, ...path) ?? true }));
}

// --- internal ---

const oneSchema = [
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
];
const moreSchemas = ['then', 'else', 'unevaluatedItems'];
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapsOfSchemas = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

function subschemas({ path, value }: Place): readonly Place[] {
  const single = [...oneSchema, ...moreSchemas].map((keyword) => [keyword]);
  const many = [...listsOfSchemas, ...mapsOfSchemas].flatMap((keyword) =>
    Object.keys(valueAt(value, keyword) ?? {}).map((member) => [keyword, member]),
  );
  const below = [...single, ...many].flatMap((step) => {
    const inner = valueAt(value, ...step);
    return inner === undefined ? [] : subschemas({ path: [...path, ...step], value: inner });
  });
  return [{ path, value }, ...below];
}

function bodiesOf(root: JsonObject, path: readonly string[]): readonly Exemplified[] {
  return Object.keys(objectAt(root, ...path, 'content')).map((type) =>
    exemplified(root, [...path, 'content', type]),
  );
}

function exemplified(root: JsonObject, path: readonly string[]): Exemplified {
  const holder = objectAt(root, ...path);
  const one = holder['example'];
  const named = Object.entries(objectAt(holder, 'examples')).flatMap(([name, example]) => {
    const value = resolve(root, example)['value'];
    return value === undefined ? [] : [{ name, value }];
  });
  const examples = one === undefined ? named : [{ name: '', value: one }, ...named];
  return { path, schemaPath: [...path, 'schema'], examples };
}

/** The place that a `$ref` leads to, or the place itself. */
function target(root: JsonObject, path: readonly string[]): readonly string[] {
  const ref = valueAt(root, ...path, '$ref');
  if (typeof ref !== 'string') return path;
  const tokens = ref.slice(2).split('/');
  return target(
    root,
    tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')),
  );
}
