import type { Misfit } from '../../../contract/judge/judge.ts';

/** The first faults of a value, in one line. */
export function misfitsAsText(found: readonly Misfit[], whole: string): string {
  return found
    .slice(0, MOST_TOLD)
    .map(({ pointer, message }) => `${pointer === '' ? whole : pointer} ${message}`)
    .join('; ');
}

/** The member that does not fit, of any thing of any list. */
export function misfitInGeneral(misfit: Misfit | undefined, whole: string): string {
  const member = misfit?.pointer.split('/').findLast((name) => !/^\d*$/.test(name));
  return `${member ?? whole} ${misfit?.message ?? ''}`;
}

// --- internal ---

const MOST_TOLD = 5;
