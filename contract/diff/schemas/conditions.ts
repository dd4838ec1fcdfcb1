import type { Schema } from '../../model.ts';
import { isRecord } from '../../record.ts';
import { joinPointer } from '../../pointer.ts';
import type { Comparing } from './comparing.ts';
import type { FlatSchema, Placed } from './flat-schema.ts';
import type { Schemas } from './flat.ts';
import { canonical } from '../../canonical-json.ts';

/**
 * Compares all other assertions. An added assertion can only refuse more values, a removed one only fewer.
 * For a changed assertion the parts are compared if they decide the effect; otherwise the effect is unknown.
 */
export function compareConditions(comparing: Comparing): void {
  for (const keyword of SCHEMAS) compareSchema(comparing, keyword, {});
  for (const keyword of REVERSED) compareSchema(comparing, keyword, { within: `\`${keyword}\`` });
  for (const keyword of MAPS) compareMap(comparing, keyword);
  for (const keyword of COUNTS) compareCount(comparing, keyword);
  compareDependents(comparing);
  compareUnevaluated(comparing);
}

// --- internal ---

/** A value that becomes allowed in one of these becomes allowed in the whole schema. */
const SCHEMAS = ['propertyNames', 'contains'] as const;
/** A value that becomes allowed in one of these may become refused in the whole schema. */
const REVERSED = ['not', 'if', 'then', 'else'] as const;
const MAPS = ['patternProperties', 'dependentSchemas'] as const;
const COUNTS = ['minContains', 'maxContains'] as const;

function compareSchema(comparing: Comparing, keyword: string, more: { readonly within?: string }): void {
  const { old, new: next, schemas, compare } = comparing;
  const [before, after] = [first(old, keyword), first(next, keyword)];
  if (before === undefined || after === undefined) {
    compareExistence(comparing, keyword, before, after);
    return;
  }
  compare(
    nodeAt(schemas.old, before, `${old.label} (${keyword})`),
    nodeAt(schemas.new, after, `${next.label} (${keyword})`),
    more,
  );
}

function compareMap(comparing: Comparing, keyword: string): void {
  const { old, new: next, schemas, compare } = comparing;
  const [before, after] = [mapOf(old, keyword), mapOf(next, keyword)];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    const says = `${keyword} ${name}`;
    if (was === undefined || is === undefined) compareExistence(comparing, says, was, is);
    else
      compare(
        nodeAt(schemas.old, was, `${old.label} (${says})`),
        nodeAt(schemas.new, is, `${next.label} (${says})`),
      );
  }
}

function compareCount(comparing: Comparing, keyword: 'minContains' | 'maxContains'): void {
  const { old, new: next, report } = comparing;
  if (first(old, 'contains') === undefined || first(next, 'contains') === undefined) return;
  const count = (flat: FlatSchema): number =>
    Number(first(flat, keyword)?.value ?? (keyword === 'minContains' ? 1 : Infinity));
  const [was, is] = [count(old), count(next)];
  if (was === is) return;
  const isTighter = keyword === 'minContains' ? is > was : is < was;
  const says = `${next.label}: ${keyword} was ${String(was)} and is ${String(is)}`;
  report(
    isTighter ? 'limit-tightened' : 'limit-loosened',
    isTighter ? 'narrowed' : 'widened',
    { says },
    pairAt(comparing, first(old, keyword), first(next, keyword)),
  );
}

/** Members that are required when other members are present. */
function compareDependents(comparing: Comparing): void {
  const [before, after] = [
    mapOf(comparing.old, 'dependentRequired'),
    mapOf(comparing.new, 'dependentRequired'),
  ];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    const [had, has] = [was, is].map((placed) => new Set(Array.isArray(placed?.value) ? placed.value : []));
    const less = [...(had ?? [])].filter((member) => has?.has(member) !== true);
    const more = [...(has ?? [])].filter((member) => had?.has(member) !== true);
    const words = (members: readonly unknown[]): string => members.map(String).join(', ');
    const { label } = comparing.new;
    const pair = pairAt(comparing, was, is);
    if (more.length > 0)
      comparing.report(
        'condition-added',
        'narrowed',
        { says: `${label}: beside ${name} there has to be ${words(more)}` },
        pair,
      );
    if (less.length > 0)
      comparing.report(
        'condition-removed',
        'widened',
        { says: `${label}: beside ${name} there need not be ${words(less)}` },
        pair,
      );
  }
}

function compareUnevaluated(comparing: Comparing): void {
  const { old, new: next, report } = comparing;
  const keyword = 'unevaluatedProperties';
  const [before, after] = [first(old, keyword), first(next, keyword)];
  if (before === undefined || after === undefined) {
    compareExistence(comparing, keyword, before, after);
    return;
  }
  if (canonical(before.value) === canonical(after.value)) return;
  const reason = 'it depends on what the other parts of the schema describe';
  report(
    'condition-changed',
    'unknown',
    { says: `${next.label}: ${keyword} changed`, reason },
    pairAt(comparing, before, after),
  );
}

function compareExistence(
  comparing: Comparing,
  what: string,
  before: Placed | undefined,
  after: Placed | undefined,
): void {
  if (saysNothing(before) && saysNothing(after)) return;
  const { new: next, report } = comparing;
  const pair = pairAt(comparing, before, after);
  if (saysNothing(before))
    report('condition-added', 'narrowed', { says: `${next.label}: ${what} is new` }, pair);
  else report('condition-removed', 'widened', { says: `${next.label}: ${what} is gone` }, pair);
}

function saysNothing(placed: Placed | undefined): boolean {
  return (
    placed === undefined ||
    placed.value === true ||
    (isRecord(placed.value) && Object.keys(placed.value).length === 0)
  );
}

function first(flat: FlatSchema, keyword: string): Placed | undefined {
  return flat.keywords.get(keyword)?.[0];
}

function mapOf(flat: FlatSchema, keyword: string): ReadonlyMap<string, Placed> {
  return new Map(
    (flat.keywords.get(keyword) ?? []).flatMap(({ value, pointer }) =>
      isRecord(value)
        ? Object.entries(value).map(
            ([name, inner]) =>
              [name, { value: inner as Placed['value'], pointer: joinPointer(pointer, name) }] as const,
          )
        : [],
    ),
  );
}

function nodeAt(schemas: Schemas, { value, pointer }: Placed, label: string): ReturnType<Schemas['node']> {
  return schemas.node(value as Schema, pointer, label);
}

function pairAt(
  { old, new: next }: Comparing,
  before: Placed | undefined,
  after: Placed | undefined,
): { before: string; after: string } {
  return { before: before?.pointer ?? old.pointer, after: after?.pointer ?? next.pointer };
}
