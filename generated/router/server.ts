// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { check } from '../runtime/checks.js';
import { number } from '../runtime/scalars.js';
import * as runtime from '../server-runtime/index.js';
import type * as errors from './errors.js';
import type * as types from './types.js';
import * as validators from './validators.js';

export { join, memoryStore, Refusal, ShutdownError } from '../server-runtime/index.js';
export type {
  CallFacts,
  Exchange,
  Finding,
  Handler,
  IdempotencyStore,
  Server,
  ServerCall,
  ServerCaller,
  ServerEvent,
  ServerOptions,
  Shutdown,
  ShutdownOptions,
  Store,
} from '../server-runtime/index.js';

/** The credentials of a request, by the names of the document's security schemes. */
export type Credentials = runtime.Credentials<'BearerAuth' | 'ApiKeyAuth'>;

/** The possible answers of `listModels`. */
export type ListModelsReply = runtime.RepliesOf<types.ListModelsResponses, types.ListModelsHeaders, OwnHeaders>;

/** The possible answers of `getModel`. */
export type GetModelReply = runtime.RepliesOf<types.GetModelResponses, types.GetModelHeaders, OwnHeaders>;

/** The possible answers of `runModel`. */
export type RunModelReply = runtime.RepliesOf<types.RunModelResponses, types.RunModelHeaders, OwnHeaders>;

/** The possible answers of `getModelInputSchema`. */
export type GetModelInputSchemaReply = runtime.RepliesOf<types.GetModelInputSchemaResponses, types.GetModelInputSchemaHeaders, OwnHeaders | 'ETag'>;

/** The handlers of Model Router API. The server around them enforces the contract. */
export interface RouterHandlers<Caller extends runtime.ServerCaller = runtime.ServerCaller> {
  /**
   * List the models that can be run
   *
   * Returns one page. While `has_more` is true, request the next page with `next_cursor` and the
   * `limit` of the answer. A page before the last one can be short, or empty.
   *
   * `GET /v1/models`
   */
  readonly listModels: runtime.Handler<types.ListModelsParameters, ListModelsReply, Caller>;
  /**
   * Read one model
   *
   * Returns the identity of a model, its billing facts and the address of its input schema, if it
   * has one.
   *
   * `GET /v1/models/{provider}/{model}`
   */
  readonly getModel: runtime.Handler<types.GetModelParameters, GetModelReply, Caller>;
  /**
   * Run a model and wait for its result
   *
   * The body is the input of the model, and the answer is its output. The connection stays open
   * until the result is available. Decide by the bucket in `X-Service-Error-Type`, not by the
   * status alone: one status can have causes that are billed differently.
   *
   * `POST /v1/models/{provider}/{model}`
   */
  readonly runModel: runtime.Handler<types.RunModelParameters, RunModelReply, Caller>;
  /**
   * Read the input schema of a model
   *
   * Returns an OpenAPI document that describes the request body for a run of this model. The router
   * validates runs against the same document. Send its `ETag` in `If-None-Match` next time: if the
   * document has not changed, the answer has no body.
   *
   * `GET /v1/models/{provider}/{model}/openapi.json`
   */
  readonly getModelInputSchema: runtime.Handler<types.GetModelInputSchemaParameters, GetModelInputSchemaReply, Caller>;
}

/**
 * A server of Model Router API, as a function from a request to an answer. It checks requests, sends what the
 * contract documents with every answer, and applies the contract's rules for keys, deadlines and capacity.
 *
 * @throws {RangeError} when a claim on a key would end before its call
 */
export function createServer<Caller extends runtime.ServerCaller>(
  handlers: RouterHandlers<Caller>,
  options: runtime.ServerOptions<Caller, keyof Credentials>,
): runtime.Server {
  return runtime.serverOf<Caller>(api, checks, {
    listModels: handlers.listModels,
    getModel: handlers.getModel,
    runModel: handlers.runModel,
    getModelInputSchema: handlers.getModelInputSchema,
  }, options);
}

/** The reason why a request fails, for a handler to throw. It is answered as an error of this API. */
export function refuse(reason: errors.RouterErrorBucket, message: string, options?: runtime.RefusalOptions): runtime.Refusal {
  return new runtime.Refusal(reason, message, options);
}

// --- internal ---

/** Headers that the server sends itself, so handlers need not provide them. */
type OwnHeaders = 'Idempotent-Replayed' | 'X-Service-Error-Type' | 'X-Service-Request-Id';

const listModelsOperation: runtime.ServedOperation = {
  id: 'listModels',
  method: 'GET',
  path: '/v1/models',
  parameters: [
    { name: 'cursor', in: 'query', style: 'form', explode: true, schema: 'RouterPageCursor' },
    { name: 'limit', in: 'query', style: 'form', explode: true, reads: { kinds: ['number'] } },
  ],
  responses: {
    '200': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterModelListResponse' }],
    '400': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '401': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '403': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '503': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
  },
  security: [
    [{ name: 'BearerAuth', kind: 'bearer' }],
    [{ name: 'ApiKeyAuth', kind: 'header', parameter: 'X-API-Key' }],
  ],
  pagination: {
    kind: 'pagination',
    operations: ['listModels'],
    cursorParameter: 'cursor',
    limitParameter: 'limit',
    defaultLimit: 20,
    maximumLimit: 100,
    zeroIsDefault: true,
    noSuchPage: { status: 400, bucket: 'invalid_input' },
    page: { items: 'data', more: 'has_more', limit: 'limit', next: 'next_cursor' },
  },
};

const getModelOperation: runtime.ServedOperation = {
  id: 'getModel',
  method: 'GET',
  path: '/v1/models/{provider}/{model}',
  parameters: [
    {
      name: 'provider',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      schema: 'RouterProviderSegment',
    },
    {
      name: 'model',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      schema: 'RouterModelSegment',
    },
  ],
  responses: {
    '200': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterModelDetail' }],
    '403': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '404': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '503': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
  },
  security: [
    [{ name: 'BearerAuth', kind: 'bearer' }],
    [{ name: 'ApiKeyAuth', kind: 'header', parameter: 'X-API-Key' }],
  ],
  plainSegments: {
    kind: 'plain-segments',
    operations: ['getModel', 'runModel', 'getModelInputSchema'],
    parameters: ['provider', 'model'],
  },
};

const runModelOperation: runtime.ServedOperation = {
  id: 'runModel',
  method: 'POST',
  path: '/v1/models/{provider}/{model}',
  parameters: [
    {
      name: 'provider',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      schema: 'RouterProviderSegment',
    },
    {
      name: 'model',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      schema: 'RouterModelSegment',
    },
  ],
  body: {
    required: true,
    contents: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterModelInput' }],
  },
  responses: {
    '200': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterModelOutput' }],
    '403': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '404': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '422': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterValidationErrorResponse' }],
    '429': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '503': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '504': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
  },
  responseHeaders: {
    '429': [
      {
        name: 'X-Committed-Spend-Limit',
        reads: { kinds: ['number'] },
        schema: 'runModel 429 X-Committed-Spend-Limit',
      },
      {
        name: 'X-Committed-Spend-Current',
        reads: { kinds: ['number'] },
        schema: 'runModel 429 X-Committed-Spend-Current',
      },
      {
        name: 'X-Committed-Spend-Remaining',
        reads: { kinds: ['number'] },
        schema: 'runModel 429 X-Committed-Spend-Remaining',
      },
    ],
  },
  security: [
    [{ name: 'BearerAuth', kind: 'bearer' }],
    [{ name: 'ApiKeyAuth', kind: 'header', parameter: 'X-API-Key' }],
  ],
  plainSegments: {
    kind: 'plain-segments',
    operations: ['getModel', 'runModel', 'getModelInputSchema'],
    parameters: ['provider', 'model'],
  },
  idempotency: {
    kind: 'idempotency',
    mode: 'replay',
    operations: ['runModel'],
    requestHeader: 'Idempotency-Key',
    replayHeader: { name: 'Idempotent-Replayed', value: 'true' },
    window: 'PT24H',
    release: ['5xx', 408, 425, 429],
    inFlight: { status: 409, retryAfter: true },
    consumed: { status: 409 },
    mismatch: { status: 409 },
    collecting: { status: 504, marker: 'Retry-After' },
  },
  deadline: {
    kind: 'deadline',
    operations: ['runModel'],
    default: 'PT10M',
    status: 504,
    bucket: 'deadline_exceeded',
  },
  capacity: { kind: 'capacity', operations: ['runModel'], status: 429, bucket: 'concurrency_limit_exceeded' },
};

const getModelInputSchemaOperation: runtime.ServedOperation = {
  id: 'getModelInputSchema',
  method: 'GET',
  path: '/v1/models/{provider}/{model}/openapi.json',
  parameters: [
    {
      name: 'provider',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      schema: 'RouterProviderSegment',
    },
    {
      name: 'model',
      in: 'path',
      required: true,
      style: 'simple',
      explode: false,
      schema: 'RouterModelSegment',
    },
    { name: 'If-None-Match', in: 'header', member: 'ifNoneMatch', style: 'simple', explode: false },
  ],
  responses: {
    '200': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterModelInputSchemaDocument' }],
    '304': [],
    '401': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '403': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '404': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '500': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
    '503': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'RouterErrorResponse' }],
  },
  responseHeaders: {
    '200': [{ name: 'ETag', required: true }, { name: 'Cache-Control', required: true }],
    '304': [{ name: 'ETag', required: true }, { name: 'Cache-Control', required: true }],
  },
  security: [
    [{ name: 'BearerAuth', kind: 'bearer' }],
    [{ name: 'ApiKeyAuth', kind: 'header', parameter: 'X-API-Key' }],
  ],
  plainSegments: {
    kind: 'plain-segments',
    operations: ['getModel', 'runModel', 'getModelInputSchema'],
    parameters: ['provider', 'model'],
  },
  conditional: {
    kind: 'conditional-get',
    operations: ['getModelInputSchema'],
    status: 304,
    keptHeaders: ['X-Service-Request-Id', 'ETag', 'Cache-Control'],
  },
};

const api: runtime.ServedApi = {
  name: 'router',
  errors: {
    kind: 'buckets',
    policy: {
      kind: 'error-buckets',
      header: 'X-Service-Error-Type',
      bodyMember: 'error_type',
      detailMember: 'detail',
      fallback: 'internal_error',
      buckets: [
        { name: 'invalid_input', level: 'request', billed: 'before-model' },
        { name: 'content_policy_violation', level: 'request', billed: 'per-model' },
        { name: 'provider_error', level: 'request' },
        { name: 'provider_timeout', level: 'request', status: 504, billed: 'yes' },
        { name: 'insufficient_credits', level: 'request', billed: 'no' },
        { name: 'model_not_found', level: 'request', billed: 'no' },
        { name: 'unauthorized', level: 'transport', status: 401, billed: 'no' },
        { name: 'forbidden', level: 'transport', status: 403, billed: 'no' },
        { name: 'concurrency_limit_exceeded', level: 'transport', status: 429, billed: 'no' },
        { name: 'client_disconnected', level: 'transport' },
        { name: 'internal_error', level: 'transport' },
        { name: 'deadline_exceeded', level: 'transport', status: 504, billed: 'no' },
        { name: 'not_enabled', level: 'transport' },
        { name: 'service_unavailable', level: 'transport' },
        { name: 'rate_limited', level: 'transport' },
      ],
      forecast: ['file_download_error', 'cancelled', 'queue_timeout'],
      roles: {
        badInput: 'invalid_input',
        policyRefusal: 'content_policy_violation',
        providerFailure: 'provider_error',
        providerTimeout: 'provider_timeout',
        noCredits: 'insufficient_credits',
        unknownModel: 'model_not_found',
        noCredential: 'unauthorized',
        noAccess: 'forbidden',
        capacity: 'concurrency_limit_exceeded',
        disconnected: 'client_disconnected',
        internal: 'internal_error',
        deadline: 'deadline_exceeded',
        notEnabled: 'not_enabled',
        unavailable: 'service_unavailable',
        rateLimit: 'rate_limited',
      },
    },
  },
  requestIdHeader: 'X-Service-Request-Id',
  creditsHeader: 'X-Service-Credits-Used',
  spendHeaders: {
    limit: 'X-Committed-Spend-Limit',
    current: 'X-Committed-Spend-Current',
    remaining: 'X-Committed-Spend-Remaining',
  },
  keyPrefix: { prefix: 'service-', scheme: 'ApiKeyAuth' },
  presence: [
    {
      kind: 'presence',
      schema: 'RouterModelDetail',
      property: 'input_schema_url',
      operations: ['getModel'],
      onlyWhenValid: true,
    },
  ],
  operations: [listModelsOperation, getModelOperation, runModelOperation, getModelInputSchemaOperation],
};

/** Checks values by the schemas that the API names. */
const checks: runtime.Checks = {
  RouterErrorResponse: validators.checkRouterErrorResponse,
  RouterModelDetail: validators.checkRouterModelDetail,
  RouterModelInput: validators.checkRouterModelInput,
  RouterModelInputSchemaDocument: validators.checkRouterModelInputSchemaDocument,
  RouterModelListResponse: validators.checkRouterModelListResponse,
  RouterModelOutput: validators.checkRouterModelOutput,
  RouterModelSegment: validators.checkRouterModelSegment,
  RouterPageCursor: validators.checkRouterPageCursor,
  RouterProviderSegment: validators.checkRouterProviderSegment,
  RouterValidationErrorResponse: validators.checkRouterValidationErrorResponse,
  'runModel 429 X-Committed-Spend-Current': (value) => check(xCommittedSpendCurrentHeader, value),
  'runModel 429 X-Committed-Spend-Limit': (value) => check(xCommittedSpendLimitHeader, value),
  'runModel 429 X-Committed-Spend-Remaining': (value) => check(xCommittedSpendRemainingHeader, value),
};

const xCommittedSpendCurrentHeader = number;

const xCommittedSpendLimitHeader = number;

const xCommittedSpendRemainingHeader = number;
