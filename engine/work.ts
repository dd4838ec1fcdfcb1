import { isRefusedFormat } from '../contract/policies/refused-format.ts';
import { passOnAborts } from './aborts.ts';
import { enter } from './admission.ts';
import { misfitsOf, type Outgoing } from './answer.ts';
import { unlessCurrent } from './conditional.ts';
import { type Course, type Hold, keyLost, type Made } from './course.ts';
import type { Handler, LooseReply, ServerCall, ServerCaller } from './handler.ts';
import { queryOf } from './exchange.ts';
import { readInput } from './input.ts';
import { type Ports, Refused, replyTo, storeAway } from './ports.ts';
import { Refusal, refusalReply } from './refusal.ts';
import { headerMisfits } from './response-headers.ts';
import { withheld } from './withheld.ts';

/** The work of a call that may run: input, capacity, handler, deadline. What is thrown on the way becomes an answer. */
export async function work<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: Course<Caller>,
  hold: Hold,
): Promise<Made> {
  const effects: Effects = { hadNoEffect: true, isReplayable: true, isCharged: undefined };
  let answer: Outgoing;
  try {
    answer = await admitted(ports, course, hold, effects);
  } catch (error) {
    const { operation, request } = course;
    const isWanted = !request.signal.aborted && hold.lost?.aborted !== true;
    const known = replyTo(ports.api, error);
    if (known === undefined && isWanted) ports.tell({ kind: 'handler', operation: operation.id, error });
    answer = await ports.outgoing(operation, known ?? ports.refused('internal', 'The server has a fault.'));
  }
  const { hadNoEffect, isReplayable } = effects;
  return { answer, hadNoEffect, isReplayable };
}

// --- internal ---

/** What a handler did and said, so far. The deadline may end the call at any moment. */
interface Effects {
  hadNoEffect: boolean;
  isReplayable: boolean;
  /** What the handler heard when it asked whether to charge. */
  isCharged: boolean | undefined;
}

async function admitted<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: Course<Caller>,
  hold: Hold,
  effects: Effects,
): Promise<Outgoing> {
  const { request, bytes } = course;
  const input = await inputOf(ports, course);
  const stop = new AbortController();
  const { signal } = stop;
  passOnAborts([request.signal, hold.lost], stop);
  const call: ServerCall<Caller> = {
    ...{ caller: course.caller, request, bytes, requestId: course.requestId, signal },
    ...{ key: course.key, collecting: hold.collecting },
    charge: () => charge(ports, course, hold, effects, signal),
    forbidReplay: () => {
      effects.isReplayable = false;
    },
  };
  const leave = await enter(ports, course, hold, input, call);
  let answer: Outgoing | undefined;
  try {
    if (hold.lost?.aborted === true) throw new Refused(keyLost(ports));
    const handled = handle(ports, course, effects, input, call);
    answer = await inTime(ports, course, effects, handled, () => {
      stop.abort(new Error('the deadline has expired'));
    });
    return answer;
  } finally {
    // A stream holds what it holds until it ends.
    if (answer !== undefined && !(answer.body instanceof Uint8Array))
      course.ended.push(leave, () => {
        stop.abort();
      });
    else await leave();
  }
}

async function inputOf<Caller extends ServerCaller>(
  { judge, limits, refused, report }: Ports<Caller>,
  { operation, segments, request, bytes }: Course<Caller>,
): Promise<Readonly<Record<string, unknown>>> {
  const texts = { segments, query: queryOf(request), headers: request.headers };
  const read = await readInput(operation, texts, bytes, limits, judge);
  if (read.ok === false) throw new Refused(refused(read.cause, read.message));
  const { refusedFormat } = operation;
  if (refusedFormat !== undefined && isRefusedFormat(refusedFormat, read.input['body'])) {
    report(request, { policy: 'refused-format', decision: 'refused' });
    throw new Refusal(refusedFormat.code, 'The body is in a format that this operation does not take.');
  }
  return read.input;
}

async function handle<Caller extends ServerCaller>(
  { api, judge, handlers, options, tell, refused, outgoing, report }: Ports<Caller>,
  { operation, request }: Course<Caller>,
  effects: Effects,
  input: Readonly<Record<string, unknown>>,
  call: ServerCall<Caller>,
): Promise<Outgoing> {
  const handler = handlers[operation.id] as Handler<unknown, LooseReply, Caller> | undefined;
  if (handler === undefined) throw new Refused(refused('notFound', 'This operation has no handler.'));
  effects.hadNoEffect = false;
  let reply: LooseReply;
  try {
    reply = await handler(input, call);
    effects.hadNoEffect = reply.status >= 400 && reply.status < 500;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reply = refusalReply(api, error);
    effects.hadNoEffect = error.options.hadNoEffect ?? reply.status < 500;
  }
  const place = { api, operation, surface: options.surface, judge };
  const { reply: kept, misfits: leftOut } = withheld(place, reply);
  const whole = await outgoing(operation, kept);
  const answer = await unlessCurrent(operation, request, whole);
  if (answer !== whole) report(request, { policy: 'conditional-get', decision: 'current' });
  const { creditsHeader } = api;
  if (effects.isCharged === false && creditsHeader !== undefined) answer.headers.delete(creditsHeader);
  const checked =
    options.checkResponses === true
      ? [...misfitsOf(operation, kept, judge), ...headerMisfits(operation, answer, judge)]
      : [];
  const misfits = [...leftOut, ...checked];
  if (misfits.length > 0) tell({ kind: 'response', operation: operation.id, status: reply.status, misfits });
  return answer;
}

/** Whether the handler is to charge: once for each key and each call, and for no call that has ended. */
async function charge<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { operation }: Course<Caller>,
  hold: Hold,
  effects: Effects,
  signal: AbortSignal,
): Promise<boolean> {
  if (effects.isCharged !== undefined) return false;
  effects.isCharged = false;
  if (signal.aborted) return false;
  const isTaken = await hold
    .charge(() => signal.aborted)
    .catch((error: unknown) => storeAway(ports, operation, error, CHARGE_UNKNOWN));
  effects.isCharged = isTaken && !signal.aborted;
  return effects.isCharged;
}

const CHARGE_UNKNOWN =
  'The server cannot look up whether this key was charged. Send it again with the same key.';

async function inTime<Caller extends ServerCaller>(
  { limits, after, refused, outgoing, report }: Ports<Caller>,
  { operation, request }: Course<Caller>,
  effects: Effects,
  handled: Promise<Outgoing>,
  giveUp: () => void,
): Promise<Outgoing> {
  const { deadline } = operation;
  if (deadline === undefined) return handled;
  handled.catch(() => undefined);
  let cancel = (): void => undefined;
  const expired = new Promise<undefined>((resolve) => {
    cancel = after(limits.deadlineMs(operation), () => {
      resolve(undefined);
    });
  });
  try {
    const answer = await Promise.race([handled, expired]);
    if (answer !== undefined) return answer;
    // What is charged is answered: what the deadline ends is not charged.
    if (effects.isCharged === true) return await handled;
    giveUp();
    report(request, { policy: 'deadline', decision: 'expired' });
    const message = 'The call took longer than this server waits. It is not charged.';
    return await outgoing(operation, refused('deadline', message, { status: deadline.status }));
  } finally {
    cancel();
  }
}
