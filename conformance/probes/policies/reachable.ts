import type { PolicyOf } from '../../../contract/index.ts';

/** The states that a later read may show: states in between can be missed, and each state reaches itself. */
export function reachable(
  { transitions }: Pick<PolicyOf<'lifecycle'>, 'transitions'>,
  from: string,
): ReadonlySet<string> {
  const reached = new Set([from]);
  // Iterating a set also visits elements that are added during the loop.
  for (const state of reached) for (const way of transitions) if (way.from === state) reached.add(way.to);
  return reached;
}
