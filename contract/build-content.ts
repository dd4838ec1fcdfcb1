import { isJson, isUnchanged } from './judge/body-format.ts';
import { entries, follow, record, schemaOf, text } from './document/document-objects.ts';
import type {
  Document,
  Json,
  JsonObject,
  MediaType,
  MemberEncoding,
  ResponseHeader,
  Schema,
} from './model.ts';
import { joinPointer } from './pointer.ts';
import { partsOf, propertiesOf } from './schemas/schema-parts.ts';
import { withTextParts } from './text-parts.ts';

/** The media types of a body. */
export function contentOf(document: Document, content: unknown, at: string): MediaType[] {
  return entries(content).map(([mediaType, raw]) => {
    const pointer = joinPointer(at, 'content', mediaType);
    const value = record(raw);
    const schema = value['schema'] === undefined ? undefined : schemaOf(document, value['schema']);
    const encoding = encodingOf(document, mediaType, value);
    return {
      mediaType,
      schema: isMultipart(mediaType) ? withTextParts(document, schema, encoding) : schema,
      encoding,
      pointer,
      examples: examplesOf(document, value, pointer),
    };
  });
}

/** A header of an answer or of a part. */
export function headerOf(document: Document, name: string, raw: unknown, at: string): ResponseHeader {
  const { value } = follow(document, raw, at);
  const [content] = entries(value['content']);
  return {
    name,
    required: value['required'] === true,
    description: text(value['description']),
    explode: value['explode'] === true,
    mediaType: content?.[0],
    schema: schemaOf(document, content === undefined ? value['schema'] : record(content[1])['schema']),
  };
}

// --- internal ---

function isMultipart(mediaType: string): boolean {
  return /^\s*multipart\//i.test(mediaType);
}

/** OpenAPI 3.0 allows styles only in urlencoded forms, 3.1 also in parts of `multipart/form-data`. */
function encodingOf(
  document: Document,
  mediaType: string,
  { encoding, schema }: JsonObject,
): MemberEncoding[] {
  const isForm = /^\s*application\/x-www-form-urlencoded/i.test(mediaType);
  const isFormData = /^\s*multipart\/form-data/i.test(mediaType);
  const hasStyles = isForm || (document.dialect !== '3.0' && isFormData);
  // The generated code writes these two from the media type and the name of the part.
  const isOwn = (header: string): boolean =>
    /^content-type$/i.test(header) || (isFormData && /^content-disposition$/i.test(header));
  const typed = isMultipart(mediaType)
    ? typedParts(document, schema as Schema | undefined)
    : new Map<string, string>();
  const named = new Map<string, Json>([...typed.keys()].map((name) => [name, {}]));
  for (const [name, raw] of entries(encoding)) named.set(name, raw);
  return [...named].map(([name, raw]) => {
    const value = record(raw);
    const isStyled =
      hasStyles && ['style', 'explode', 'allowReserved'].some((member) => value[member] !== undefined);
    const style = text(value['style']) ?? 'form';
    return {
      name,
      contentType: text(value['contentType']) ?? (isStyled ? undefined : typed.get(name)),
      style: isStyled ? style : undefined,
      explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
      allowReserved: value['allowReserved'] === true,
      headers: isMultipart(mediaType)
        ? entries(value['headers'])
            .filter(([header]) => !isOwn(header))
            .map(([header, described]) => headerOf(document, header, described, ''))
        : [],
    };
  });
}

/**
 * The media types that schemas give to parts: `contentMediaType` without an encoding as text. Text that is JSON is
 * left out, because a part of JSON is a value.
 */
function typedParts(document: Document, schema: Schema | undefined): ReadonlyMap<string, string> {
  const { root } = document;
  const typeIn = (part: Schema, depth = 0): string | undefined => {
    for (const { contentMediaType, contentEncoding, items } of partsOf(part, root, 'all')) {
      if (typeof contentMediaType === 'string')
        return isUnchanged(contentEncoding) && !isJson(contentMediaType) ? contentMediaType : undefined;
      if (items !== undefined && depth === 0) return typeIn(items as Schema, 1);
    }
    return undefined;
  };
  return new Map(
    propertiesOf(schema, root).flatMap(([name, part]) => {
      const type = typeIn(part);
      return type === undefined ? [] : [[name, type] as const];
    }),
  );
}

function examplesOf(
  document: Document,
  mediaType: JsonObject,
  pointer: string,
): { name: string; value: Json }[] {
  const named = entries(mediaType['examples']).flatMap(([name, raw]) => {
    const example = follow(document, raw, joinPointer(pointer, 'examples', name)).value;
    return example['value'] === undefined ? [] : [{ name, value: example['value'] }];
  });
  return mediaType['example'] === undefined
    ? named
    : [{ name: 'example', value: mediaType['example'] }, ...named];
}
