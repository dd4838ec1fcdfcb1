import { isTerminal } from '../contract/policies/lifecycle.ts';
import { type PresencePolicy, showPresent } from '../contract/policies/presence.ts';
import { contentFor } from './answer-content.ts';
import type { LooseReply, ServerEvent } from './handler.ts';
import type { Judge, Judged } from './judge.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';

/** The origin of an answer. */
export interface AnswerPlace {
  readonly api: ServedApi;
  readonly operation: ServedOperation;
  /** The API surface that this server implements; `undefined` for all. */
  readonly surface: string | undefined;
  readonly judge: Judge;
}

/**
 * A reply without the members that the contract forbids in it. A stream loses them as well, and ends with its
 * first terminal status. Raw bodies (`raw`) stay unchanged.
 *
 * @returns also the members that were left out because the document describes them otherwise
 */
export function withheld(
  place: AnswerPlace,
  reply: LooseReply,
): { readonly reply: LooseReply; readonly misfits: readonly string[] } {
  if (reply.events !== undefined)
    return { reply: { ...reply, events: untilTerminal(place, reply.events) }, misfits: [] };
  const content = contentFor(place.operation, reply);
  const misfits: string[] = [];
  let { body } = reply;
  for (const policy of place.api.presence ?? []) {
    if (content?.schema === undefined || policy.schema !== content.schema || !isObject(body)) continue;
    body = shownIn(place, policy, body);
    const fault =
      policy.onlyWhenValid === true ? faultOf(policy.property, place.judge(content.schema, body)) : undefined;
    if (fault === undefined) continue;
    misfits.push(`/${policy.property} ${fault}: it is left out`);
    body = without(policy.property, body as Members);
  }
  // The last page has no cursor (document 1, "RouterModelListResponse", row next_cursor).
  const pages = place.operation.pagination;
  const { more, next }: { readonly more?: string; readonly next?: string } =
    pages?.kind === 'pagination' ? pages.page : {};
  if (more !== undefined && next !== undefined && isObject(body) && body[more] === false)
    if (Object.hasOwn(body, next)) body = without(next, body);
  return { reply: body === reply.body ? reply : { ...reply, body }, misfits };
}

// --- internal ---

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(member: string, body: Members): Members {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

function shownIn({ api, operation, surface }: AnswerPlace, policy: PresencePolicy, body: Members): Members {
  const { lifecycle } = api;
  const place = {
    operation: operation.id,
    surface: surface ?? policy.surfaces?.[0] ?? '',
    terminal: lifecycle?.schema !== policy.schema || isTerminal(lifecycle, body[lifecycle.property]),
  };
  return Object.hasOwn(body, policy.property) ? showPresent(policy, place, body) : body;
}

function faultOf(property: string, judged: Judged): string | undefined {
  if (judged.ok !== false) return undefined;
  return judged.errors.find(({ pointer }) => pointer.split('/')[1] === property)?.message;
}

/** The permitted events, up to the first terminal status. Ending the iteration early ends the handler's iterator. */
function untilTerminal(place: AnswerPlace, events: AsyncIterable<ServerEvent>): AsyncIterable<ServerEvent> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<ServerEvent> {
      const iterator = events[Symbol.asyncIterator]();
      let isOver = false;
      const leave = async (): Promise<IteratorResult<ServerEvent>> => {
        await iterator.return?.();
        return { done: true, value: undefined };
      };
      return {
        next: async () => {
          if (isOver) return leave();
          const step = await iterator.next();
          if (step.done === true) return step;
          const { event, isLast } = shownEvent(place, step.value);
          isOver = isLast;
          return { done: false, value: event };
        },
        return: leave,
      };
    },
  };
}

/** Data of type string is parsed as JSON. */
function shownEvent(
  place: AnswerPlace,
  event: ServerEvent,
): { readonly event: ServerEvent; readonly isLast: boolean } {
  const { lifecycle, presence = [] } = place.api;
  if (lifecycle === undefined || 'comment' in event || event.event !== place.operation.stream?.events.status)
    return { event, isLast: false };
  const resource = read(event.data);
  if (resource === undefined) return { event, isLast: false };
  const data = presence
    .filter(({ schema }) => schema === lifecycle.schema)
    .reduce((body, policy) => shownIn(place, policy, body), resource);
  return {
    event: data === resource ? event : { ...event, data },
    isLast: isTerminal(lifecycle, data[lifecycle.property]),
  };
}

function read(data: unknown): Members | undefined {
  if (typeof data !== 'string') return isObject(data) ? data : undefined;
  try {
    const value = JSON.parse(data) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
