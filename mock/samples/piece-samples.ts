import type { Bodies, JudgedKind, JudgedPieces } from '../../contract/judge/bodies.ts';
import type { JsonObject } from '../../contract/model.ts';
import { formatEvent } from '../../contract/policies/event-stream.ts';
import { isEventShape } from '../../contract/sequential/event-kinds.ts';
import { lifelike } from './lifelike.ts';
import { schemaSample } from './schema-sample.ts';

/**
 * A body that arrives in pieces, as text, from an example of the document: the whole text, a list of pieces, or one
 * piece.
 */
export function exampleText(value: unknown, pieces: JudgedPieces): string {
  // A text that is no JSON value is the body as it is sent.
  if (typeof value === 'string' && (pieces.framing !== 'events' || /^(?:data|event|id|retry)?:/m.test(value)))
    return value;
  return (Array.isArray(value) ? (value as unknown[]) : [value])
    .map((piece) => written(piece, pieces))
    .join('');
}

/** The same, made from the schemas: two pieces, or one of each kind; one event with a text if nothing describes them. */
export function madeText(
  pieces: JudgedPieces,
  { root, bodies, seed }: { readonly root: JsonObject; readonly bodies: Bodies; readonly seed: string },
): string {
  if (pieces.kinds.length === 0) return formatEvent({ event: 'message', data: 'text' });
  const made = (kind: JudgedKind, index: number): unknown => {
    const { schema } = kind;
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
  return kinds
    .map((kind, index) => {
      const value = made(kind, index);
      return pieces.framing === 'events' ? eventText(value, kind) : written(value, pieces);
    })
    .join('');
}

// --- internal ---

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
