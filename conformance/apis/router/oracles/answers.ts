import { check, observed, unlessUnreadable } from '../../../scenarios/check.ts';
import { headerOf, isObject, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { StoredExchange } from '../../../verdicts/report.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { ERROR_BODY, isErrorBody } from '../wire/error.ts';
import { operationOf } from '../wire/operation.ts';
import { isModel, isProvider } from '../wire/segment.ts';

const REQUEST_ID = 'X-Service-Request-Id';
const ERROR_TYPE = 'X-Service-Error-Type';
const CREDITS = 'X-Service-Credits-Used';

const BUCKETS = [
  'invalid_input',
  'content_policy_violation',
  'provider_error',
  'provider_timeout',
  'insufficient_credits',
  'model_not_found',
  'unauthorized',
  'forbidden',
  'concurrency_limit_exceeded',
  'client_disconnected',
  'internal_error',
  'deadline_exceeded',
  'not_enabled',
  'service_unavailable',
  'rate_limited',
];

/** Document 1, Errors rule 1, Authentication item 5, POST table: the statuses that the contract states. */
const STATED_STATUS: Readonly<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  concurrency_limit_exceeded: 429,
  deadline_exceeded: 504,
  provider_timeout: 504,
};

const FORECAST = ['file_download_error', 'cancelled', 'queue_timeout'];

/**
 * Only answers of the four operations with well-formed segments, with or without a base path. A gateway may
 * answer unusual targets itself, and other routes promise nothing.
 */
function isRouterAnswer({ request }: Exchange | StoredExchange): boolean {
  return /\/v1\/models(?:\/[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*(?:\/openapi\.json)?)?(?:\?|$)/.test(
    request.target,
  );
}

/** Bodies that the router itself produces: neither native outputs nor schema documents. */
function ownBody(exchange: Exchange): unknown {
  const { status, request } = exchange;
  const path = request.target.split('?')[0] ?? '';
  if (path.endsWith('/openapi.json') && status < 400) return undefined;
  return request.method === 'POST' && status < 400 ? undefined : exchange.json;
}

function* look(exchange: Exchange): Generator<Check | Observation> {
  if (!isRouterAnswer(exchange)) return;
  const { status } = exchange;
  // Document 1, Authentication, items 1 and 5. Probes judge which refusal is right.
  if (exchange.request.as === 'none' && status < 400)
    yield check('router.auth.required', exchange, false, 'status 401 without a credential', String(status));
  const isError = status >= 400;
  const bucket = exchange.header(ERROR_TYPE);

  // Document 1, Endpoints, first paragraph: on every response.
  const requestId = exchange.header(REQUEST_ID);
  const named = requestId !== undefined && requestId !== '';
  yield check(
    'router.headers.request-id',
    exchange,
    named,
    `a ${REQUEST_ID} that is not empty`,
    `${status} ${sketch(requestId)}`,
  );

  if (isError) {
    // The same place: on every error response. For a 409 and for the model's 422 this is also a separate
    // rule.
    yield check(
      'router.headers.error-type',
      exchange,
      bucket !== undefined && bucket !== '',
      `${ERROR_TYPE} on an error`,
      `${status} without it`,
    );
  } else if (bucket !== undefined) {
    yield observed('router.headers.error-type-not-on-ok', exchange, `${status} with ${bucket}`);
  }
  yield* lookAtCredits(exchange, bucket);
  if (isError || bucket !== undefined)
    yield* unlessUnreadable(exchange, ['router.errors.forecast-never'], lookAtBucket(exchange, bucket));
  if (isError)
    yield* unlessUnreadable(
      exchange,
      [
        status === 503 ? 'router.run.503-shape' : 'router.errors.body-shape',
        'router.errors.header-equals-body',
      ],
      lookAtErrorBody(exchange, bucket),
    );
  yield* unlessUnreadable(exchange, ['router.body.no-cost-figures'], lookAtFigures(exchange));
  if (status === 504)
    yield* unlessUnreadable(
      exchange,
      ['router.run.504-bucket', 'router.run.504-header-equals-body'],
      lookAtTimeout(exchange, bucket),
    );
}

function* lookAtBucket(exchange: Exchange, bucket: string | undefined): Generator<Check | Observation> {
  const inBody = exchange.status >= 400 ? member(exchange.json, 'error_type') : undefined;
  const names = [bucket, inBody].filter((name) => typeof name === 'string');
  if (names.length === 0) return;
  const got = `${exchange.status} ${[...new Set(names)].join(' and ')}`;
  // Document 1, Errors, rule 3: announced only.
  const announced = names.some((name) => FORECAST.includes(name));
  yield check('router.errors.forecast-never', exchange, !announced, 'none of the three announced names', got);
  if (bucket === undefined) return;
  // Document 1, Errors, introduction: closed at fifteen. The rule above covers the announced names.
  if (!FORECAST.includes(bucket)) {
    yield check(
      'router.errors.closed-fifteen',
      exchange,
      BUCKETS.includes(bucket),
      'one of the fifteen buckets',
      got,
    );
  }
  const stated = statedStatus(bucket, exchange);
  if (stated !== undefined && exchange.status >= 400) {
    yield check(
      'router.errors.bucket-status',
      exchange,
      exchange.status === stated,
      `${bucket} with status ${stated}`,
      got,
    );
  } else if (exchange.status >= 400) {
    yield observed('router.errors.http-status-known', exchange, `${bucket} with ${exchange.status}`);
  }
}

/** The status that the contract states for the bucket; `undefined` where it states none. */
function statedStatus(bucket: string, exchange: Exchange): number | undefined {
  if (bucket === 'model_not_found') {
    const asked = operationOf(exchange);
    // The status for a segment that fails its pattern is not shown.
    return asked?.is === 'run' && isProvider(asked.provider) && isModel(asked.model) ? 404 : undefined;
  }
  return Object.hasOwn(STATED_STATUS, bucket) ? STATED_STATUS[bucket] : undefined;
}

function* lookAtErrorBody(exchange: Exchange, bucket: string | undefined): Generator<Check> {
  const { status, json } = exchange;
  // A model-level 422 has its own shape, and a HEAD has none.
  if (exchange.request.method === 'HEAD') return;
  if (status === 422 && (Array.isArray(member(json, 'detail')) || member(json, 'error_type') === undefined))
    return;
  const inBody = member(json, 'error_type');
  const shaped = isErrorBody(json);
  if (status === 503) {
    // Document 1, POST /v1/models/{provider}/{model}, responses, row 503 and the same row of the reads.
    const named = shaped && bucket !== undefined;
    yield check('router.run.503-shape', exchange, named, `${ERROR_BODY}, and ${ERROR_TYPE}`);
  } else if (status !== 409) {
    // Document 1, RouterErrorResponse, table. The body of a 409 is not documented.
    yield check('router.errors.body-shape', exchange, shaped, ERROR_BODY);
  }
  // Document 1, Errors, introduction: repeated on the header, also on a 409 with a bucket. Another rule judges a 504.
  if (typeof inBody === 'string' && bucket !== undefined && status !== 504) {
    const got = `${status}, header ${bucket}, body ${inBody}`;
    yield check(
      'router.errors.header-equals-body',
      exchange,
      inBody === bucket,
      'the same bucket in header and body',
      got,
    );
  }
}

function* lookAtTimeout(exchange: Exchange, bucket: string | undefined): Generator<Check | Observation> {
  const inBody = member(exchange.json, 'error_type');
  const name = bucket ?? inBody;
  // Document 1, POST /v1/models/{provider}/{model}, responses, row 504: one of two buckets.
  const known = name === 'deadline_exceeded' || name === 'provider_timeout';
  yield check(
    'router.run.504-bucket',
    exchange,
    known,
    'deadline_exceeded or provider_timeout',
    `504 ${sketch(name)}`,
  );
  if (typeof inBody === 'string' && bucket !== undefined) {
    const got = `header ${bucket}, body ${inBody}`;
    yield check(
      'router.run.504-header-equals-body',
      exchange,
      inBody === bucket,
      'the same bucket in header and body',
      got,
    );
  }
  const retryAfter = exchange.header('Retry-After');
  yield observed(
    'router.run.504-retry-after',
    exchange,
    retryAfter === undefined ? 'no Retry-After' : `Retry-After: ${retryAfter}`,
  );
}

/** The contract is silent on repeated request ids, so they are only noted. */
function* sumUp(exchanges: readonly StoredExchange[]): Generator<Observation> {
  const idOf = ({ answer }: StoredExchange): string | undefined =>
    headerOf(answer?.headers ?? [], REQUEST_ID);
  const answers = exchanges.filter((exchange) => isRouterAnswer(exchange) && idOf(exchange) !== undefined);
  const ids = new Set(answers.map(idOf));
  if (answers.length === 0) return;
  yield observed(
    'router.headers.request-id-unique',
    answers.slice(0, 3),
    `${ids.size} request ids on ${answers.length} answers`,
  );
}

const MONEY = /cost|credit|price|usage|balance/i;

/**
 * An amount, with or without its unit on either side: `3.20`, `12.5 USD`, `$ 4`, `EUR 1,000`, `7 credits`.
 */
const FIGURE = /^(?:\p{Sc}|[A-Z]{3})? ?[-+]?\d[\d.,]* ?(?:\p{Sc}|[A-Z]{3}|(?:cent|credit|dollar|euro)s?)?$/u;

function* lookAtFigures(exchange: Exchange): Generator<Check> {
  // Document 1, What the service does, deliberate properties: no cost, credit or usage figure in a body.
  const body = ownBody(exchange);
  if (isObject(body)) {
    const figure = figureIn(withoutProviderValues(exchange.status, body));
    yield check(
      'router.body.no-cost-figures',
      exchange,
      figure === undefined,
      'no figure of cost, credit or usage',
      figure,
    );
  }
}

/**
 * The entries of a 422 repeat texts of the provider and the caller's input, which are not the router's
 * figures.
 */
function withoutProviderValues(status: number, body: Readonly<Record<string, unknown>>): unknown {
  const { detail, ...rest } = body;
  return status === 422 && Array.isArray(detail) ? rest : body;
}

function* lookAtCredits(exchange: Exchange, bucket: string | undefined): Generator<Check | Observation> {
  // Document 1, What the service does, deliberate properties, and Errors rule 4: on billed answers only. Only
  // a run is billed, and not if it was refused before its model. For the model's own 422 the contract does
  // not say it.
  const credits = exchange.header(CREDITS);
  const unbilled =
    exchange.request.method !== 'POST' ||
    [401, 403, 404, 409, 429].includes(exchange.status) ||
    (bucket === 'invalid_input' && exchange.status !== 422) ||
    bucket === 'deadline_exceeded' ||
    bucket === 'insufficient_credits';
  if (unbilled) {
    const got = `${exchange.status} with ${CREDITS}: ${credits ?? 'none'}`;
    yield check(
      'router.credits-header.not-on-unbilled',
      exchange,
      credits === undefined,
      `no ${CREDITS}`,
      got,
    );
  } else if (credits !== undefined) {
    yield observed('router.credits-header.optional', exchange, `${exchange.status} with ${CREDITS}`);
  }
}

/**
 * The first figure below a member whose name refers to money, as a number or as text. Limits for JSON bound
 * the depth.
 */
function figureIn(value: unknown, path = '', isMoney = false): string | undefined {
  if (isMoney && (typeof value === 'number' || (typeof value === 'string' && FIGURE.test(value.trim()))))
    return `${path}: ${value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    const found = figureIn(item, `${path}/${name}`, isMoney || MONEY.test(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

export const answers: Oracle = {
  api: 'router',
  judges: [
    'router.auth.required',
    'router.headers.request-id',
    'router.headers.request-id-unique',
    'router.headers.error-type',
    'router.headers.error-type-not-on-ok',
    'router.errors.forecast-never',
    'router.errors.closed-fifteen',
    'router.errors.bucket-status',
    'router.errors.http-status-known',
    'router.errors.body-shape',
    'router.errors.header-equals-body',
    'router.run.503-shape',
    'router.run.504-bucket',
    'router.run.504-header-equals-body',
    'router.run.504-retry-after',
    'router.body.no-cost-figures',
    'router.credits-header.not-on-unbilled',
    'router.credits-header.optional',
  ],
  look,
  sumUp,
};
