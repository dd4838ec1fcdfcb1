import { SINGLE_USE } from '../../../engine/keys.ts';
import { keeping, type Keeping, type RecordChange } from '../../state/durable-state.ts';
import { type KeyLedger, rememberedAs, storedName } from '../../state/key-ledger.ts';
import type { JobsState } from './context.ts';
import type { jobsChanges } from './stored-forms.ts';

/**
 * The state that survives the process: keys, assets, and external actions on jobs. Everything else is
 * computed from these and the time, so a job continues as if there had been no restart.
 */
export function durableJobs(
  jobs: { state: JobsState },
  fresh: () => JobsState,
  keep: RecordChange | undefined,
): Keeping {
  return keeping<JobsState, typeof jobsChanges>(jobs, {
    ...{ fresh, keep },
    watch: ({ board, ledger, assets }, tell) => {
      board.observe((event) => {
        tell({ part: 'jobs.event', event });
      });
      // Nothing is charged here.
      ledger.watch((held) => {
        const record = rememberedAs(held);
        tell({
          part: 'jobs.key',
          id: storedName(held),
          record: record === undefined ? null : claimOf(record),
        });
      });
      assets.watch((_id, asset) => {
        if (asset !== undefined) tell({ part: 'jobs.asset', asset });
      });
    },
    *snapshot({ board, ledger, assets }) {
      for (const event of board.history()) yield { part: 'jobs.event', event };
      for (const [id, record] of claimedKeys(ledger)) yield { part: 'jobs.key', id, record };
      for (const asset of assets.values()) yield { part: 'jobs.asset', asset };
    },
    restoring: {
      'jobs.event': ({ board }, { event }) => {
        board.repeat(event);
      },
      // It is unknown whether a submission that never ended created a job, so its key stays claimed (rule 4).
      'jobs.key': ({ ledger }, { id, record }) => {
        const expiresAt = record?.expiresAt;
        ledger.put(
          id,
          expiresAt === undefined ? undefined : { state: 'consumed', bodyHash: SINGLE_USE, expiresAt },
        );
      },
      'jobs.asset': ({ assets }, { asset }) => {
        assets.set(asset.id, asset);
      },
    },
    close: ({ board }, why) => {
      board.close(why);
    },
    // If the lifecycle has changed, existing jobs are replayed under the new one, and streams end.
    carried: (earlier, present) => (earlier.board.follow(present.board) ? earlier : undefined),
  });
}

/** The used keys, with their expiry. */
export function* claimedKeys(
  ledger: KeyLedger,
): Generator<readonly [stored: string, claim: ReturnType<typeof claimOf>]> {
  for (const [id, record] of ledger.entries()) if (record.state !== 'in-flight') yield [id, claimOf(record)];
}

// --- internal ---

function claimOf({ expiresAt }: { readonly expiresAt: number }) {
  return { state: 'claimed', fence: '', expiresAt } as const;
}
