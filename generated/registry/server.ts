// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import * as runtime from '../server-runtime/index.js';
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

/** The possible answers of `publishNodeVersion`. */
export type PublishNodeVersionReply = runtime.RepliesOf<types.PublishNodeVersionResponses>;

/** The possible answers of `startSkinEnhancement`. */
export type StartSkinEnhancementReply = runtime.RepliesOf<types.StartSkinEnhancementResponses>;

/** The handlers of Node Registry and Partner Proxy. The server around them enforces the contract. */
export interface RegistryHandlers<Caller extends runtime.ServerCaller = runtime.ServerCaller> {
  /**
   * Publish a version of a node
   *
   * Adds the version, and returns the address for the upload of its archive. The version must be a
   * semantic version that this node does not have yet.
   *
   * `POST /publishers/{publisherId}/nodes/{nodeId}/versions`
   */
  readonly publishNodeVersion: runtime.Handler<types.PublishNodeVersionParameters, PublishNodeVersionReply, Caller>;
  /**
   * Start enhancing the skin in a picture
   *
   * Starts the Creative mode, which is more artistic and stylised. The answer arrives when the work
   * has begun, not when it is done.
   *
   * `POST /proxy/{partner}/v1/ai/skin-enhancer/creative`
   */
  readonly startSkinEnhancement: runtime.Handler<types.StartSkinEnhancementParameters, StartSkinEnhancementReply, Caller>;
}

/**
 * A server of Node Registry and Partner Proxy, as a function from a request to an answer. It checks requests, sends what the
 * contract documents with every answer, and applies the contract's rules for keys, deadlines and capacity.
 *
 * @throws {RangeError} when a claim on a key would end before its call
 */
export function createServer<Caller extends runtime.ServerCaller>(
  handlers: RegistryHandlers<Caller>,
  options: runtime.ServerOptions<Caller, keyof Credentials>,
): runtime.Server {
  return runtime.serverOf<Caller>(api, checks, {
    publishNodeVersion: handlers.publishNodeVersion,
    startSkinEnhancement: handlers.startSkinEnhancement,
  }, options);
}

/** The reason why a request fails, for a handler to throw. It is answered as an error of this API. */
export function refuse(reason: string, message: string, options?: runtime.RefusalOptions): runtime.Refusal {
  return new runtime.Refusal(reason, message, options);
}

// --- internal ---

const publishNodeVersionOperation: runtime.ServedOperation = {
  id: 'publishNodeVersion',
  method: 'POST',
  path: '/publishers/{publisherId}/nodes/{nodeId}/versions',
  parameters: [
    { name: 'publisherId', in: 'path', required: true, style: 'simple', explode: false },
    { name: 'nodeId', in: 'path', required: true, style: 'simple', explode: false },
  ],
  body: {
    required: true,
    contents: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'PublishNodeVersionRequest' }],
  },
  responses: {
    '201': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'PublishNodeVersionResponse' }],
    '400': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'ErrorResponse' }],
    '403': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'ErrorResponse' }],
    '500': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'ErrorResponse' }],
  },
  security: [[{ name: 'BearerAuth', kind: 'bearer' }]],
};

const startSkinEnhancementOperation: runtime.ServedOperation = {
  id: 'startSkinEnhancement',
  method: 'POST',
  path: '/proxy/{partner}/v1/ai/skin-enhancer/creative',
  parameters: [{ name: 'partner', in: 'path', required: true, style: 'simple', explode: false }],
  body: {
    required: false,
    contents: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'SkinEnhancementRequest' }],
  },
  responses: {
    '200': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'SkinEnhancementResponse' }],
    default: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'ErrorResponse' }],
  },
  security: [
    [{ name: 'BearerAuth', kind: 'bearer' }],
    [{ name: 'ApiKeyAuth', kind: 'header', parameter: 'X-API-Key' }],
  ],
};

const api: runtime.ServedApi = {
  name: 'registry',
  errors: {
    kind: 'codes',
    policy: { kind: 'error-codes', code: 'error', message: 'message', codes: [], roles: {} },
  },
  keyPrefix: { prefix: 'service-', scheme: 'ApiKeyAuth' },
  operations: [publishNodeVersionOperation, startSkinEnhancementOperation],
};

/** Checks values by the schemas that the API names. */
const checks: runtime.Checks = {
  ErrorResponse: validators.checkErrorResponse,
  PublishNodeVersionRequest: validators.checkPublishNodeVersionRequest,
  PublishNodeVersionResponse: validators.checkPublishNodeVersionResponse,
  SkinEnhancementRequest: validators.checkSkinEnhancementRequest,
  SkinEnhancementResponse: validators.checkSkinEnhancementResponse,
};
