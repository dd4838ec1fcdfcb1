import { isRefusedFormat } from '../contract/policies/refused-format.ts';
import { reservedIn } from '../contract/policies/reserved-fields.ts';
import { passOnAborts, untilAborted } from './aborts.ts';
import { enter } from './admission.ts';
import { misfitsOf, type Outgoing } from './answer.ts';
import { unlessCurrent } from './conditional.ts';
import { type CallClaim, type WorkResult, type ServerCourse } from './course.ts';
import { KEY_LOST, Refused } from './decision.ts';
import type { Handler, LooseReply, ServerCall, ServerCaller } from './handler.ts';
import { queryOf } from './exchange.ts';
import { requireRoom } from './full.ts';
import { readInput } from './input.ts';
import { linkNext } from './next-link.ts';
import { SHUT_DOWN } from './open-calls.ts';
import type { Ports } from './ports.ts';
import { inputStatus, Refusal, refusalReply, statedRefusal } from './refusal.ts';
import { headerMisfits } from './response-headers.ts';
import { Run } from './run.ts';
import { unlessTaken } from './unique.ts';
import { type ReadyCall, unlessChanged } from './versions.ts';
import { withheld } from './withheld.ts';

/**
 * The work of a call that may run: input, capacity, handler, deadline. A thrown value becomes an answer. The
 * work is abandoned when its caller disconnects, its key is lost or the server shuts down. A submission
 * continues without its caller, because the created job exists in any case.
 */
export function work<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: ServerCourse<Caller>,
  hold: CallClaim,
): Promise<WorkResult> {
  const made = answered(ports, course, hold);
  const isSubmission = course.key !== undefined && course.operation.idempotency?.mode === 'single-use';
  const ends = isSubmission ? [course.open.ended] : [course.signal(), hold.lost];
  return whileWanted(ports, course, ends, made);
}

// --- internal ---

async function answered<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: ServerCourse<Caller>,
  hold: CallClaim,
): Promise<WorkResult> {
  const effects: Effects = { hadNoEffect: true, isReplayable: true };
  let answer: Outgoing;
  try {
    answer = await admitted(ports, course, hold, effects);
  } catch (error) {
    const { operation } = course;
    const isWanted = !course.hasGone() && hold.lost?.aborted !== true;
    const known = ports.replyTo(error);
    if (error instanceof Refused && error.refusal.decision !== undefined) course.note(error.refusal.decision);
    if (known === undefined && isWanted) ports.tell({ kind: 'handler', operation: operation.id, error });
    answer = await ports.outgoing(
      operation,
      known ?? ports.refused('internal', 'The server has an internal error.'),
    );
  }
  const { hadNoEffect, isReplayable } = effects;
  return { answer, hadNoEffect, isReplayable };
}

async function whileWanted<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: ServerCourse<Caller>,
  ends: readonly (AbortSignal | undefined)[],
  made: Promise<WorkResult>,
): Promise<WorkResult> {
  // After that, its result is no longer needed.
  made.catch(() => undefined);
  const either = new AbortController();
  passOnAborts(ends, either);
  const ended = untilAborted(either.signal);
  try {
    const own = await Promise.race([made, ended.aborted]);
    if (own !== undefined) return own;
    const reply = course.open.isCut
      ? ports.replyTo(new Refused(SHUT_DOWN))
      : course.hasGone()
        ? ports.refused('disconnected', 'The caller went away.')
        : ports.replyTo(new Refused(KEY_LOST));
    const answer = await ports.outgoing(
      course.operation,
      reply ?? ports.refused('internal', KEY_LOST.message),
    );
    return { answer, hadNoEffect: false, isReplayable: true };
  } finally {
    ended.forget();
  }
}

/** The state of a handler's call. The deadline may end the call at any moment. */
interface Effects {
  hadNoEffect: boolean;
  isReplayable: boolean;
}

async function admitted<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: ServerCourse<Caller>,
  hold: CallClaim,
  effects: Effects,
): Promise<Outgoing> {
  const { operation, caller } = course;
  await ports.options.lookup?.[operation.id]?.(course.segments, caller);
  const input = await inputOf(ports, course);
  const run = new Run(ports, course, hold);
  const call: ServerCall<Caller> = {
    ...{ caller, request: course.request, bytes: course.bytes, requestId: course.requestId },
    ...{ key: course.key, collecting: hold.collecting },
    get signal() {
      return run.signal;
    },
    get closing() {
      return course.open.closing;
    },
    charge: async () => run.charge(),
    forbidReplay: () => {
      effects.isReplayable = false;
    },
  };
  const { capacity } = ports.options;
  const stated = operation.capacity?.calls;
  const asked =
    operation.capacity === undefined || (capacity === undefined && stated === undefined)
      ? undefined
      : {
          cents: (await capacity?.cents?.(input, call, operation.id)) ?? 0,
          bounds: capacity?.bounds(caller, operation.id) ?? { calls: stated },
        };
  const leave = await enter(ports, course, hold, asked);
  let answer: Outgoing | undefined;
  try {
    if (hold.lost?.aborted === true) throw new Refused(KEY_LOST);
    const { deadline } = operation;
    const ms = deadline === undefined ? undefined : ports.limits.deadlineMs(operation);
    answer = await run.inTime(ms, () => handle(ports, { course, input, call }, effects, run));
    return answer;
  } finally {
    const isStream = answer !== undefined && !(answer.body instanceof Uint8Array);
    const isGivenUp = course.hasGone() || hold.lost?.aborted === true;
    // A stream uses capacity until it ends. It does not begin if its caller has already disconnected.
    if (isStream && !isGivenUp) {
      course.ended.push(leave, () => {
        run.end('the stream has ended');
      });
    } else {
      if (isStream) run.end('the caller no longer waits for the stream');
      await leave();
    }
  }
}

async function inputOf<Caller extends ServerCaller>(
  { api, judge, limits }: Ports<Caller>,
  course: ServerCourse<Caller>,
): Promise<Readonly<Record<string, unknown>>> {
  const { operation, segments, request, bytes } = course;
  const texts = { segments, query: queryOf(request), headers: request.headers };
  const read = await readInput(operation, texts, bytes, limits, judge);
  if (read.ok === false) {
    const { cause } = read;
    const status =
      cause === 'badInput' || cause === 'malformed' ? inputStatus(api, operation, cause) : undefined;
    throw new Refused({ ...read, ...(status === undefined ? {} : { status }) });
  }
  const { refusedFormat, reserved } = operation;
  const [member] = reserved === undefined ? [] : reservedIn(reserved, read.input['body']);
  if (reserved !== undefined && member !== undefined) {
    course.note({ policy: 'reserved-fields', case: 'refused' });
    throw statedRefusal(api, reserved.refusal, `${member} is reserved.`);
  }
  if (refusedFormat !== undefined && isRefusedFormat(refusedFormat, read.input['body'])) {
    course.note({ policy: 'refused-format', case: 'refused' });
    throw new Refusal(refusedFormat.code, 'The body is in a format that this operation does not accept.');
  }
  return read.input;
}

async function handle<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  ready: ReadyCall<Caller>,
  effects: Effects,
  run: Run,
): Promise<Outgoing> {
  const { api, judge, handlers, options, tell, outgoing } = ports;
  const { course, input, call } = ready;
  const { operation, request } = course;
  const handler = handlers[operation.id] as Handler<unknown, LooseReply, Caller> | undefined;
  if (handler === undefined)
    throw new Refused({ cause: 'notFound', message: 'This operation has no handler.' });
  effects.hadNoEffect = false;
  let reply: LooseReply;
  // Refusals may be stated in the contract without being declared in the document.
  let isRefusal = false;
  try {
    // Most operations have neither a guard nor unique values: their calls skip two promises.
    if (operation.capacity?.things !== undefined) await requireRoom(ports, ready);
    const isPlain = operation.guard === undefined && operation.unique === undefined;
    reply = await (isPlain
      ? handler(input, call)
      : unlessChanged(ports, ready, () => unlessTaken(ports, ready, () => handler(input, call))));
    effects.hadNoEffect = reply.status >= 400 && reply.status < 500;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    isRefusal = true;
    reply = refusalReply(api, error, ports.now);
    effects.hadNoEffect = error.options.hadNoEffect ?? reply.status < 500;
  }
  const place = { api, operation, surface: options.surface, judge };
  const { reply: kept, misfits: leftOut } = withheld(place, reply);
  const whole = await outgoing(operation, kept);
  linkNext(operation, request, input, kept, whole);
  const answer = await unlessCurrent(operation, request, whole);
  if (answer !== whole) course.note({ policy: 'conditional-get', case: 'current' });
  const { creditsHeader } = api;
  if (run.isCharged === false && creditsHeader !== undefined) answer.headers.delete(creditsHeader);
  const checked =
    options.checkResponses === true
      ? [...misfitsOf(operation, kept, judge, isRefusal), ...headerMisfits(operation, answer, judge)]
      : [];
  const misfits = [...leftOut, ...checked];
  if (misfits.length > 0) tell({ kind: 'response', operation: operation.id, status: reply.status, misfits });
  return answer;
}
