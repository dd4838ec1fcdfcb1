import { eventKindsOf, listOfValues } from '../sequential/pieces.ts';
import type { Contract, MediaType, Operation, Parameter, ResponseHeader, Schema } from '../model.ts';

/**
 * The names of schemas in a `ServedApi`: the name of the component if a schema is only a reference to one,
 * else a name made from its place.
 */
export const schemaNames = {
  parameter: ({ id }: Operation, { in: place, name, schema }: Parameter): string =>
    componentName(schema) ?? `${id} ${place} ${name}`,
  body: ({ id }: Operation, { mediaType, schema }: MediaType): string =>
    componentName(schema) ?? `${id} body ${mediaType}`,
  /** Of the list of values that follow one another in a body. */
  values: ({ id }: Operation, { mediaType }: MediaType): string => `${id} values ${mediaType}`,
  /** Of the data of the events of one kind, in the order of the kinds. */
  event: ({ id }: Operation, { mediaType }: MediaType, kind: number): string =>
    `${id} event ${String(kind)} ${mediaType}`,
  response: ({ id }: Operation, status: string, { mediaType, schema }: MediaType): string =>
    componentName(schema) ?? `${id} ${status} ${mediaType}`,
  header: ({ id }: Operation, status: string, { name, schema }: ResponseHeader): string =>
    componentName(schema) ?? `${id} ${status} ${name}`,
};

/** The schemas of a contract's parameters, bodies and headers under these names. */
export function servedSchemas({ operations, document }: Contract): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  const put = (name: string, schema: Schema | undefined): void => {
    if (schema !== undefined) schemas.set(name, schema);
  };
  for (const operation of operations) {
    for (const parameter of operation.parameters)
      put(schemaNames.parameter(operation, parameter), parameter.schema);
    for (const content of operation.requestBody?.content ?? []) {
      put(schemaNames.body(operation, content), content.schema);
      put(schemaNames.values(operation, content), listOfValues(content, document));
      for (const [index, { form, schema }] of eventKindsOf(content, document).entries())
        if (form === 'json') put(schemaNames.event(operation, content, index), schema);
    }
    for (const { status, content, headers } of operation.responses) {
      for (const each of content) put(schemaNames.response(operation, status, each), each.schema);
      for (const header of headers) put(schemaNames.header(operation, status, header), header.schema);
    }
  }
  return schemas;
}

/** The name of the component if a schema is only a reference to one. */
export function componentName(schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object' || Object.keys(schema).length !== 1) return undefined;
  const { $ref: reference } = schema;
  return typeof reference === 'string' && reference.startsWith(COMPONENTS)
    ? reference.slice(COMPONENTS.length)
    : undefined;
}

// --- internal ---

const COMPONENTS = '#/components/schemas/';
