import type { Json } from '../../model.ts';
import { bothTake, type Comparing, type Pair } from './comparing.ts';
import type { FlatSchema, JsonType, Placed } from './flat-schema.ts';
import { canonical } from '../../canonical-json.ts';
import { setChangeOf } from './values.ts';

/** Compares numeric bounds, patterns and formats. */
export function compareLimits(comparing: Comparing): void {
  for (const { lowest, highest, name, types } of BOUNDS) {
    if (!bothTake(comparing, ...types)) continue;
    compareBound(comparing, lowest, name, 'lower');
    compareBound(comparing, highest, name, 'upper');
  }
  if (bothTake(comparing, 'integer', 'fraction')) compareMultiples(comparing);
  if (bothTake(comparing, 'array')) compareUnique(comparing);
  if (!bothTake(comparing, 'string', 'integer', 'fraction')) return;
  if (bothTake(comparing, 'string')) comparePatterns(comparing);
  compareFormats(comparing);
}

// --- internal ---

interface Bound {
  readonly value: number;
  readonly isOutside: boolean;
  readonly pointer: string;
}

const BOUNDS: readonly {
  readonly lowest: readonly string[];
  readonly highest: readonly string[];
  readonly name: string;
  readonly types: readonly JsonType[];
}[] = [
  {
    lowest: ['minimum', 'exclusiveMinimum'],
    highest: ['maximum', 'exclusiveMaximum'],
    name: 'value',
    types: ['integer', 'fraction'],
  },
  { lowest: ['minLength'], highest: ['maxLength'], name: 'length', types: ['string'] },
  { lowest: ['minItems'], highest: ['maxItems'], name: 'number of items', types: ['array'] },
  { lowest: ['minProperties'], highest: ['maxProperties'], name: 'number of members', types: ['object'] },
];

function compareBound(
  comparing: Comparing,
  keywords: readonly string[],
  name: string,
  end: 'lower' | 'upper',
): void {
  const { old, new: next, report } = comparing;
  const [before, after] = [boundOf(old, keywords, end), boundOf(next, keywords, end)];
  if (before?.value === after?.value && before?.isOutside === after?.isOutside) return;
  const isTighter = before === undefined || (after !== undefined && tighter(after, before, end));
  const shown = (bound: Bound | undefined): string =>
    bound === undefined
      ? 'unlimited'
      : `${bound.isOutside ? (end === 'lower' ? 'above ' : 'below ') : ''}${String(bound.value)}`;
  const says = `${next.label}: the ${end === 'lower' ? 'least' : 'greatest'} ${name} was ${shown(before)} and is ${shown(after)}`;
  const pair = { before: before?.pointer ?? old.pointer, after: after?.pointer ?? next.pointer };
  report(
    isTighter ? 'limit-tightened' : 'limit-loosened',
    isTighter ? 'narrowed' : 'widened',
    { says },
    pair,
  );
}

function boundOf(flat: FlatSchema, keywords: readonly string[], end: 'lower' | 'upper'): Bound | undefined {
  const isWhole = !flat.types.has('fraction');
  let found: Bound | undefined;
  for (const keyword of keywords)
    for (const { value, pointer } of flat.keywords.get(keyword) ?? []) {
      if (typeof value !== 'number') continue;
      const isExclusive = keyword.startsWith('exclusive');
      const isPlain = isExclusive && isWhole && Number.isSafeInteger(value);
      const bound = isPlain
        ? { value: end === 'lower' ? value + 1 : value - 1, isOutside: false, pointer }
        : { value, isOutside: isExclusive, pointer };
      // A length is never below 0.
      if (keyword.startsWith('min') && keyword !== 'minimum' && value <= 0) continue;
      if (found === undefined || tighter(bound, found, end)) found = bound;
    }
  return found;
}

function tighter(a: Bound, b: Bound, end: 'lower' | 'upper'): boolean {
  if (a.value === b.value) return a.isOutside && !b.isOutside;
  return end === 'lower' ? a.value > b.value : a.value < b.value;
}

function compareMultiples(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  const [before, after] = [last(old, 'multipleOf'), last(next, 'multipleOf')];
  if (before?.value === after?.value) return;
  const [was, is] = [Number(before?.value), Number(after?.value)];
  const sense = setChangeOf(
    after !== undefined && !(was % is === 0),
    before !== undefined && !(is % was === 0),
  );
  const kind = ({ narrowed: 'limit-tightened', widened: 'limit-loosened' } as const)[sense as 'narrowed'] as
    'limit-tightened' | undefined;
  const says = `${next.label}: the step was ${shownValue(before)} and is ${shownValue(after)}`;
  report(kind ?? 'limit-changed', sense, { says }, pairAt(comparing, before, after));
}

function compareUnique(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  const [before, after] = [old, next].map((flat) =>
    flat.keywords.get('uniqueItems')?.find(({ value }) => value === true),
  );
  if ((before === undefined) === (after === undefined)) return;
  const isTighter = after !== undefined;
  const says = `${next.label}: items ${isTighter ? 'have to differ' : 'may repeat'}`;
  report(
    isTighter ? 'limit-tightened' : 'limit-loosened',
    isTighter ? 'narrowed' : 'widened',
    { says },
    pairAt(comparing, before, after),
  );
}

function comparePatterns(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  const all = (flat: FlatSchema): readonly Placed[] => flat.keywords.get('pattern') ?? [];
  const less = all(old).filter(({ value }) => !all(next).some((other) => other.value === value));
  const more = all(next).filter(({ value }) => !all(old).some((other) => other.value === value));
  const [gone] = less;
  const [added] = more;
  if (gone === undefined && added === undefined) return;
  const says = `${next.label}: the pattern was ${shownValue(gone)} and is ${shownValue(added)}`;
  const isOpen = (placed: Placed | undefined): boolean => placed?.value === '.*' || placed?.value === '^.*$';
  const reason = 'whether one pattern matches all that the other does cannot be decided in general';
  const sense =
    gone === undefined || isOpen(gone)
      ? 'narrowed'
      : added === undefined || isOpen(added)
        ? 'widened'
        : 'unknown';
  report(
    'pattern-changed',
    sense,
    { says, ...(sense === 'unknown' ? { reason } : {}) },
    pairAt(comparing, gone, added),
  );
}

function compareFormats(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  for (const keyword of ['format', 'contentEncoding', 'contentMediaType']) {
    const [before, after] = [last(old, keyword), last(next, keyword)];
    if (before?.value === after?.value) continue;
    const says = `${next.label}: ${keyword} was ${shownValue(before)} and is ${shownValue(after)}`;
    const [was, is] = [before?.value, after?.value].map((value) =>
      typeof value === 'string' ? value : undefined,
    );
    const sense = keyword === 'format' ? formatSense(was, is) : 'unknown';
    const reason = 'not every validator checks it, and none has to';
    report(
      'format-changed',
      sense,
      { says, ...(sense === 'unknown' ? { reason } : {}) },
      pairAt(comparing, before, after),
    );
  }
}

/**
 * Formats of bytes change the representation; formats of numbers have known ranges; a known format of text is
 * checked.
 */
function formatSense(
  was: string | undefined,
  is: string | undefined,
): 'narrowed' | 'widened' | 'changed' | 'unknown' {
  if (was === 'binary' || is === 'binary') return 'changed';
  const range = (format: string | undefined): number =>
    format === undefined ? Infinity : RANGES.indexOf(format);
  if (range(was) >= 0 && range(is) >= 0) return range(is) > range(was) ? 'widened' : 'narrowed';
  const isKnown = (format: string | undefined): boolean => format === undefined || TEXTS.has(format);
  if (!isKnown(was) || !isKnown(is)) return 'unknown';
  if (was === undefined) return 'narrowed';
  return is === undefined ? 'widened' : 'changed';
}

const RANGES: readonly string[] = ['int8', 'int16', 'int32', 'int64', 'float', 'double'];

/** Formats of JSON Schema 2020-12 that generated validators check. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference'],
  ...['uri-template', 'uuid', 'json-pointer', 'relative-json-pointer', 'regex'],
]);

function last(flat: FlatSchema, keyword: string): Placed | undefined {
  return flat.keywords.get(keyword)?.at(-1);
}

function pairAt({ old, new: next }: Comparing, before: Placed | undefined, after: Placed | undefined): Pair {
  return { before: before?.pointer ?? old.pointer, after: after?.pointer ?? next.pointer };
}

function shownValue(placed: { readonly value: Json } | undefined): string {
  return placed === undefined ? 'absent' : canonical(placed.value).slice(0, 200);
}
