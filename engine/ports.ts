import { preconditionOf } from '../contract/policies/conditional-write.ts';
import { outgoing, type Outgoing } from './answer.ts';
import { CHOICES } from './choices.ts';
import type { WorkResult, ServerCourse } from './course.ts';
import { type CourseDecision, type CourseRefusal, Refused } from './decision.ts';
import type { AdmissionPorts } from './admission.ts';
import type { Handler, LooseReply, ServerCaller, ServerRequest } from './handler.ts';
import { type Checks, type Judge, judgeBy } from './judge.ts';
import type { KeyedPorts } from './keyed.ts';
import { hashOf } from './keys.ts';
import { type Limits, limitsOf } from './limits.ts';
import { memoryStoreOf } from './memory-store.ts';
import { type Cause, Refusal, refusalReply, type RefusalOptions, refused } from './refusal.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';
import type { ServerOptions } from './settings.ts';
import type { EngineStore, InProcess, StoredResponse } from './store.ts';

/** By the ids of operations. */
export type Handlers<Caller> = Readonly<Record<string, Handler<never, LooseReply, Caller>>>;

/** Parts that the surroundings of the engine can replace. */
export interface Host {
  /** Calls back after this many milliseconds. Returns a function that cancels the timer. Default: timers. */
  readonly after?: (ms: number, back: () => void) => () => void;
  /** Receives each decision about a request, with the kind of policy. */
  readonly report?: (request: ServerRequest, decision: CourseDecision) => void;
  /** A store in the process of this server, used instead of the one in the options. */
  readonly local?: EngineStore & InProcess;
  /** Checks whether a change that names a version may be made. */
  readonly precondition?: (operation: ServedOperation) => typeof preconditionOf;
  /** The hash by which requests with one key are compared. Default: made by web standards, in its own time. */
  readonly hash?: typeof hashOf | ((...given: Parameters<typeof hashOf>) => string);
}

/** The ports that a call needs. */
export interface Ports<Caller extends ServerCaller = ServerCaller>
  extends
    KeyedPorts<Outgoing, StoredResponse, ServerCourse<Caller>>,
    Omit<AdmissionPorts<ServerCourse<Caller>>, 'store' | 'choices'> {
  readonly api: ServedApi;
  readonly judge: Judge;
  readonly store: EngineStore;
  readonly handlers: Handlers<Caller>;
  readonly limits: Limits;
  readonly options: ServerOptions<Caller>;
  readonly choices: typeof CHOICES;
  readonly report: NonNullable<Host['report']>;
  readonly precondition: NonNullable<Host['precondition']>;
  /** Running changes that name a version, by resource. Each waits for the previous one. */
  readonly changes: Map<string, Promise<void>>;
  /** The store of unique values. */
  readonly values: { readonly store: EngineStore; readonly isHere: boolean };
  /** Makes the answers for the engine's own refusals, in the shape of the API's errors. */
  readonly refused: (cause: Cause, message: string, options?: RefusalOptions) => LooseReply;
  /** The answer for a thrown refusal; `undefined` if the thrown value is a fault. */
  readonly replyTo: (error: unknown) => LooseReply | undefined;
  /** A reply as it is sent. */
  readonly outgoing: (operation: ServedOperation | undefined, reply: LooseReply) => Promise<Outgoing>;
}

/**
 * The ports of a server. Each call adds its observer.
 *
 * @throws {RangeError} if a slow store could end a claim unnoticed
 */
export function portsOf<Caller extends ServerCaller>(
  api: ServedApi,
  checks: Checks,
  handlers: Handlers<Caller>,
  options: ServerOptions<Caller>,
  {
    after = timer,
    report = () => undefined,
    local,
    precondition = () => preconditionOf,
    hash = hashOf,
  }: Host = {},
): Omit<Ports<Caller>, 'tell'> {
  const now = options.now ?? Date.now;
  const limits = limitsOf(api, options);
  const here = local ?? (options.store === undefined ? memoryStoreOf({ now }) : undefined);
  const refuse: Ports['refused'] = (cause, message, more = {}) =>
    refused(api, cause, message, { ...more, codes: options.codes }, now);
  return {
    ...{
      api,
      handlers,
      limits,
      options,
      now,
      after,
      report,
      precondition,
      choices: CHOICES,
      refused: refuse,
    },
    changes: new Map(),
    values: {
      store: options.store ?? (local === undefined && here !== undefined ? here : memoryStoreOf({ now })),
      isHere: options.store === undefined,
    },
    judge: judgeBy(checks),
    store: here ?? (options.store as EngineStore),
    local: here,
    replyTo: (error) => {
      if (error instanceof Refused) return replyOf(api, refuse, now, error.refusal);
      return error instanceof Refusal ? refusalReply(api, error, now) : undefined;
    },
    outgoing: (operation, reply) => outgoing(api, operation, reply, limits.keepAliveMs),
    keyScope: ({ operation, caller }) => JSON.stringify([api.name, operation.id, caller.id]),
    capacityScope: ({ caller }) => JSON.stringify([api.name, caller.id]),
    hash: ({ request, bytes }) => hash(request.method, request.target, bytes),
    answers: {
      header: ({ headers }, name) => headers.get(name) ?? undefined,
      copy: (made) => copyOf(api, made, limits.replayCapBytes),
      replay: ({ status, headers: kept, body }, mark) => {
        const headers = new Headers(kept.map(([of, line]): [string, string] => [of, line]));
        if (mark !== undefined) headers.set(mark.name, mark.value);
        return { status, headers, body };
      },
    },
  };
}

// --- internal ---

function replyOf(
  api: ServedApi,
  refuse: Ports['refused'],
  now: () => number,
  { cause, message, status, code, headers = {} }: CourseRefusal,
): LooseReply {
  const more = { headers, ...(status === undefined ? {} : { status }) };
  return code === undefined
    ? refuse(cause, message, more)
    : refusalReply(api, new Refusal(code, message, more), now);
}

/** An exact copy of an answer; `undefined` for a stream, and for an answer that exceeds the cap. */
function copyOf(
  { creditsHeader }: ServedApi,
  { answer: { status, headers, body }, isReplayable }: WorkResult,
  cap: number,
): StoredResponse | undefined {
  if (!isReplayable || !(body instanceof Uint8Array) || body.length > cap) return undefined;
  const credits = creditsHeader?.toLowerCase();
  return { status, headers: [...headers].filter(([name]) => name !== credits), body };
}

function timer(ms: number, back: () => void): () => void {
  const set = setTimeout(back, ms);
  return () => {
    clearTimeout(set);
  };
}
