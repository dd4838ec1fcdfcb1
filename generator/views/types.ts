import type { Json, Schema } from '../../contract/index.ts';
import { prose } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { commentOf, literalShape, namedShape, typeShape, unionShape } from '../schemas/type-shape.ts';
import type { Api, ApiContent, ApiOperation, ApiParameter, ApiResponse } from './api.ts';

/** A type to declare: its name, its shape, and the comment above it. */
export interface Declaration {
  readonly name: string;
  readonly shape: Json;
  readonly comment: readonly string[];
}

/** All types of an API, in the order in which they are printed. */
export function typeDeclarations(api: Api): Declaration[] {
  const shape = shaper(api);
  return [
    ...api.table.entries.map(({ name, schema }) => ({
      name,
      shape: shape(schema),
      comment: commentOf(schema),
    })),
    ...api.operations.flatMap((operation) => ofOperation(operation, shape)),
  ];
}

/** The type of what a content holds, as a shape. */
export function contentShape(content: ApiContent, shape: (schema: Schema) => Json): Json {
  switch (content.carriage) {
    case 'text':
    case 'events':
      return { type: 'string' };
    case 'binary':
      return namedShape('Blob');
    default:
      return content.schema === undefined ? true : shape(content.schema);
  }
}

/** Gives the shape of a schema of the table, with the members open that the contract says are open. */
export function shaper(api: Api): (schema: Schema) => Json {
  const open = openSchemas(api);
  return (schema) => typeShape(schema, api.table, (inner) => open.get(inner));
}

// --- internal ---

function ofOperation(operation: ApiOperation, shape: (schema: Schema) => Json): Declaration[] {
  const { name, parameters, body, responses } = operation;
  const declared: Declaration[] = [];
  const members = parameters.map((parameter): [string, Json] => [
    parameter.member,
    parameterShape(parameter, shape),
  ]);
  const required = parameters.filter(({ parameter }) => parameter.required).map(({ member }) => member);
  if (body !== undefined) {
    declared.push({
      name: operation.bodyType,
      shape: anyOrUnion(body.contents.map((content) => contentShape(content, shape))),
      comment: [`What \`${name}\` sends.`, ...prose(operation.operation.requestBody?.description)],
    });
    members.push([
      'body',
      { ...namedShape(operation.bodyType), 'x-comment': prose(operation.operation.requestBody?.description) },
    ]);
    if (body.required) required.push('body');
  }
  if (members.length > 0) {
    declared.push({
      name: operation.parametersType,
      shape: { type: 'object', properties: Object.fromEntries(members), required },
      comment: [`What \`${name}\` takes.`],
    });
  }
  declared.push({
    name: operation.responsesType,
    shape:
      responses.length === 0
        ? { type: 'object' }
        : {
            type: 'object',
            properties: Object.fromEntries(
              responses.map((response) => [response.status, responseShape(response, shape)]),
            ),
            required: responses.map(({ status }) => status),
          },
    comment: [`What \`${name}\` is answered with, by status.`],
  });
  return declared;
}

function parameterShape({ parameter, member }: ApiParameter, shape: (schema: Schema) => Json): Json {
  const wire =
    member === parameter.name ? [] : [`Sent as the ${parameter.in} parameter \`${parameter.name}\`.`];
  const inner = shape(parameter.schema);
  return {
    ...(isObject(inner)
      ? inner
      : inner === false
        ? { type: 'x-name', 'x-name': 'never' }
        : { type: 'x-name', 'x-name': 'unknown' }),
    'x-comment': [
      ...prose(parameter.description),
      ...prose(wire.join('')),
      ...(isObject(parameter.schema) && parameter.schema['default'] !== undefined
        ? commentOf({ default: parameter.schema['default'] })
        : []),
      ...(parameter.deprecated ? ['@deprecated'] : []),
    ],
  };
}

function responseShape(response: ApiResponse, shape: (schema: Schema) => Json): Json {
  const inner =
    response.contents.length === 0
      ? namedShape('undefined')
      : anyOrUnion(response.contents.map((content) => contentShape(content, shape)));
  return isObject(inner) && Object.keys(inner).length > 0
    ? { ...inner, 'x-comment': prose(response.description) }
    : { ...namedShape('unknown'), 'x-comment': prose(response.description) };
}

function anyOrUnion(shapes: readonly Json[]): Json {
  return shapes.some((shape) => shape === true || (isObject(shape) && Object.keys(shape).length === 0)) ||
    shapes.length === 0
    ? true
    : unionShape(shapes);
}

/** The schema objects whose set of values the contract leaves open, with the values that it knows. */
function openSchemas(api: Api): Map<Schema, readonly string[]> {
  const { contract, table, errorBuckets } = api;
  const open = new Map<Schema, readonly string[]>();
  for (const policy of contract.sheet?.policies ?? []) {
    if (policy.kind !== 'open-values') continue;
    const named = contract.schemas.find(({ name }) => name === policy.schema);
    const entry = table.entries.find(({ name }) => name === table.nameAt(named?.pointer ?? ''));
    const schema = entry && memberAt(entry.schema, policy.property.split('.'), table);
    if (schema !== undefined) open.set(schema, policy.known);
  }
  if (errorBuckets !== undefined) {
    for (const { schema } of table.entries) {
      const bucket = memberAt(schema, [errorBuckets.bodyMember], table);
      if (isObject(bucket) && bucket['type'] === 'string')
        open.set(
          bucket,
          errorBuckets.buckets.map(({ name }) => name),
        );
    }
  }
  return open;
}

/** The schema of a member of a member of an object. */
function memberAt(schema: Schema, path: readonly string[], table: SchemaTable): Schema | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  if (!isObject(schema)) return undefined;
  if (typeof schema['$ref'] === 'string') {
    const target = table.follow(schema['$ref']);
    return target && memberAt(target.schema, path, table);
  }
  const { properties, allOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, first))
    return memberAt(properties[first] as Schema, rest, table);
  return (Array.isArray(allOf) ? (allOf as Schema[]) : [])
    .map((member) => memberAt(member, path, table))
    .find((found) => found !== undefined);
}
void literalShape;
