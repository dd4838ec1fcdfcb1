import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Transport, WireRequest } from '../../../conformance/index.ts';
import { headerIn, scripted } from '../servers.ts';
import type { Scripted } from '../servers.ts';
import { happen } from './effects.ts';
import { documentOf, row } from './sample.ts';
import type { Call, Row, Sample } from './sample.ts';
import { World } from './world.ts';

/** How a server deals with what its document forbids. */
export interface Manner {
  /** Whether it refuses bodies that its schemas do not allow. */
  readonly isStrict: boolean;
  /** Whether it lets everybody in: a fault that a run has to find without harm. */
  readonly isOpen: boolean;
}

/** A call after which something was no longer as before. */
export interface Deed {
  readonly row: Row;
  /** Method, target and body. */
  readonly request: string;
  readonly status: number;
  /** Places of the beginning that this call changed. */
  readonly touched: readonly string[];
  /** Places that it made. */
  readonly made: readonly string[];
}

export const TOKENS = { me: 'token-of-mine-0001', second: 'token-of-another-0002' } as const;

/** The server of a sample, in this process, with a record of all that it did. */
export function serve(
  sample: Sample,
  manner: Manner,
  isValid: Validity,
): {
  readonly transport: Transport;
  readonly world: World;
  readonly deeds: readonly Deed[];
  /** What answer a number was about, if that was made by the run: `X-Request-Id` has the number. */
  readonly about: ReadonlyMap<string, string>;
} {
  const world = new World(sample.tables, sample.naming);
  const routes = routesOf(sample);
  const deeds: Deed[] = [];
  const callers = new Map([
    [`Bearer ${TOKENS.me}`, sample.callers.me],
    [`Bearer ${TOKENS.second}`, sample.callers.second],
  ]);
  const about = new Map<string, string>();
  let count = 0;
  let before: Pick<Deed, 'touched' | 'made'> = { touched: [], made: [] };
  const answer = (request: WireRequest): Scripted => {
    const { method, target } = request;
    const { pathname: whole, searchParams: query } = new URL(target, 'http://localhost');
    const { base = '' } = sample;
    if (!whole.startsWith(`${base}/`)) return refused(404);
    const pathname = manner.isStrict ? whole.slice(base.length) : whole.slice(base.length).replace(/\/$/, '');
    const found = routes.filter(({ pattern }) => pattern.test(pathname));
    const [first] = found;
    if (first === undefined) return refused(404);
    const called = found.find((one) => one.row.method === method)?.row ?? undeclared(method, first.row.path);
    if (called === undefined) return refused(405);
    const caller = callers.get(headerIn(request, 'authorization') ?? '');
    if (caller === undefined && !manner.isOpen) return refused(401);
    const read = bodyOf(request);
    if (manner.isStrict && called.takes !== undefined && !(read.isJson && isValid(called, read.body)))
      return refused(422);
    const call: Call = {
      ...{ operation: called.id, method, pathname, query },
      path: pathOf(called, pathname, manner.isStrict || sample.naming !== 'integer'),
      body: isObject(read.body) ? read.body : {},
      sent: read.body,
      caller: caller ?? sample.callers.me,
    };
    const { status = called.status ?? 200, body, headers: given } = called.does(call, world);
    const id = String((count += 1));
    const headers = { ...given, 'X-Request-Id': id };
    const now = { touched: world.touched(), made: world.newcomers().map(({ place }) => place) };
    const touched = now.touched.filter((one) => !before.touched.includes(one));
    const made = now.made.filter((one) => !before.made.includes(one));
    before = now;
    if (touched.length + made.length > 0)
      deeds.push({ row: called, request: said(request), status, touched, made });
    const place = made[0] ?? world.placeOf(body);
    if (place !== undefined) about.set(id, place);
    if (status >= 400 || called.gives === undefined)
      return { status, ...json(status >= 400 ? body : undefined, headers) };
    return { status, ...json(called.wrap === undefined ? body : { [called.wrap]: body }, headers) };
  };
  return { transport: scripted(answer).transport, world, deeds, about };
}

/** What a path with parameters means, without the base. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.$]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`);
}

/** Whether the document allows a body. */
export type Validity = (row: Row, body: unknown) => boolean;

export function validityOf(sample: Sample): Validity {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  const { components } = documentOf(sample) as { readonly components: object };
  const checks = new Map(
    sample.rows.map(({ id, takes = {} }) => {
      const schema = typeof takes === 'string' ? { $ref: `#/components/schemas/${takes}` } : takes;
      return [id, ajv.compile({ ...schema, components })];
    }),
  );
  return ({ id }, body) => checks.get(id)?.(body) ?? true;
}

// --- internal ---

const refused = (status: number): Scripted => ({
  status,
  ...json({ message: `refused: ${String(status)}` }),
});

function json(body: unknown, headers: Scripted['headers'] = {}): Omit<Scripted, 'status'> {
  return body === undefined
    ? { headers }
    : { headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** Paths without parameters first: `/users/all` is not the user `all`. */
function routesOf({ rows }: Sample): readonly { readonly row: Row; readonly pattern: RegExp }[] {
  return [...rows]
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length)
    .map((row) => ({ row, pattern: pathPattern(row.path) }));
}

/** What a document does not declare may be there nevertheless. */
function undeclared(method: string, path: string): Row | undefined {
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
    ? row(`${method} ${path}`, 'undeclared', happen('undeclared'), { status: 204 })
    : undefined;
}

/** The parameters of a path. A careless server reads `7x` as 7. */
function pathOf({ path }: Row, pathname: string, isExact: boolean): Call['path'] {
  const read = (text: string): string => {
    const number = Number.parseInt(decoded(text), 10);
    return isExact || Number.isNaN(number) ? decoded(text) : String(number);
  };
  const groups = pathPattern(path).exec(pathname)?.groups ?? {};
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, read(text)]));
}

function bodyOf({ body }: WireRequest): { readonly isJson: boolean; readonly body: unknown } {
  try {
    return { isJson: true, body: JSON.parse(new TextDecoder().decode(body)) as unknown };
  } catch {
    return { isJson: false, body: undefined };
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const said = ({ method, target, body }: WireRequest): string =>
  `${method} ${target} ${new TextDecoder().decode(body).slice(0, 300)}`.trim();
