import { framingOf } from '../../contract/sequential/framing.ts';
import { EventReader, LONGEST_LINE, type StreamEvent } from './event-stream.ts';

/** Reads the pieces of a body as their text arrives. A piece that is not an event has data alone. */
export interface PieceReader {
  /** Why reading stopped, as the end of a sentence; `undefined` while the body is within its limits. */
  readonly excess: string | undefined;
  /** What has arrived of a piece that is not complete; empty if there is none. */
  readonly rest: string;
  /** Pieces that end within this text. */
  readonly read: (text: string, at: number) => readonly StreamEvent[];
}

/** The reader for a media type; `undefined` if its bodies do not arrive in pieces of text. */
export function pieceReader(mediaType: string): PieceReader | undefined {
  // Events are read also from a server that names them in another way.
  if (/event-stream/i.test(mediaType)) return new EventReader();
  switch (framingOf(mediaType)) {
    case 'lines':
      return new SeparatedReader('\n');
    case 'sequence':
      return new SeparatedReader('\u001E');
    default:
      return undefined;
  }
}

// --- internal ---

/** JSON values after or before a separator. Empty ones do not count (RFC 7464, section 2.1). */
class SeparatedReader implements PieceReader {
  #rest = '';
  readonly #separator: string;

  constructor(separator: string) {
    this.#separator = separator;
  }

  get excess(): string | undefined {
    return this.#rest.length > LONGEST_LINE
      ? `was truncated in a piece of more than ${LONGEST_LINE} characters`
      : undefined;
  }

  get rest(): string {
    return this.#rest.trim() === '' ? '' : this.#rest;
  }

  read(text: string, at: number): readonly StreamEvent[] {
    const texts = text.split(this.#separator);
    texts[0] = this.#rest + (texts[0] ?? '');
    this.#rest = texts.pop() ?? '';
    return texts
      .filter((data) => data.trim() !== '')
      .map((data) => ({ name: '', data, hasData: true, hasId: false, at }));
  }
}
