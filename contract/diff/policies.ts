import { durationMs } from '../policies/duration.ts';
import type { Contract, Json } from '../model.ts';
import type { Policy, PolicyKind } from '../policies/policy.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { ContractPointer, Effects } from './change.ts';
import type { ChangeCollector } from './change-collector.ts';
import { type FactMeaning, policyMeanings, UNDECIDED } from './policy-facts.ts';
import { canonical } from '../canonical-json.ts';

/** Compares the policies of two sheets, for each operation that they name. */
export function comparePolicies(ledger: ChangeCollector, renamed: ReadonlyMap<string, string>): void {
  const [before, after] = [placedPolicies(ledger.old, renamed), placedPolicies(ledger.new)];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)];
    const kind = (is ?? was)?.policy.kind;
    if (kind === undefined) continue;
    const operations = (is ?? was)?.operation === undefined ? [] : [(is ?? was)?.operation ?? ''];
    const places = { before: was?.at ?? POLICIES, after: is?.at ?? POLICIES, operations };
    const meaning = policyMeanings[kind];
    if (was === undefined)
      ledger.add({
        kind: 'policy-added',
        says: `the policy ${nameOf(is?.policy)} is new`,
        ...reasoned(meaning.added),
        ...places,
      });
    else if (is === undefined)
      ledger.add({
        kind: 'policy-removed',
        says: `the policy ${nameOf(was.policy)} is gone`,
        ...reasoned(meaning.removed),
        ...places,
      });
    else compareFacts(ledger, kind, was, is, operations);
  }
}

// --- internal ---

const POLICIES: ContractPointer = { pointer: '/policies', in: 'sheet' };

interface PlacedPolicy {
  readonly policy: Policy;
  readonly operation: string | undefined;
  readonly at: ContractPointer;
}

/** Policies by their operations: a policy that names several counts once for each. */
function placedPolicies(
  { sheet }: Contract,
  renamed?: ReadonlyMap<string, string>,
): ReadonlyMap<string, PlacedPolicy> {
  const found = new Map<string, PlacedPolicy>();
  (sheet?.policies ?? []).forEach((policy, index) => {
    const at: ContractPointer = { pointer: joinPointer('/policies', index), in: 'sheet' };
    const about = policy as unknown as Record<string, unknown>;
    const words = ['mode', 'schema', 'property', 'member', 'collection'].map((name) =>
      String(about[name] ?? ''),
    );
    const operations =
      'operations' in policy && policy.kind !== 'resource'
        ? policy.operations.map((id) => renamed?.get(id) ?? id)
        : [undefined];
    for (const operation of operations) {
      for (let count = 0; ; count += 1) {
        const key = [policy.kind, ...words, operation ?? '', count].join('\n');
        if (found.has(key)) continue;
        found.set(key, { policy, operation, at });
        break;
      }
    }
  });
  return found;
}

function nameOf(policy: Policy | undefined): string {
  if (policy === undefined) return '';
  const about = policy as unknown as Record<string, unknown>;
  const words = [
    about['mode'],
    about['schema'],
    about['property'],
    about['member'],
    about['collection'],
  ].filter((word) => typeof word === 'string');
  return words.length === 0 ? policy.kind : `${policy.kind} (${words.join(' ')})`;
}

function compareFacts(
  ledger: ChangeCollector,
  kind: PolicyKind,
  was: PlacedPolicy,
  is: PlacedPolicy,
  operations: readonly string[],
): void {
  const [before, after] = [factsOf(was.policy), factsOf(is.policy)];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(path), after.get(path)];
    // A name without a counterpart is reported as a change of the list of names.
    const item = (from ?? to)?.item;
    if (item !== undefined && !(hasItem(before, item) && hasItem(after, item))) continue;
    if (from !== undefined && to !== undefined && canonical(from.value) === canonical(to.value)) continue;
    const meaning = policyMeanings[kind].facts?.[from?.fact ?? to?.fact ?? ''];
    const at = (placed: PlacedPolicy, fact: PlacedFact | undefined): ContractPointer => ({
      pointer: `${placed.at.pointer}${fact?.pointer ?? ''}`,
      in: 'sheet',
    });
    ledger.add({
      kind: 'policy-changed',
      says: `the policy ${nameOf(is.policy)}: ${path} was ${shown(from)} and is ${shown(to)}`,
      ...reasoned(effectsOf(meaning, from?.value, to?.value)),
      ...{ before: at(was, from), after: at(is, to), operations },
    });
  }
}

function reasoned(effects: Partial<Effects>): Partial<Effects> & { readonly reason?: string } {
  return Object.values(effects).includes('unknown') ? { ...effects, reason: UNDECIDED } : effects;
}

interface PlacedFact {
  /** The path without names: the key of its entry in the table of facts. */
  readonly fact: string;
  readonly pointer: string;
  readonly value: Json;
  /** The named item that the fact belongs to, and the path of the list that contains it. */
  readonly item?: { readonly list: string; readonly name: string };
}

/**
 * The single facts of a policy by path. Items of a list are identified by their names, and order is ignored.
 */
function factsOf(policy: Policy): ReadonlyMap<string, PlacedFact> {
  const found = new Map<string, PlacedFact>();
  const look = (value: Json, { path, fact, pointer, item }: LookedAt): void => {
    if (Array.isArray(value)) {
      const items = value as readonly Json[];
      const names = items.map((each) => (isRecord(each) ? each['name'] : undefined));
      const areNamed = names.length > 0 && names.every((name) => typeof name === 'string');
      // The parameters of a model are ordered.
      const isOrdered = policy.kind === 'model-schemas';
      const listed = areNamed ? names : items;
      const text = (each: Json): string => canonical(each);
      const sorted = isOrdered ? listed : [...listed].sort((a, b) => (text(a) < text(b) ? -1 : 1));
      found.set(path, { fact, pointer, value: sorted, ...(item === undefined ? {} : { item }) });
      if (!areNamed) return;
      items.forEach((each, index) => {
        if (!isRecord(each)) return;
        const { name, ...rest } = each as Record<string, Json>;
        for (const [member, inner] of Object.entries(rest))
          look(inner, {
            path: `${path}.${String(name)}.${member}`,
            fact: `${fact}.${member}`,
            pointer: joinPointer(pointer, index, member),
            item: { list: path, name: String(name) },
          });
      });
    } else if (isRecord(value)) {
      for (const [member, inner] of Object.entries(value as Record<string, Json>)) {
        if (path === '' && (member === 'kind' || member === 'operations')) continue;
        const below = (outer: string): string => (outer === '' ? member : `${outer}.${member}`);
        const place = { path: below(path), fact: below(fact), pointer: joinPointer(pointer, member) };
        look(inner, { ...place, ...(item === undefined ? {} : { item }) });
      }
    } else found.set(path, { fact, pointer, value, ...(item === undefined ? {} : { item }) });
  };
  look(policy as unknown as Json, { path: '', fact: '', pointer: '' });
  return found;
}

interface LookedAt extends Omit<PlacedFact, 'value'> {
  readonly path: string;
}

function hasItem(
  facts: ReadonlyMap<string, PlacedFact>,
  { list, name }: NonNullable<PlacedFact['item']>,
): boolean {
  const names = facts.get(list)?.value;
  return Array.isArray(names) && names.includes(name);
}

function effectsOf(
  meaning: FactMeaning | undefined,
  from: Json | undefined,
  to: Json | undefined,
): Partial<Effects> {
  if (meaning === undefined) return { callers: 'unknown', servers: 'unknown' };
  if ('either' in meaning) return meaning.either;
  const isLess = isMoreThan(from, to);
  const isMore = isMoreThan(to, from);
  if (!isLess && !isMore) return { callers: 'unknown', servers: 'unknown' };
  return { ...(isLess ? meaning.less : {}), ...(isMore ? meaning.more : {}) };
}

/** Whether one value exceeds the other: it is greater, lasts longer, or has an additional member. */
function isMoreThan(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a)) {
    const others = new Set((Array.isArray(b) ? (b as readonly Json[]) : []).map(canonical));
    return (a as readonly Json[]).some((item) => !others.has(canonical(item)));
  }
  const [first, second] = [amount(a), amount(b)];
  return first !== undefined && second !== undefined && first > second;
}

function amount(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^P(?=.)/.test(value)) return undefined;
  try {
    return durationMs(value);
  } catch {
    return undefined;
  }
}

function shown(fact: PlacedFact | undefined): string {
  return fact === undefined ? 'absent' : canonical(fact.value).slice(0, 200);
}
