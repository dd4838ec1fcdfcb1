import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { settleItems } from '../sequential/item-schema.ts';
import type { Repaired } from './repair-list.ts';
import { OF_A_SCHEMA } from './swagger.ts';

/** Names of media types that are abbreviated, or have spaces around them. */
export function repairMediaTypes({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { content } = value;
  if (!isRecord(content)) return;
  const names = Object.keys(content).map((given) => [given, mediaTypeOf(given)] as const);
  if (names.every(([given, read]) => given === read)) return;
  if (new Set(names.map(([, read]) => read)).size < names.length) return;
  const entries = names.map(([given, read]) => [given, read, content[given]] as const);
  for (const [given] of entries) Reflect.deleteProperty(content, given);
  for (const [given, read, mediaType] of entries) {
    content[read] = mediaType;
    if (given === read) continue;
    repaired({
      kind: 'a short media type',
      pointer: joinPointer(pointer, 'content', given),
      wrong: `${JSON.stringify(given)} is not a media type`,
      read,
      part: 'name',
      renamedTo: joinPointer(pointer, 'content', read),
    });
  }
}

/** `content: [application/json]`, `content: application/json`, and a media type that is not in `content`. */
export function repairMediaTypePlaces(object: PlacedObject, repaired: Repaired): void {
  const { value, pointer } = object;
  const { content } = value;
  const names = typeof content === 'string' ? [content] : content;
  if (Array.isArray(names) && names.length > 0 && names.every((name) => isMediaType(name))) {
    value['content'] = Object.fromEntries(names.map((name: unknown) => [name, {}]));
    repaired({
      kind: 'names of media types as content',
      pointer: joinPointer(pointer, 'content'),
      wrong: `content is ${typeof content === 'string' ? 'a string' : 'a list'}`,
      read: `${names.join(' and ')}, without a schema`,
    });
  }
  if (isRecord(value['content']))
    for (const name of Object.keys(value['content']).filter((each) => each.startsWith('x-'))) {
      Reflect.deleteProperty(value['content'], name);
      const at = joinPointer(pointer, 'content', name);
      const wrong = `${name} is not a media type`;
      repaired({ kind: 'an extension in content', pointer: at, wrong, read: 'absent', part: 'name' });
    }
  const outside = Object.keys(value).filter((name) => isMediaType(name) && isRecord(value[name]));
  if (outside.length === 0 || Object.hasOwn(value, 'content')) return;
  value['content'] = Object.fromEntries(outside.map((name) => [name, value[name]]));
  for (const name of outside) {
    Reflect.deleteProperty(value, name);
    repaired({
      kind: 'a media type outside of content',
      pointer: joinPointer(pointer, name),
      wrong: `${name} is outside of content`,
      read: 'a media type of content',
      part: 'name',
      renamedTo: joinPointer(pointer, 'content', name),
    });
  }
}

/** A description that is indented too far. */
export function repairContent({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { content } = value;
  if (!isRecord(content) || typeof content['description'] !== 'string') return;
  const at = joinPointer(pointer, 'content', 'description');
  value['description'] ??= content['description'];
  delete content['description'];
  const read = 'the description of the response';
  repaired({
    kind: 'a description in content',
    pointer: at,
    wrong: 'description is not a media type',
    read,
    part: 'name',
  });
}

/**
 * `content: { schema }`, and `content: { application/json: , schema }`: the schema is not indented far
 * enough.
 */
export function repairMediaTypeLess({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { content } = value;
  if (!isRecord(content) || !isRecord(content['schema'])) return;
  const [first, ...others] = Object.keys(content).filter((name) => name !== 'schema');
  if (others.length > 0 || (first !== undefined && Object.keys(content[first] ?? {}).length > 0)) return;
  const name = first ?? 'application/json';
  const { schema } = content;
  delete content['schema'];
  content[name] = { schema };
  const at = joinPointer(pointer, 'content', 'schema');
  repaired({
    kind: 'a schema in the place of a media type',
    pointer: at,
    wrong: 'schema is not a media type',
    read: `the schema of ${name}`,
    part: 'name',
  });
}

/** A schema that is not under `schema`. */
export function repairMediaType(
  { value, pointer }: Pick<PlacedObject, 'value' | 'pointer'>,
  repaired: Repaired,
): void {
  const moved = Object.keys(value).filter((name) => IN_PLACE_OF_A_SCHEMA.has(name));
  if (moved.length === 0) return;
  if (isRecord(value['schema'])) return dropBesideSchema({ value, pointer }, moved, repaired);
  value['schema'] = Object.fromEntries(moved.map((name) => [name, value[name]]));
  for (const name of moved) Reflect.deleteProperty(value, name);
  repaired({
    kind: 'a schema that is not in schema',
    pointer,
    wrong: `${moved.join(', ')} of the media type ${moved.length === 1 ? 'is' : 'are'} outside its schema`,
    read: 'its schema',
    part: 'name',
  });
}

/** `itemSchema` of OpenAPI 3.2 in an earlier version, as some frameworks print it. */
export function repairItemSchema({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const read = settleItems(value, pointer);
  if (read === 'absent') return;
  repaired({
    kind: 'an item schema in an earlier version',
    pointer: joinPointer(pointer, 'itemSchema'),
    wrong: 'itemSchema is new in OpenAPI 3.2',
    read: read === 'read' ? 'the schema of each piece' : 'absent',
    part: 'name',
  });
}

// --- internal ---

function isMediaType(name: unknown): boolean {
  return typeof name === 'string' && /^[\w*.+-]+\/[\w*.+-]+(?:\s*;.*)?$/.test(name);
}

function mediaTypeOf(name: string): string {
  const [type = '', ...parameters] = name.split(';').map((part) => part.trim());
  const word = type.toLowerCase().replace(/^\./, '');
  const known = Object.hasOwn(SHORT, word) ? SHORT[word] : undefined;
  return known === undefined && type === name.split(';')[0]
    ? name
    : [known ?? type, ...parameters].join('; ');
}

const SHORT: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  text: 'text/plain',
  plain: 'text/plain',
  html: 'text/html',
  csv: 'text/csv',
  pdf: 'application/pdf',
  binary: 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
};

/** The schema is complete without the members beside it. */
function dropBesideSchema(
  { value, pointer }: Pick<PlacedObject, 'value' | 'pointer'>,
  names: readonly string[],
  repaired: Repaired,
): void {
  for (const name of names) {
    Reflect.deleteProperty(value, name);
    repaired({
      kind: 'a member of a schema beside it',
      pointer: joinPointer(pointer, name),
      wrong: `${name} is beside the schema`,
      read: 'absent',
      part: 'name',
    });
  }
}

const IN_PLACE_OF_A_SCHEMA: ReadonlySet<string> = new Set([
  ...OF_A_SCHEMA,
  ...'$ref properties required additionalProperties allOf anyOf oneOf title description'.split(' '),
]);
