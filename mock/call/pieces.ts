import { boundaryOf, framingOf, type PieceFraming } from '../../contract/sequential/framing.ts';
import type { Clock } from '../state/clock.ts';
import { headerOf } from './answer.ts';
import { isBytes, type SentReply } from './exchange.ts';

/** When the next piece of a body is sent. */
export interface Pace {
  readonly clock: Clock;
  /** Aborts if the caller disconnects. */
  readonly signal: AbortSignal;
  /** How long to wait before each piece but the first, in milliseconds; by default not at all. */
  readonly waitMs: number | undefined;
}

/** The same reply with each piece of its body (a line, a record, an event, a part) sent by itself, as it would come about. */
export function inPieces(reply: SentReply, pace: Pace): SentReply {
  if (!isBytes(reply.body))
    return pace.waitMs === undefined ? reply : { ...reply, body: paced(reply.body, pace) };
  const mediaType = headerOf(reply, 'Content-Type') ?? '';
  const framing = framingOf(mediaType);
  const pieces = framing === undefined ? [] : piecesOf(reply.body, framing, mediaType);
  if (pieces.length < 2) return reply;
  const headers = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers, body: paced(pieces, pace) };
}

// --- internal ---

const LINE_FEED = 0x0a;
const RECORD_SEPARATOR = 0x1e;
const HYPHEN = 0x2d;

/** Whether a piece ends between two bytes. A part ends with the delimiter after it, which shows that it is complete. */
function endsOf(framing: PieceFraming, mediaType: string): (bytes: Uint8Array, at: number) => boolean {
  switch (framing) {
    case 'lines':
      return (bytes, at) => bytes[at - 1] === LINE_FEED;
    case 'sequence':
      return (bytes, at) => bytes[at] === RECORD_SEPARATOR;
    case 'events':
      return (bytes, at) => bytes[at - 1] === LINE_FEED && bytes[at - 2] === LINE_FEED;
    case 'parts': {
      const boundary = boundaryOf(mediaType);
      if (boundary === undefined) return () => false;
      const delimiter = Buffer.from(`\n--${boundary}`);
      // Two hyphens after a delimiter are the end of the body.
      return (bytes, at) =>
        bytes[at - 1] === delimiter.at(-1) &&
        bytes[at] !== HYPHEN &&
        delimiter.equals(bytes.subarray(Math.max(0, at - delimiter.length), at));
    }
  }
}

function piecesOf(bytes: Uint8Array, framing: PieceFraming, mediaType: string): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const isEnd = endsOf(framing, mediaType);
  let from = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    if (!isEnd(bytes, at)) continue;
    pieces.push(bytes.subarray(from, at));
    from = at;
  }
  return bytes.length === 0 ? [] : [...pieces, bytes.subarray(from)];
}

async function* paced(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { clock, signal, waitMs }: Pace,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    if (!isFirst && waitMs !== undefined) await clock.sleep(waitMs, signal);
    isFirst = false;
    yield piece;
  }
}
