import type { Outgoing } from './answer.ts';
import { callerLine } from './caching.ts';
import type { ServerCourse } from './course.ts';
import { presented } from './credentials.ts';
import { type CourseRefusal, Refused } from './decision.ts';
import { BodyTaken, type Exchange, isBodyless, queryOf, requestOf, responseOf } from './exchange.ts';
import { factsOf, type Notice, notifyObserver } from './findings.ts';
import type { ServerCaller, ServerRequest } from './handler.ts';
import type { Checks } from './judge.ts';
import { keyed, keyOf } from './keyed.ts';
import type { Limits } from './limits.ts';
import { type OpenCall, OpenCalls, type Shutdown, type ShutdownOptions } from './open-calls.ts';
import { type Handlers, type Host, type Ports, portsOf } from './ports.ts';
import { type Route, routerOf, type FindRoute } from './route.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';
import type { ServerOptions } from './settings.ts';
import { work } from './work.ts';
import { requireVersions } from './versions.ts';

/**
 * A server without a socket: a function from a request to an answer, for runtimes and frameworks with fetch
 * handlers. `exchange` is the same for adapters that can observe whether an answer reached its caller.
 */
export interface Server {
  (request: Request): Promise<Response>;
  readonly api: ServedApi;
  /** Whether the path belongs to this API, with any method. */
  serves(target: string): boolean;
  exchange(request: ServerRequest): Promise<Exchange>;
  /**
   * Shuts down: new calls are refused with 503, the signal `closing` of open calls aborts, and these have
   * `graceMs` to end. Remaining calls are then ended: their `signal` aborts, they are answered with 503, and
   * streams are cut. The owner of the sockets has to close them.
   */
  shutdown(options?: ShutdownOptions): Promise<Shutdown>;
  /** The answer to bytes that are not an HTTP request. */
  refuse(status: number, message: string): Promise<Exchange>;
}

/**
 * Makes the server of an API. Generated modules call it with the facts of their document.
 *
 * @param checks validate values by the schemas that the API names
 * @param handlers by the ids of operations
 * @throws {RangeError} when a claim on a key would end before its call, or a change that names a version has no source for it
 */
export function serverOf<Caller extends ServerCaller>(
  api: ServedApi,
  checks: Checks,
  handlers: Handlers<Caller>,
  options: ServerOptions<Caller>,
  host: Host = {},
): Server {
  requireVersions(api, options.versions);
  const ports = portsOf(api, checks, handlers, options, host);
  const route = routed(api, options.basePath);
  const calls = new OpenCalls();
  const exchange = (request: ServerRequest): Promise<Exchange> =>
    exchanged(ports, calls, request, route(request.method, request.target));
  const handle = async (request: Request): Promise<Response> =>
    responseOf(await exchange(requestOf(request)), request);
  return Object.assign(handle, {
    api,
    exchange,
    shutdown: (options?: ShutdownOptions) => calls.shutdown(options),
    serves: (target: string) => route('GET', target).kind !== 'none',
    refuse: async (status: number, message: string) => {
      const reply = ports.refused('badInput', message, { status });
      const answer = await ports.outgoing(undefined, reply);
      const refusal = { answer, requestId: crypto.randomUUID(), isLast: calls.isClosing };
      return finished(api, undefined, refusal, () => Promise.resolve());
    },
  });
}

// --- internal ---

/**
 * An operation with a server of its own is also found below the path of that server, where the prefix does not apply.
 *
 * @param basePath the prefix of all paths of the document; a slash at its end is ignored
 */
function routed(api: ServedApi, basePath = ''): (method: string, target: string) => Route {
  const router = routerOf(api.operations);
  const ofOwnServers = routerOfOwnServers(api);
  const before = /^(?:.*[^/])?/s.exec(basePath)?.[0] ?? '';
  return (method, target) => {
    const [path = '', ...query] = target.split('?');
    const search = query.join('?');
    const isBelow = path.startsWith(before);
    const found: Route = isBelow ? router(method, path.slice(before.length), search) : { kind: 'none' };
    if (found.kind === 'operation' || ofOwnServers === undefined) return found;
    const own = ofOwnServers(method, path, search);
    return own.kind === 'none' ? found : own;
  };
}

function routerOfOwnServers({ operations }: ServedApi): FindRoute | undefined {
  const own = operations.filter(({ serverPath }) => serverPath !== undefined);
  if (own.length === 0) return undefined;
  // The name of a variable could also be that of a parameter.
  const prefixOf = (path: string): string => path.replaceAll('{', '{server ');
  return routerOf(own.map((each) => ({ ...each, path: prefixOf(each.serverPath ?? '') + each.path })));
}

/** From request to answer: credentials, route, body, key, work. Never rejects. */
async function exchanged<Caller extends ServerCaller>(
  shared: Omit<Ports<Caller>, 'tell'>,
  calls: OpenCalls,
  request: ServerRequest,
  route: Route,
): Promise<Exchange> {
  const startedAt = shared.now();
  const requestId = crypto.randomUUID();
  const operation = route.kind === 'operation' ? route.operation : undefined;
  const facts = factsOf(operation, request, requestId);
  const tell = (notice: Notice): void => {
    notifyObserver(shared.options.onFinding, { ...notice, call: facts });
  };
  const ports: Ports<Caller> = { ...shared, tell };
  const ended: ServerCourse['ended'] = [];
  let open: OpenCall | undefined;
  let answer: Outgoing;
  let replayed = false;
  tell({ kind: 'started' });
  try {
    open = calls.begin(request.signal);
    const begun = open;
    const caller = await begun.unlessCut(authenticated(ports, request, operation));
    facts.caller = caller.id;
    if (route.kind !== 'operation') throw new Refused(unmatched(route, request));
    const bytes = await begun.unlessCut(bodyOf(ports.limits, request));
    const key = keyOf(route.operation, (name) => request.headers.get(name));
    if (key !== undefined) facts.key = key;
    const { segments } = route;
    const course: ServerCourse<Caller> = {
      ...{ request, requestId, open, operation: route.operation, segments, caller, bytes, key, ended },
      hasGone: () => request.signal.aborted || begun.isCut,
      signal: () => begun.signal,
      note: (decision) => {
        ports.report(request, decision);
      },
    };
    ({ answer, replayed } = await keyed(ports, course, (hold) => work(ports, course, hold)));
  } catch (error) {
    if (error instanceof Refused && error.refusal.decision !== undefined)
      ports.report(request, error.refusal.decision);
    answer = await refusing(ports, operation, error);
  }
  const { status } = answer;
  const known = { operation: operation?.id, status };
  tell({ kind: 'answered', ...known, ms: ports.now() - startedAt, replayed });
  let isOver = false;
  if (open !== undefined && !(answer.body instanceof Uint8Array)) {
    const fault = (error: unknown): void => {
      if (!isOver && !request.signal.aborted) tell({ kind: 'stream', operation: operation?.id ?? '', error });
    };
    answer = { ...answer, body: watched(answer.body, open, fault) };
  }
  const isLast = calls.isClosing;
  return finished(shared.api, request, { operation, answer, requestId, isLast }, async (delivery) => {
    if (isOver) return;
    isOver = true;
    try {
      for (const end of ended.splice(0)) await end(delivery);
    } finally {
      if (open !== undefined) calls.end(open, delivery);
      tell({ kind: 'ended', ...known, ms: ports.now() - startedAt, delivery });
    }
  });
}

/** The answer for a thrown value. A refusal that cannot be sent is a fault of the code that made it. */
async function refusing<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  operation: ServedOperation | undefined,
  error: unknown,
): Promise<Outgoing> {
  let fault = error;
  try {
    const reply = ports.replyTo(error);
    if (reply !== undefined) return await ports.outgoing(operation, reply);
  } catch (unsendable) {
    fault = unsendable;
  }
  ports.tell({ kind: 'handler', operation: operation?.id ?? '', error: fault });
  return ports.outgoing(operation, ports.refused('internal', 'The server has an internal error.'));
}

/** A stream that is cut when the server stops waiting for it. Its errors are reported. */
async function* watched(
  body: AsyncIterable<string | Uint8Array>,
  open: OpenCall,
  fault: (error: unknown) => void,
): AsyncGenerator<string | Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await open.unlessCut(iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    if (!open.isCut) fault(error);
    throw error;
  } finally {
    // Not awaited, because the stream may be waiting for an event.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function authenticated<Caller extends ServerCaller>(
  { api, options }: Ports<Caller>,
  request: ServerRequest,
  operation: ServedOperation | undefined,
): Promise<Caller> {
  const judged = judgedAs(api, operation);
  const found = judged === undefined ? {} : presented(api, judged, request.headers, queryOf(request));
  const caller = found === undefined ? undefined : await options.authenticate(found, request);
  if (caller !== undefined) return caller;
  const scheme = (judged?.security ?? []).flat().find(({ kind }) => kind === 'bearer' || kind === 'basic');
  throw new Refused({
    cause: 'noCredential',
    message: found === undefined ? 'Send a credential.' : 'This credential is not valid here.',
    decision: { policy: 'credentials', case: found === undefined ? 'none' : 'refused' },
    headers:
      scheme === undefined ? {} : { 'WWW-Authenticate': scheme.kind === 'bearer' ? 'Bearer' : 'Basic' },
  });
}

/** The operation whose credentials a request needs; of a request that matches none, the first one. */
function judgedAs(api: ServedApi, operation: ServedOperation | undefined): ServedOperation | undefined {
  return operation ?? api.operations[0];
}

function unmatched(route: Exclude<Route, { kind: 'operation' }>, request: ServerRequest): CourseRefusal {
  if (route.kind === 'none') return { cause: 'notFound', message: 'Nothing is served at this path.' };
  const allow = route.allow.join(', ');
  const message = `${request.method} is not served here. Allowed methods: ${allow}.`;
  return { cause: 'otherMethod', message, headers: { Allow: allow } };
}

/** A body with a `Content-Length` above the limit is not read. */
async function bodyOf({ bodyBytes }: Limits, request: ServerRequest): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  const read = async (): Promise<Uint8Array | undefined> => {
    try {
      return await request.body(bodyBytes);
    } catch (error) {
      if (error instanceof BodyTaken) throw error;
      throw new Refused({ cause: 'disconnected', message: 'The caller left before the body was complete.' });
    }
  };
  const bytes = declared > bodyBytes ? undefined : await read();
  if (bytes !== undefined) return bytes;
  throw new Refused({ cause: 'tooLarge', message: 'The body is longer than this server accepts.' });
}

interface Made {
  readonly operation?: ServedOperation | undefined;
  readonly answer: Outgoing;
  readonly requestId: string;
  readonly isLast: boolean;
}

/** Completes every answer. */
function finished(
  api: ServedApi,
  request: ServerRequest | undefined,
  made: Made,
  settle: Exchange['settle'],
): Exchange {
  const { operation, answer, requestId, isLast } = made;
  const { status, headers, body } = answer;
  const sent = new Headers(headers);
  const line = callerLine(judgedAs(api, operation)?.security, (name) => sent.get(name));
  if (line !== undefined) sent.set(...line);
  if (api.requestIdHeader !== undefined) sent.set(api.requestIdHeader, requestId);
  if (body instanceof Uint8Array && !isBodyless(status)) sent.set('Content-Length', String(body.length));
  return {
    status,
    headers: sent,
    body: request?.method === 'HEAD' || isBodyless(status) ? new Uint8Array() : body,
    isLast,
    settle,
  };
}
