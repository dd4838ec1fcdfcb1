import { isTerminal } from '../../../contract/policies/lifecycle.ts';
import { ControlMistake, type ApiControl } from '../../control/api-control.ts';
import { callerName } from '../../call/caller.ts';
import { partsOfKeyId } from '../../state/key-ledger.ts';
import { formed } from '../../control/reading.ts';
import type { DueEvent } from '../../control/steering-shape.ts';
import type { JobList, JobShape, JobStep } from './control-shape.ts';
import type { Jobs } from './context.ts';
import { scopeOfKey } from './credentials.ts';
import type { Job } from './job.ts';
import type { AssetOption } from './options.ts';
import { claimedKeys } from './durable-state.ts';
import { jobView } from './view.ts';

/** Reads the jobs of all callers, keys and assets; adds assets, and forgets keys. */
export function jobsControl(jobs: Jobs): ApiControl {
  return {
    state: () => ({
      surface: jobs.settings.surface,
      jobs: jobs.state.board.all().length,
      keys: [...jobs.state.ledger.entries()].length,
      streams: Object.fromEntries(jobs.state.streams),
    }),
    resources: {
      jobs: {
        GET: ([id]) => (id === undefined ? everything(jobs) : shown(jobs, found(jobs, id))),
        POST: ([id], body) => {
          if (id === undefined) throw new ControlMistake('POST /control/v1/jobs/{id} with {"do": "step"}');
          const job = found(jobs, id);
          move(jobs, job, formed(body, STEP).do);
          return shown(jobs, job);
        },
        PUT: ([collection, id], body) => {
          if (collection !== 'assets' || id === undefined)
            throw new ControlMistake('PUT /control/v1/jobs/assets/{id}, perhaps with {"owner": "a key"}');
          const asset = formed(body ?? {}, { members: { owner: 'string' } });
          jobs.state.assets.set(id, ownedAsset(jobs.facts, { id, ...asset }));
          return { assets: [...jobs.state.assets.values()] };
        },
        DELETE: ([collection]) => {
          if (collection !== 'keys') throw new ControlMistake('DELETE /control/v1/jobs/keys');
          for (const [id] of [...jobs.state.ledger.entries()]) jobs.state.ledger.put(id, undefined);
          return { keys: [] };
        },
      },
    },
    touches: ([resource, part]) => {
      if (resource === 'clock') return ['jobs'];
      return resource === 'jobs' && part === 'keys' ? ['keys', 'jobs'] : undefined;
    },
    keys: {
      header: jobs.facts.idempotency.requestHeader,
      semantics: 'single-use',
      ledger: () => jobs.state.ledger,
      entries: () => claimedKeys(jobs.state.ledger),
    },
    due: (now) => dueJobs(jobs, now),
    held: function* () {
      for (const [scope, streams] of jobs.state.streams) yield [scope, { streams }];
      for (const { scope } of jobs.state.board.all()) yield [scope, { jobs: 1 }];
    },
    // Jobs proceed with time, which is only visible when they are read.
    progress: {
      mark: () =>
        jobs.state.board
          .all()
          .map(({ id, state, progressCount }) => `${id} ${state.status} ${String(progressCount)}`)
          .join(),
      topics: ['jobs', 'clock'],
    },
  };
}

/** An asset with its owner's scope in place of the owner's key. */
export function ownedAsset(facts: Jobs['facts'], { id, owner }: AssetOption): AssetOption {
  return owner === undefined ? { id } : { id, owner: scopeOfKey(facts, owner) };
}

// --- internal ---

const STEP = {
  members: { do: { oneOf: ['step', 'succeed', 'fail', 'expire', 'cancel', 'drop-streams'] } },
  required: ['do'],
} as const;

function dueJobs({ state: { board } }: Jobs, now: number): DueEvent[] {
  return board.all().flatMap(({ id, state, readyAt, due, expiresAt }): DueEvent[] => {
    if (state.stage === 'over') return [];
    const next = state.stage === 'waiting' ? readyAt : due;
    const expires: DueEvent = { at: expiresAt, kind: 'job', id, what: `job ${id} expires` };
    if (next === undefined || next <= now || next >= expiresAt) return [expires];
    return [{ at: next, kind: 'job', id, what: `job ${id}, ${state.status}, goes on` }, expires];
  });
}

function everything(jobs: Jobs): JobList {
  const { board, ledger, assets } = jobs.state;
  return {
    jobs: board.all().map((job) => shown(jobs, job)),
    keys: [...claimedKeys(ledger)].map(([id, { state, expiresAt }]) => {
      const [caller, key] = partsOfKeyId(id);
      return { caller: callerName(caller), key, state, expiresAt };
    }),
    assets: [...assets.values()],
    states: jobs.facts.lifecycle.states.map((name) => ({
      name,
      terminal: isTerminal(jobs.facts.lifecycle, name),
    })),
    transitions: jobs.facts.lifecycle.transitions,
  };
}

/** Advances a job manually, regardless of the clock. */
function move({ state: { board, watchers } }: Jobs, job: Job, how: JobStep['do']): void {
  switch (how) {
    case 'cancel':
      board.cancel(job);
      return;
    case 'drop-streams':
      for (const cut of [...(watchers.get(job.id) ?? [])]) cut();
      return;
    default:
      board.push(job, how);
  }
}

function found({ state }: Jobs, id: string): Job {
  const job = state.board.find(id);
  if (job === undefined) throw new ControlMistake(`There is no job ${id}.`, 404);
  return job;
}

/** A job as its owner reads it, with its owner and its history. */
function shown(jobs: Jobs, job: Job): JobShape {
  const { views, settings } = jobs;
  const links = { form: 'host-relative', origin: '', pathPrefix: settings.mountPrefix } as const;
  return {
    ...jobView(views, job, job.state, { operation: 'getJob', links }),
    id: job.id,
    status: job.state.status,
    caller: callerName(job.scope),
    watchers: jobs.state.watchers.get(job.id)?.size ?? 0,
    due: job.state.stage === 'waiting' ? job.readyAt : job.due,
    statuses: job.statuses.map(({ at, state }) => ({ at, status: state.status })),
  };
}
