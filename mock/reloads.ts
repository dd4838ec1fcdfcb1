import type { ReloadShape } from './control/shape.ts';

/** The results of changes to a user's own documents. */
export interface Reloads {
  /** The latest result; `undefined` before the first. */
  readonly latest: ReloadShape | undefined;
  /** Records the result of a change, as reported by the reader of the documents. */
  tell(outcome: Pick<ReloadShape, 'ok' | 'documents' | 'problems'>): ReloadShape;
  /** Calls back with each further result; the returned function stops that. */
  watch(listener: (reload: ReloadShape) => void): () => void;
}

/** @param now the mock's clock */
export function reloadsOf(now: () => number): Reloads {
  const listeners = new Set<(reload: ReloadShape) => void>();
  let latest: ReloadShape | undefined;
  return {
    get latest() {
      return latest;
    },
    tell(outcome) {
      const told = { number: (latest?.number ?? 0) + 1, at: now(), ...outcome };
      latest = told;
      for (const listener of listeners) listener(told);
      return told;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
