import { outgoing, type Outgoing } from './answer.ts';
import type { Handler, LooseReply, ServerCaller, ServerRequest } from './handler.ts';
import { type Checks, type Judge, judgeBy } from './judge.ts';
import { type Limits, limitsOf } from './limits.ts';
import { memoryStore } from './memory-store.ts';
import { type Cause, Refusal, refusalReply, type RefusalOptions, refused } from './refusal.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';
import type { Finding, ServerOptions } from './settings.ts';
import type { Store } from './store.ts';

/** By the ids of operations. */
export type Handlers<Caller> = Readonly<Record<string, Handler<never, LooseReply, Caller>>>;

/** What the surroundings of the engine can put in place of what a server uses. */
export interface Host {
  /** Calls back after so many milliseconds, unless what it returns is called before. Default: timers. */
  readonly after?: (ms: number, back: () => void) => () => void;
  /** Hears what was decided about a request, and by which kind of policy. */
  readonly report?: (request: ServerRequest, decision: CourseDecision) => void;
}

export interface CourseDecision {
  readonly policy:
    'credentials' | 'idempotency' | 'capacity' | 'deadline' | 'conditional-get' | 'refused-format';
  /** In a word or two, such as `replayed`. */
  readonly decision: string;
}

/** What the course of a call needs from outside, each under one name. */
export interface Ports<Caller extends ServerCaller = ServerCaller> {
  readonly api: ServedApi;
  readonly judge: Judge;
  readonly store: Store;
  readonly handlers: Handlers<Caller>;
  readonly limits: Limits;
  readonly options: ServerOptions<Caller>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly after: NonNullable<Host['after']>;
  readonly report: NonNullable<Host['report']>;
  /** Tells the observer. Never throws. */
  readonly tell: (finding: Finding) => void;
  /** What the engine answers where it refuses by itself, in the shape that errors of the API have. */
  readonly refused: (cause: Cause, message: string, options?: RefusalOptions) => LooseReply;
  /** A reply as it leaves. */
  readonly outgoing: (operation: ServedOperation | undefined, reply: LooseReply) => Promise<Outgoing>;
}

/** @throws {RangeError} where a slow store could end a claim unnoticed */
export function portsOf<Caller extends ServerCaller>(
  api: ServedApi,
  checks: Checks,
  handlers: Handlers<Caller>,
  options: ServerOptions<Caller>,
  { after = timer, report = () => undefined }: Host = {},
): Ports<Caller> {
  const now = options.now ?? Date.now;
  const limits = limitsOf(api, options);
  return {
    ...{ api, handlers, limits, options, now, after, report },
    judge: judgeBy(checks),
    store: options.store ?? memoryStore({ now }),
    tell: (finding) => {
      tell(options, finding);
    },
    refused: (cause, message, more = {}) => refused(api, cause, message, { ...more, codes: options.codes }),
    outgoing: (operation, reply) => outgoing(api, operation, reply, limits.keepAliveMs),
  };
}

/** The engine refuses: the answer is made already. */
export class Refused extends Error {
  readonly reply: LooseReply;
  constructor(reply: LooseReply) {
    super('refused');
    this.reply = reply;
  }
}

/** What to answer to what was thrown on the way; `undefined` where it is a fault and no refusal. */
export function replyTo(api: ServedApi, error: unknown): LooseReply | undefined {
  if (error instanceof Refused) return error.reply;
  return error instanceof Refusal ? refusalReply(api, error) : undefined;
}

/**
 * The store cannot be asked for what has to be known.
 *
 * @throws {Refused} always
 */
export function storeAway(
  { tell: told, refused: refuse }: Pick<Ports, 'tell' | 'refused'>,
  operation: ServedOperation,
  error: unknown,
  message: string = NOTHING_BEGUN,
): never {
  told({ kind: 'store', operation: operation.id, error });
  throw new Refused(refuse('unavailable', message, { headers: { 'Retry-After': '1' } }));
}

// --- internal ---

const NOTHING_BEGUN = 'The server cannot look up what it has to know before it begins. Nothing was begun.';

function timer(ms: number, back: () => void): () => void {
  const set = setTimeout(back, ms);
  return () => {
    clearTimeout(set);
  };
}

/** A fault of the observer is printed: it changes no answer, and a rejection that nobody handles would end the process. */
function tell({ onFinding }: Pick<ServerOptions, 'onFinding'>, finding: Finding): void {
  const printed = (error: unknown): void => {
    // eslint-disable-next-line no-console -- The observer failed, so that nothing else is left to tell.
    console.error('onFinding failed:', error);
  };
  try {
    const told: unknown = onFinding?.(finding);
    if (told instanceof Promise) told.catch(printed);
  } catch (error) {
    printed(error);
  }
}
