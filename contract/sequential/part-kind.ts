import { isJson, isTextual, isUnchanged } from '../judge/body-format.ts';
import type { Document, Schema } from '../model.ts';
import { isRecord } from '../record.ts';
import { UNKNOWN_PART, wireType } from '../schemas/wire-type.ts';
import { followedSchema } from './alternatives.ts';
import { jsonIn } from './event-kinds.ts';
import type { PieceKind } from './piece-kind.ts';

/**
 * What the parts of a list are, by the schema of an item: bytes, texts, or else JSON. There is no kind if the schema allows
 * anything. Parts have no names, so that only one way to read them can be typed.
 */
export function partKinds(
  schema: Schema,
  document: Document,
): { readonly kinds: readonly PieceKind[]; readonly unread?: string } {
  const inner = jsonIn(schema, document);
  if (inner !== undefined) return { kinds: [{ form: 'json', schema: inner }] };
  const { kinds } = wireType(schema, document, DEPTH, UNKNOWN_PART);
  const forms = new Set(kinds.map(formOf));
  const mediaType = statedType(schema, document);
  if (mediaType !== undefined && !isJson(mediaType)) {
    const isText = isTextual(mediaType);
    const said = isText && !forms.has('json') ? schema : undefined;
    return { kinds: [{ form: isText ? 'text' : 'bytes', schema: said, mediaType }] };
  }
  const [form, ...more] = forms;
  if (form === undefined || UNKNOWN_PART.kinds.join() === kinds.join()) return { kinds: [] };
  if (more.length > 0) return { kinds: [], unread: 'has parts that are JSON, text or bytes by turns' };
  return { kinds: [{ form, schema: form === 'bytes' ? undefined : schema }] };
}

// --- internal ---

/** A text in an object that is in a part is of no interest here. */
const DEPTH = 2;

function formOf(kind: string): PieceKind['form'] {
  if (kind === 'bytes') return 'bytes';
  return kind === 'string' ? 'text' : 'json';
}

/** The media type of a part that its schema states, unless the part is that type written as text. */
function statedType(schema: Schema, document: Document): string | undefined {
  const found = followedSchema(schema, document);
  if (!isRecord(found) || !isUnchanged(found['contentEncoding'])) return undefined;
  const stated = found['contentMediaType'];
  return typeof stated === 'string' && /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/.test(stated) ? stated : undefined;
}
