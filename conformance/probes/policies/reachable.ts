import type { PolicyOf } from '../../../contract/index.ts';

/** The states that a later look may find: there can be unseen ones in between, and each state reaches itself. */
export function reachable({ transitions }: PolicyOf<'lifecycle'>, from: string): ReadonlySet<string> {
  const reached = new Set([from]);
  // A set that grows while it is walked is walked to its new end.
  for (const state of reached) for (const way of transitions) if (way.from === state) reached.add(way.to);
  return reached;
}
