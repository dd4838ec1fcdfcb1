import { type Ambiguous, formOf, isTextOrObject, multipartOf } from './form.ts';
import { essenceOf, isOf } from './media-types.ts';
import { asForm, boundaryOf } from './multipart.ts';
import { isNestedDeeperThan } from './nesting.ts';
import type { ServedContent, ServedOperation } from './served-api.ts';

export type ReadBody =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly content: ServedContent | undefined;
      /** Another value of the same bytes, for a document that does not accept the first. */
      readonly otherwise?: () => Promise<unknown>;
    }
  | { readonly ok: false; readonly cause: BadBody; readonly message: string };

/** Why a body cannot be read: it is left out, its syntax is wrong, or it is of another type or too large. */
export type BadBody = 'badInput' | 'malformed' | 'mediaType' | 'tooLarge';

/** Limits of a body besides its length. */
export interface BodyBounds {
  /** Fields of a form, or parts of a multipart body. */
  readonly formFields: number;
  /** Levels of nested objects and lists. */
  readonly jsonDepth: number;
}

/** Reads a body by its media type, which must be one that the document declares. */
export async function readBody(
  operation: ServedOperation,
  bytes: Uint8Array,
  headers: Headers,
  bounds: BodyBounds,
): Promise<ReadBody> {
  const { body } = operation;
  if (body === undefined) return { ok: true, value: undefined, content: undefined };
  const declared = headers.get('content-type');
  if (bytes.length === 0 && declared === null) {
    if (!body.required) return { ok: true, value: undefined, content: undefined };
    return { ok: false, cause: 'badInput', message: 'The request must have a body.' };
  }
  const encoding = headers.get('content-encoding')?.trim() ?? '';
  if (!/^(?:identity)?$/i.test(encoding)) {
    const message = 'The body is compressed or otherwise encoded: send it without Content-Encoding.';
    return { ok: false, cause: 'mediaType', message };
  }
  const essence = essenceOf(declared ?? '');
  // The most specific description takes precedence: parameters of a media type, then the type, then a range.
  const content =
    body.contents.find(({ mediaType }) => mediaType === declared) ??
    body.contents.find(({ mediaType }) => essenceOf(mediaType) === essence) ??
    body.contents.find(({ mediaType }) => isOf(mediaType, essence));
  if (content === undefined) {
    const known = body.contents.map(({ mediaType }) => mediaType).join(' or ');
    return {
      ok: false,
      cause: 'mediaType',
      message: `The body must be ${known}, and its Content-Type must say so.`,
    };
  }
  return read(content, bytes, declared ?? content.mediaType, bounds);
}

// --- internal ---

async function read(
  content: ServedContent,
  bytes: Uint8Array,
  type: string,
  { formFields, jsonDepth }: BodyBounds,
): Promise<ReadBody> {
  const good = (value: unknown): ReadBody => ({ ok: true, value, content });
  const either = ambiguousIn(content);
  const chosen = async (
    first: Ambiguous,
    reading: (ambiguous: Ambiguous) => Promise<object>,
  ): Promise<ReadBody> => {
    const value = await reading(first);
    if (either.size === 0) return { ok: true, value, content };
    const otherwise = (): Promise<object> => reading(first === 'text' ? 'object' : 'text');
    return { ok: true, value, content, otherwise };
  };
  const bad = (message: string): ReadBody => ({ ok: false, cause: 'malformed', message });
  const tooMany = (what: string): ReadBody => ({
    ok: false,
    cause: 'tooLarge',
    message: `The body has more than ${String(formFields)} ${what}.`,
  });
  switch (content.bodyFormat) {
    case 'json': {
      const text = textOf(bytes);
      if (text === undefined) return bad('The body is not valid UTF-8.');
      if (isNestedDeeperThan(jsonDepth, text))
        return bad(`The body is nested more than ${String(jsonDepth)} levels deep.`);
      try {
        return good(JSON.parse(text) as unknown);
      } catch {
        return bad('The body is not valid JSON.');
      }
    }
    case 'form': {
      const text = textOf(bytes);
      if (text === undefined) return bad('The body is not valid UTF-8.');
      if (occursMoreThan(formFields - 1, '&', text)) return tooMany('fields');
      return chosen('object', (ambiguous) => formOf(text, content, ambiguous));
    }
    case 'multipart': {
      const delimiter = `--${boundaryOf(type) ?? ''}`;
      // One delimiter precedes each part, and one ends the body.
      if (occursMoreThan(formFields + 1, delimiter, new TextDecoder('latin1').decode(bytes)))
        return tooMany('parts');
      try {
        const form = asForm(bytes, type, Object.keys(content.reads?.members ?? {}), either);
        const parts = await new Response(form.bytes as Uint8Array & { readonly buffer: ArrayBuffer }, {
          headers: { 'Content-Type': form.type },
        }).formData();
        return await chosen('text', (ambiguous) => multipartOf(parts, content, ambiguous));
      } catch {
        return bad('The body is not a multipart form.');
      }
    }
    case 'lines':
    case 'sequence': {
      const text = textOf(bytes);
      if (text === undefined) return bad('The body is not valid UTF-8.');
      const separator = content.bodyFormat === 'lines' ? '\n' : '\u001E';
      const items = text.split(separator).filter((item) => item.trim() !== '');
      if (items.some((item) => isNestedDeeperThan(jsonDepth, item)))
        return bad(`The body is nested more than ${String(jsonDepth)} levels deep.`);
      try {
        return good(items.map((item) => JSON.parse(item) as unknown));
      } catch {
        return bad('The body has an item that is not valid JSON.');
      }
    }
    case 'parts':
    case 'binary':
      return good(new Blob([bytes as Uint8Array & { readonly buffer: ArrayBuffer }], { type }));
    case 'text':
    case 'events':
      return good(new TextDecoder().decode(bytes));
  }
}

/** The members that may be a text or an object, and have no encoding of their own. */
function ambiguousIn({ reads, members = {} }: ServedContent): ReadonlySet<string> {
  const types = Object.entries(reads?.members ?? {});
  return new Set(
    types.flatMap(([name, type]) => (isTextOrObject(type) && !Object.hasOwn(members, name) ? [name] : [])),
  );
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a text occurs more than `most` times. Counting stops at that number. */
function occursMoreThan(most: number, piece: string, text: string): boolean {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}
