import type { Fault } from './judge.ts';
import { isNestedDeeperThan, JSON_DEPTH } from './nesting.ts';
import type { ServedParameter, WireType } from './served-api.ts';

/** The raw parameters of a request, by place. */
export interface RequestTexts {
  readonly segments: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Headers;
}

/** One value that violates the document. */
export interface ParameterMisfit extends Fault {
  readonly in: ServedParameter['in'] | 'body';
}

/**
 * Parses a parameter by its style and type. Text that does not match the type stays text, and its check
 * reports the fault. A single parameter that is given twice is a misfit.
 *
 * @returns `undefined` if it is absent
 */
export function readParameter(parameter: ServedParameter, texts: RequestTexts): unknown {
  const { name, style, explode, reads = TEXT } = parameter;
  switch (parameter.in) {
    case 'path': {
      const raw = texts.segments[name];
      if (raw === undefined) return undefined;
      return style === 'json' ? jsonOf(decode(raw)) : inSegment(raw, name, style, explode, reads);
    }
    case 'header': {
      const raw = texts.headers.get(name);
      if (raw === null) return undefined;
      return style === 'json' ? jsonOf(raw) : delimited(raw, ',', explode, reads, (text) => text);
    }
    case 'cookie':
      return readPairs(pairsOf(texts.headers.get('cookie') ?? '', /;\s*/, false), parameter);
    case 'query':
      return readPairs(pairsOf(texts.query), parameter);
  }
}

/**
 * A text may be readable as a list, a number or a text. If the first reading does not match the schema, the
 * others are tried.
 *
 * @returns `undefined` if no other reading matches
 */
export function readOtherwise(
  parameter: ServedParameter,
  texts: RequestTexts,
  fits: (value: unknown) => boolean,
): { readonly value: unknown } | undefined {
  const { kinds } = parameter.reads ?? TEXT;
  const single = kinds.filter((kind) => kind !== 'array' && kind !== 'object');
  for (const some of [single, single.filter((kind) => kind === 'string')]) {
    if (some.length === 0 || some.length === kinds.length) continue;
    const value = readParameter({ ...parameter, reads: { kinds: some } }, texts);
    if (value !== undefined && !(value instanceof Repeated) && fits(value)) return { value };
  }
  return undefined;
}

/** A decoded name and a raw value. */
export type RawPair = readonly [name: string, raw: string];

/** The pairs of a query or of a form. */
export function pairsOf(text: string, separator: RegExp = /&/, isQuery: boolean = true): RawPair[] {
  return text
    .split(separator)
    .filter((pair) => pair !== '')
    .map((pair): RawPair => {
      const at = pair.indexOf('=');
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return isQuery
        ? [decode(name.replaceAll('+', ' ')), value.replaceAll('+', ' ')]
        : [decode(name.trim()), value];
    });
}

/** Reads the value under a name. */
export function readPairs(
  pairs: readonly RawPair[],
  parameter: Pick<ServedParameter, 'name' | 'style' | 'explode' | 'reads' | 'others'>,
): unknown {
  const { name, style, explode, reads = TEXT, others = [] } = parameter;
  if (style === 'deepObject') {
    const members = pairs.flatMap(([key, raw]): DeepPair[] =>
      key.startsWith(`${name}[`) && key.endsWith(']')
        ? [[key.slice(name.length + 1, -1).split('][', DEEPEST), raw]]
        : [],
    );
    if (members.length > 0)
      return reads.kinds.includes('object') || !reads.kinds.includes('array')
        ? deepObjectOf(members, reads)
        : deepListOf(members, reads);
    // A value that may also have another type than object can be under its plain name.
    const kinds = reads.kinds.filter((kind) => kind !== 'object');
    return kinds.length === 0
      ? undefined
      : readPairs(pairs, { name, style: 'form', explode, reads: { ...reads, kinds } });
  }
  const isObject = reads.kinds.includes('object') && style !== 'json';
  if (isObject && explode) {
    const { members: known, rest } = reads;
    const isFree = known === undefined || rest !== undefined;
    const isOther = (key: string): boolean =>
      others.some((other) => key === other || (other.endsWith('[') && key.startsWith(other)));
    const members = pairs.filter(
      ([key]) => (known !== undefined && Object.hasOwn(known, key)) || (isFree && !isOther(key)),
    );
    return members.length === 0 ? undefined : objectOf(members, reads, decode);
  }
  const raws = pairs.filter(([key]) => key === name).map(([, raw]) => raw);
  const [first, ...more] = raws;
  if (first === undefined) return undefined;
  if (reads.kinds.includes('array') && style !== 'json') {
    const separator = SEPARATORS[style] ?? ',';
    const items = explode ? raws : first === '' ? [] : splitAny(first, separator);
    if (!explode && more.length > 0) return new Repeated(raws.length);
    return items.map((item, index) => itemOf(decode(item), itemType(reads, index)));
  }
  if (more.length > 0) return new Repeated(raws.length);
  if (style === 'json') return jsonOf(decode(first));
  return delimited(first, SEPARATORS[style] ?? ',', explode, reads, decode);
}

/** The type of a member of an object, if the document declares it. */
export function memberType({ members = {}, rest }: WireType, name: string): WireType | undefined {
  return Object.hasOwn(members, name) ? members[name] : rest;
}

/** The type of an item of a list. */
export function itemType({ items = TEXT, first = [] }: WireType, index: number): WireType {
  return first[index] ?? items;
}

/** Parses a text by its type; returns the text itself if it does not match. */
export function valueOf(text: string, { kinds }: WireType): unknown {
  if (kinds.includes('number') && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (kinds.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (kinds.includes('null') && (text === '' || text === 'null')) return null;
  return text;
}

/** Objects and lists inside a list are written as JSON; OpenAPI leaves that open. */
function itemOf(text: string, type: WireType): unknown {
  const isStructured = type.kinds.some((kind) => kind === 'object' || kind === 'array');
  return isStructured && !type.kinds.includes('string') ? jsonOf(text) : valueOf(text, type);
}

export function jsonOf(text: string): unknown {
  if (isNestedDeeperThan(JSON_DEPTH, text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The type if the document declares none. */
export const TEXT: WireType = { kinds: ['string'] };

/** A single value that is given more than once. */
export class Repeated {
  readonly times: number;
  constructor(times: number) {
    this.times = times;
  }
}

/** The decoded text of a part of a URL; broken escapes stay as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// --- internal ---

type DeepPair = readonly [path: readonly string[], raw: string];

const DEEPEST = 20;

/** `name[k][l]=v`, to the depth that the document describes. A repeated name is a list. */
function deepObjectOf(pairs: readonly DeepPair[], reads: WireType): object {
  const byName = new Map<string, DeepPair[]>();
  for (const [[first = '', ...rest], raw] of pairs) {
    const known = byName.get(first);
    if (known === undefined) byName.set(first, [[rest, raw]]);
    else known.push([rest, raw]);
  }
  return Object.fromEntries(
    [...byName].map(([name, found]): [string, unknown] => {
      const type = memberType(reads, name) ?? TEXT;
      const isList = type.kinds.includes('array');
      if (found.some(([path]) => path.length > 0))
        return [name, isList ? deepListOf(found, type) : deepObjectOf(found, type)];
      const values = found.map(([, raw], index) =>
        valueOf(decode(raw), isList ? itemType(type, index) : type),
      );
      return [name, isList || values.length > 1 ? values : values[0]];
    }),
  );
}

/** `name[]=v` or `name[0]=v` for each item. Members of object items follow the index. */
function deepListOf(pairs: readonly DeepPair[], list: WireType): unknown[] {
  const byIndex = new Map<string, DeepPair[]>();
  pairs.forEach(([[index = '', ...rest], raw], position) => {
    // Without indices, each pair is an item.
    const key = index === '' ? `of ${String(position)}` : index;
    const known = byIndex.get(key);
    if (known === undefined) byIndex.set(key, [[rest, raw]]);
    else known.push([rest, raw]);
  });
  return [...byIndex.values()].flatMap((found, index): unknown[] =>
    found.some(([path]) => path.length > 0)
      ? [deepObjectOf(found, itemType(list, index))]
      : found.map(([, raw]) => valueOf(decode(raw), itemType(list, index))),
  );
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Spaces and bars may also be escaped. An escaped comma is part of a value. */
function splitAny(text: string, separator: string): string[] {
  if (separator !== ' ' && separator !== '|') return text.split(separator);
  return text.split(separator === ' ' ? /%20| /i : /%7c|\|/i);
}

function inSegment(raw: string, name: string, style: string, explode: boolean, reads: WireType): unknown {
  if (style === 'label')
    return delimited(raw.replace(/^\./, ''), explode ? '.' : ',', explode, reads, decode);
  if (style !== 'matrix') return delimited(raw, ',', explode, reads, decode);
  const parts = raw.split(';').filter((part) => part !== '');
  if (reads.kinds.includes('object') && explode)
    return objectOf(
      parts.map((part) => pairOf(part, decode)),
      reads,
      decode,
    );
  const values = parts
    .map((part) => pairOf(part, decode))
    .filter(([key]) => key === name)
    .map(([, value]) => value);
  return delimited(values.join(','), ',', explode, reads, decode);
}

/** Splits a name and its value; `read` decodes the name only. */
function pairOf(part: string, read: (raw: string) => string): RawPair {
  const at = part.indexOf('=');
  return at < 0 ? [read(part), ''] : [read(part.slice(0, at)), part.slice(at + 1)];
}

/** Splits a value at a delimiter. */
function delimited(
  raw: string,
  separator: string,
  explode: boolean,
  reads: WireType,
  read: (raw: string) => string,
): unknown {
  // One text without a delimiter is not a list where it may be a text.
  if (reads.kinds.includes('array') && (raw.includes(separator) || !reads.kinds.includes('string')))
    return raw === ''
      ? []
      : raw.split(separator).map((item, index) => valueOf(read(item.trim()), itemType(reads, index)));
  if (!reads.kinds.includes('object')) return valueOf(read(raw), reads);
  const parts = raw === '' ? [] : splitAny(raw, separator);
  if (explode)
    return objectOf(
      parts.map((part) => pairOf(part, read)),
      reads,
      read,
    );
  const pairs = parts.flatMap((part, index): RawPair[] =>
    index % 2 === 0 ? [[read(part), parts[index + 1] ?? '']] : [],
  );
  return objectOf(pairs, reads, read);
}

/** A list among the members repeats its name, and an object is written as JSON. */
function objectOf(pairs: readonly RawPair[], reads: WireType, read: (raw: string) => string): object {
  const byName = new Map<string, string[]>();
  for (const [name, raw] of pairs) byName.set(name, [...(byName.get(name) ?? []), read(raw)]);
  const entries = [...byName].map(([name, texts]): [string, unknown] => {
    const type = memberType(reads, name) ?? TEXT;
    const { kinds, items = TEXT } = type;
    const [last = ''] = texts.slice(-1);
    const isList = kinds.includes('array') && (texts.length > 1 || !kinds.includes('string'));
    const isJson =
      kinds.includes('object') || (isList && texts.length === 1 && !items.kinds.includes('string'));
    const value = isJson && !kinds.includes('string') ? jsonOf(last) : last;
    if (typeof value === 'object') return [name, value];
    return [
      name,
      isList ? texts.map((text, index) => valueOf(text, itemType(type, index))) : valueOf(last, { kinds }),
    ];
  });
  // Names in a request are data: `__proto__` becomes an ordinary member.
  return Object.fromEntries(entries);
}
