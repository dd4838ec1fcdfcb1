import { isAbout, usualRules } from '../../../contract/index.ts';
import type { Contract, Operation, Rule } from '../../../contract/model.ts';
import type { PolicyKind } from '../../../contract/policies/policy.ts';
import { partsOf, type Breakage } from '../breaks.ts';
import type { AnswerChange } from '../changes.ts';
import { isSuccess, status, when, type Condition } from '../conditions.ts';
import type { Deviation } from '../deviation.ts';

/**
 * Ways to break the cases of a policy: a row is a case with a variant, its method, and the rules that break
 * as a consequence.
 *
 * ```ts
 * {
 *   'shape~no-message': [dropped(policy.message), documented('the document may describe the error', 'answer')],
 *   'weak~strong': firstAgain([status(304), isWeak]),
 * }
 * ```
 */
export type Ways = Readonly<Record<`${string}~${string}`, Way | readonly [Way, ...Companions[]]>>;

type Way = Breakage & Pick<Deviation, 'operations'>;

type Companions = readonly {
  readonly why: string;
  readonly cases: readonly string[];
  readonly of: 'this' | 'document' | PolicyKind;
}[];

/** Cases of the same policy that break as a consequence. */
export function alongCases(why: string, ...cases: readonly string[]): Companions {
  return [{ why, cases, of: 'this' }];
}

/** Cases of another policy that break as a consequence, for any operations. */
export function alongPolicy(of: PolicyKind, why: string, ...cases: readonly string[]): Companions {
  return [{ why, cases, of }];
}

/** Rules of the document that break as a consequence, by their last part. */
export function documented(why: string, ...cases: readonly string[]): Companions {
  return [{ why, cases, of: 'document' }];
}

/** The rules that break if a refusal has another status. */
export const undeclared = documented('the status may be none that the document declares', 'status');
export const anotherStatus: Companions = [
  ...alongPolicy('error-codes', 'the code belongs to the status that it should be', 'status'),
  ...alongPolicy('error-codes', 'the body may tell the status that it should be', 'shape'),
  ...alongPolicy('error-buckets', 'the bucket belongs to the status that it should be', 'status'),
  ...undeclared,
];

/** Changes the status of refusals to another one. */
export function otherThan(refused: number): number {
  return refused === 409 ? 422 : 409;
}

/** Gives another status to answers with this one. */
export function withOtherStatus(refused: number): AnswerChange {
  return when(status(refused), (answer) => ({ ...answer, status: otherThan(refused) }));
}

/** Repeats the first success for the same path, if all conditions are met. */
export function firstAgain(
  conditions: readonly Condition[],
  change: AnswerChange = (answer) => answer,
): AnswerChange {
  const firsts = new Map<string, Parameters<AnswerChange>[0]>();
  return (answer, seen) => {
    const { path } = seen.request;
    const first = firsts.get(path);
    if (first === undefined && isSuccess(answer)) firsts.set(path, answer);
    return first !== undefined && conditions.every((holds) => holds(answer, seen))
      ? change(first, seen)
      : answer;
  };
}

/** The deviations of a policy: one for each way whose case has a rule. */
export function deviationsBy(
  contract: Contract,
  policy: Pick<Rule, 'policy'> & {
    readonly operation?: Operation;
    /** Rules about other operations belong to another policy of the kind. */
    readonly among?: readonly string[];
    /** Whether a rule is that of another policy of the kind. */
    readonly isOfAnother?: (rule: Rule) => boolean;
  },
  ways: Ways,
): readonly Deviation[] {
  const rules = [...(contract.sheet?.rules ?? []), ...usualRules(contract)];
  const { operation, among, isOfAnother = () => false } = policy;
  const on: { readonly operation?: string } = operation === undefined ? {} : { operation: operation.id };
  const ofAny = (name: string, kind: string): readonly Rule[] =>
    rules.filter((rule) => isAbout(rule, { policy: kind, case: name }));
  const about = (name: string): readonly string[] =>
    rules
      .filter((rule) => isAbout(rule, { policy: policy.policy ?? '', case: name, ...on }))
      .filter((rule) => rule.operation === undefined || among?.includes(rule.operation) !== false)
      .filter((rule) => !isOfAnother(rule))
      .map(({ id }) => id);
  const named = (of: Companions[number]['of'], name: string): readonly string[] => {
    if (of === 'this') return about(name);
    if (of !== 'document') return ofAny(name, of).map(({ id }) => id);
    const documents = operation === undefined ? contract.operations : [operation];
    return documents.map(({ id }) => `document.${id.replace(/[^\w-]+/g, '-')}.${name}`);
  };
  return Object.entries(ways).flatMap(([name, row]): readonly Deviation[] => {
    const [way, ...companions] = isWithCompanions(row) ? row : [row];
    const [brokenCase = '', variant = ''] = name.split('~');
    const [rule, ...others] = about(brokenCase);
    if (rule === undefined) return [];
    const alsoFails = [
      ...others.map((id) => ({ rule: id, why: 'it is about the same case' })),
      ...companions
        .flat()
        .flatMap(({ of, cases, why }) =>
          cases.flatMap((each) => named(of, each).map((id) => ({ rule: id, why }))),
        ),
    ].filter((companion) => companion.rule !== rule);
    const { operations = operation && [operation.id], ...breakage } =
      typeof way === 'function' ? { onReply: way } : way;
    return [
      {
        ...{ id: `${rule}~${variant}`, rule, alsoFails },
        ...(operations === undefined ? {} : { operations }),
        ...partsOf(breakage),
      },
    ];
  });
}

// --- internal ---

function isWithCompanions<Row extends readonly unknown[]>(row: Way | Row): row is Row {
  return Array.isArray(row);
}
