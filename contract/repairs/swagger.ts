import { httpMethods } from '../document/item-operations.ts';
import { followed, joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

type Value = Record<string, unknown>;

/**
 * Repairs parts that were copied from a Swagger 2.0 document into one of OpenAPI 3: bodies among the
 * parameters, schemas of responses, `consumes` and `produces`, and the address in three parts. A part that
 * also exists in its OpenAPI 3 form is not changed, because the two can differ.
 */
export function repairSwagger(root: Value, repaired: Repaired): void {
  repairAddress(root, repaired);
  let moved = false;
  for (const [path, item] of Object.entries(isRecord(root['paths']) ? root['paths'] : {})) {
    if (path.startsWith('x-') || !isRecord(item)) continue;
    for (const method of httpMethods) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const pointer = joinPointer('/paths', path, method);
      moved = repairBody({ root, operation, pointer }, repaired) || moved;
      repairResponses({ root, operation, pointer }, repaired);
    }
  }
  if (moved) removeBodies(root);
}

/** `collectionFormat` of Swagger 2.0, as members of a parameter or an encoding. */
export const COLLECTION_FORMATS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  csv: { explode: false },
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};

/** Members of a Swagger 2.0 parameter that belong into `schema` since OpenAPI 3. */
export const OF_A_SCHEMA =
  'type format items enum default minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems uniqueItems multipleOf nullable'.split(
    ' ',
  );

// --- internal ---

interface Place {
  readonly root: Value;
  readonly operation: Value;
  readonly pointer: string;
}

const KIND = 'a member of Swagger 2.0';
const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data';

function repairAddress(root: Value, repaired: Repaired): void {
  const { host, basePath, schemes } = root;
  if (Object.hasOwn(root, 'servers')) return;
  if (typeof host !== 'string' && typeof basePath !== 'string') return;
  const scheme =
    Array.isArray(schemes) && schemes.includes('http') && !schemes.includes('https') ? 'http' : 'https';
  const path = typeof basePath === 'string' ? basePath : '';
  const url = typeof host === 'string' ? `${scheme}://${host}${path === '/' ? '' : path}` : path;
  root['servers'] = [{ url }];
  const pointer = typeof host === 'string' ? '/host' : '/basePath';
  const wrong = `${pointer.slice(1)} is a member of Swagger 2.0`;
  repaired({ kind: KIND, pointer, wrong, read: `the server ${url}`, part: 'name' });
  for (const name of ['host', 'basePath', 'schemes']) Reflect.deleteProperty(root, name);
}

/** Returns whether a parameter was turned into the body. */
function repairBody({ root, operation, pointer }: Place, repaired: Repaired): boolean {
  const { parameters } = operation;
  if (!Array.isArray(parameters) || Object.hasOwn(operation, 'requestBody')) return false;
  const placed = parameters.map((raw: unknown, index) => ({
    raw,
    parameter: followed(root, raw),
    at: joinPointer(pointer, 'parameters', index),
  }));
  const inPlace = (
    position: string,
  ): (Omit<(typeof placed)[number], 'parameter'> & { readonly parameter: Value })[] =>
    placed.flatMap(({ parameter, ...each }) =>
      isRecord(parameter) && parameter['in'] === position ? [{ ...each, parameter }] : [],
    );
  const [bodies, fields] = [inPlace('body'), inPlace('formData')];
  const [body] = bodies;
  if (bodies.length > 1 || (body !== undefined && fields.length > 0)) return false;
  if (body === undefined && fields.length === 0) return false;
  const consumes = mediaTypes(operation['consumes'], root['consumes']);
  const requestBody =
    body === undefined
      ? formOf(
          fields.map(({ parameter }) => parameter),
          consumes,
        )
      : bodyOf(body.parameter, consumes ?? ['application/json']);
  operation['requestBody'] = requestBody;
  const gone = new Set([...bodies, ...fields].map(({ raw }) => raw));
  operation['parameters'] = parameters.filter((raw) => !gone.has(raw));
  Reflect.deleteProperty(operation, 'consumes');
  for (const { parameter, at } of [...bodies, ...fields])
    repaired({
      kind: 'a body among the parameters',
      pointer: joinPointer(at, 'in'),
      wrong: `in cannot be ${JSON.stringify(parameter['in'])}`,
      read: `a request body of ${Object.keys(requestBody.content).join(' or ')}`,
    });
  return true;
}

type Body = Value & { readonly content: Value };

function bodyOf({ description, required, schema }: Value, consumes: readonly string[]): Body {
  return {
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
    content: Object.fromEntries(consumes.map((mediaType) => [mediaType, { schema: schema ?? {} }])),
  };
}

function formOf(fields: readonly Value[], consumes: readonly string[] | undefined): Body {
  const hasFile = fields.some(({ type }) => type === 'file');
  const declared =
    consumes?.filter((mediaType) => mediaType === PARTS || (mediaType === FORM && !hasFile)) ?? [];
  const properties: Value = {};
  const encoding: Value = {};
  for (const field of fields) {
    const name = String(field['name']);
    const moved = OF_A_SCHEMA.filter((member) => Object.hasOwn(field, member));
    properties[name] = {
      ...(typeof field['description'] === 'string' ? { description: field['description'] } : {}),
      ...Object.fromEntries(moved.map((member) => [member, field[member]])),
      ...(isRecord(field['schema']) ? field['schema'] : {}),
    };
    const format = field['type'] === 'array' ? (field['collectionFormat'] ?? 'csv') : 'multi';
    if (format !== 'multi') encoding[name] = { ...COLLECTION_FORMATS[String(format)] };
  }
  const isRequired = ({ required }: Value): boolean => String(required) === 'true';
  const required = fields.filter(isRequired).map(({ name }) => String(name));
  const schema = { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
  const media = { schema, ...(Object.keys(encoding).length === 0 ? {} : { encoding }) };
  const names = declared.length > 0 ? declared : [hasFile ? PARTS : FORM];
  return {
    ...(required.length === 0 ? {} : { required: true }),
    content: Object.fromEntries(names.map((mediaType) => [mediaType, media])),
  };
}

function repairResponses({ root, operation, pointer }: Place, repaired: Repaired): void {
  const produces = mediaTypes(operation['produces'], root['produces']) ?? ['application/json'];
  let used = false;
  for (const [status, raw] of Object.entries(
    isRecord(operation['responses']) ? operation['responses'] : {},
  )) {
    const response = followed(root, raw);
    if (!isRecord(response) || Object.hasOwn(response, 'content') || !isSchemaLike(response['schema']))
      continue;
    const examples = isRecord(response['examples']) ? response['examples'] : {};
    const media = produces.map((mediaType) => {
      const example = Object.hasOwn(examples, mediaType) ? { example: examples[mediaType] } : {};
      return [mediaType, { schema: response['schema'], ...example }];
    });
    response['content'] = Object.fromEntries(media);
    Reflect.deleteProperty(response, 'schema');
    Reflect.deleteProperty(response, 'examples');
    used = true;
    repaired({
      kind: 'a schema outside of content',
      pointer: joinPointer(pointer, 'responses', status, 'schema'),
      wrong: `schema is outside of content in the response ${status}`,
      read: `the schema of ${produces.join(' and ')}`,
      part: 'name',
    });
  }
  if (used) Reflect.deleteProperty(operation, 'produces');
}

function isSchemaLike(schema: unknown): boolean {
  return isRecord(schema) || typeof schema === 'boolean';
}

function mediaTypes(...lists: readonly unknown[]): string[] | undefined {
  const given = lists.find((list) => Array.isArray(list) && list.length > 0);
  return Array.isArray(given) && given.every((each) => typeof each === 'string' && each.includes('/'))
    ? (given as string[])
    : undefined;
}

/** A shared part is now inside the operations that referred to it. */
function removeBodies(root: Value): void {
  const components = isRecord(root['components']) ? root['components'] : {};
  const parameters = isRecord(components['parameters']) ? components['parameters'] : {};
  for (const [name, parameter] of Object.entries(parameters))
    if (isRecord(parameter) && (parameter['in'] === 'body' || parameter['in'] === 'formData'))
      Reflect.deleteProperty(parameters, name);
}
