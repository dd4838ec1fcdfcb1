import { boundaryOf, framingOf } from '../../contract/sequential/framing.ts';
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
    case 'parts': {
      const boundary = boundaryOf(mediaType);
      return boundary === undefined ? undefined : new PartReader(boundary);
    }
    default:
      return undefined;
  }
}

// --- internal ---

function excessOf(rest: string): string | undefined {
  return rest.length > LONGEST_LINE
    ? `was truncated in a piece of more than ${LONGEST_LINE} characters`
    : undefined;
}

/** JSON values after or before a separator. Empty ones do not count (RFC 7464, section 2.1). */
class SeparatedReader implements PieceReader {
  #rest = '';
  readonly #separator: string;

  constructor(separator: string) {
    this.#separator = separator;
  }

  get excess(): string | undefined {
    return excessOf(this.#rest);
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

/**
 * The parts of `multipart/mixed` (RFC 2046, section 5.1). A part ends where a line begins with the delimiter; two hyphens
 * after a delimiter end the body. What comes before the first delimiter, or after the end, does not count.
 */
class PartReader implements PieceReader {
  /** From the beginning of a part, or of the body: a line begins there. */
  #rest = '\n';
  #searched = 0;
  #isInPart = false;
  #isOver = false;
  readonly #delimiter: string;

  constructor(boundary: string) {
    this.#delimiter = `\n--${boundary}`;
  }

  get excess(): string | undefined {
    return excessOf(this.#rest);
  }

  get rest(): string {
    if (this.#isOver || this.#rest.trim() === '') return '';
    return this.#isInPart ? contentOf(this.#rest) || this.#rest : this.#rest;
  }

  read(text: string, at: number): readonly StreamEvent[] {
    const pieces: StreamEvent[] = [];
    if (this.#isOver) return pieces;
    this.#rest += text;
    for (;;) {
      this.#isOver = this.#isInPart && this.#rest.startsWith('--');
      if (this.#isOver) return pieces;
      const end = this.#rest.indexOf(this.#delimiter, this.#searched);
      if (end < 0) break;
      const data = contentOf(this.#rest.slice(0, end).replace(/\r$/, ''));
      if (this.#isInPart) pieces.push({ name: '', data, hasData: true, hasId: false, at });
      this.#isInPart = true;
      this.#rest = this.#rest.slice(end + this.#delimiter.length);
      this.#searched = 0;
    }
    this.#searched = Math.max(0, this.#rest.length - this.#delimiter.length);
    return pieces;
  }
}

/** What follows the headers of a part, which begin behind its delimiter. */
function contentOf(part: string): string {
  const { 0: blank = '', index = part.length } = /\r?\n\r?\n/.exec(part) ?? {};
  return part.slice(index + blank.length);
}
