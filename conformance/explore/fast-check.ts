import type * as module from 'fast-check';

/** What draws random courses and makes them smaller. */
export type FastCheck = typeof module;

let loaded: FastCheck | undefined;

/** Loads it for those who search alone; a run does so before any time limit begins. */
export async function fastCheck(): Promise<FastCheck> {
  return (loaded ??= await import('fast-check'));
}
