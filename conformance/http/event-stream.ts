/** One event of a stream, as readers of server-sent events see it, with details of its lines. */
export interface StreamEvent {
  /** The `event` field; empty if there is none. */
  readonly name: string;
  /** The `data` lines, joined. */
  readonly data: string;
  readonly hasData: boolean;
  /** Whether the event has an `id` line. */
  readonly hasId: boolean;
  /** Milliseconds of the suite's clock. */
  readonly at: number;
}

/** The limits beyond which an event stream is no longer read. */
export const MOST_EVENTS = 10_000;
export const LONGEST_LINE = 8 * 1024 * 1024;

/**
 * Parses text into events (WHATWG HTML, "Server-sent events"): lines may end with CR, LF or both, comments
 * are ignored, a blank line ends an event. Text may arrive in any pieces.
 */
export class EventReader {
  #line = '';
  #afterReturn = false;
  #name = '';
  #data: string[] = [];
  #hasId = false;
  #fields = 0;
  #events = 0;

  /** Why reading stopped, as the end of a sentence; `undefined` while the stream is within its limits. */
  get excess(): string | undefined {
    if (this.#events >= MOST_EVENTS) return `was truncated after ${MOST_EVENTS} events`;
    if (this.#line.length > LONGEST_LINE)
      return `was truncated in a line of more than ${LONGEST_LINE} characters`;
    return undefined;
  }

  /** What has arrived of an event with data that is not complete; empty if there is none. */
  get rest(): string {
    const isData = /^data\b/.test(this.#line);
    return this.#data.length > 0 || isData ? [...this.#data, ...(isData ? [this.#line] : [])].join('\n') : '';
  }

  /** Events that end within this piece. */
  read(text: string, at: number): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    let from = 0;
    for (const { 0: end, index } of text.matchAll(/[\r\n]/g)) {
      const isFeedOfPair = end === '\n' && this.#afterReturn && index === from;
      const line = this.#line + text.slice(from, index);
      from = index + 1;
      this.#afterReturn = end === '\r';
      if (isFeedOfPair) continue;
      this.#line = '';
      const event = this.#take(line, at);
      if (event === undefined) continue;
      events.push(event);
      this.#events += 1;
      if (this.#events >= MOST_EVENTS) return events;
    }
    if (from < text.length) this.#afterReturn = false;
    this.#line += text.slice(from);
    return events;
  }

  #take(line: string, at: number): StreamEvent | undefined {
    if (line === '') return this.#finish(at);
    if (line.startsWith(':')) return undefined;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    this.#fields += 1;
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#hasId = true;
    else if (field === 'retry') this.#fields -= 1;
    return undefined;
  }

  #finish(at: number): StreamEvent | undefined {
    const event =
      this.#fields === 0
        ? undefined
        : {
            name: this.#name,
            data: this.#data.join('\n'),
            hasData: this.#data.length > 0,
            hasId: this.#hasId,
            at,
          };
    this.#name = '';
    this.#data = [];
    this.#hasId = false;
    this.#fields = 0;
    return event;
  }
}

/** All events of a complete text. */
export function readEvents(text: string, at: number): readonly StreamEvent[] {
  return new EventReader().read(text.replace(/^\ufeff/, ''), at);
}
