import type { WireRequest, WireResponse } from '../../conformance/index.ts';
import { answered, has, withFrames, withJson, withText } from './lines.ts';
import type { Change } from './lines.ts';

export type Api = 'router' | 'registry' | 'jobs';

/** A server that is sick in one way: what it answers to some requests is not what the faithful one does. */
export interface Sickness {
  readonly name: string;
  readonly api: Api;
  readonly holds: (request: WireRequest) => boolean;
  readonly change: Change;
}

/** Statuses that the faithful server gives for other reasons. A 429 and a 503 say that there is no room. */
const STATUSES = [400, 401, 403, 404, 409, 422, 500];
const BODIES = ['{}', '[]', 'null', '', 'text'];

const operations = {
  list: { api: 'router', path: /\/v1\/models$/ },
  schema: { api: 'router', path: /\/v1\/models\/.+\/openapi\.json$/ },
  detail: { api: 'router', method: 'GET', path: /\/v1\/models\/[^/]+\/[^/]+$/ },
  run: { api: 'router', method: 'POST', path: /\/v1\/models\/[^/]+\/[^/]+$/ },
  publish: { api: 'registry', path: /\/versions$/ },
  enhance: { api: 'registry', path: /\/skin-enhancer\// },
  submit: { api: 'jobs', path: /\/api\/v2\/jobs$/ },
  cancel: { api: 'jobs', path: /\/cancel$/ },
  events: { api: 'jobs', path: /\/events$/ },
  read: { api: 'jobs', path: /\/api\/v2\/jobs\/[^/]+$/ },
} as const satisfies Record<string, { api: Api; method?: string; path: RegExp }>;
type Operation = keyof typeof operations;

const buckets: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'model_not_found',
  500: 'internal_error',
};

/** All sicknesses that are tried. */
export const sicknesses: readonly Sickness[] = [
  ...(Object.keys(operations) as Operation[]).flatMap((operation) => [
    ...STATUSES.map((status) => sick(operation, `every success is ${status}`, refusal(operation, status))),
    ...BODIES.map((body) => sick(operation, `every body is ${JSON.stringify(body)}`, emptied(body))),
  ]),
  ...withoutMembers('list', ['data', 'has_more', 'limit', 'next_cursor', 'data.*.id', 'data.*.provider']),
  sick(
    'list',
    'no entries',
    withJson<object>((page) => ({ ...page, data: [] })),
  ),
  sick(
    'list',
    'an empty catalogue',
    withJson<{ limit: number }>(({ limit }) => ({ data: [], has_more: false, limit })),
  ),
  sick(
    'list',
    'one page only',
    withJson<{ next_cursor?: string }>(({ next_cursor: _, ...page }) => ({ ...page, has_more: false })),
  ),
  ...STATUSES.map((status) =>
    sick('list', `every cursor gets ${status}`, refusal('list', status), ({ target }) =>
      target.includes('cursor='),
    ),
  ),
  ...STATUSES.map((status) =>
    sick('list', `every limit gets ${status}`, refusal('list', status), ({ target }) =>
      target.includes('limit='),
    ),
  ),
  ...withoutMembers('detail', ['id', 'provider', 'model', 'billing', 'billing.charges_on_policy_rejection']),
  ...withoutMembers('schema', [
    ...['openapi', 'info', 'paths', 'components', 'paths.*.post', 'paths.*.post.requestBody'],
    ...['paths.*.post.requestBody.content', 'paths.*.post.requestBody.content.*.schema'],
    ...['x-service-router-model-id', 'x-service-input-schema-authored'],
  ]),
  sick(
    'schema',
    'paths without a path',
    withJson<object>((document) => ({ ...document, paths: {} })),
  ),
  ...withoutHeaders('schema', ['ETag', 'Cache-Control', 'X-Service-Request-Id']),
  ...STATUSES.map((status) =>
    sick('schema', `every condition gets ${status}`, refusal('schema', status), (request) =>
      has(request, 'If-None-Match'),
    ),
  ),
  ...(['list', 'detail', 'run'] as const).flatMap((operation) =>
    withoutHeaders(operation, ['X-Service-Request-Id', 'X-Service-Error-Type']),
  ),
  ...withoutHeaders('run', [
    'Idempotent-Replayed',
    'Retry-After',
    'X-Service-Credits-Used',
    'X-Committed-Spend-Limit',
  ]),
  ...(['run', 'submit'] as const).flatMap((operation) =>
    STATUSES.flatMap((status) => [
      sick(operation, `every key gets ${status}`, refusal(operation, status), (request) =>
        has(request, 'Idempotency-Key'),
      ),
      sick(
        operation,
        `every call without a key gets ${status}`,
        refusal(operation, status),
        (request) => !has(request, 'Idempotency-Key'),
      ),
    ]),
  ),
  ...withoutMembers('publish', [
    'node_version',
    'signedUrl',
    'node_version.version',
    'node_version.status',
    'node_version.createdAt',
  ]),
  ...withoutMembers('enhance', ['data', 'data.generated', 'data.status', 'data.task_id']),
  ...(['submit', 'read', 'cancel'] as const).flatMap((operation) => [
    ...withoutMembers(operation, ['id', 'status', 'created_at', 'started_at', 'completed_at', 'expires_at']),
    ...withoutMembers(operation, ['queue_position', 'progress', 'outputs', 'error', 'urls', 'urls.*']),
  ]),
  ...['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'].flatMap((status) =>
    (['submit', 'read', 'cancel'] as const).map((operation) =>
      sick(
        operation,
        `every job is ${status}`,
        withJson<object>((job) => ({ ...job, status })),
      ),
    ),
  ),
  sick(
    'read',
    'progress that is always null',
    withJson<object>((job) => ({ ...job, progress: null })),
  ),
  ...withoutHeaders('events', ['Content-Type']),
  ...['status', 'progress', 'preview'].map((name) =>
    sick(
      'events',
      `no event ${name}`,
      withFrames((frame) => (frame.includes(`event: ${name}`) ? undefined : frame)),
    ),
  ),
  sick(
    'events',
    'no terminal status',
    withFrames((frame) => (ENDED.test(frame) ? undefined : frame)),
  ),
  sick(
    'events',
    'no data',
    withFrames((frame) => frame.replace(/data: .*/s, 'data: {}')),
  ),
  sick(
    'events',
    'comments alone',
    withFrames(() => ': nothing new'),
  ),
  {
    name: 'read and events: no job ever ends',
    api: 'jobs',
    holds: ({ target }) => operations.read.path.test(target) || operations.events.path.test(target),
    change: (response, request) =>
      operations.events.path.test(request.target)
        ? withFrames((frame) => (ENDED.test(frame) ? undefined : frame))(response, request)
        : withJson<{ status: string }>((job) =>
            TERMINAL.includes(job.status) ? { ...job, status: 'running', completed_at: null } : job,
          )(response, request),
  },
];

// --- internal ---

const TERMINAL = ['succeeded', 'failed', 'canceled', 'expired'];
const ENDED = new RegExp(`"status":\\s*"(?:${TERMINAL.join('|')})"`);

function sick(
  operation: Operation,
  name: string,
  change: Change,
  holds: (request: WireRequest) => boolean = () => true,
): Sickness {
  const { api, path, ...rest } = operations[operation];
  return {
    name: `${operation}: ${name}`,
    api,
    change,
    holds: (request) =>
      path.test(request.target.split('?')[0] ?? '') &&
      (!('method' in rest) || rest.method === request.method) &&
      holds(request),
  };
}

/** In place of a success, or of the 304 to a condition. */
function refusal(operation: Operation, status: number): Change {
  const { api } = operations[operation];
  const bucket = buckets[status] ?? 'invalid_input';
  const change =
    api === 'router'
      ? answered(status, { error_type: bucket, detail: 'Refused.' }, [['X-Service-Error-Type', bucket]])
      : answered(
          status,
          api === 'jobs'
            ? { error: { code: 'refused', message: 'Refused.' } }
            : { error: 'refused', message: 'Refused.' },
        );
  return (response, request) => (response.status < 400 ? change(response, request) : response);
}

function emptied(body: string): Change {
  return (response, request) =>
    response.status === 200 || response.status === 201 ? withText(body)(response, request) : response;
}

function withoutHeaders(operation: Operation, names: readonly string[]): readonly Sickness[] {
  return names.map((name) =>
    sick(operation, `no header ${name}`, (response): WireResponse => {
      const headers = response.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
      return { ...response, headers };
    }),
  );
}

function withoutMembers(operation: Operation, paths: readonly string[]): readonly Sickness[] {
  return paths.map((path) =>
    sick(
      operation,
      `no ${path}`,
      withJson<unknown>((value) => without(value, path.split('.'))),
    ),
  );
}

/** The value without what is at a path; `*` is every member. */
function without(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (step !== '*' && step !== name) return [[name, member] as const];
    return rest.length === 0 ? [] : [[name, without(member, rest)] as const];
  });
  return Array.isArray(value) ? pairs.map(([, member]) => member) : Object.fromEntries(pairs);
}
