/** The runtime of generated servers. */
export type { Credentials } from '../../engine/credentials.ts';
export type {
  Handler,
  ItemsRepliesOf,
  ItemsReply,
  Received,
  RepliesOf,
  Reply,
  ReplyHeaders,
  SentEvent,
  ServerCall,
  ServerCaller,
  ServerEvent,
  ServerRequest,
  StreamRepliesOf,
  StreamReply,
} from '../../engine/handler.ts';
export { join, type JoinedServer } from './join.ts';
export type { Delivery } from '../../engine/delivery.ts';
export { memoryStore } from '../../engine/memory-store.ts';
export type { ServedApi, ServedOperation, WireType } from '../../engine/served-api.ts';
export type { Checks } from '../../engine/judge.ts';
export { Refusal, type RefusalOptions, statedRefusal } from '../../engine/refusal.ts';
export type { Exchange } from '../../engine/exchange.ts';
export { type Server, serverOf } from '../../engine/serve.ts';
export type { CallFacts, Finding } from '../../engine/findings.ts';
export { type Shutdown, ShutdownError, type ShutdownOptions } from '../../engine/open-calls.ts';
export type { ServerOptions } from '../../engine/settings.ts';
export type {
  Bounds,
  CapacityStore,
  Claim,
  Entry,
  IdempotencyStore,
  Store,
  StoredResponse,
} from '../../engine/store.ts';
