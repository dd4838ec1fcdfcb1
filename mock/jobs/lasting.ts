import type { SingleUseRecord } from '../../contract/policies/idempotency-single-use.ts';
import type { Change, Keep, Lasting } from '../lasting.ts';
import type { BoardEvent } from './board.ts';
import type { JobsState } from './context.ts';
import type { AssetOption } from './options.ts';

const KEY = 'jobs.key';
const EVENT = 'jobs.event';
const ASSET = 'jobs.asset';

/**
 * What outlives the process: keys, assets, and what was done to jobs from outside. All else follows from that and from
 * the time, so that a job goes on as if nothing had been.
 */
export function jobsLasting(
  state: () => JobsState,
  keep: Keep | undefined,
): Lasting & { readonly watch: () => void } {
  return {
    /** Takes down what happens in the present state from now on. */
    watch: () => {
      if (keep === undefined) return;
      const { board, keys, assets } = state();
      board.observe((event) => {
        keep({ part: EVENT, event });
      });
      keys.watch((id, record) => {
        keep({ part: KEY, id, record: record ?? null });
      });
      assets.watch((asset) => {
        keep({ part: ASSET, asset });
      });
    },
    *dump(): Generator<Change> {
      const { board, keys, assets } = state();
      for (const event of board.history()) yield { part: EVENT, event };
      for (const [id, record] of keys.entries()) yield { part: KEY, id, record };
      for (const asset of assets.all()) yield { part: ASSET, asset };
    },
    restore(change) {
      const { board, keys, assets } = state();
      switch (change.part) {
        case KEY:
          keys.set(String(change['id']), readRecord(change['record']), 0);
          return;
        case EVENT:
          board.repeat(change['event'] as BoardEvent);
          return;
        case ASSET:
          assets.put(change['asset'] as AssetOption);
      }
    },
  };
}

// --- internal ---

/** Of a submission that never ended nobody knows whether a job came of it: its key stays claimed (rule 4). */
function readRecord(value: unknown): SingleUseRecord | undefined {
  return value === null ? undefined : { ...(value as SingleUseRecord), state: 'claimed' };
}
