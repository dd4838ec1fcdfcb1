/** Results that arrive part by part, as `multipart/mixed`. */

import type { AnswerReader } from './answers.ts';
import { pieces } from './pieces.ts';
import type { PieceReading, Source } from './pieces.ts';
import { broken, parsed, streamOf } from './streams.ts';

/**
 * The parts of `multipart/mixed` (RFC 2046, section 5.1), each as soon as the delimiter after it arrives.
 *
 * @param form what each part is; without it, the media type of the part decides
 */
export function partsReader(form?: 'json' | 'text' | 'bytes'): AnswerReader {
  return (response, _mostBytes, reading) =>
    streamOf(response, reading, async function* (facts, { signal, clock }) {
      yield* pieces(facts, partReading(facts, form), { signal, clock });
    });
}

// --- internal ---

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HYPHEN = 45;
const DECODER = new TextDecoder();

/** @throws {ResponseError} when the media type has no boundary */
function partReading(facts: Source, form: 'json' | 'text' | 'bytes' | undefined): PieceReading<unknown> {
  const type = facts.headers.get('content-type') ?? '';
  const found = /;\s*boundary=(?:"([^"]+)"|([^;\s"]+))/i.exec(type);
  const plain = found?.[2] ?? found?.[1];
  if (plain === undefined) {
    facts.body?.cancel().catch(() => undefined);
    throw broken(facts, `The server sent parts without their boundary, as ${type}`);
  }
  const mark = new TextEncoder().encode(`\n--${plain}`);
  // The first delimiter may begin the body: a line ends before it then, too.
  let store = Uint8Array.of(LINE_FEED);
  let used = 1;
  let sought = 0;
  let isInPart = false;
  let isOver = false;

  const append = (bytes: Uint8Array): void => {
    if (used + bytes.length > store.length) {
      const larger = new Uint8Array(2 * (used + bytes.length));
      larger.set(store.subarray(0, used));
      store = larger;
    }
    store.set(bytes, used);
    used += bytes.length;
  };
  /** Where the next delimiter begins; -1 if it has not arrived. What was searched once is not searched again. */
  const nextMark = (): number => {
    const known = store.subarray(0, used);
    for (;;) {
      const at = known.indexOf(LINE_FEED, sought);
      sought = at < 0 ? used : at;
      if (at < 0 || used - at < mark.length) return -1;
      let same = 1;
      while (same < mark.length && known[at + same] === mark[same]) same += 1;
      if (same === mark.length) return at;
      sought = at + 1;
    }
  };

  return {
    what: 'A part',
    bound: 'the longest part',
    push(_text, bytes) {
      if (isOver) return [];
      append(bytes);
      const found: unknown[] = [];
      let from = 0;
      for (;;) {
        // Two hyphens after a delimiter end the body. What follows means nothing.
        isOver = isInPart && used > from + 1 && store[from] === HYPHEN && store[from + 1] === HYPHEN;
        const at = isOver ? -1 : nextMark();
        if (at < 0) break;
        if (isInPart) found.push(valueOf(store.subarray(from, at), form, facts));
        isInPart = true;
        from = sought = at + mark.length;
      }
      store.copyWithin(0, from, used);
      used = isOver ? 0 : used - from;
      sought -= from;
      return found;
    },
    held: () => used,
    end() {
      if (store.subarray(0, used).some((byte) => byte > SPACE))
        throw broken(facts, 'The stream ended within a part');
      return [];
    },
  };
}

/** The value of a part, whose bytes begin behind its delimiter and end before the line feed of the next one. */
function valueOf(part: Uint8Array, form: string | undefined, facts: Source): unknown {
  const [head, from] = headOf(part);
  const content = part.subarray(from, part.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
  const isOpen = form === undefined || form === 'bytes';
  const type = isOpen ? /^content-type:(.*)$/im.exec(DECODER.decode(head))?.[1]?.trim() : undefined;
  const isJson = form === undefined ? /[/+]json\s*(?:;|$)/i.test(type ?? '') : form === 'json';
  const isBytes = form === undefined ? !isJson && !/^(?:text\/|$)/i.test(type ?? '') : form === 'bytes';
  if (isBytes) return new Blob([content.slice()], type === undefined ? {} : { type });
  const text = DECODER.decode(content);
  return isJson ? parsed(text, facts) : text;
}

/** The header lines of a part, and where its content begins: after the first empty line. */
function headOf(part: Uint8Array): readonly [head: Uint8Array, end: number] {
  for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) {
    const after = part[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1;
    if (part[after] === LINE_FEED) return [part.subarray(0, at), after + 1];
  }
  return [part, part.length];
}
