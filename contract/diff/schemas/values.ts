import { canonical } from '../../canonical-json.ts';
import type { Json } from '../../model.ts';
import { type Comparing, pairOf, type SetChange } from './comparing.ts';
import { EVERY_TYPE, type JsonType } from './flat-schema.ts';

/**
 * Compares types and lists of values. Returns true if nothing else is worth comparing, because the sides have
 * no value in common.
 */
export function compareValues(comparing: Comparing): boolean {
  const { old, new: next } = comparing;
  if (old.values !== undefined || next.values !== undefined) {
    compareLists(comparing);
    return true;
  }
  return compareTypes(comparing, old.types, next.types);
}

/** Compares two sides of a set, and expresses the difference as a sense. */
export function setChangeOf(isLess: boolean, isMore: boolean): SetChange {
  if (isLess && isMore) return 'changed';
  if (isLess) return 'narrowed';
  return isMore ? 'widened' : 'same';
}

/**
 * Compares whether `null` is allowed. Returns whether that difference was reported on its own. A side that
 * allows any value does not count.
 */
export function compareNull(
  comparing: Comparing,
  before: ReadonlySet<JsonType>,
  after: ReadonlySet<JsonType>,
): boolean {
  const { new: next, report } = comparing;
  if (before.size === EVERY_TYPE.length || after.size === EVERY_TYPE.length) return false;
  if (before.has('null') === after.has('null')) return true;
  const isMore = after.has('null');
  const says = isMore ? `${next.label} can be null` : `${next.label} can no longer be null`;
  report(
    isMore ? 'nullable-added' : 'nullable-removed',
    isMore ? 'widened' : 'narrowed',
    { says },
    pairOf(comparing),
  );
  return true;
}

// --- internal ---

function compareTypes(
  comparing: Comparing,
  before: ReadonlySet<JsonType>,
  after: ReadonlySet<JsonType>,
): boolean {
  const { new: next, report, way } = comparing;
  const pair = pairOf(comparing);
  const isNullApart = compareNull(comparing, before, after);
  const rest = (types: ReadonlySet<JsonType>): JsonType[] =>
    [...types].filter((type) => !isNullApart || type !== 'null');
  const [less, more] = [
    rest(before).filter((type) => !after.has(type)),
    rest(after).filter((type) => !before.has(type)),
  ];
  if (less.length === 0 && more.length === 0) return rest(after).length === 0;
  const says = `${next.label} was ${named(rest(before))} and is ${named(rest(after))}`;
  const kept = rest(after).filter((type) => before.has(type));
  if (way.isText === true) {
    // Every value on the wire is text, so a type that allows all texts also allows the previous values.
    const isText = (types: readonly JsonType[]): boolean => types.includes('string');
    if (isText(more)) {
      report('type-changed', 'widened', { says, sender: 'code' }, pair);
      return true;
    }
    if (isText(less)) {
      report('type-changed', 'narrowed', { says, receiver: 'code' }, pair);
      return true;
    }
  }
  const sense = setChangeOf(less.length > 0, more.length > 0);
  const kind = { narrowed: 'type-narrowed', widened: 'type-widened' } as const;
  report(sense === 'narrowed' || sense === 'widened' ? kind[sense] : 'type-changed', sense, { says }, pair);
  return kept.length === 0;
}

function compareLists(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  const pair = pairOf(comparing);
  if (old.values === undefined || next.values === undefined) {
    const [before, after] = [old.types, next.types];
    const [open, listing] = old.values === undefined ? [before, after] : [after, before];
    // If a list adds types that the other side lacks, those are compared as types.
    const isBeside = [...listing].some((type) => !open.has(type));
    if (isBeside) compareTypes(comparing, before, after);
    if (isBeside && ![...listing].some((type) => open.has(type))) return;
    if (old.values === undefined)
      report(
        'values-closed',
        'narrowed',
        { says: `${next.label} takes only ${listed(next.values ?? [])}` },
        pair,
      );
    else
      report(
        'values-opened',
        'widened',
        { says: `${next.label} takes more than ${listed(old.values)}` },
        pair,
      );
    return;
  }
  const texts = (values: readonly Json[]): Set<string> => new Set(values.map((value) => canonical(value)));
  const [had, has] = [texts(old.values), texts(next.values)];
  const less = old.values.filter((value) => !has.has(canonical(value)));
  const more = next.values.filter((value) => !had.has(canonical(value)));
  if (less.length > 0) {
    const says = `${next.label} no longer has ${plural(less, 'the value', 'the values')} ${listed(less)}`;
    // The compiler rejects a comparison with a value that cannot occur.
    report('value-removed', 'narrowed', { says, receiver: 'code' }, pair);
  }
  if (more.length > 0) {
    const says = `${next.label} has ${plural(more, 'the new value', 'the new values')} ${listed(more)}`;
    report('value-added', 'widened', { says }, pair);
  }
}

function plural(values: readonly unknown[], one: string, several: string): string {
  return values.length === 1 ? one : several;
}

function listed(values: readonly Json[]): string {
  const texts = values.slice(0, MOST_SHOWN).map((value) => {
    const text = JSON.stringify(value);
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  });
  const more = values.length - texts.length;
  return `${texts.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

function named(types: readonly JsonType[]): string {
  if (types.length >= EVERY_TYPE.length - 1) return 'anything';
  if (types.length === 0) return 'nothing';
  const names = types.includes('fraction')
    ? types.filter((type) => type !== 'integer').map((type) => (type === 'fraction' ? 'number' : type))
    : types;
  return names.join(' or ');
}

const MOST_SHOWN = 8;
const LONGEST_SHOWN = 60;
