import type { Bodies, JudgedKind, JudgedPieces } from '../../contract/judge/bodies.ts';
import type { JsonObject } from '../../contract/model.ts';
import { formatEvent } from '../../contract/policies/event-stream.ts';
import { isEventShape } from '../../contract/sequential/event-kinds.ts';
import { boundaryOf, type PieceFraming } from '../../contract/sequential/framing.ts';
import { lifelike } from './lifelike.ts';
import { schemaSample } from './schema-sample.ts';

/** A body that arrives in pieces. */
export interface SampleBody {
  readonly text: string;
  /** With the boundary, if the pieces are parts. */
  readonly mediaType: string;
}

/**
 * A body that arrives in pieces, from an example of the document: the whole text, a list of pieces, or one piece.
 */
export function exampleBody(value: unknown, pieces: JudgedPieces, mediaType: string): SampleBody {
  const { framing } = pieces;
  // A text that is no JSON value is the body as it is sent.
  if (typeof value === 'string' && (WHOLE[framing]?.test(value) ?? true))
    return framing === 'parts' ? partsAsSent(value, mediaType) : { text: value, mediaType };
  const all = Array.isArray(value) ? (value as unknown[]) : [value];
  if (framing === 'parts') return partsOf(all, pieces.kinds[0], mediaType);
  return { text: all.map((piece) => written(piece, pieces)).join(''), mediaType };
}

/** The same, made from the schemas: two pieces, or one of each kind; one with a text if nothing describes them. */
export function madeBody(
  pieces: JudgedPieces,
  mediaType: string,
  { root, bodies, seed }: { readonly root: JsonObject; readonly bodies: Bodies; readonly seed: string },
): SampleBody {
  if (pieces.kinds.length === 0)
    return pieces.framing === 'parts'
      ? partsOf(['text'], undefined, mediaType)
      : { text: formatEvent({ event: 'message', data: 'text' }), mediaType };
  const made = (kind: JudgedKind, index: number): unknown => {
    const { schema } = kind;
    if (kind.form === 'bytes') return 'sample';
    const wanted = { seed: `${seed} ${String(index)}` };
    const candidates = [
      () => lifelike(schema, root, wanted),
      () => lifelike(schema, root, { ...wanted, sparse: true }),
      () => schemaSample(schema, root),
      ...[1, 2, 3].map((branch) => () => lifelike(schema, root, { ...wanted, sparse: true, branch })),
    ];
    for (const candidate of candidates) {
      const value = candidate();
      const found = bodies.judge('response', kind, value);
      if ('reason' in found || found.length === 0) return value;
    }
    return schemaSample(schema, root);
  };
  const [only, ...more] = pieces.kinds;
  const kinds = only !== undefined && more.length === 0 ? [only, only] : pieces.kinds;
  if (pieces.framing === 'parts') return partsOf(kinds.map(made), only, mediaType);
  const texts = kinds.map((kind, index) => {
    const value = made(kind, index);
    return pieces.framing === 'events' ? eventText(value, kind) : written(value, pieces);
  });
  return { text: texts.join(''), mediaType };
}

// --- internal ---

const LAST_DELIMITER = /^--([^\r\n]+)--[ \t]*\r?$/m;

/** What shows that a text is a body as it is sent, and not a piece, where both can be texts. */
const WHOLE: Partial<Record<PieceFraming, RegExp>> = {
  events: /^(?:data|event|id|retry)?:/m,
  parts: LAST_DELIMITER,
};

function partsAsSent(text: string, mediaType: string): SampleBody {
  const [, boundary = ''] = LAST_DELIMITER.exec(text) ?? [];
  return { text, mediaType: withBoundary(mediaType, boundary) };
}

/** Each part with the delimiter after it, as a generated server writes it. */
function partsOf(values: readonly unknown[], kind: JudgedKind | undefined, mediaType: string): SampleBody {
  const parts = values.map((value) => {
    const isText = typeof value === 'string' && kind?.form !== 'json';
    const type = kind?.mediaType ?? PART_TYPES[kind?.form ?? (isText ? 'text' : 'json')];
    return `Content-Type: ${type}\r\n\r\n${isText ? value : JSON.stringify(value)}\r\n`;
  });
  let boundary = boundaryOf(mediaType) ?? 'part';
  while (parts.some((part) => part.includes(`--${boundary}`)) && boundaryOf(mediaType) === undefined)
    boundary += '-';
  const delimiter = `--${boundary}`;
  const text = `${[delimiter, ...parts.map((part) => `${part}${delimiter}`)].join('\r\n')}--\r\n`;
  return { text, mediaType: withBoundary(mediaType, boundary) };
}

const PART_TYPES = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  bytes: 'application/octet-stream',
};

function withBoundary(mediaType: string, boundary: string): string {
  if (boundaryOf(mediaType) !== undefined) return mediaType;
  return `${mediaType}; boundary=${/^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`}`;
}

function written(piece: unknown, { framing, kinds }: JudgedPieces): string {
  if (framing === 'lines') return `${JSON.stringify(piece)}\n`;
  if (framing === 'sequence') return `\u001E${JSON.stringify(piece)}\n`;
  if (!isEventShape(piece)) return eventText(piece, kinds[0]);
  const { event, data, id } = piece;
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const numbered = id === undefined ? {} : { id: String(id) };
  return formatEvent({ event: typeof event === 'string' ? event : 'message', data: text, ...numbered });
}

function eventText(value: unknown, kind: JudgedKind | undefined): string {
  const isText = kind?.form === 'text' && typeof value === 'string';
  return formatEvent({
    event: kind?.names?.[0] ?? 'message',
    data: isText ? value : JSON.stringify(value),
  });
}
