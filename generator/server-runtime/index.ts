/** What generated servers are made of. */
export type { Credentials } from './credentials.ts';
export type {
  Handler,
  RepliesOf,
  Reply,
  ReplyHeaders,
  ServerCall,
  ServerCaller,
  ServerEvent,
  ServerRequest,
  StreamRepliesOf,
  StreamReply,
} from './handler.ts';
export { join, type JoinedServer } from './join.ts';
export type { Delivery } from './keys.ts';
export { memoryStore } from './memory-store.ts';
export type { ServedApi, ServedOperation } from './operation.ts';
export { Refusal, type RefusalOptions } from './refusal.ts';
export type { Exchange } from './exchange.ts';
export { type Server, serverOf } from './serve.ts';
export type { Finding, ServerOptions } from './settings.ts';
export type {
  Bounds,
  CapacityStore,
  Claim,
  Entry,
  IdempotencyStore,
  Store,
  StoredResponse,
} from './store.ts';
