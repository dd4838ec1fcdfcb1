import { isAbout, isOfAnother } from '../../../contract/index.ts';
import { wholeCaseOf } from '../../../contract/sheet/policy-cases.ts';
import type { BehaviourSheet, Operation, Rule } from '../../../contract/model.ts';
import { check, undecided } from '../../scenarios/check.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Oracle } from '../../oracle.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario } from '../../scenarios/scenario.ts';
import type { Reads } from '../document/reads.ts';
import type { OwnApi } from '../own-api.ts';

/** Any policy of a sheet. */
export type Policy = BehaviourSheet['policies'][number];

/** The scenarios that a template makes for a policy. */
export interface Probes {
  readonly scenarios?: readonly Scenario[];
  readonly oracles?: readonly Oracle[];
}

/**
 * A policy of a sheet, the operation under test, and the rules about its cases. A template reads the facts
 * from here and defines independently what they mean on the wire.
 */
export class Facts<Of extends Policy = Policy> {
  readonly api: OwnApi;
  readonly reads: Reads;
  readonly policy: Of;
  /** Absent for a policy of the whole API. */
  readonly operation: Operation | undefined;
  readonly #rules: readonly Rule[];
  readonly #parts: ConstructorParameters<typeof Facts>[0];

  constructor(
    parts: { readonly api: OwnApi; readonly reads: Reads; readonly rules: readonly Rule[] },
    policy: Of,
    operation?: Operation,
  ) {
    this.api = parts.api;
    this.reads = parts.reads;
    this.policy = policy;
    this.operation = operation;
    this.#rules = parts.rules;
    this.#parts = parts;
  }

  /** The same policy, restricted to one of its operations. */
  on(operation: Operation): OperationFacts<Of> {
    return new Facts(this.#parts, this.policy, operation) as OperationFacts<Of>;
  }

  /** The facts of another policy of the sheet. */
  about<Other extends Policy>(policy: Other): Facts<Other> {
    return new Facts(this.#parts, policy);
  }

  /** The ids of the rules that are about these cases. */
  ids(...cases: readonly string[]): readonly string[] {
    return [...new Set(cases.flatMap((name) => this.#aboutAny(name).map(({ id }) => id)))];
  }

  /** Whether the sheet has a rule for a part of a case: then that is judged apart from the whole. */
  isApart(part: string): boolean {
    return this.#rulesFor(part).length > 0;
  }

  /** @param when what brought the case about, by the names that a rule can have for it, the narrowest first */
  *judge(
    name: string,
    seen: Exchange | readonly Exchange[],
    holds: boolean,
    expected: string,
    got?: string,
    when?: readonly string[],
  ): Generator<Check> {
    for (const { id } of this.#about(name, when)) yield check(id, seen, holds, expected, got);
  }

  /** An answer with the status of the policy, or the status that a rule states instead. */
  *status(
    name: string,
    seen: Exchange,
    stated: number,
    what: string,
    holds = true,
    when?: readonly string[],
  ): Generator<Check> {
    for (const { id, expect } of this.#about(name, when)) {
      const wanted = expect?.status ?? stated;
      yield check(id, seen, seen.status === wanted && holds, `${wanted} ${what}`);
    }
  }

  *open(name: string, seen: Exchange | readonly Exchange[], why: string): Generator<Check> {
    for (const { id } of this.#about(name)) yield undecided(id, seen, why);
  }

  /**
   * A scenario about cases; none if no rule is about any of them.
   *
   * @param parts.also the ids of rules about other policies, which it judges as well
   * @param parts.when what brings the cases about in it: for each way the names that a rule can have for it, the narrowest first;
   *   if left out, it may be anything
   */
  scenario<const Plans extends RequestPlans>(
    cases: readonly string[],
    {
      also = [],
      when,
      ...parts
    }: Omit<Parameters<typeof scenario<Plans>>[0], 'api' | 'judges'> & {
      readonly also?: readonly string[];
      readonly when?: readonly (readonly string[])[];
    },
  ): readonly Scenario[] {
    const likely = cases.flatMap((name) => {
      const about = this.#aboutAny(name);
      const ways = when?.map((names) => names.find((one) => about.some((rule) => mayBe(rule, one))));
      return ways === undefined
        ? about
        : about.filter((rule) => rule.when === undefined || ways.some((one) => mayBe(rule, one)));
    });
    if (likely.length === 0) return [];
    const decided = new Set(likely.map(({ id }) => id));
    const all = this.ids(...cases);
    // A server chooses its answers: another one than expected can be about another rule.
    const searches = [...(parts.searches ?? []), ...all.filter((id) => !decided.has(id))];
    const judges = [...new Set([...decided, ...all, ...also])];
    return [scenario<Plans>({ ...parts, api: this.api.name, judges, searches })];
  }

  oracle(cases: readonly string[], parts: Omit<Oracle, 'api' | 'judges'>): readonly Oracle[] {
    const judges = this.ids(...cases);
    return judges.length === 0 ? [] : [{ ...parts, api: this.api.name, judges }];
  }

  /** The rules about a case that something brought about: those that name it, or else those that name nothing. */
  #about(name: string, when: readonly string[] = []): readonly Rule[] {
    const rules = this.#aboutAny(name);
    for (const one of when) {
      const apart = rules.filter((rule) => namesOf(rule).includes(one));
      if (apart.length > 0) return apart;
    }
    return rules.filter((rule) => rule.when === undefined);
  }

  /** The rules about a case; if it is a part for which the sheet has none, those about the whole. */
  #aboutAny(name: string): readonly Rule[] {
    const own = this.#rulesFor(name);
    const whole = own.length > 0 ? undefined : wholeCaseOf(this.policy.kind, name);
    return whole === undefined ? own : this.#rulesFor(whole);
  }

  #rulesFor(name: string): readonly Rule[] {
    const { kind } = this.policy;
    const operation = this.operation === undefined ? {} : { operation: this.operation.id };
    return this.#rules.filter(
      (rule) => isAbout(rule, { policy: kind, case: name, ...operation }) && !isOfAnother(rule, this.policy),
    );
  }
}

function namesOf({ when = [] }: Pick<Rule, 'when'>): readonly string[] {
  return [when].flat().map(String);
}

/** Whether a rule may be about what has this name; a class of statuses has each of them. */
function mayBe(rule: Pick<Rule, 'when'>, name = ''): boolean {
  return namesOf(rule).some((own) => own === name || `${own.slice(0, 1)}xx` === name);
}

/** The names that a rule can have for a status: its number, and its class. */
export function whenOf({ status }: Pick<Exchange, 'status'>): readonly string[] {
  return [String(status), classOf(status)];
}

/** The class of a status, such as `5xx`. */
export function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** Facts with the operation that the policy is about. */
export type OperationFacts<Of extends Policy> = Facts<Of> & { readonly operation: Operation };

/** Cases for which nothing can be sent. */
export function neverSent(facts: Facts, cases: readonly string[], why: string): readonly Scenario[] {
  return facts.scenario(cases, {
    id: `${facts.policy.kind}.${facts.operation?.id ?? 'api'}`,
    ...sendingNothing(why),
  });
}

/** What makes a scenario leave its rules open, with the reason. */
export function sendingNothing(why: string): Pick<Scenario, 'title' | 'requests' | 'run'> {
  return {
    title: why,
    requests: {},
    async *run() {
      await Promise.reject(new NotExercised('an opportunity', why));
    },
  };
}
