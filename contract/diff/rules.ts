import type { Contract, Rule, Unspecified } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import type { ContractPointer, Effects } from './change.ts';
import type { ChangeCollector } from './change-collector.ts';
import { canonical } from '../canonical-json.ts';

/**
 * Compares the rules of two sheets by id. An additional rule is a new duty for its audience; a removed rule
 * ends a promise to the other party.
 */
export function compareRules(ledger: ChangeCollector): void {
  const [before, after] = [placed(ledger.old, 'rules'), placed(ledger.new, 'rules')];
  for (const [id, { value: was, at }] of before) {
    const found = after.get(id);
    const operations = was.operation === undefined ? [] : [was.operation];
    if (found !== undefined) compareRule(ledger, { was, is: found.value, before: at, after: found.at });
    else
      ledger.add({
        ...{ kind: 'rule-removed', says: `the rule ${id} is gone: ${was.says}` },
        ...(isBinding(was)
          ? { [otherOf(was)]: 'unknown', reason: 'it is unknown whether callers rely on it' }
          : {}),
        ...{ before: at, after: RULES, operations },
      });
  }
  for (const [id, { value: is, at }] of after)
    if (!before.has(id))
      ledger.add({
        ...{ kind: 'rule-added', says: `the rule ${id} is new: ${is.says}`, ...dutyOf(is) },
        ...{ before: RULES, after: at, operations: is.operation === undefined ? [] : [is.operation] },
      });
}

/** Compares the open points of the sheets. */
export function compareOpenPoints(ledger: ChangeCollector): void {
  const [before, after] = [placed(ledger.old, 'unspecified'), placed(ledger.new, 'unspecified')];
  const reason =
    'a point that was decided may have been counted on, and one that was open may have been settled otherwise';
  const undecided = { callers: 'unknown', servers: 'unknown', reason } as const;
  const at: ContractPointer = { pointer: '/unspecified', in: 'sheet' };
  for (const [id, { value: was, at: place }] of before) {
    const found = after.get(id);
    if (found === undefined) {
      ledger.add({
        kind: 'open-point-removed',
        says: `${id} is no longer open: ${was.about}`,
        ...undecided,
        before: place,
        after: at,
      });
      continue;
    }
    const changed = (['about', 'mockUses', 'canBe', 'fixed', 'policy', 'case'] as const).filter(
      (member) => canonical(found.value[member] ?? null) !== canonical(was[member] ?? null),
    );
    if (changed.length > 0)
      ledger.add({
        kind: 'open-point-changed',
        says: `${id}: ${changed.join(', ')} changed`,
        before: place,
        after: found.at,
      });
  }
  for (const [id, { value: is, at: place }] of after)
    if (!before.has(id))
      ledger.add({
        kind: 'open-point-added',
        says: `${id} is open: ${is.about}`,
        ...undecided,
        before: at,
        after: place,
      });
}

// --- internal ---

const RULES: ContractPointer = { pointer: '/rules', in: 'sheet' };

interface Placed<Value> {
  readonly value: Value;
  readonly at: ContractPointer;
}

function placed(contract: Contract, list: 'rules'): ReadonlyMap<string, Placed<Rule>>;
function placed(contract: Contract, list: 'unspecified'): ReadonlyMap<string, Placed<Unspecified>>;
function placed(
  { sheet }: Contract,
  list: 'rules' | 'unspecified',
): ReadonlyMap<string, Placed<Rule | Unspecified>> {
  const values: readonly (Rule | Unspecified)[] = sheet?.[list] ?? [];
  return new Map(
    values.map((value, index) => [
      value.id,
      { value, at: { pointer: joinPointer(`/${list}`, index), in: 'sheet' } },
    ]),
  );
}

function compareRule(
  ledger: ChangeCollector,
  {
    was,
    is,
    before,
    after,
  }: {
    readonly was: Rule;
    readonly is: Rule;
    readonly before: ContractPointer;
    readonly after: ContractPointer;
  },
): void {
  const members = [
    'level',
    'audience',
    'says',
    'operation',
    'policy',
    'case',
    'needs',
    'unobservable',
    'source',
  ] as const;
  const changed = members.filter(
    (member) => canonical((is[member] ?? null) as never) !== canonical((was[member] ?? null) as never),
  );
  if (changed.length === 0) return;
  const places = { before, after, operations: is.operation === undefined ? [] : [is.operation] };
  const changes = changed.map((member) =>
    ['level', 'audience', 'operation'].includes(member)
      ? `${member} was ${String(was[member] ?? 'absent')} and is ${String(is[member] ?? 'absent')}`
      : `${member} changed`,
  );
  const says = `the rule ${is.id}: ${changes.join(', ')}`;
  const isStricter = isBinding(is) && (!isBinding(was) || was.audience !== is.audience);
  if (isStricter) ledger.add({ kind: 'rule-changed', says, ...dutyOf(is), ...places });
  else if (changed.includes('says') || changed.includes('operation') || isBinding(was) !== isBinding(is)) {
    const reason = 'the meaning of its words cannot be compared';
    ledger.add({ kind: 'rule-changed', says, callers: 'unknown', servers: 'unknown', reason, ...places });
  } else ledger.add({ kind: 'rule-changed', says, ...places });
}

function isBinding({ level, audience }: Rule): boolean {
  return (level === 'must' || level === 'must-not') && audience !== 'document';
}

function dutyOf(rule: Rule): Partial<Effects> {
  if (!isBinding(rule)) return {};
  return rule.audience === 'client' ? { callers: 'wire' } : { servers: 'wire' };
}

function otherOf({ audience }: Rule): 'callers' | 'servers' {
  return audience === 'client' ? 'servers' : 'callers';
}
