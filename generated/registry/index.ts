// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

export type * from './types.js';
export type * from './failures.js';
export * from './errors.js';
export * from './client.js';
export { explain } from '../runtime/checks.js';
export { connect } from '../runtime/connection.js';
export { serverEvents } from '../runtime/events.js';
export { at, linkIn } from '../runtime/links.js';
export { MiddlewareError, withMiddleware } from '../runtime/middleware.js';
export { rawResponse } from '../runtime/raw-response.js';
export { followRedirects } from '../runtime/redirects.js';
export { settle } from '../runtime/settle.js';
export { ItemStream } from '../runtime/streams.js';
export { UploadError } from '../runtime/upload.js';
export type { Checked, Failure } from '../runtime/checks.js';
export type { Connection, ConnectionOptions, Credential } from '../runtime/connection.js';
export type { Held, Refreshed } from '../runtime/conditional.js';
export type { FollowOptions, Update } from '../runtime/follow.js';
export type { Attempt, Middleware } from '../runtime/middleware.js';
export type { Answer, CallOptions } from '../runtime/operation.js';
export type { RedirectOptions } from '../runtime/redirects.js';
export type { Call } from '../runtime/settle.js';
export type { TypedEvent } from '../runtime/streams.js';
export type { UploadFile, UploadOptions, UploadProgress } from '../runtime/upload.js';
