import { controlOperations, type ControlOperation } from './control-operations.ts';
import { type JsonSchema, schemaSection } from './json-schema.ts';
import { code, page, table, writtenFrom } from './markdown.ts';
import { typeSchemas } from './type-schemas.ts';

/** The OpenAPI document of the control API; the mock serves it as `GET /control/v1/openapi`. */
export function controlDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of controlOperations) {
    const path = (paths[operation.path] ??= pathItem(operation.path));
    path[operation.method] = operationObject(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock',
      version: '1',
      description:
        'Reads and controls a running mock, on a separate port. All times are epoch milliseconds of the clock of the mock. Which resources a mock has depends on the APIs that it serves: see `resources` of `GET /state`.',
    },
    servers: [{ url: '/control/v1' }],
    security: [{}, { token: [] }],
    paths,
    components: { schemas: schemas(), securitySchemes, parameters },
  };
}

/** The page of the control API. */
export function controlPage(): string {
  const definitions = schemas();
  return page(
    writtenFrom(`${code('mock/control/openapi.json')} and the types of the control API`),
    '# Control API of the mock',
    'The mock listens on a second port, 4711 unless `--control-port` names another one. The API is below `/control/v1`; the page at `/` is the inspector. `GET /control/v1/openapi` is the OpenAPI document of this API. A mistake of the caller is answered with a status of 400 or more, and `{"error": "…"}`.',
    'The header `Tallystick-Namespace` (or `?namespace=`) names the namespace that a request is for. Where the mock listens beyond this machine, or with `--control-token`, each request needs the token as a bearer token or as `?token=`.',
    table(
      ['request', 'what it does', 'body', 'answer'],
      controlOperations.map(({ method, path, summary, body, answer }) => [
        code(`${method.toUpperCase()} ${path}`),
        summary,
        nameOf(body),
        nameOf(answer),
      ]),
    ),
    ...Object.entries(definitions).map(([name, schema]) => schemaSection(`## ${name}`, schema, definitions)),
  );
}

// --- internal ---

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'Only where the mock needs one.' },
};

const parameters = {
  Namespace: {
    name: 'Tallystick-Namespace',
    in: 'header',
    description: 'The namespace that the request is for; the one without a name when left out.',
    schema: { type: 'string' },
  },
};

function pathItem(path: string): Record<string, object> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
  return { parameters: [{ $ref: '#/components/parameters/Namespace' }, ...inPath] };
}

function operationObject(operation: ControlOperation): object {
  const {
    id,
    path,
    summary,
    query = {},
    body,
    bodyIsOptional,
    answer,
    mediaType = 'application/json',
  } = operation;
  const named = Object.entries(query).map(([name, each]) => ({ name, in: 'query', ...each }));
  return {
    operationId: id,
    tags: [path.split('/')[1]],
    summary,
    ...(named.length === 0 ? {} : { parameters: named }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: bodyIsOptional !== true,
            content: { 'application/json': { schema: schemaOf(body) } },
          },
        }),
    responses: {
      200: { description: 'Done', content: { [mediaType]: { schema: schemaOf(answer) } } },
      default: {
        description: 'A mistake of the caller',
        content: { 'application/json': { schema: schemaOf('ControlProblem') } },
      },
    },
  };
}

function schemaOf(shape: string | JsonSchema): JsonSchema {
  return typeof shape === 'string' ? { $ref: `#/components/schemas/${shape}` } : shape;
}

function nameOf(shape: string | JsonSchema | undefined): string {
  return typeof shape === 'string' ? `[${shape}](#${shape.toLowerCase()})` : '';
}

let made: Readonly<Record<string, JsonSchema>> | undefined;

function schemas(): Readonly<Record<string, JsonSchema>> {
  if (made === undefined) {
    const named = controlOperations.flatMap(({ body, answer }) => [body, answer]);
    const names = [...named.filter((shape) => typeof shape === 'string'), 'ControlProblem', 'ForcedScenario'];
    const found = typeSchemas([...new Set(names)]);
    made = Object.fromEntries(
      Object.entries(found).map(([name, schema]) => [name, asOpenApi(schema) as JsonSchema]),
    );
  }
  return made;
}

/** Converts draft 7 to the form of OpenAPI 3.1: other references, and `prefixItems` for tuples. */
function asOpenApi(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOpenApi);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (name === '$ref' && typeof member === 'string')
      return [name, member.replace('#/definitions/', '#/components/schemas/')];
    return [name === 'items' && Array.isArray(member) ? 'prefixItems' : name, asOpenApi(member)];
  });
  return Object.fromEntries(entries);
}
