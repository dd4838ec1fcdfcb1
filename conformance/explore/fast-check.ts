import type * as module from 'fast-check';

/** The part of fast-check that generates and shrinks random courses. */
export type FastCheck = typeof module;

let loaded: FastCheck | undefined;

/** Loaded only for searches, before any time limit begins. */
export async function fastCheck(): Promise<FastCheck> {
  return (loaded ??= await import('fast-check'));
}
