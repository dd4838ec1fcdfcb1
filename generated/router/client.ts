// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { json, prepareBody } from '../runtime/bodies.js';
import { refresh } from '../runtime/conditional.js';
import type { Held, Refreshed } from '../runtime/conditional.js';
import { connect } from '../runtime/connection.js';
import type { Connection, ConnectionOptions } from '../runtime/connection.js';
import { send } from '../runtime/http.js';
import { randomKey } from '../runtime/keys.js';
import type { Answer, Api, CallOptions, Operation } from '../runtime/operation.js';
import { items, pages } from '../runtime/pages.js';
import type { PageRules } from '../runtime/pages.js';
import { singlePair, singleText } from '../runtime/parameters.js';
import { patiently } from '../runtime/patience.js';
import { bearer, keyInHeader } from '../runtime/secrets.js';
import type { Call } from '../runtime/settle.js';
import { failure } from './errors.js';
import type { RouterError } from './errors.js';
import type {
  GetModelHeaders,
  GetModelInputSchemaHeaders,
  GetModelInputSchemaParameters,
  GetModelParameters,
  ListModelsHeaders,
  ListModelsParameters,
  RouterModelDetail,
  RouterModelInputSchemaDocument,
  RouterModelListEntry,
  RouterModelListResponse,
  RouterModelOutput,
  RunModelHeaders,
  RunModelParameters,
} from './types.js';

const api: Api = {
  name: 'router',
  requestIdHeader: 'X-Service-Request-Id',
  failure,
};

const bearerAuthOrApiKeyAuth: NonNullable<Operation['security']> = [
  [{ name: 'BearerAuth', write: bearer }],
  [{ name: 'ApiKeyAuth', write: keyInHeader, parameter: 'X-API-Key' }],
];

/** The options of a client of this API; credentials by the names of the document's security schemes. */
export type RouterOptions = ConnectionOptions<'BearerAuth' | 'ApiKeyAuth'>;

export type ListModelsAnswer = Answer<RouterModelListResponse, 200, ListModelsHeaders[200]>;

const listModelsOperation: Operation = {
  api,
  id: 'listModels',
  method: 'GET',
  path: '/v1/models',
  parameters: [
    { name: 'cursor', in: 'query', style: singlePair },
    { name: 'limit', in: 'query', style: singlePair },
  ],
  security: bearerAuthOrApiKeyAuth,
  retry: { resend: [408, 425, 429, '5xx'], unanswered: 'resend' },
};

/**
 * List the models that can be run
 *
 * Returns one page. While `has_more` is true, request the next page with `next_cursor` and the
 * `limit` of the answer. A page before the last one can be short, or empty.
 *
 * `GET /v1/models`
 */
export function listModels(
  connection: Connection,
  input: ListModelsParameters = {},
  options?: CallOptions,
): Call<ListModelsAnswer, RouterError> {
  return send(connection, listModelsOperation, input, options) as Promise<ListModelsAnswer>;
}

const listModelsPageRules: PageRules = {
  cursorParameter: 'cursor',
  limitParameter: 'limit',
  page: { items: 'data', more: 'has_more', limit: 'limit', next: 'next_cursor' },
};

/** The pages of `listModels`, one after the other, until one says that it is the last. */
export function listModelsPages(
  connection: Connection,
  input: ListModelsParameters = {},
  options?: CallOptions,
): AsyncGenerator<ListModelsAnswer, void, undefined> {
  return pages(listModelsPageRules, input, (query) => listModels(connection, query, options));
}

/** The entries of all pages of `listModels`; the next page is read when its first entry is requested. */
export function listModelsItems(
  connection: Connection,
  input: ListModelsParameters = {},
  options?: CallOptions,
): AsyncGenerator<RouterModelListEntry, void, undefined> {
  return items(listModelsPageRules, input, (query) => listModels(connection, query, options));
}

export type GetModelAnswer = Answer<RouterModelDetail, 200, GetModelHeaders[200]>;

const getModelOperation: Operation = {
  api,
  id: 'getModel',
  method: 'GET',
  path: '/v1/models/{provider}/{model}',
  parameters: [
    { name: 'provider', in: 'path', style: singleText },
    { name: 'model', in: 'path', style: singleText },
  ],
  security: bearerAuthOrApiKeyAuth,
  retry: { resend: [408, 425, 429, '5xx'], unanswered: 'resend' },
};

/**
 * Read one model
 *
 * Returns the identity of a model, its billing facts and the address of its input schema, if it has
 * one.
 *
 * `GET /v1/models/{provider}/{model}`
 */
export function getModel(
  connection: Connection,
  input: GetModelParameters,
  options?: CallOptions,
): Call<GetModelAnswer, RouterError> {
  return send(connection, getModelOperation, input, options) as Promise<GetModelAnswer>;
}

export type RunModelAnswer = Answer<RouterModelOutput, 200, RunModelHeaders[200]>;

const runModelOperation: Operation = {
  api,
  id: 'runModel',
  method: 'POST',
  path: '/v1/models/{provider}/{model}',
  parameters: [
    { name: 'provider', in: 'path', style: singleText },
    { name: 'model', in: 'path', style: singleText },
  ],
  body: { prepare: prepareBody, write: json, mediaType: 'application/json', required: true },
  security: bearerAuthOrApiKeyAuth,
  key: {
    header: 'Idempotency-Key',
    create: randomKey,
    replayed: { name: 'Idempotent-Replayed', value: 'true' },
  },
  retry: {
    resend: [408, 425, 429, '5xx'],
    resendWhenTold: [409, 504],
    finalBuckets: ['content_policy_violation', 'insufficient_credits'],
    unanswered: 'resend-with-key',
  },
  timeoutMs: 630_000,
  patiently: patiently,
};

/**
 * Run a model and wait for its result
 *
 * The body is the input of the model, and the answer is its output. The connection stays open until
 * the result is available. Decide by the bucket in `X-Service-Error-Type`, not by the status alone:
 * one status can have causes that are billed differently.
 *
 * `POST /v1/models/{provider}/{model}`
 */
export function runModel(
  connection: Connection,
  input: RunModelParameters,
  options?: CallOptions,
): Call<RunModelAnswer, RouterError> {
  return send(connection, runModelOperation, input, options) as Promise<RunModelAnswer>;
}

export type GetModelInputSchemaAnswer = Answer<RouterModelInputSchemaDocument, 200, GetModelInputSchemaHeaders[200]> | Answer<undefined, 304, GetModelInputSchemaHeaders[304]>;

const getModelInputSchemaOperation: Operation = {
  api,
  id: 'getModelInputSchema',
  method: 'GET',
  path: '/v1/models/{provider}/{model}/openapi.json',
  parameters: [
    { name: 'provider', in: 'path', style: singleText },
    { name: 'model', in: 'path', style: singleText },
    { name: 'If-None-Match', in: 'header', member: 'ifNoneMatch', style: singleText },
  ],
  security: bearerAuthOrApiKeyAuth,
  results: [304],
  retry: { resend: [408, 425, 429, '5xx'], unanswered: 'resend' },
};

/**
 * Read the input schema of a model
 *
 * Returns an OpenAPI document that describes the request body for a run of this model. The router
 * validates runs against the same document. Send its `ETag` in `If-None-Match` next time: if the
 * document has not changed, the answer has no body.
 *
 * `GET /v1/models/{provider}/{model}/openapi.json`
 */
export function getModelInputSchema(
  connection: Connection,
  input: GetModelInputSchemaParameters,
  options?: CallOptions,
): Call<GetModelInputSchemaAnswer, RouterError> {
  return send(connection, getModelInputSchemaOperation, input, options) as Promise<GetModelInputSchemaAnswer>;
}

/**
 * `getModelInputSchema`, without a body while `held` is current. Store `held` of the result for the next call.
 */
export function getModelInputSchemaRefresh(
  connection: Connection,
  held: Held<RouterModelInputSchemaDocument> | undefined,
  input: GetModelInputSchemaParameters,
  options?: CallOptions,
): Promise<Refreshed<RouterModelInputSchemaDocument>> {
  return refresh<RouterModelInputSchemaDocument>(held, (etag) => getModelInputSchema(connection, { ...input, ifNoneMatch: etag }, options));
}

/** All operations of Model Router API over one connection. */
export interface RouterClient {
  /** Pass this to the functions of this module, and to those of the runtime. */
  readonly connection: Connection;
  /**
   * List the models that can be run
   *
   * Returns one page. While `has_more` is true, request the next page with `next_cursor` and the
   * `limit` of the answer. A page before the last one can be short, or empty.
   *
   * `GET /v1/models`
   */
  readonly listModels: {
    (input?: ListModelsParameters, options?: CallOptions): Call<ListModelsAnswer, RouterError>;
    /** The pages, one after the other, until one says that it is the last. */
    pages(
      input?: ListModelsParameters,
      options?: CallOptions,
    ): AsyncGenerator<ListModelsAnswer, void, undefined>;
    /** The entries of all pages; the next page is read when its first entry is requested. */
    items(
      input?: ListModelsParameters,
      options?: CallOptions,
    ): AsyncGenerator<RouterModelListEntry, void, undefined>;
  };
  /**
   * Read one model
   *
   * Returns the identity of a model, its billing facts and the address of its input schema, if it
   * has one.
   *
   * `GET /v1/models/{provider}/{model}`
   */
  readonly getModel: (input: GetModelParameters, options?: CallOptions) => Call<GetModelAnswer, RouterError>;
  /**
   * Run a model and wait for its result
   *
   * The body is the input of the model, and the answer is its output. The connection stays open
   * until the result is available. Decide by the bucket in `X-Service-Error-Type`, not by the
   * status alone: one status can have causes that are billed differently.
   *
   * `POST /v1/models/{provider}/{model}`
   */
  readonly runModel: (input: RunModelParameters, options?: CallOptions) => Call<RunModelAnswer, RouterError>;
  /**
   * Read the input schema of a model
   *
   * Returns an OpenAPI document that describes the request body for a run of this model. The router
   * validates runs against the same document. Send its `ETag` in `If-None-Match` next time: if the
   * document has not changed, the answer has no body.
   *
   * `GET /v1/models/{provider}/{model}/openapi.json`
   */
  readonly getModelInputSchema: {
    (
      input: GetModelInputSchemaParameters,
      options?: CallOptions,
    ): Call<GetModelInputSchemaAnswer, RouterError>;
    /** Without a body while `held` is current. Store `held` of the result for the next call. */
    refresh(
      held: Held<RouterModelInputSchemaDocument> | undefined,
      input: GetModelInputSchemaParameters,
      options?: CallOptions,
    ): Promise<Refreshed<RouterModelInputSchemaDocument>>;
  };
}

/**
 * A client with all operations. For a bundle with only the used calls, use `connect` and the functions.
 *
 * @throws {TypeError} when paths cannot be appended to `baseUrl`
 */
export function createRouter(options: RouterOptions): RouterClient {
  const connection = connect(options);
  return {
    connection,
    listModels: Object.assign(
      (input?: ListModelsParameters, options?: CallOptions) => listModels(connection, input, options),
      {
        pages: (input?: ListModelsParameters, options?: CallOptions) =>
          listModelsPages(connection, input, options),
        items: (input?: ListModelsParameters, options?: CallOptions) =>
          listModelsItems(connection, input, options),
      },
    ),
    getModel: (input, options) => getModel(connection, input, options),
    runModel: (input, options) => runModel(connection, input, options),
    getModelInputSchema: Object.assign(
      (input: GetModelInputSchemaParameters, options?: CallOptions) => getModelInputSchema(connection, input, options),
      {
        refresh: (
          held: Held<RouterModelInputSchemaDocument> | undefined,
          input: GetModelInputSchemaParameters,
          options?: CallOptions,
        ) =>
          getModelInputSchemaRefresh(connection, held, input, options),
      },
    ),
  };
}
