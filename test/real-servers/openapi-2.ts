import { isRecord } from '../../contract/index.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * An OpenAPI 2.0 document as OpenAPI 3.0, as far as a document about JSON needs it: bodies, responses, types of
 * parameters, lists in the query, references and the base path. It knows neither forms nor files nor credentials.
 */
export function asOpenApi3(document: unknown): Node {
  const { info, basePath = '/', paths, definitions, responses, tags } = node(document);
  return moved({
    ...{ openapi: '3.0.3', info, tags },
    servers: [{ url: String(basePath).replace(/(.)\/$/, '$1') }],
    paths: mapped(paths, (item) =>
      mapped(item, (part, name) => (name === 'parameters' ? list(part).map(parameter) : operation(part))),
    ),
    components: { schemas: definitions, responses: mapped(responses, response) },
  }) as Node;
}

// --- internal ---

function operation(value: unknown): Node {
  const { parameters, responses, ...rest } = node(value);
  const all = list(parameters).map(node);
  const body = all.find((one) => one['in'] === 'body');
  return {
    ...rest,
    parameters: all.filter((one) => one !== body).map(parameter),
    ...(body === undefined
      ? {}
      : { requestBody: { required: body['required'] === true, content: json(body['schema']) } }),
    responses: mapped(responses, response),
  };
}

/** What version 2 has beside the name of a parameter, version 3 has in its schema. */
function parameter(value: unknown): Node {
  const { name, in: place, description, required, collectionFormat, ...schema } = node(value);
  return {
    ...{ name, in: place, description, required: required === true, schema },
    ...(collectionFormat === 'multi' ? { style: 'form', explode: true } : {}),
  };
}

function response(value: unknown): Node {
  const { schema, ...rest } = node(value);
  return schema === undefined ? rest : { ...rest, content: json(schema) };
}

function json(schema: unknown): Node {
  return { 'application/json': { schema } };
}

/** Moves the targets of references. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (!isRecord(value))
    return typeof value === 'string'
      ? value
          .replace(/^#\/definitions\//, '#/components/schemas/')
          .replace(/^#\/responses\//, '#/components/responses/')
      : value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, moved(inner)]])),
  );
}

function mapped(value: unknown, map: (inner: unknown, name: string) => unknown): Node {
  return Object.fromEntries(Object.entries(node(value)).map(([name, inner]) => [name, map(inner, name)]));
}

const node = (value: unknown): Node => (isRecord(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
