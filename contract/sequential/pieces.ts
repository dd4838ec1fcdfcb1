import type { BodyFormat } from '../../engine/served-api.ts';
import { bodyFormatOf } from '../judge/body-format.ts';
import type { Document, MediaType, Schema } from '../model.ts';
import { isRecord } from '../record.ts';
import { followedSchema } from './alternatives.ts';
import { eventKinds, isTextAlone } from './event-kinds.ts';
import { type PieceFraming, framingOf } from './framing.ts';
import { partKinds } from './part-kind.ts';
import type { PieceKind } from './piece-kind.ts';

/** A body that arrives in pieces, as its document describes it. */
export interface Pieces {
  readonly framing: PieceFraming;
  /** Each piece is of one of these kinds. Empty if the document does not say what a piece is. */
  readonly kinds: readonly PieceKind[];
  /** Why the description cannot be used, as the end of a sentence about the stream. */
  readonly unread?: string;
}

/**
 * The pieces of a content; `undefined` if its media type is that of a single value. OpenAPI 3.2 describes a piece by
 * `itemSchema`; the reader makes a list of it. In `schema`, frameworks print a list of pieces, a piece, or the data of
 * an event.
 */
export function piecesOf(
  { mediaType, schema }: Pick<MediaType, 'mediaType' | 'schema'>,
  document: Document,
): Pieces | undefined {
  const framing = framingOf(mediaType);
  if (framing === undefined) return undefined;
  const items = itemsOf(schema, document);
  if (framing === 'parts') {
    // The members of an object are the parts of a form.
    return items === undefined ? undefined : { framing, ...partKinds(items, document) };
  }
  if (framing !== 'events') {
    // A schema that is only text describes the text of the whole body.
    const isText = items === undefined && schema !== undefined && isTextAlone(schema, document);
    return { framing, kinds: [{ form: 'json', schema: isText ? undefined : (items ?? schema) }] };
  }
  return { framing, ...eventKinds(items ?? schema, { document, isItem: items !== undefined }) };
}

/**
 * How generated code represents the body of an answer: as that of a request, but a list of parts arrives part by part.
 * Those of a request are sent at once.
 */
export function answerFormatOf(content: MediaType, document: Document): BodyFormat {
  const isInParts = piecesOf(content, document)?.framing === 'parts';
  return isInParts ? 'parts' : bodyFormatOf(content.mediaType, content.schema);
}

/**
 * The schema of all values of a body of JSON values that follow one another, as a list; `undefined` if nothing describes
 * them. A document describes each value, or all of them.
 */
export function listOfValues(
  content: Pick<MediaType, 'mediaType' | 'schema'>,
  document: Document,
): Schema | undefined {
  const { framing, kinds: [kind] = [] } = piecesOf(content, document) ?? {};
  if ((framing !== 'lines' && framing !== 'sequence') || kind?.schema === undefined) return undefined;
  return kind.schema === content.schema ? { type: 'array', items: kind.schema } : content.schema;
}

/**
 * The kinds of the events of a request; empty if nothing describes them, or if the same schema can describe an event or its
 * data.
 */
export function eventKindsOf(
  content: Pick<MediaType, 'mediaType' | 'schema'>,
  document: Document,
): readonly PieceKind[] {
  const { framing, kinds = [] } = piecesOf(content, document) ?? {};
  return framing !== 'events' || kinds.some(({ asData }) => asData !== undefined) ? [] : kinds;
}

/** The kinds that an event with this name can be of. */
export function kindsNamed({ kinds }: Pieces, name: string): readonly PieceKind[] {
  return kinds.filter(({ names }) => names === undefined || names.includes(name));
}

// --- internal ---

/** The schema of the items of a list; `undefined` if the schema does not describe a list. */
function itemsOf(schema: Schema | undefined, document: Document): Schema | undefined {
  const found = followedSchema(schema, document);
  if (!isRecord(found)) return undefined;
  const { type, items, prefixItems } = found;
  if (type !== 'array' && (type !== undefined || (items ?? prefixItems) === undefined)) return undefined;
  const first = Array.isArray(prefixItems) ? (prefixItems as Schema[]) : [];
  const rest = (items as Schema | undefined) ?? true;
  return first.length === 0 ? rest : { anyOf: [...first, rest] };
}
