import { SINGLE_USE } from '../../../engine/keys.ts';
import type { Form } from '../../../contract/index.ts';
import type { Answer } from '../../call/answer.ts';
import { type EndedKey, type KeyLedger, rememberedAs, storedName } from '../../state/key-ledger.ts';
import {
  changeOf,
  keeping,
  type StateChange,
  type RecordChange,
  type Keeping,
} from '../../state/durable-state.ts';
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
 * The state that survives the process: keys, assets, and actions on jobs from outside. Everything else is computed
 * from that and the time, so a job continues as if there had been no restart.
 */
export function durableJobs(
  jobs: { state: JobsState },
  fresh: () => JobsState,
  keep: RecordChange | undefined,
): Keeping {
  return keeping(jobs, {
    ...{ fresh, restoreIn },
    watch: ({ board, ledger, assets }) => {
      if (keep === undefined) return;
      board.observe((event) => {
        keep({ part: EVENT, event });
      });
      // Nothing is charged here.
      ledger.watch((held) => {
        const record = claimOf(rememberedAs(held));
        keep({ part: KEY, id: storedName(held), record: record ?? null });
      });
      assets.watch((asset) => {
        keep({ part: ASSET, asset });
      });
    },
    *snapshot({ board, ledger, assets }) {
      for (const event of board.history()) yield { part: EVENT, event };
      for (const [id, record] of claimedKeys(ledger)) yield { part: KEY, id, record };
      for (const asset of assets.all()) yield { part: ASSET, asset };
    },
    close: ({ board }, why) => {
      board.close(why);
    },
    // If the lifecycle has changed, existing jobs are replayed under the new one, and streams end.
    follow: (state, present) => state.board.follow(present.board),
  });
}

/** The keys that were used, and until when they cannot be used again. */
export function* claimedKeys(ledger: KeyLedger): Generator<readonly [stored: string, claim: Claim]> {
  for (const [id, record] of ledger.entries()) {
    const claim = record.state === 'in-flight' ? undefined : claimOf(record);
    if (claim !== undefined) yield [id, claim];
  }
}

// --- internal ---

/** A used key as it is shown and kept. */
interface Claim {
  readonly state: 'claimed';
  readonly fence: string;
  readonly expiresAt: number;
}

function claimOf(record: { readonly expiresAt: number } | undefined): Claim | undefined {
  return record === undefined ? undefined : { state: 'claimed', fence: '', expiresAt: record.expiresAt };
}

function restoreIn({ board, ledger, assets }: JobsState, change: StateChange): void {
  switch (change.part) {
    case KEY:
      ledger.put(String(change['id']), readRecord(change['record'] as Claim | null));
      return;
    case EVENT:
      board.repeat(change['event'] as BoardEvent);
      return;
    case ASSET:
      assets.put(change['asset'] as AssetOption);
  }
}

/** It is unknown whether a submission that never ended created a job, so its key stays claimed (rule 4). */
function readRecord(claim: Claim | null): EndedKey<Answer> | undefined {
  return claim === null ? undefined : { state: 'consumed', bodyHash: SINGLE_USE, expiresAt: claim.expiresAt };
}
