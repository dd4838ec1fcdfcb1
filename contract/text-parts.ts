import { schemaOf } from './document/document-objects.ts';
import { essenceOf, isTextual } from './judge/body-format.ts';
import type { Document, JsonObject, MemberEncoding, Schema } from './model.ts';
import { localPointer, valueAt } from './pointer.ts';
import { isRecord } from './record.ts';
import { wireType } from './schemas/wire-type.ts';

/**
 * The schema of a multipart body in which parts of a textual media type, such as XML, are texts: like a whole body of
 * that type, they are written and read by the code around.
 */
export function withTextParts(
  document: Document,
  schema: Schema | undefined,
  encoding: readonly MemberEncoding[],
): Schema | undefined {
  const names = encoding.flatMap(({ name, contentType, style }) =>
    contentType !== undefined && style === undefined && isTextual(essenceOf(contentType)) ? [name] : [],
  );
  if (schema === undefined || names.length === 0) return schema;
  return changed(schema, new Set(names), document, new Map());
}

// --- internal ---

/** @param known the schemas that references name, each read once: a schema can occur in many others */
function changed(
  schema: Schema,
  names: ReadonlySet<string>,
  document: Document,
  known: Map<string, Schema>,
): Schema {
  if (!isRecord(schema)) return schema;
  const { $ref, properties, allOf } = schema;
  const pointer = typeof $ref === 'string' ? localPointer($ref) : undefined;
  if (pointer !== undefined) {
    const read = known.get(pointer);
    if (read !== undefined) return read;
    known.set(pointer, schema);
    const target = schemaOf(document, valueAt(document.root, pointer) as Schema);
    const text = changed(target, names, document, known);
    // A schema without such a part keeps its name.
    if (text !== target) known.set(pointer, text);
    return text === target ? schema : text;
  }
  const parts = Array.isArray(allOf)
    ? allOf.map((part) => changed(part as Schema, names, document, known))
    : undefined;
  const members = isRecord(properties)
    ? Object.entries(properties).map(([name, member]) =>
        names.has(name) ? ([name, asText(member as Schema, document)] as const) : ([name, member] as const),
      )
    : [];
  const isSame =
    members.every(([name, member]) => member === (properties as JsonObject)[name]) &&
    (parts ?? []).every((part, index) => part === (allOf as readonly Schema[])[index]);
  if (isSame) return schema;
  return {
    ...schema,
    ...(parts === undefined ? {} : { allOf: parts as JsonObject[] }),
    ...(isRecord(properties) ? { properties: Object.fromEntries(members) as JsonObject } : {}),
  };
}

function asText(member: Schema, document: Document): Schema {
  const { kinds, items } = wireType(member, document);
  const description = isRecord(member) ? member['description'] : undefined;
  const said = typeof description === 'string' ? { description } : {};
  if (kinds.includes('object')) return { ...said, type: 'string' };
  return items?.kinds.includes('object') === true
    ? { ...said, type: 'array', items: { type: 'string' } }
    : member;
}
