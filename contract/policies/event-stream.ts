/** The live events of a resource (document 3, "GET /api/v2/jobs/{id}/events" and "Events"). */
export interface EventStreamPolicy {
  readonly kind: 'event-stream';
  readonly operations: readonly string[];
  /** The names of the kinds in `event:` lines, as far as the API has them; others may occur. */
  readonly events: { readonly status: string; readonly progress?: string; readonly preview?: string };
  /** Whether a stream begins with the present state; if left out, it may begin with the next one. */
  readonly stateFirst?: boolean;
  /** The component that the data of each event of the status kind is; if left out, it need only have the state. */
  readonly thing?: string;
  /** Whether every event, of any kind, has a name and JSON as its data. */
  readonly namedJson?: boolean;
  /** Whether the event with a terminal state is the last one, and the stream does not end before it. */
  readonly terminalLast?: boolean;
  /** Whether what was missed is gone: events have no id, and a request to continue after one has no effect. */
  readonly liveOnly?: boolean;
  /**
   * The operation with the authoritative state, for use after the stream has ended or when it is unavailable.
   */
  readonly authority: string;
}

/** One event of a stream in the format of `text/event-stream` (WHATWG HTML, "Server-sent events"). */
export interface StreamEvent {
  /** `message` if the stream does not name one. */
  readonly event: string;
  /** The data lines, joined by line feeds. */
  readonly data: string;
  /** The latest id of the stream, if it has sent one. A reader resumes after it with `Last-Event-ID`. */
  readonly id?: string;
}

export interface EventStreamParser {
  /** The events that this piece of text completes. Pieces may end anywhere. */
  push(text: string): readonly StreamEvent[];
  /** The limit for characters of an incomplete event. */
  held(): number;
}

/**
 * Reads a stream piece by piece. Comments and the field `retry` are skipped. An event that is incomplete at
 * the end of the stream is discarded.
 */
export function eventStreamParser(): EventStreamParser {
  let pending = '';
  let isFirst = true;
  let endedInReturn = false;
  let event = '';
  let data: string[] = [];
  let dataLength = 0;
  let id = '';

  const takeLine = (line: string): StreamEvent | undefined => {
    if (line === '') {
      const named = id === '' ? {} : { id };
      const complete =
        data.length > 0 ? { event: event || 'message', data: data.join('\n'), ...named } : undefined;
      event = '';
      data = [];
      dataLength = 0;
      return complete;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'data') {
      data.push(value);
      dataLength += value.length + 1;
    }
    return undefined;
  };

  return {
    held: () => pending.length + event.length + id.length + dataLength,
    push(piece) {
      if (piece === '') return [];
      // A carriage return at the end of a piece ends its line at once; a line feed that follows belongs to
      // it.
      let text = endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
      endedInReturn = piece.endsWith('\r');
      if (isFirst) text = text.replace(/^\uFEFF/, '');
      isFirst = false;
      const lines = text.split(/\r\n|\r|\n/);
      const rest = lines.pop() ?? '';
      if (lines.length === 0) {
        pending += rest;
        return [];
      }
      lines[0] = pending + (lines[0] ?? '');
      pending = rest;
      return lines.map(takeLine).filter((complete): complete is StreamEvent => complete !== undefined);
    },
  };
}

/** Formats one event for a stream, with its blank line. Line breaks in `data` start further data lines. */
export function formatEvent({ event, data, id }: StreamEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  const named = id === undefined ? '' : `id: ${id.replace(/[\r\n\0]+/g, ' ')}\n`;
  return `${named}event: ${event.replace(/[\r\n]+/g, ' ')}\n${lines.join('')}\n`;
}

/** A comment line that keeps the connection open and has no meaning. */
export function formatComment(text: string): string {
  return `: ${text.replace(/[\r\n]+/g, ' ')}\n\n`;
}
