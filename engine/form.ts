import { pairsOf, readPairs, Repeated } from './parameters.ts';
import type { ServedContent, ServedMember, WireType } from './served-api.ts';
import {
  decode,
  itemType,
  jsonOf,
  memberType,
  type RawPair,
  singleOf,
  TEXT,
  valueOf,
} from './wire-values.ts';

type FormContent = Pick<ServedContent, 'reads' | 'members'>;

/**
 * What a text is that is JSON of an object, where the document allows both; what has the media type of JSON is an
 * object in any case.
 */
export type Ambiguous = 'text' | 'object';

/** The members of `application/x-www-form-urlencoded`, each with its type. */
export function formOf(text: string, content: FormContent, ambiguous: Ambiguous): Promise<object> {
  return bodyOf(pairsOf(text), content, { unknown: TEXT, ambiguous });
}

/**
 * The members of a multipart body, each with its type. Files stay files if the document declares bytes or nothing.
 */
export function multipartOf(
  parts: Iterable<readonly [string, string | Blob]>,
  content: FormContent,
  ambiguous: Ambiguous,
): Promise<object> {
  const pairs = [...parts].map(([name, value]): readonly [string, string | Blob] => [
    name,
    // Parts are not percent-encoded, but the reader decodes; so they are encoded here.
    typeof value === 'string' ? value.replaceAll('%', '%25') : value,
  ]);
  return bodyOf(pairs, content, { unknown: PART, ambiguous });
}

/** The body with some of its members as they are in another reading of it. */
export function withMembersOf(other: unknown, value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
  const chosen = Object.entries(other ?? {}).filter(([name]) => names.has(name));
  return Object.fromEntries([...Object.entries(value), ...chosen]);
}

/** Whether a text can be an object or a list. */
export function isTextOrObject({ kinds, items }: WireType): boolean {
  return (
    (kinds.includes('string') && kinds.includes('object')) || (items !== undefined && isTextOrObject(items))
  );
}

// --- internal ---

interface Reading {
  /** The type of members that the document does not describe. */
  readonly unknown: WireType;
  readonly ambiguous: Ambiguous;
}

type Pair = readonly [name: string, value: string | Blob];

/** A body is an object. Some documents have a list of objects; each begins where a name occurs again. */
async function bodyOf(pairs: readonly Pair[], content: FormContent, how: Reading): Promise<object> {
  const { reads = TEXT } = content;
  if (!reads.kinds.includes('array') || reads.kinds.includes('object')) return membersOf(pairs, content, how);
  const { kinds } = reads.items ?? reads.first?.[0] ?? TEXT;
  // Parts of other items than objects have no names.
  if (!kinds.includes('object') && kinds.length > 0)
    return Promise.all(pairs.map(([, value], index) => single(value, itemType(reads, index), how.ambiguous)));
  const rows: Pair[][] = [];
  const names = new Set<string>();
  for (const pair of pairs) {
    if (rows.length === 0 || names.has(pair[0])) {
      rows.push([]);
      names.clear();
    }
    names.add(pair[0]);
    rows.at(-1)?.push(pair);
  }
  return Promise.all(
    rows.map((row, index) => membersOf(row, { ...content, reads: itemType(reads, index) }, how)),
  );
}

async function membersOf(
  pairs: readonly Pair[],
  { reads = TEXT, members = {} }: FormContent,
  { unknown, ambiguous }: Reading,
): Promise<object> {
  const typeOf = (name: string): WireType => memberType(reads, name) ?? unknown;
  const texts = pairs.filter((pair): pair is RawPair => typeof pair[1] === 'string');
  const found: [string, unknown][] = [];
  const spent = new Set<string>();
  for (const [name, member] of Object.entries(members)) {
    const type = typeOf(name);
    const isSpent = namesOf(name, member, type);
    const mine = texts.filter(([key]) => isSpent(key));
    for (const [key] of mine) spent.add(key);
    if (member.style === 'json' && member.explode) {
      found.push(...jsonParts(name, mine, type));
      continue;
    }
    const value = readPairs(whole(mine, member, type), { name, ...member, reads: type });
    if (value instanceof Repeated) found.push([name, mine.map(([, raw]) => decode(raw))]);
    else if (value !== undefined) found.push([name, value]);
  }
  const byName = new Map<string, (string | Blob)[]>();
  for (const [name, value] of pairs) {
    if (spent.has(name)) continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [value]);
    else known.push(value);
  }
  for (const [name, values] of byName) found.push([name, await unstyled(values, typeOf(name), ambiguous)]);
  return Object.fromEntries(found);
}

/** A part that the document does not describe: a file if it was sent as one. */
const PART: WireType = { kinds: ['string', 'bytes'] };

/** A member of which each part is JSON. */
function jsonParts(name: string, parts: readonly RawPair[], { kinds }: WireType): [string, unknown][] {
  const [first, ...more] = parts.map(([, raw]) => jsonOf(decode(raw)));
  if (first === undefined) return [];
  return [[name, kinds.includes('array') || more.length > 0 ? [first, ...more] : first]];
}

/** The names under which a member with its own style is sent. */
function namesOf(
  name: string,
  { style, explode }: ServedMember,
  { kinds, members = {} }: WireType,
): (key: string) => boolean {
  if (style === 'deepObject') return (key) => key.startsWith(`${name}[`);
  const isSpread = explode && style === 'form' && kinds.includes('object');
  return isSpread ? (key) => Object.hasOwn(members, key) : (key) => key === name;
}

/** Most clients encode the comma too. If there is no plain comma, encoded ones separate the items. */
function whole(
  pairs: readonly RawPair[],
  { style, explode }: ServedMember,
  { kinds }: WireType,
): readonly RawPair[] {
  const isDelimited = style === 'form' && !explode && (kinds.includes('array') || kinds.includes('object'));
  if (!isDelimited) return pairs;
  return pairs.map(([name, raw]) => [name, raw.includes(',') ? raw : raw.replaceAll(/%2c/gi, ',')]);
}

/** A member that is sent several times becomes a list. */
async function unstyled(
  values: readonly (string | Blob)[],
  type: WireType,
  ambiguous: Ambiguous,
): Promise<unknown> {
  if (!type.kinds.includes('array')) {
    const read = await Promise.all(values.map((value) => single(value, type, ambiguous)));
    return read.length === 1 ? read[0] : read;
  }
  const { items = TEXT } = type;
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') {
    const list = items.kinds.includes('string') ? undefined : jsonOf(decode(only));
    if (Array.isArray(list)) return list;
    const alone = singleOf(decode(only), type);
    if (alone !== undefined) return alone;
  }
  if (values.length === 1 && only instanceof Blob && type.kinds.includes('bytes')) return only;
  return await Promise.all(values.map((value, index) => single(value, itemType(type, index), ambiguous)));
}

async function single(value: string | Blob, type: WireType, ambiguous: Ambiguous): Promise<unknown> {
  const { kinds } = type;
  const takesText = kinds.includes('string');
  if (typeof value !== 'string') {
    if (kinds.includes('bytes')) return value;
    return textual(await value.text(), type, /[/+]json\s*(?:;|$)/i.test(value.type) ? 'object' : ambiguous);
  }
  const text = decode(value);
  return kinds.includes('bytes') && !takesText ? new Blob([text]) : textual(text, type, ambiguous);
}

function textual(text: string, type: WireType, ambiguous: Ambiguous): unknown {
  const { kinds } = type;
  const isObject = kinds.includes('object');
  if (!kinds.includes('string'))
    return isObject || kinds.includes('array') ? jsonOf(text) : valueOf(text, type);
  const value = isObject && ambiguous === 'object' && text.startsWith('{') ? jsonOf(text) : text;
  return typeof value === 'object' ? value : valueOf(text, type);
}
