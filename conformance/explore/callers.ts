import type { Identity, RequestPlan, Session } from '../scenario.ts';

type ByCaller<Operation extends string, As extends Identity> = `${Operation} ${As}`;

/**
 * The plan of an operation for each caller. The first caller is the usual one, with most of the share; the others are left
 * out where their credential is not known.
 *
 * @param share of what the search may send, for all callers together
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

/** Those callers that this run can be. */
export function knownCallers<As extends Identity>(
  session: Pick<Session, 'knows'>,
  callers: readonly As[],
): readonly As[] {
  return callers.filter((as) => session.knows(as));
}
