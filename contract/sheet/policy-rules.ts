import type { Contract, Operation, Rule } from '../model.ts';
import type { Policy } from '../policies/policy.ts';
import { pagesPolicyOf } from './find-policy.ts';
import { policyCases } from './policy-cases.ts';
import { thingsOf, usualCases } from './usual-cases.ts';

/** The usual rules of each kind of policy. They apply to a server if the sheet has no rule that names the case. */
export function usualRules({ sheet, operations }: Contract): readonly Rule[] {
  if (sheet === undefined) return [];
  const rules = sheet.policies.flatMap((policy) =>
    usualCases(policy, operations).flatMap(({ about, operation, cases }) =>
      cases.map((one): Rule => {
        const { name, level } = typeof one === 'string' ? { name: one, level: 'must' as const } : one;
        const where =
          operation === undefined ? 'the API' : `${operation.method.toUpperCase()} ${operation.path}`;
        return {
          id: [policy.kind, ...(about === undefined ? [] : [inId(about)]), name].join('.'),
          level,
          says: policyCases[policy.kind]?.[name]?.says ?? '',
          source: { document: sheet.document, section: where, item: `policy ${policy.kind}` },
          ...(operation === undefined ? {} : { operation: operation.id }),
          policy: policy.kind,
          case: name,
          needs: [],
          audience: 'both',
        };
      }),
    ),
  );
  // A rule about a part of what brings a case about leaves the rest to the usual one.
  const isSaid = (rule: Rule): boolean =>
    sheet.rules.some((own) => own.when === undefined && isAbout(own, rule));
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()].filter((rule) => !isSaid(rule));
}

/** Whether a rule is about this case of a policy: it has to name the case. A rule without an operation is about all of them. */
export function isAbout(
  rule: Rule,
  { policy, operation, case: name }: Pick<Rule, 'policy' | 'operation' | 'case'>,
): boolean {
  return (
    rule.policy === policy &&
    (rule.operation === undefined || operation === undefined || rule.operation === operation) &&
    [rule.case ?? []].flat().some((own) => [name].flat().includes(own))
  );
}

/**
 * Whether the sheet itself says that a page size above the maximum is brought down: by a rule, or by a finding that it
 * ignores. Otherwise the bounds of the document count: the usual rule is only for documents without a maximum.
 */
export function bringsDownLimits({ sheet }: Pick<Contract, 'sheet'>, operation: Operation): boolean {
  const pages = pagesPolicyOf(operation);
  if (sheet === undefined || pages === undefined) return false;
  const { id } = operation;
  const isIgnored = sheet.policies
    .filter((policy) => policy.kind === 'diagnostics')
    .flatMap(({ findings }) => findings)
    .some(
      ({ operation: on, at, keyword, means }) =>
        [id, '*'].includes(on) &&
        at === `query.${pages.limitParameter}` &&
        keyword === 'maximum' &&
        means === 'ignore',
    );
  const about = { operation: id, case: 'limit-clamped', policy: pages.kind };
  return isIgnored || sheet.rules.some((rule) => isAbout(rule, about));
}

/** Whether a usual rule is that of another policy of the same kind, such as the lifecycle of other things. */
export function isOfAnother(rule: Rule, policy: Policy): boolean {
  const about = thingsOf(policy);
  const isUsual = rule.operation === undefined && rule.source.item === `policy ${policy.kind}`;
  return isUsual && about !== undefined && !rule.id.startsWith(`${policy.kind}.${inId(about)}.`);
}

// --- internal ---

function inId(text: string): string {
  return text.replace(/[^\w-]+/g, '-');
}
