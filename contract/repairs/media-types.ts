import type { PlacedObject } from '../object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
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
export function repairMediaType({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const moved = Object.keys(value).filter((name) => IN_PLACE_OF_A_SCHEMA.has(name));
  if (Object.hasOwn(value, 'schema') || moved.length === 0) return;
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

// --- internal ---

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

const IN_PLACE_OF_A_SCHEMA: ReadonlySet<string> = new Set([
  ...OF_A_SCHEMA,
  ...'$ref properties required additionalProperties allOf anyOf oneOf title description'.split(' '),
]);
