import type { Fault } from './judge.ts';
import { deepValueOf } from './deep-object.ts';
import type { ServedParameter, WireType } from './served-api.ts';
import {
  decode,
  itemOf,
  itemType,
  jsonOf,
  memberType,
  type RawPair,
  singleOf,
  TEXT,
  valueOf,
} from './wire-values.ts';

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
  const content = CONTENTS[style];
  switch (parameter.in) {
    case 'path': {
      const raw = texts.segments[name];
      if (raw === undefined) return undefined;
      return content === undefined
        ? inSegment(raw, name, style, explode, reads)
        : content(decode(raw), reads);
    }
    case 'header': {
      const raw = texts.headers.get(name);
      if (raw === null) return undefined;
      return content === undefined
        ? delimited(raw, ',', explode, reads, (text) => text)
        : content(raw, reads);
    }
    case 'cookie': {
      const pairs = pairsOf(texts.headers.get('cookie') ?? '', /;\s*/, false);
      // Such cookies are not percent-encoded, but the reader decodes; so they are encoded here.
      return readPairs(
        style === 'cookie' ? pairs.map(([key, raw]) => [key, raw.replaceAll('%', '%25')]) : pairs,
        parameter,
      );
    }
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
  const lists = kinds.filter((kind) => kind === 'array');
  for (const some of [single, ...single.map((kind) => [kind]), lists]) {
    if (some.length === 0 || some.length === kinds.length) continue;
    const value = readParameter({ ...parameter, reads: { ...parameter.reads, kinds: some } }, texts);
    if (value !== undefined && !(value instanceof Repeated) && fits(value)) return { value };
  }
  return undefined;
}

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
    const deep = deepValueOf(name, pairs, reads);
    if (deep !== undefined) return deep;
    // A value that may also have another type than object can be under its plain name.
    const kinds = reads.kinds.filter((kind) => kind !== 'object');
    return kinds.length === 0
      ? undefined
      : readPairs(pairs, { name, style: 'form', explode, reads: { ...reads, kinds } });
  }
  const content = CONTENTS[style];
  const isObject = reads.kinds.includes('object') && content === undefined;
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
  if (reads.kinds.includes('array') && content === undefined) {
    const separator = SEPARATORS[style] ?? ',';
    const isAlone = explode ? more.length === 0 : splitAny(first, separator).length < 2;
    const alone = isAlone && more.length === 0 ? singleOf(decode(first), reads) : undefined;
    if (alone !== undefined) return alone;
    const items = explode ? raws : first === '' ? [] : splitAny(first, separator);
    if (!explode && more.length > 0) return new Repeated(raws.length);
    return items.map((item, index) => itemOf(decode(item), itemType(reads, index)));
  }
  if (more.length > 0) return new Repeated(raws.length);
  if (content !== undefined) return content(decode(first), reads);
  return delimited(first, SEPARATORS[style] ?? ',', explode, reads, decode);
}

/** A single value that is given more than once. */
export class Repeated {
  readonly times: number;
  constructor(times: number) {
    this.times = times;
  }
}

// --- internal ---

/** Readers of values that the document describes by a media type. The keys are the styles for these types. */
const CONTENTS: Readonly<Partial<Record<string, (text: string, reads: WireType) => unknown>>> = {
  json: jsonOf,
  urlencoded: (text, reads) =>
    reads.kinds.includes('object') ? objectOf(pairsOf(text), reads, decode) : text,
};

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Spaces and bars may also be escaped. An escaped comma is part of a value. */
function splitAny(text: string, separator: string): string[] {
  if (separator !== ' ' && separator !== '|') return text.split(separator);
  return text.split(separator === ' ' ? /%20| /i : /%7c|\|/i);
}

function inSegment(raw: string, name: string, style: string, explode: boolean, reads: WireType): unknown {
  const hasItems = raw !== '' && reads.kinds.includes('array');
  if (style === 'label') {
    // A list of one empty text is a dot, and a list without items is nothing (RFC 6570, section 3.2.5).
    if (raw === '.' && hasItems) return [valueOf('', itemType(reads, 0))];
    return delimited(raw.replace(/^\./, ''), explode ? '.' : ',', explode, reads, decode);
  }
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
  if (values.length === 1 && values[0] === '' && hasItems) return [valueOf('', itemType(reads, 0))];
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
