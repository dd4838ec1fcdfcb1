import { checkName, type Tell } from '../diagnostics/check-name.ts';
import type { BehaviourSheet, Contract, Rule, Unspecified } from '../model.ts';
import { ownContractNames } from '../own-contracts.ts';
import { joinPointer } from '../pointer.ts';
import type { PolicyKind } from '../policies/policy.ts';
import { likelyCases, namedCaseHelp } from './likely-cases.ts';
import { namesOfCases, wholeCaseOf, whensOf } from './policy-cases.ts';
import { isAbout, usualRules } from './policy-rules.ts';

/** Checks the rules and the open points of a sheet: their ids, and the policies, cases and operations that they name. */
export function checkRules(contract: Contract, sheet: BehaviourSheet, tell: Tell): void {
  const operationIds = contract.operations.map(({ id }) => id);
  const kinds = [...new Set(sheet.policies.map(({ kind }) => kind))];
  const usual = usualRules({ ...contract, sheet: { ...sheet, rules: [] } });
  // The suite has probes of its own for the built-in contracts.
  const isBuiltIn = ownContractNames.some((name) => name === contract.name);
  const ids = idChecker(sheet, tell, 'rule id');
  sheet.rules.forEach((rule, index) => {
    const pointer = joinPointer('/rules', index);
    const at = (member: string): string => joinPointer(pointer, member);
    const { id, operation, policy } = rule;
    ids(id, at('id'));
    if (operation !== undefined)
      checkName(
        tell,
        'sheet-operation-unknown',
        { noun: 'operation' },
        { name: operation, pointer: at('operation') },
        operationIds,
      );
    if (policy !== undefined)
      checkName(
        tell,
        'sheet-policy-absent',
        { noun: 'policy' },
        { name: policy, pointer: at('policy') },
        kinds,
      );
    const areCasesKnown = checkCases(rule, pointer, tell);
    checkWhen(rule, at('when'), tell);
    const isJudged = usual.some((one) => isAbout(rule, one) || isAbout(withWholeCases(rule), one));
    if (isBuiltIn || !areCasesKnown || !isOfServers(rule) || isJudged) return;
    tell(
      'sheet-rule-unjudged',
      at('id'),
      `no template judges the rule ${id}`,
      unjudgedHelp(rule, kinds, usual),
    );
  });
  const points = idChecker(sheet, tell, 'id', ' in unspecified');
  sheet.unspecified.forEach((point, index) => {
    const pointer = joinPointer('/unspecified', index);
    points(point.id, joinPointer(pointer, 'id'));
    checkCases(point, pointer, tell);
  });
}

// --- internal ---

/** The rule as if it named the whole cases of which it names parts. */
function withWholeCases(rule: Rule): Rule {
  const cases = ([rule.case ?? []].flat() as readonly string[]).flatMap(
    (name) => wholeCaseOf(rule.policy as PolicyKind, name) ?? [],
  );
  return { ...rule, case: cases };
}

/** Whether all cases of a rule or a point are those of its policy; the others are reported. */
function checkCases(
  { policy, case: named }: Pick<Rule | Unspecified, 'policy' | 'case'>,
  pointer: string,
  tell: Tell,
): boolean {
  const known = namesOfCases(policy as PolicyKind);
  if (known === undefined || named === undefined) return true;
  const cases = [named].flat() as readonly string[];
  for (const [index, name] of cases.entries())
    checkName(
      tell,
      'sheet-case-unknown',
      { noun: 'case', ...(policy === undefined ? {} : { of: policy }) },
      { name, pointer: joinPointer(pointer, 'case', ...(Array.isArray(named) ? [index] : [])) },
      known,
    );
  return cases.every((name) => known.includes(name));
}

/** Reports what a rule names in `when` and no template tells apart. */
function checkWhen({ policy, when = [] }: Rule, pointer: string, tell: Tell): void {
  const known = whensOf[policy as PolicyKind];
  for (const one of [when].flat() as readonly (string | number)[])
    if (known === undefined || !/^[1-5](xx|\d\d)$/.test(String(one)))
      checkName(
        tell,
        'sheet-case-unknown',
        { noun: 'occasion', ...(policy === undefined ? {} : { of: policy }) },
        { name: String(one), pointer },
        known ?? [],
      );
}

/** Whether a run against a server has to decide a rule. */
function isOfServers({ level, audience, unobservable }: Rule): boolean {
  return (
    level !== 'info' &&
    level !== 'client' &&
    (audience === 'server' || audience === 'both') &&
    unobservable === undefined
  );
}

function unjudgedHelp(rule: Rule, kinds: readonly string[], usual: readonly Rule[]): string {
  const { policy, case: named } = rule;
  const likely = likelyCases(rule, usual);
  const first =
    policy === undefined || !kinds.includes(policy)
      ? 'name the policy and the case that it is about'
      : likely.cases.length === 0
        ? `the policy ${policy} has no consequence for servers`
        : named === undefined
          ? namedCaseHelp(likely)
          : `of the policy ${policy}, only these cases have consequences here: ${likely.cases.join(', ')}`;
  return `${first}; or say why it is \`unobservable\`, or write a probe for it`;
}

/** Reports an id that occurs twice. */
function idChecker(
  sheet: BehaviourSheet,
  tell: Tell,
  noun: string,
  where = '',
): (id: string, pointer: string) => void {
  const seen = new Map<string, string>();
  return (id, pointer) => {
    const first = seen.get(id);
    if (first !== undefined)
      tell(
        'sheet-id-twice',
        pointer,
        `duplicate ${noun} ${id}${where}`,
        `rename one of the two; the first is on line ${String(sheet.locate(first)?.line ?? '?')}`,
      );
    seen.set(id, pointer);
  };
}
