import { isRecord } from '../../../../contract/index.ts';
import { pathParameter } from '../../../call/path-parameter.ts';
import { anonymous } from '../../../call/caller.ts';
import type { Call } from '../../../call/call.ts';
import type { Replacements } from '../../../deviations/replacements.ts';
import type { AssetOwnership } from '../assets.ts';
import { jobAnswer, refuseJob, type JobRefusal } from '../context.ts';
import { streamAnswer } from '../events.ts';
import type { JobErrorRole } from '../facts.ts';
import { FeedReader, type JobUpdate } from '../feed.ts';
import type { Job, Stage } from '../job.ts';
import { isTheEnd } from '../stream.ts';
import { CREATED } from '../submit.ts';

/** Replacements of mechanisms of the jobs for deviations. */
type Replace = NonNullable<Replacements['jobs']>;

// --- access ---

export const openToAll: Replace = ({ identified }) => ({
  identified: (jobs, call) => identified(jobs, call) ?? anonymous('nobody'),
});

export const jobsOfOthers: Replace = ({ findJob }) => ({
  findJob: (jobs, call) => {
    const job = jobs.state.board.find(pathParameter(call, 'id'));
    return job === undefined ? findJob(jobs, call) : { job };
  },
});

// --- reading and cancelling ---

/** A read returns the state of some milliseconds ago. */
export function readLag(ms: number): Replace {
  return () => ({
    stateToShow: (_jobs, { startedAt }, job) => {
      const known = job.statuses.findLast(({ at }) => at <= startedAt - ms) ?? job.statuses[0];
      return known?.state ?? job.state;
    },
  });
}

/** `ignored`: the job continues; `at-once`: it skips canceling; `stuck`: it stays canceling. */
export function stopping(how: 'ignored' | 'at-once' | 'stuck'): Replace {
  return () => ({
    stopJob: (jobs, _call, job) => {
      if (how !== 'ignored') jobs.state.board.cancel(job, how);
    },
  });
}

/** A cancel changes the status of a job that has failed. */
export const failuresCancelled: Replace = ({ stateToShow, stopJob }) => {
  const asked = new Set<string>();
  return {
    stopJob: (jobs, call, job) => {
      asked.add(job.id);
      stopJob(jobs, call, job);
    },
    stateToShow: (jobs, call, job) => {
      const told = stateToShow(jobs, call, job);
      return told.status === 'failed' && asked.has(job.id) ? { ...told, status: 'canceled' } : told;
    },
  };
};

// --- submissions ---

/** An invalid graph becomes a job, which then fails. */
export const faultsBecomeJobs: Replace = ({ checkSubmission }) => ({
  checkSubmission: (jobs, call) => {
    const checked = checkSubmission(jobs, call);
    const isFaulty = checked.kind === 'refused' && checked.refusal.role === 'invalidGraph';
    return isFaulty ? { kind: 'good', nodes: [FAILING] } : checked;
  },
});

export const unknownClassesTaken: Replace = ({ graphRead }) => ({
  graphRead: (jobs, call, graph) =>
    graphRead({ ...jobs, classes: (name) => jobs.classes(name) ?? { name } }, call, graph),
});

/** Reserved members that are not checked; `null`: those whose value is null. */
export function reservedTaken(taken: string | null): Replace {
  return ({ reservedMembers }) => ({
    reservedMembers: (jobs, call, body) =>
      reservedMembers(jobs, call, body).filter((member) =>
        taken === null ? (body as Readonly<Record<string, unknown>>)[member] !== null : member !== taken,
      ),
  });
}

/** Accepts every member of the extra data. */
export const extraDataOpen: Replace = ({ faultOfExtraData }) => ({
  faultOfExtraData: (jobs, call, extraData) => {
    const { keys } = jobs.assume('A-61');
    const known = (data: object): object =>
      Object.fromEntries(Object.entries(data).filter(([key]) => keys.includes(key)));
    return faultOfExtraData(jobs, call, isRecord(extraData) ? known(extraData) : extraData);
  },
});

/** Accepts assets that do not exist, or those of others. */
export function assetsTaken(taken: AssetOwnership): Replace {
  return ({ standingOf }) => ({
    standingOf: (jobs, call, id) => {
      const standing = standingOf(jobs, call, id);
      return standing === taken ? 'own' : standing;
    },
  });
}

// --- keys ---

/** Validates the submission before its key. */
export const checkedBeforeKey: Replace = ({ checkSubmission, usedKey }) => ({
  usedKey: (jobs, call, message) => {
    const checked = checkSubmission(jobs, call);
    return checked.kind === 'refused' ? refuseJob(jobs, call, checked.refusal) : usedKey(jobs, call, message);
  },
});

/** A refusal with one of these roles keeps its key. */
export function keyKeptAfter(...roles: readonly JobErrorRole[]): Replace {
  return ({ submission }) => ({
    submission: (jobs, call) => {
      const made = submission(jobs, call);
      return isOneOf(roles, made.refusal) ? { ...made, hadNoEffect: false } : made;
    },
  });
}

/** A refusal of a body with this text keeps its key. */
export function keyKeptFor(text: RegExp): Replace {
  return ({ submission }) => ({
    submission: (jobs, call) => {
      const made = submission(jobs, call);
      return made.refusal !== undefined && text.test(bodyOf(call)) ? { ...made, hadNoEffect: false } : made;
    },
  });
}

/**
 * The answer to a used key, with the same body, with another one, or with both. `replay`: the first job with
 * its status; `second-job`: a separate job; `conflict`: 409.
 */
export function reused(body: 'same' | 'other' | 'any', gets: 'replay' | 'second-job' | 'conflict'): Replace {
  return ({ submission, usedKey }) => {
    const first = new Map<string, { readonly jobId: string; readonly body: string }>();
    return {
      submission: (jobs, call) => {
        const made = submission(jobs, call);
        if (made.job !== undefined) first.set(keyOf(call), { jobId: made.job.id, body: bodyOf(call) });
        return made;
      },
      usedKey: (jobs, call, message) => {
        const known = first.get(keyOf(call));
        const job = known && jobs.state.board.find(known.jobId);
        const isConcerned = body === 'any' || (known?.body === bodyOf(call)) === (body === 'same');
        if (job === undefined || !isConcerned) return usedKey(jobs, call, message);
        if (gets === 'replay') return jobAnswer(jobs, call, CREATED, job);
        if (gets === 'second-job') return submission(jobs, call).answer;
        return refuseJob(jobs, call, { role: 'usedKey', message: 'Conflict.', status: CONFLICT });
      },
    };
  };
}

/**
 * A new key is refused as used: one that differs from a used key only in its end, or one that a caller
 * without access has tried.
 */
export function takenForUsed(which: 'nearly-used' | 'of-refused-caller'): Replace {
  return ({ identified, submission, usedKey }) => {
    const tried = new Set<string>();
    const used = new Map<string, string>();
    return {
      identified: (jobs, call) => {
        const caller = identified(jobs, call);
        const key = call.request.header('idempotency-key');
        if (caller === undefined && key !== undefined) tried.add(key);
        return caller;
      },
      submission: (jobs, call) => {
        const key = call.facts.idempotencyKey ?? '';
        const like = used.get(keyOf(call).slice(0, -1));
        const isTaken = which === 'nearly-used' ? like !== undefined && like !== key : tried.has(key);
        if (isTaken) return { answer: usedKey(jobs, call, 'It is used.'), hadNoEffect: true };
        const made = submission(jobs, call);
        if (key !== '' && made.job !== undefined) used.set(keyOf(call).slice(0, -1), key);
        return made;
      },
    };
  };
}

/** A second use of a key cancels the job of the first one. */
export const cancelledByDuplicate: Replace = ({ submission, usedKey }) => {
  const made = new Map<string, string>();
  return {
    submission: (jobs, call) => {
      const outcome = submission(jobs, call);
      if (outcome.job !== undefined) made.set(keyOf(call), outcome.job.id);
      return outcome;
    },
    usedKey: (jobs, call, message) => {
      const job = jobs.state.board.find(made.get(keyOf(call)) ?? '');
      if (job !== undefined) jobs.state.board.cancel(job);
      return usedKey(jobs, call, message);
    },
  };
};

// --- streams ---

/** The stream of a job that does not exist opens and stays open. */
export const unknownJobStreams: Replace = ({ findJob }) => ({
  findJob: (jobs, call) => {
    const found = findJob(jobs, call);
    return 'refusal' in found ? { refusal: streamAnswer(endless(call.signal)) } : found;
  },
});

/** The members that are left out of the first snapshot. */
export function snapshotWithout(left: JobUpdate['kind']): Replace {
  return ({ firstUpdates }) => ({
    firstUpdates: (jobs, call, job, reader) => {
      const whole = firstUpdates(jobs, call, job, reader);
      return whole.some(isTheEnd) ? whole : whole.filter(({ kind }) => kind !== left);
    },
  });
}

/** `Last-Event-ID` is honoured: earlier statuses are sent again. */
export const resumes: Replace = ({ firstUpdates }) => ({
  firstUpdates: (jobs, call, job, reader) => {
    const now = firstUpdates(jobs, call, job, reader);
    if (call.request.header('last-event-id') === undefined) return now;
    return [...job.statuses.slice(0, -1).map(({ state }): JobUpdate => ({ kind: 'status', state })), ...now];
  },
});

/** A stream has the progress and the previews of all jobs of its caller. */
export const updatesOfOthers: Replace = ({ firstUpdates }) => ({
  firstUpdates: (jobs, call, job, reader) => {
    const readers = new Map<string, FeedReader>();
    const own = reader.news.bind(reader);
    const newsOf = (other: Job): readonly JobUpdate[] => {
      const known = readers.get(other.id);
      if (known !== undefined) return known.news(other);
      const fresh = new FeedReader();
      fresh.snapshot(other);
      readers.set(other.id, fresh);
      return [];
    };
    reader.news = () => [
      ...jobs.state.board
        .all()
        .filter(({ id, scope }) => id !== job.id && scope === job.scope)
        .flatMap(newsOf)
        .filter(({ kind }) => kind === 'progress' || kind === 'preview'),
      ...own(job),
    ];
    return firstUpdates(jobs, call, job, reader);
  },
});

/** Only the first stream of a job gets its progress and its previews after the snapshot. */
export const updatesForTheFirst: Replace = ({ firstUpdates }) => {
  const watched = new Set<string>();
  return {
    firstUpdates: (jobs, call, job, reader) => {
      const own = reader.news.bind(reader);
      if (watched.has(job.id)) reader.news = () => own(job).filter(({ kind }) => kind === 'status');
      watched.add(job.id);
      return firstUpdates(jobs, call, job, reader);
    },
  };
};

/** A stream that was opened at one of these stages of its job does not end. */
export function staysOpen(...stages: readonly Stage[]): Replace {
  return () => ({
    waitAfterEnd: (_jobs, _call, { stage, signal }) => (stages.includes(stage) ? aborted(signal) : undefined),
  });
}

// --- internal ---

const CONFLICT = 409;

const FAILING = { id: '', nodeClass: { name: '', fails: true }, inputs: {} };

function isOneOf(roles: readonly JobErrorRole[], refusal: JobRefusal | undefined): boolean {
  return refusal !== undefined && roles.includes(refusal.role);
}

function keyOf({ facts }: Call): string {
  return `${facts.caller?.scope ?? ''}\n${facts.idempotencyKey ?? ''}`;
}

function bodyOf({ request }: Call): string {
  return Buffer.from(request.raw.body).toString();
}

async function* endless(signal: AbortSignal): AsyncGenerator<string> {
  yield ': nothing\n\n';
  await aborted(signal);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
