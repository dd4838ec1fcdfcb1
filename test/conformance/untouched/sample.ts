import type { Scripted } from '../servers.ts';
import type { Naming, Tables, World } from './world.ts';

/** A JSON Schema of a document. */
export type Schema = Readonly<Record<string, unknown>>;

/** A request as a handler sees it. */
export interface Call {
  readonly operation: string;
  readonly method: string;
  /** Below the base path, as it was sent. */
  readonly pathname: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty if the body was no object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it was sent. */
  readonly sent: unknown;
  /** The key of the caller among the users. */
  readonly caller: string;
}

/** What a handler does to the world. Its body is wrapped and its status filled in as the operation declares. */
export type Effect = (call: Call, world: World) => Partial<Scripted>;

/** What an operation does to the people whose server is judged. */
export const harms = [
  ...(['settings', 'users', 'me', 'purge', 'bulk', 'mail', 'money', 'tokens', 'stock'] as const),
  ...(['memberships', 'switches', 'caches', 'audit'] as const),
];

/** One operation of a sample document, with what the server does. */
export interface Row {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly does: Effect;
  /** The status of a success; default 200. */
  readonly status?: number;
  /** The name of a schema, or a schema. */
  readonly takes?: string | Schema;
  /** The name of a schema; `Name[]` for a list. */
  readonly gives?: string;
  /** The member that contains what is given. */
  readonly wrap?: string;
  readonly query?: Readonly<Record<string, Schema>>;
  /** Other statuses of a success, with the same body. */
  readonly also?: readonly number[];
  readonly harm?: (typeof harms)[number];
  /** A run has to call it, and to take back what it makes: one that sends nothing keeps every promise. */
  readonly isHarmless?: true;
}

/** A document with its server and the people who use it. */
export interface Sample {
  readonly name: string;
  /** The path of the base URL; default none. */
  readonly base?: string;
  readonly naming: Naming;
  /** What is there before a run. The caller is user `me`, the second account is user `second`. */
  readonly tables: Tables;
  readonly callers: { readonly me: string; readonly second: string };
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Schemas of path parameters, by name; default a string. */
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly rows: readonly Row[];
}

/** `row('GET /users', 'listUsers', …)`. */
export function row(
  request: string,
  id: string,
  does: Effect,
  more: Omit<Row, 'method' | 'path' | 'id' | 'does'> = {},
): Row {
  const [method = '', path = ''] = request.split(' ');
  return { method, path, id, does, ...more };
}

/** The schema of an object whose members are all required, except those that are named with a `?`. */
export function object(members: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(members);
  return {
    type: 'object',
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
  };
}

/** The OpenAPI document of a sample. */
export function documentOf({ name, schemas, parameters, rows }: Sample): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of rows) (paths[one.path] ??= {})[one.method.toLowerCase()] = operationOf(one, parameters);
  return {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ...schemas, Problem: object({ message: { type: 'string' } }) },
    },
  };
}

// --- internal ---

const json = (schema: Schema): object => ({ content: { 'application/json': { schema } } });
const named = (schema: string | Schema): Schema =>
  typeof schema === 'string' ? { $ref: `#/components/schemas/${schema}` } : schema;

function operationOf(one: Row, parameters: Sample['parameters']): object {
  const { path, id, status = 200, also = [], takes, query = {} } = one;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    schema: parameters[name] ?? { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    ...{ name: name.replace('?', ''), in: 'query', required: !name.endsWith('?') },
    schema,
  }));
  const refused = ['400', '401', '404', '409', '422'].map((code) => [
    code,
    { description: 'Refused.', ...json(named('Problem')) },
  ]);
  const done = [status, ...also].map((code) => [String(code), { description: 'Done.', ...givenBy(one) }]);
  return {
    operationId: id,
    ...(inPath.length + inQuery.length === 0 ? {} : { parameters: [...inPath, ...inQuery] }),
    ...(takes === undefined ? {} : { requestBody: { required: true, ...json(named(takes)) } }),
    responses: Object.fromEntries([...done, ...refused]) as object,
  };
}

function givenBy({ gives, wrap }: Row): object {
  if (gives === undefined) return {};
  const one = named(gives.replace('[]', ''));
  const given = gives.endsWith('[]') ? { type: 'array', items: one } : one;
  return json(wrap === undefined ? given : object({ [wrap]: given }));
}
