import type { SingleUseRecord } from '../../../contract/policies/idempotency-single-use.ts';
import type { Form } from '../../../contract/index.ts';
import { changeOf, type Change, type Keep, type Lasting } from '../../state/lasting.ts';
import type { BoardEvent } from './board.ts';
import type { JobsState } from './context.ts';
import type { AssetOption } from './options.ts';
import { eventForm } from './stored-forms.ts';

const KEY = 'jobs.key';
const EVENT = 'jobs.event';
const ASSET = 'jobs.asset';

/** The forms of the changes that this API takes down, by their part. */
export const jobsChanges: Readonly<Record<string, Form>> = {
  [KEY]: changeOf({
    id: 'string',
    record: {
      nullOr: {
        members: { state: { oneOf: ['submitting', 'claimed'] }, fence: 'string', expiresAt: 'number' },
        required: ['fence', 'expiresAt'],
      },
    },
  }),
  [EVENT]: changeOf({ event: eventForm }),
  [ASSET]: changeOf({ asset: { members: { id: 'string', owner: 'string' }, required: ['id'] } }),
};

/**
 * What outlives the process: keys, assets, and what was done to jobs from outside. All else follows from that and from
 * the time, so that a job goes on as if nothing had been.
 */
export function jobsLasting(
  jobs: { state: JobsState },
  fresh: () => JobsState,
  keep: Keep | undefined,
): Lasting & { readonly watch: () => void } {
  /** Takes down what happens in the present state from now on. */
  const watch = (): void => {
    if (keep === undefined) return;
    const { board, keys, assets } = jobs.state;
    board.observe((event) => {
      keep({ part: EVENT, event });
    });
    keys.watch((id, record) => {
      keep({ part: KEY, id, record: record ?? null });
    });
    assets.watch((asset) => {
      keep({ part: ASSET, asset });
    });
  };
  return {
    watch,
    *dump(): Generator<Change> {
      const { board, keys, assets } = jobs.state;
      for (const event of board.history()) yield { part: EVENT, event };
      for (const [id, record] of keys.entries()) yield { part: KEY, id, record };
      for (const asset of assets.all()) yield { part: ASSET, asset };
    },
    restore: (change) => {
      restoreIn(jobs.state, change);
    },
    prepare: (changes) => {
      const next = fresh();
      for (const change of changes) restoreIn(next, change);
      return () => {
        jobs.state.board.close(new Error('the mock was reset'));
        jobs.state = next;
        watch();
      };
    },
  };
}

// --- internal ---

function restoreIn({ board, keys, assets }: JobsState, change: Change): void {
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
}

/** Of a submission that never ended nobody knows whether a job came of it: its key stays claimed (rule 4). */
function readRecord(value: unknown): SingleUseRecord | undefined {
  return value === null ? undefined : { ...(value as SingleUseRecord), state: 'claimed' };
}
