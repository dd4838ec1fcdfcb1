import type { Identity, RequestPlan, Session } from '../scenarios/scenario.ts';

type ByCaller<Operation extends string, As extends Identity> = `${Operation} ${As}`;

/**
 * The plan of an operation for each caller. The first caller is the usual one, with most of the share; others
 * are left out if their credential is not known.
 *
 * @param share of the requests of the search, for all callers together
 */
export function byCaller<const Name extends string, const As extends Identity>(
  name: Name,
  { method, target, share }: Pick<RequestPlan, 'method' | 'target'> & { readonly share: number },
  callers: readonly As[],
): Readonly<Record<ByCaller<Name, As>, RequestPlan>> {
  const [usual, ...others] = callers;
  const plans = callers.map((as): [string, RequestPlan] => [
    `${name} ${as}`,
    {
      method,
      target,
      as,
      times: 1,
      perExplore: others.length === 0 ? share : as === usual ? 0.75 * share : (0.25 * share) / others.length,
      judgesRefusal: true,
      ...(as === usual ? {} : { isOptional: true }),
    },
  ]);
  return Object.fromEntries(plans) as Record<ByCaller<Name, As>, RequestPlan>;
}

/** The callers that this run can use. */
export function knownCallers<As extends Identity>(
  session: Pick<Session, 'knows'>,
  callers: readonly As[],
): readonly As[] {
  return callers.filter((as) => session.knows(as));
}
