import type { Misfit } from '../../contract/judge/judge.ts';

/** The faults of a request with a list of things. */
export interface JudgedThings {
  /** By the place of the thing in the list. */
  readonly things: ReadonlyMap<number, readonly Misfit[]>;
  readonly others: readonly Misfit[];
}

/** @param send the member with the list; without one, the list is the whole body */
export function judgedThings(misfits: readonly Misfit[], send: string | undefined): JudgedThings {
  const above = send === undefined ? '' : `/${send.split('.').join('/')}`;
  const things = new Map<number, Misfit[]>();
  const others: Misfit[] = [];
  for (const misfit of misfits) {
    const place = misfit.pointer.startsWith(`${above}/`)
      ? /^\d+(?=\/|$)/.exec(misfit.pointer.slice(above.length + 1))?.[0]
      : undefined;
    if (place === undefined) others.push(misfit);
    else things.set(Number(place), [...(things.get(Number(place)) ?? []).slice(0, MOST_FAULTS), misfit]);
  }
  return { things, others };
}

// --- internal ---

/** How many faults of one thing are kept. */
const MOST_FAULTS = 3;
