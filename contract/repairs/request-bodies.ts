import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/** Members that a body has as a parameter of Swagger 2.0, and a body that is its own schema. */
export function repairBodyMembers(object: PlacedObject, repaired: Repaired): void {
  const { value, pointer } = object;
  for (const name of ['in', 'name']) {
    if (typeof value[name] !== 'string') continue;
    Reflect.deleteProperty(value, name);
    repaired({
      kind: 'a request body with members of a parameter',
      pointer: joinPointer(pointer, name),
      wrong: `a request body has no member ${name}`,
      read: 'absent',
      part: 'name',
    });
  }
  if (Object.hasOwn(value, 'content') || Object.hasOwn(value, 'schema')) return;
  if (!['type', 'properties', 'allOf', 'anyOf', 'oneOf'].some((name) => Object.hasOwn(value, name))) return;
  const { description, required, ...rest } = value;
  const own = Object.keys(rest).filter((name) => !name.startsWith('x-'));
  const isList = Array.isArray(required);
  value['content'] = {
    'application/json': {
      schema: {
        ...Object.fromEntries(own.map((name) => [name, value[name]])),
        ...(isList ? { required } : {}),
      },
    },
  };
  for (const name of [...own, ...(isList ? ['required'] : [])]) Reflect.deleteProperty(value, name);
  value['description'] ??= description;
  if (value['description'] === undefined) delete value['description'];
  repaired({
    kind: 'a request body that is a schema',
    pointer,
    wrong: `${own.join(', ')} of the request body ${own.length === 1 ? 'is' : 'are'} outside of content`,
    read: 'the schema of application/json',
  });
}

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
