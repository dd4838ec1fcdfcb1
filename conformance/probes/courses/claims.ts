import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { sentAtOnce } from '../../explore/at-once.ts';
import type { Step } from '../../explore/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { endsWith } from '../document/ids.ts';
import { freshBody } from '../document/input.ts';
import type { OperationFacts } from '../policies/facts.ts';
import type { CollectionModel } from './collection-model.ts';
import { step } from './first-courses.ts';
import { chosen, heardBeside, listedAll, madeBeside } from './state.ts';
import type { CourseState } from './state.ts';
import { courseStep } from './steps.ts';
import type { Steps } from './steps.ts';
import { writeOutcome } from './thing-call.ts';

export const CREATED_TOGETHER = 'create together';

type Claim = OperationFacts<PolicyOf<'uniqueness'> | PolicyOf<'idempotency'>>;

/** What several creations at once can have in common of which only one may have it. */
export function claimsOf({
  facts,
  create,
  things,
}: CollectionModel): Readonly<Record<'value' | 'key', readonly Claim[]>> {
  // An id that the caller chooses is claimed by the path.
  if (endsWith(create, things.roles.parameter)) return { value: [], key: [] };
  const unique = (facts.api.contract.sheet?.policies ?? []).filter((policy) => policy.kind === 'uniqueness');
  const keyed = policyFor(create, 'idempotency');
  return {
    value: unique
      .filter(({ operations }) => operations.includes(create.id))
      .map((policy) => facts.about(policy).on(create) as Claim),
    key: keyed === undefined ? [] : [facts.about(keyed).on(create) as Claim],
  };
}

/** The ids of the rules about claims. */
export function claimIds(model: CollectionModel): readonly string[] {
  return Object.values(claimsOf(model)).flatMap((claims) => claims.flatMap((one) => one.ids(caseOf(one))));
}

/** Creations at once: of different things, with one unique value, or with one key. */
export function createdTogetherStep(model: CollectionModel, names: readonly string[]): Steps[string] {
  const claims = claimsOf(model);
  const hasList = names.includes('list');
  return courseStep({
    factors: { same: ['nothing', ...namesOf(claims)], size: ['2', '3', '4'] },
    sends: ({ size }) => ({ create: Number(size), ...(hasList ? { list: 1 } : {}) }),
    isPossible: ({ things }) => things.length > 0,
    async *perform({ state, session, choices: { same, size } }) {
      const times = Array.from({ length: Number(size) });
      if (same !== 'value' && same !== 'key') {
        // What differs shows whether one of them gets what another one has sent.
        const making = times.map((_, index) => (own: Session) => madeBeside(own, state, index % 2 === 1));
        for (const one of await sentAtOnce(session, making)) {
          if (one.status === 'rejected') throw one.reason as Error;
          yield* one.value;
        }
      } else yield* claimed(session, state, { claims: claims[same], same, times: times.length });
      if (hasList) yield* listedAll(session, state);
    },
  });
}

export function coursesOfClaims(model: CollectionModel): readonly (readonly Step[])[] {
  const all = ['nothing', ...namesOf(claimsOf(model))];
  return all.map((same) => [step('create'), step(CREATED_TOGETHER, { same, size: '4' })]);
}

// --- internal ---

function namesOf(claims: ReturnType<typeof claimsOf>): readonly string[] {
  return Object.entries(claims).flatMap(([name, all]) => (all.length === 0 ? [] : [name]));
}

function caseOf({ policy }: Claim): string {
  return policy.kind === 'uniqueness' ? 'taken' : policy.mode === 'replay' ? 'replayed' : 'used';
}

/** Several creations with one value or one key: at most one of them makes a thing. */
async function* claimed(
  session: Session,
  state: CourseState,
  {
    claims,
    same,
    times,
  }: { readonly claims: readonly Claim[]; readonly same: 'value' | 'key'; readonly times: number },
): AsyncGenerator<Check> {
  const { model, within } = state;
  const { api, things, create } = model;
  const old = chosen(state, 'first').body;
  const body: Json | undefined = old === undefined ? undefined : freshBody(api, create, old, session);
  const key = same === 'key' ? { key: session.freshKey() } : {};
  const settled = await sentAtOnce(
    session,
    Array.from(
      { length: times },
      () => (own: Session) => things.send(own, 'create', create, within, { body, ...key }),
    ),
  );
  const byId = new Map<string, Exchange>();
  for (const one of settled) {
    if (one.status === 'rejected') throw one.reason as Error;
    const seen = one.value;
    const id = isSuccess(seen) && writeOutcome({ seen }) === 'made' ? things.madeId(seen) : undefined;
    if (id === undefined || byId.has(String(id)) || state.things.some((each) => each.id === String(id)))
      continue;
    byId.set(String(id), seen);
    const known = model.known({ id, sent: body, values: { ...within, [things.roles.parameter]: id } });
    yield* heardBeside(state, known, [{ role: 'beside', operation: create, seen }]);
    state.things.push(known);
  }
  const [first, second] = byId.values();
  if (first === undefined || second === undefined) return;
  for (const claim of claims)
    yield* claim.judge(
      caseOf(claim),
      [first, second],
      false,
      `one resource by ${String(times)} calls at once with the same ${same === 'key' ? 'key' : (claim.policy as PolicyOf<'uniqueness'>).member}`,
      `${String(byId.size)} resources: ${[...byId.keys()].join(', ')}`,
    );
}
