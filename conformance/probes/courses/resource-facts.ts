import type { PolicyOf } from '../../../contract/index.ts';
import type { Facts } from '../policies/facts.ts';
import type { Role } from '../policies/thing.ts';
import type { Things } from '../policies/things.ts';
import type { BrokenCase, CallRole } from './thing-call.ts';

/** The rules about a resource, by what a call did with it. */
export class ResourceCases {
  readonly things: Things;
  readonly #facts: Facts<PolicyOf<'resource'>>;

  constructor(facts: Facts<PolicyOf<'resource'>>, things: Things) {
    this.#facts = facts;
    this.things = things;
  }

  /** The rule about the effect of such a call; `undefined` if there is none. */
  of(role: CallRole | 'apart'): BrokenCase | undefined {
    const name = CASES[role];
    const operation =
      role === 'apart'
        ? (this.things.operation('replace') ??
          this.things.operation('patch') ??
          this.things.operation('delete'))
        : role === 'act' || role === 'beside'
          ? undefined
          : this.things.operation(role as Role);
    return operation === undefined || name === undefined
      ? undefined
      : { facts: this.#facts.on(operation), name };
  }

  /** The ids of all of these rules. */
  get ids(): readonly string[] {
    return (Object.keys(CASES) as (CallRole | 'apart')[]).flatMap((role) => {
      const one = this.of(role);
      return one === undefined ? [] : one.facts.ids(one.name);
    });
  }
}

// --- internal ---

const CASES: Readonly<Partial<Record<CallRole | 'apart', string>>> = {
  create: 'created',
  list: 'listed',
  patch: 'patched',
  replace: 'replaced',
  delete: 'deleted',
  restore: 'restored',
  apart: 'apart',
};
