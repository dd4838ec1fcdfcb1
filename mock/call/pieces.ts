import { framingOf, type PieceFraming } from '../../contract/sequential/framing.ts';
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

/** The same reply with each piece of its body (a line, a record, an event) sent by itself, as it would come about. */
export function inPieces(reply: SentReply, pace: Pace): SentReply {
  if (!isBytes(reply.body))
    return pace.waitMs === undefined ? reply : { ...reply, body: paced(reply.body, pace) };
  const framing = framingOf(headerOf(reply, 'Content-Type') ?? '');
  const pieces = framing === undefined ? [] : piecesOf(reply.body, framing);
  if (pieces.length < 2) return reply;
  const headers = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers, body: paced(pieces, pace) };
}

// --- internal ---

const LINE_FEED = 0x0a;
const RECORD_SEPARATOR = 0x1e;

/** Whether a piece ends between two bytes; parts of `multipart/mixed` are sent as one. */
const ENDS: Readonly<Record<PieceFraming, (bytes: Uint8Array, at: number) => boolean>> = {
  lines: (bytes, at) => bytes[at - 1] === LINE_FEED,
  sequence: (bytes, at) => bytes[at] === RECORD_SEPARATOR,
  events: (bytes, at) => bytes[at - 1] === LINE_FEED && bytes[at - 2] === LINE_FEED,
  parts: () => false,
};

function piecesOf(bytes: Uint8Array, framing: PieceFraming): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    if (!ENDS[framing](bytes, at)) continue;
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
