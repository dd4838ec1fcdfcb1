import type { EventStreamPolicy } from '../../contract/policies/event-stream.ts';
import { isTerminal } from '../../contract/policies/lifecycle.ts';
import { systemClock } from './clock.ts';
import type { Connection } from './connection.ts';
import { ApiError, CallError } from './errors.ts';
import { serverEvents } from './events.ts';
import { at, linkIn } from './links.ts';
import type { Answer, CallOptions } from './operation.ts';

/** The names of a resource's events, and its terminal states. Generated. */
export interface FollowRules {
  readonly events: EventStreamPolicy['events'];
  /** The member of the resource that contains its state. */
  readonly property: string;
  readonly terminal: readonly string[];
  /** The places of the resource's links, which are followed instead of built addresses. */
  readonly links?: { readonly property: string; readonly stream: string; readonly read: string };
}

/** The two operations that a watch consists of, as functions over a connection. Generated. */
export interface FollowCalls<Resource> {
  readonly stream: (connection: Connection, options: CallOptions) => Promise<Answer<Response['body']>>;
  readonly read: (connection: Connection, options: CallOptions) => Promise<Answer<Resource>>;
}

export interface FollowOptions<Resource> {
  readonly signal?: AbortSignal | undefined;
  /** The answer that contains the resource, for its links. */
  readonly from?: Answer<Resource> | undefined;
  /** Pause between two reads if the events are not available. 2 seconds by default. */
  readonly pollMs?: number | undefined;
  /** The silence after which the stream counts as dead. 45 seconds by default. */
  readonly idleMs?: number | undefined;
}

export type Update<Resource> =
  /** The resource changed. In data from an event, members may be missing that only a read returns. */
  | { readonly kind: 'status'; readonly resource: Resource }
  /** Each is a complete snapshot. */
  | { readonly kind: 'progress' | 'preview'; readonly data: unknown }
  /** An event of a kind that is unknown to this client. */
  | { readonly kind: 'other'; readonly event: string; readonly data: unknown }
  /**
   * The resource has reached a terminal state. It was read again, with the members that only a read returns.
   * Always the last update.
   */
  | { readonly kind: 'end'; readonly resource: Resource };

/** After this many consecutive broken streams without an event, the resource is polled instead. */
const STREAM_FAILURES = 3;

/** After this many consecutive failed reads, each of several attempts, the last error is thrown. */
const READ_FAILURES = 5;

const POLL_MS = 2_000;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Watches a resource until it is terminal. A broken stream is opened again without `Last-Event-ID`: each
 * stream begins with a snapshot, and missed events are lost (document 3, "GET /api/v2/jobs/{id}/events").
 * Between two streams the resource is read, because only the read is authoritative; if there are no events,
 * it is polled. After the terminal state it is read a last time.
 *
 * @throws {CallError} when the resource cannot be read
 * @throws the reason of `options.signal` when it aborts
 */
export async function* follow<Resource extends object>(
  connection: Connection,
  rules: FollowRules,
  calls: FollowCalls<Resource>,
  options: FollowOptions<Resource> = {},
): AsyncGenerator<Update<Resource>, void, undefined> {
  const { signal, idleMs, pollMs = POLL_MS } = options;
  const { clock = systemClock, random = Math.random } = connection;
  const told = new Map<string, string>();
  let known = options.from;
  let streamFailures = 0;
  let readFailures = 0;

  // Each stream begins with a snapshot that the previous stream may have sent already.
  const isNews = (kind: string, snapshot: unknown): boolean => {
    const text = textOf(snapshot);
    if (text !== '' && told.get(kind) === text) return false;
    told.set(kind, text);
    return true;
  };
  const via = (link: 'stream' | 'read'): Connection => {
    const { links } = rules;
    const address = links && known && linkIn(known, links.property, links[link]);
    return address === undefined ? connection : at(connection, address);
  };

  for (;;) {
    if (streamFailures < STREAM_FAILURES) {
      streamFailures += 1;
      try {
        const stream = await calls.stream(via('stream'), { signal, retries: 0 });
        for await (const { event, data } of serverEvents(stream, { signal, idleMs, clock })) {
          streamFailures = 0;
          const update = updateOf<Resource>(rules, event, data);
          if (update === undefined) continue;
          if (update.kind === 'other' || isNews(event, update)) yield update;
          if (update.kind === 'status' && hasEnded(rules, update.resource)) break;
        }
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // A server that refuses the events once will refuse them again.
        if (isFinal(error)) streamFailures = STREAM_FAILURES;
      }
    }
    try {
      known = await calls.read(via('read'), { signal });
      readFailures = 0;
      const resource = known.data;
      if (hasEnded(rules, resource)) {
        yield { kind: 'end', resource };
        return;
      }
      const update = { kind: 'status', resource } as const;
      if (isNews(rules.events.status, update)) yield update;
    } catch (error) {
      readFailures += 1;
      if (!(error instanceof CallError) || isFinal(error) || readFailures >= READ_FAILURES) throw error;
    }
    const step = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** (streamFailures + readFailures));
    const pause = streamFailures < STREAM_FAILURES ? step * (0.5 + random() / 2) : pollMs;
    await clock.sleep(pause, signal);
  }
}

// --- internal ---

/** `undefined` for data that is not JSON: the next snapshot has the state. */
function updateOf<Resource>(rules: FollowRules, event: string, text: string): Update<Resource> | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  switch (event) {
    case rules.events.status:
      return { kind: 'status', resource: data as Resource };
    case rules.events.progress:
      return { kind: 'progress', data };
    case rules.events.preview:
      return { kind: 'preview', data };
    default:
      return { kind: 'other', event, data };
  }
}

/** A snapshot that is nested too deeply for JSON.stringify cannot be compared, and counts as new each time. */
function textOf(snapshot: unknown): string {
  try {
    return JSON.stringify(snapshot);
  } catch {
    return '';
  }
}

function hasEnded(rules: FollowRules, resource: unknown): boolean {
  if (typeof resource !== 'object' || resource === null) return false;
  return isTerminal(rules, (resource as Readonly<Record<string, unknown>>)[rules.property]);
}

/** Whether a repeated request would get the same answer. */
function isFinal(error: CallError): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 501 || (error.status < 500 && ![408, 425, 429].includes(error.status));
}
