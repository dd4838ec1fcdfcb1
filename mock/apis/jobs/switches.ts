import type { JobErrorRole } from './facts.ts';

/**
 * What a deviation can switch in the behaviours of the jobs. `openToAll`, `keysIgnored`, `claimRace` and `recordWindow`
 * of the other switches work here too. What only changes an answer is a transformer (`onReply`), for streams with
 * `onFrames`.
 */
export interface JobSwitches {
  /** Reads, cancels and watches jobs of every caller (job lookup). */
  readonly jobsOfOthers?: boolean;
  /** A job cannot be found for so many milliseconds after it was made (job lookup). */
  readonly hiddenForMs?: number;
  /** A read tells how the job was so many milliseconds ago (read). */
  readonly readLagMs?: number;

  /** A graph with faults becomes a job, which then fails (submission checks). */
  readonly faultsBecomeJobs?: boolean;
  /** Takes node classes that nobody knows (submission checks). */
  readonly unknownClassesTaken?: boolean;
  /** Reserved members that are not looked at; `null` among them: one whose value is null (submission checks). */
  readonly reservedTaken?: readonly (string | null)[];
  /** Takes every key of the extra data (submission checks). */
  readonly extraDataOpen?: boolean;
  /** Takes assets that do not exist, or those of others (submission checks). */
  readonly assetsTaken?: 'unknown' | 'foreign';

  /** Judges the submission before its key (single-use keys). */
  readonly checksBeforeKey?: boolean;
  /**
   * What a used key gets, and where: with the same body, with another one, or both. `replay`: the first job again with
   * its status; `second-job`: a job of its own; `conflict`: 409 (single-use keys).
   */
  readonly usedKey?: {
    readonly body: 'same' | 'other' | 'any';
    readonly gets: 'replay' | 'second-job' | 'conflict';
  };
  /** Refusals after which the key stays taken (single-use keys). */
  readonly keyKeptAfter?: readonly JobErrorRole[];
  /** A key whose submission had no known end is free again (single-use keys). */
  readonly keyFreedWhenUnknown?: boolean;

  /**
   * `ignored`: the job runs on; `at-once`: it is canceling for no time; `stuck`: it stays canceling
   * (cancel).
   */
  readonly cancel?: 'ignored' | 'at-once' | 'stuck';

  /** Events that are left out of the snapshot on connect (events). */
  readonly snapshotWithout?: readonly ('status' | 'progress' | 'preview')[];
  /** A stream that does not end: one that was open when the job ended, one that was opened later, or both (events). */
  readonly staysOpen?: 'watching' | 'late' | 'both';
  /** What `Last-Event-ID` asks for is sent: earlier statuses come again (events). */
  readonly resumes?: boolean;
  /** The stream of a job that does not exist opens and stays open (job lookup). */
  readonly unknownJobStreams?: boolean;
}
