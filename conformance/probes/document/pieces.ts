import type { Bodies, JudgedKind, JudgedPieces, PlacedSchema } from '../../../contract/judge/bodies.ts';
import { parseJson, type Exchange } from '../../exchanges/exchange.ts';
import { cut } from '../../exchanges/sketch.ts';
import type { StreamEvent } from '../../http/event-stream.ts';
import { pieceReader } from '../../http/piece-reader.ts';
import { misfitInGeneral, misfitsAsText } from './told-misfits.ts';

/** What is wrong with a piece of a stream, and which it is. */
export interface PieceFault {
  readonly expected: string;
  readonly got: string;
  readonly cause: string;
}

/** The number of pieces of one answer that are judged. */
export const MOST_PIECES = 10_000;

/**
 * The first fault of a body that arrives in pieces, by the kinds of pieces that the document describes. A piece that is
 * not complete is judged only where the server ended the body.
 */
export function pieceFault(
  exchange: Exchange,
  mediaType: string,
  pieces: JudgedPieces,
  bodies: Bodies,
): PieceFault | undefined {
  const reader = pieceReader(mediaType);
  if (exchange.answer === undefined) return undefined;
  if (reader === undefined) return pieces.framing === 'parts' ? withoutBoundary(mediaType) : undefined;
  const text = new TextDecoder().decode(exchange.answer.body);
  const all = reader.read(text, 0).filter(({ hasData }) => hasData);
  const { rest } = reader;
  for (const [index, piece] of all.slice(0, MOST_PIECES).entries()) {
    // Many servers send this text last.
    if (piece.data === '[DONE]' && index === all.length - 1) continue;
    const found = faultOf(piece, pieces, bodies);
    if (found !== undefined) return named(index + 1, piece, found);
  }
  if (rest === '' || all.length >= MOST_PIECES) return undefined;
  return unfinished(rest, all.length + 1, { exchange, pieces, bodies });
}

// --- internal ---

/** The framings whose last piece needs no delimiter after it. */
const ENDED_BY_THE_BODY: ReadonlySet<string> = new Set(['lines', 'sequence']);

function withoutBoundary(mediaType: string): PieceFault {
  return {
    expected: 'a media type with the boundary of the parts',
    got: `${mediaType}, by which no part can be found`,
    cause: 'parts without their boundary',
  };
}

interface Found {
  readonly expected: string;
  readonly message: string;
  readonly cause: string;
}

interface Unfinished {
  readonly exchange: Exchange;
  readonly pieces: JudgedPieces;
  readonly bodies: Bodies;
}

/** What comes after the last complete piece. The end of a body also ends a line, and a piece of a sequence. */
function unfinished(
  rest: string,
  number: number,
  { exchange, pieces, bodies }: Unfinished,
): PieceFault | undefined {
  const ended = exchange.answer?.truncated === undefined ? (exchange.ended ?? 'end') : 'enough';
  const piece = { name: '', data: rest, hasData: true, hasId: false, at: 0 };
  const isPiece = ENDED_BY_THE_BODY.has(pieces.framing) && parseJson(rest) !== undefined;
  if (isPiece && (ended === 'end' || /\n$/.test(rest))) {
    const found = faultOf(piece, pieces, bodies);
    return found && named(number, piece, found);
  }
  if (ended !== 'end' && ended !== 'cut') return undefined;
  return named(number, piece, {
    expected: 'whole pieces',
    message: ended === 'end' ? 'the body ends within it' : 'the connection broke within it',
    cause: ended === 'end' ? 'a stream that ends within a piece' : 'a connection that broke within a piece',
  });
}

function named(number: number, { name, data }: StreamEvent, { expected, message, cause }: Found): PieceFault {
  const what = name === '' ? `piece ${number}` : `piece ${number}, the event ${name}`;
  return { expected, cause, got: `${what}: ${cut(data.trim(), MOST_TEXT)}: ${message}` };
}

function faultOf(piece: StreamEvent, pieces: JudgedPieces, bodies: Bodies): Found | undefined {
  const isEvent = pieces.framing === 'events';
  const name = piece.name === '' ? 'message' : piece.name;
  const kinds = isEvent
    ? // Where the document does not require a name, readers see the usual one.
      pieces.kinds.filter(({ names }) => names === undefined || names.includes(name))
    : pieces.kinds;
  const found: Found[] = [];
  for (const kind of kinds) {
    const fault = faultByKind(piece.data, kind, bodies);
    if (fault === undefined) return undefined;
    found.push(fault);
  }
  // A schema that looks like that of an event may also describe the data.
  for (const { asData } of pieces.kinds)
    if (asData !== undefined && faultInJson(piece.data, asData, bodies) === undefined) return undefined;
  if (pieces.kinds.length === 0) return undefined;
  const names = [...new Set(pieces.kinds.flatMap((kind) => kind.names ?? []))];
  return (
    found[0] ?? {
      expected: `an event with a name that the document has: ${names.join(', ')}`,
      message: `the name ${name}`,
      cause: 'an event with a name that the document does not have',
    }
  );
}

function faultByKind(text: string, kind: JudgedKind, bodies: Bodies): Found | undefined {
  if (kind.form === 'bytes') return undefined;
  return kind.form === 'json' ? faultInJson(text, kind, bodies) : faultInValue(text, kind, bodies);
}

function faultInJson(text: string, placed: PlacedSchema, bodies: Bodies): Found | undefined {
  const value = parseJson(text);
  return value === undefined
    ? { expected: 'pieces of JSON', message: 'not JSON', cause: 'a piece that is not JSON' }
    : faultInValue(value, placed, bodies);
}

/** A schema that cannot be used judges nothing. */
function faultInValue(value: unknown, placed: PlacedSchema, bodies: Bodies): Found | undefined {
  const found = bodies.judge('response', placed, value);
  if ('reason' in found || found.length === 0) return undefined;
  return {
    expected: 'pieces by their schema',
    message: misfitsAsText(found, 'the piece'),
    cause: `a piece by another schema: ${misfitInGeneral(found[0], 'the piece')}`,
  };
}

const MOST_TEXT = 120;
