// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { json, prepareBody } from '../runtime/bodies.js';
import { connect } from '../runtime/connection.js';
import type { Connection, ConnectionOptions } from '../runtime/connection.js';
import { send } from '../runtime/http.js';
import type { Answer, Api, CallOptions, Operation } from '../runtime/operation.js';
import { singleText } from '../runtime/parameters.js';
import { otherMethodRules } from '../runtime/policies/retry.js';
import { bearer, keyInHeader } from '../runtime/secrets.js';
import type { Call } from '../runtime/settle.js';
import { upload } from '../runtime/upload.js';
import type { UploadFile, UploadOptions, UploadRules } from '../runtime/upload.js';
import { failure } from './errors.js';
import type { RegistryError } from './errors.js';
import type {
  PublishNodeVersionParameters,
  PublishNodeVersionResponse,
  SkinEnhancementResponse,
  StartSkinEnhancementParameters,
} from './types.js';

const api: Api = {
  name: 'registry',
  failure,
};

const bearerAuth: NonNullable<Operation['security']> = [[{ name: 'BearerAuth', write: bearer }]];

const bearerAuthOrApiKeyAuth: NonNullable<Operation['security']> = [
  [{ name: 'BearerAuth', write: bearer }],
  [{ name: 'ApiKeyAuth', write: keyInHeader, parameter: 'X-API-Key' }],
];

/** The options of a client of this API; credentials by the names of the document's security schemes. */
export type RegistryOptions = ConnectionOptions<'BearerAuth' | 'ApiKeyAuth'>;

export type PublishNodeVersionAnswer = Answer<PublishNodeVersionResponse, 201>;

const publishNodeVersionOperation: Operation = {
  api,
  id: 'publishNodeVersion',
  method: 'POST',
  path: '/publishers/{publisherId}/nodes/{nodeId}/versions',
  parameters: [
    { name: 'publisherId', in: 'path', style: singleText },
    { name: 'nodeId', in: 'path', style: singleText },
  ],
  body: { prepare: prepareBody, write: json, mediaType: 'application/json', required: true },
  security: bearerAuth,
  retry: otherMethodRules,
};

/**
 * Publish a version of a node
 *
 * Adds the version, and returns the address for the upload of its archive. The version must be a
 * semantic version that this node does not have yet.
 *
 * `POST /publishers/{publisherId}/nodes/{nodeId}/versions`
 */
export function publishNodeVersion(
  connection: Connection,
  input: PublishNodeVersionParameters,
  options?: CallOptions,
): Call<PublishNodeVersionAnswer, RegistryError> {
  return send(connection, publishNodeVersionOperation, input, options) as Promise<PublishNodeVersionAnswer>;
}

const publishNodeVersionUploadRules: UploadRules = {
  address: ['signedUrl'],
  method: 'PUT',
  mediaType: 'application/zip',
};

/** Sends a file to the address in an answer of `publishNodeVersion`. */
export function publishNodeVersionUpload(
  connection: Connection,
  answer: PublishNodeVersionAnswer,
  file: UploadFile,
  options?: UploadOptions,
): Promise<Answer<undefined>> {
  return upload(connection, publishNodeVersionUploadRules, answer, file, options);
}

/**
 * `publishNodeVersion`, then the upload of its file to the address in the answer. If only the upload fails, the error is an
 * `UploadError` with that answer, for `publishNodeVersionUpload`.
 */
export async function publishNodeVersionWithUpload(
  connection: Connection,
  input: PublishNodeVersionParameters,
  file: UploadFile,
  options?: UploadOptions,
): Promise<{ readonly answer: PublishNodeVersionAnswer; readonly upload: Answer<undefined> }> {
  const { signal } = options ?? {};
  const answer = await publishNodeVersion(connection, input, { signal });
  return { answer, upload: await publishNodeVersionUpload(connection, answer, file, options) };
}

export type StartSkinEnhancementAnswer = Answer<SkinEnhancementResponse, 200>;

const startSkinEnhancementOperation: Operation = {
  api,
  id: 'startSkinEnhancement',
  method: 'POST',
  path: '/proxy/{partner}/v1/ai/skin-enhancer/creative',
  parameters: [{ name: 'partner', in: 'path', style: singleText }],
  body: { prepare: prepareBody, write: json, mediaType: 'application/json' },
  security: bearerAuthOrApiKeyAuth,
  retry: otherMethodRules,
};

/**
 * Start enhancing the skin in a picture
 *
 * Starts the Creative mode, which is more artistic and stylised. The answer arrives when the work
 * has begun, not when it is done.
 *
 * `POST /proxy/{partner}/v1/ai/skin-enhancer/creative`
 */
export function startSkinEnhancement(
  connection: Connection,
  input: StartSkinEnhancementParameters,
  options?: CallOptions,
): Call<StartSkinEnhancementAnswer, RegistryError> {
  return send(connection, startSkinEnhancementOperation, input, options) as Promise<StartSkinEnhancementAnswer>;
}

/** All operations of Node Registry and Partner Proxy over one connection. */
export interface RegistryClient {
  /** Pass this to the functions of this module, and to those of the runtime. */
  readonly connection: Connection;
  /**
   * Publish a version of a node
   *
   * Adds the version, and returns the address for the upload of its archive. The version must be a
   * semantic version that this node does not have yet.
   *
   * `POST /publishers/{publisherId}/nodes/{nodeId}/versions`
   */
  readonly publishNodeVersion: {
    (
      input: PublishNodeVersionParameters,
      options?: CallOptions,
    ): Call<PublishNodeVersionAnswer, RegistryError>;
    /** Sends a file to the address in an answer. */
    upload(
      answer: PublishNodeVersionAnswer,
      file: UploadFile,
      options?: UploadOptions,
    ): Promise<Answer<undefined>>;
    /** Makes the call, then sends the file to the address in its answer. */
    withUpload(
      input: PublishNodeVersionParameters,
      file: UploadFile,
      options?: UploadOptions,
    ): Promise<{ readonly answer: PublishNodeVersionAnswer; readonly upload: Answer<undefined> }>;
  };
  /**
   * Start enhancing the skin in a picture
   *
   * Starts the Creative mode, which is more artistic and stylised. The answer arrives when the work
   * has begun, not when it is done.
   *
   * `POST /proxy/{partner}/v1/ai/skin-enhancer/creative`
   */
  readonly startSkinEnhancement: (
    input: StartSkinEnhancementParameters,
    options?: CallOptions,
  ) => Call<StartSkinEnhancementAnswer, RegistryError>;
}

/**
 * A client with all operations. For a bundle with only the used calls, use `connect` and the functions.
 *
 * @throws {TypeError} when paths cannot be appended to `baseUrl`
 */
export function createRegistry(options: RegistryOptions): RegistryClient {
  const connection = connect(options);
  return {
    connection,
    publishNodeVersion: Object.assign(
      (input: PublishNodeVersionParameters, options?: CallOptions) => publishNodeVersion(connection, input, options),
      {
        upload: (answer: PublishNodeVersionAnswer, file: UploadFile, options?: UploadOptions) => publishNodeVersionUpload(connection, answer, file, options),
        withUpload: (input: PublishNodeVersionParameters, file: UploadFile, options?: UploadOptions) => publishNodeVersionWithUpload(connection, input, file, options),
      },
    ),
    startSkinEnhancement: (input, options) => startSkinEnhancement(connection, input, options),
  };
}
