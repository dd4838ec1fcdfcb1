import { isAbout, usualRules } from '../../../contract/index.ts';
import type { Contract, Operation, Rule } from '../../../contract/model.ts';
import type { PolicyKind } from '../../../contract/policies/policy.ts';
import type { Deviation } from '../deviation.ts';

/** One way to break a case of a policy. */
export interface WayToBreak {
  readonly case: string;
  readonly variant: string;
  /** Cases of the same policy that break along with it, and why. */
  readonly along?: readonly (readonly [cases: readonly string[], why: string])[];
  /** Cases of other policies, whichever operations they are about. */
  readonly beside?: readonly (readonly [policy: PolicyKind, cases: readonly string[], why: string])[];
  /** Rules of the document that break along with it, by their last part. */
  readonly document?: readonly (readonly [cases: readonly string[], why: string])[];
  readonly parts: Pick<Deviation, 'onReply' | 'replaces' | 'operations'>;
}

/** The deviations of a policy: one for each way whose case some rule is about. */
export function deviationsBy(
  contract: Contract,
  policy: Pick<Rule, 'policy'> & {
    readonly operation?: Operation;
    /** Rules about other operations are about another policy of the kind. */
    readonly among?: readonly string[];
  },
  ways: readonly WayToBreak[],
): readonly Deviation[] {
  const rules = [...(contract.sheet?.rules ?? []), ...usualRules(contract)];
  const { operation, among } = policy;
  const on: { readonly operation?: string } = operation === undefined ? {} : { operation: operation.id };
  const about = (name: string, kind = policy.policy ?? '', where: typeof on = on): readonly string[] =>
    rules
      .filter((rule) => isAbout(rule, { policy: kind, case: name, ...where }))
      .filter(
        (rule) =>
          kind !== policy.policy || rule.operation === undefined || among?.includes(rule.operation) !== false,
      )
      .map(({ id }) => id);
  return ways.flatMap((way) => {
    const [rule, ...others] = about(way.case);
    if (rule === undefined) return [];
    const documented = operation === undefined ? contract.operations : [operation];
    const along = [
      ...others.map((id) => ({ rule: id, why: 'it is about the same case' })),
      ...(way.along ?? []).flatMap(([cases, why]) =>
        cases.flatMap((name) => about(name).map((id) => ({ rule: id, why }))),
      ),
      ...(way.beside ?? []).flatMap(([kind, cases, why]) =>
        cases.flatMap((name) => about(name, kind, {}).map((id) => ({ rule: id, why }))),
      ),
      ...(way.document ?? []).flatMap(([cases, why]) =>
        documented.flatMap(({ id }) =>
          cases.map((name) => ({ rule: `document.${id.replace(/[^\w-]+/g, '-')}.${name}`, why })),
        ),
      ),
    ].filter((companion) => companion.rule !== rule);
    return [
      {
        id: `${rule}~${way.variant}`,
        rule,
        alsoFails: along,
        ...(operation === undefined ? {} : { operations: [operation.id] }),
        ...way.parts,
      },
    ];
  });
}
