import { isConditional } from '../contract/policies/conditional-write.ts';
import { tag } from './conditional.ts';
import type { ServerCourse } from './course.ts';
import type { Handler, LooseReply, ServerCall, ServerCaller } from './handler.ts';
import { readInput } from './input.ts';
import type { Ports } from './ports.ts';
import { Refusal, refusalReply, statedRefusal } from './refusal.ts';
import type { ServedApi, ServedGuard, ServedOperation } from './served-api.ts';
import { withheld } from './withheld.ts';

/** A call with validated input. */
export interface ReadyCall<Caller extends ServerCaller> {
  readonly course: ServerCourse<Caller>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly call: ServerCall<Caller>;
}

/**
 * Makes a change if its conditions are met, or if it needs none (`If-Match` and `If-None-Match`, RFC 9110, section
 * 13.1). Changes of one path that name a version run one after the other, so that only one change to the
 * same version is made. The handler has to detect conflicts with changes in other processes.
 *
 * @throws {Refusal} as the sheet states, and if the resource does not exist
 */
export async function unlessChanged<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  ready: ReadyCall<Caller>,
  change: () => LooseReply | Promise<LooseReply>,
): Promise<LooseReply> {
  const { operation, request, note } = ready.course;
  const { guard } = operation;
  const asked = {
    ifMatch: request.headers.get('if-match') ?? undefined,
    ifNoneMatch: request.headers.get('if-none-match') ?? undefined,
  };
  if (guard === undefined || (guard.required === undefined && !isConditional(guard, asked))) return change();
  return inTurn(ports.changes, request.target.split('?', 1)[0] ?? '', async () => {
    if (ready.call.signal.aborted) throw new Error('the caller no longer waits for the change');
    const present = await presentOf(ports, guard, ready);
    if ('reply' in present) return present.reply;
    // What does not exist has no version that the caller could name, and none that could be lost.
    const isCreation = guard.mayCreate === true && present.tag === undefined && asked.ifMatch === undefined;
    if (isCreation) return change();
    const verdict = ports.precondition(operation)(guard, asked, present.tag);
    if (verdict === 'met') return change();
    note({ policy: 'conditional-write', case: verdict });
    throw statedRefusal(ports.api, guard[verdict] ?? USUAL[verdict], SAID[verdict]);
  });
}

/**
 * Checks that each guarded change has a source for the current version.
 *
 * @throws {RangeError} for the first operation without one
 */
export function requireVersions({ operations }: ServedApi, versions: object = {}): void {
  for (const { id, guard } of operations) {
    if (guard === undefined || guard.read !== undefined || Object.hasOwn(versions, id)) continue;
    throw new RangeError(
      `${id} is made to the version that If-Match names, but no operation reads the changed resource: add versions.${id} in the options`,
    );
  }
}

// --- internal ---

const USUAL = { mismatch: { status: 412 }, required: { status: 428 }, exists: { status: 412 } } as const;

const SAID = {
  required: 'This request needs If-Match with the ETag of the version that it changes.',
  mismatch: 'The resource has changed since: it has another ETag.',
  exists: 'The resource exists in a version that If-None-Match excludes.',
} as const;

/** The current version; or the answer of the read if that fails. */
type Present = { readonly tag: string | undefined } | { readonly reply: LooseReply };

async function presentOf<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { read, mayCreate = false }: ServedGuard,
  ready: ReadyCall<Caller>,
): Promise<Present> {
  const { operation } = ready.course;
  const own = ports.options.versions;
  if (own !== undefined && Object.hasOwn(own, operation.id))
    return { tag: await own[operation.id]?.(ready.input, ready.call) };
  const reading = ports.api.operations.find(({ id }) => id === read);
  if (reading === undefined) throw new Error(`no operation reads what ${operation.id} changes`);
  const isMissing = (status: number): boolean => mayCreate && status === 404;
  try {
    const reply = await replyOf(ports, reading, ready);
    if (reply.status < 400) return { tag: await tagOf(ports, reading, reply) };
    return isMissing(reply.status) ? { tag: undefined } : { reply };
  } catch (error) {
    if (error instanceof Refusal && isMissing(refusalReply(ports.api, error).status))
      return { tag: undefined };
    throw error;
  }
}

/**
 * The answer of the handler that reads the resource, called with the path of the change but not with its query and
 * body.
 */
async function replyOf<Caller extends ServerCaller>(
  { handlers, judge, limits }: Ports<Caller>,
  reading: ServedOperation,
  { course, call }: ReadyCall<Caller>,
): Promise<LooseReply> {
  const handler = handlers[reading.id] as Handler<unknown, LooseReply, Caller> | undefined;
  if (handler === undefined) throw new Error(`${reading.id} has no handler`);
  const texts = { segments: course.segments, query: '', headers: course.request.headers };
  const read = await readInput(reading, texts, new Uint8Array(), limits, judge);
  if (read.ok === false)
    throw new Error(
      `${reading.id} cannot tell the version: ${read.message} Give versions.${course.operation.id}.`,
    );
  return handler(read.input, call);
}

async function tagOf<Caller extends ServerCaller>(
  { api, judge, options, outgoing }: Ports<Caller>,
  reading: ServedOperation,
  reply: LooseReply,
): Promise<string> {
  const { reply: shown } = withheld({ api, operation: reading, surface: options.surface, judge }, reply);
  const answer = await outgoing(reading, shown);
  await tag(reading, answer);
  const known = answer.headers.get('etag');
  if (known === null) throw new Error(`the answer of ${reading.id} shows no version`);
  return known;
}

async function inTurn<Value>(
  turns: Map<string, Promise<void>>,
  place: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = turns.get(place);
  let end = (): void => undefined;
  const own = new Promise<void>((resolve) => (end = resolve));
  turns.set(place, own);
  try {
    await before;
    return await work();
  } finally {
    end();
    if (turns.get(place) === own) turns.delete(place);
  }
}
