import type { PlacedObject } from '../object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/** Gives a request body its content. */
export function repairRequestBody({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { schema, content } = value;
  const hasSchema = isRecord(schema);
  if (isRecord(content) && hasSchema) return repairSchemaBesideContent(value, content, pointer, repaired);
  if (Object.hasOwn(value, 'content')) return;
  value['content'] = hasSchema ? { 'application/json': { schema } } : {};
  if (hasSchema) delete value['schema'];
  repaired({
    kind: 'a request body without content',
    pointer,
    wrong: `the request body has ${hasSchema ? 'a schema outside of' : 'no'} content`,
    read: hasSchema ? 'the schema of application/json' : 'a body of any media type',
  });
}

// --- internal ---

/** The media types have schemas of their own, or this one. */
function repairSchemaBesideContent(
  body: Record<string, unknown>,
  content: Record<string, unknown>,
  pointer: string,
  repaired: Repaired,
): void {
  const empty = Object.entries(content).filter(
    ([, mediaType]) => isRecord(mediaType) && !Object.hasOwn(mediaType, 'schema'),
  );
  for (const [name, mediaType] of empty) content[name] = { ...(mediaType as object), schema: body['schema'] };
  delete body['schema'];
  repaired({
    kind: 'a schema beside the content of a request body',
    pointer: joinPointer(pointer, 'schema'),
    wrong: 'schema is beside content',
    read: empty.length === 0 ? 'absent' : `the schema of ${empty.map(([name]) => name).join(' and ')}`,
    part: 'name',
  });
}
