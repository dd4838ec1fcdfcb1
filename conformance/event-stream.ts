/** One event of a stream as a reader of server-sent events sees it, with what a strict look at its lines tells. */
export interface StreamEvent {
  /** The `event` field; empty where there is none. */
  readonly name: string;
  /** The `data` lines, joined. */
  readonly data: string;
  readonly hasData: boolean;
  /** Whether an `id` line came with it. */
  readonly hasId: boolean;
  /** Milliseconds of the suite's clock. */
  readonly at: number;
}

/**
 * Takes text apart into events (WHATWG HTML, "Server-sent events"): lines may end with CR, LF or both, comments are
 * passed over, a blank line ends an event. Text may come in any pieces.
 */
export class EventReader {
  #line = '';
  #afterReturn = false;
  #name = '';
  #data: string[] = [];
  #hasId = false;
  #fields = 0;

  /** Events that end within this piece. */
  read(text: string, at: number): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const char of text) {
      const isFeedOfPair = char === '\n' && this.#afterReturn;
      this.#afterReturn = char === '\r';
      if (isFeedOfPair) continue;
      if (char !== '\r' && char !== '\n') {
        this.#line += char;
        continue;
      }
      const event = this.#take(this.#line, at);
      this.#line = '';
      if (event !== undefined) events.push(event);
    }
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

/** All events of a text that is there as a whole. */
export function readEvents(text: string, at: number): readonly StreamEvent[] {
  return new EventReader().read(text.replace(/^\ufeff/, ''), at);
}
