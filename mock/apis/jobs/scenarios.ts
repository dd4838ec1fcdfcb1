import type { MockScenario } from '../../scenarios/scenario.ts';
import type { JobErrorRole } from './facts.ts';
import type { WorkChanges } from './work.ts';

/** The effect of a scenario: on the submission of a job, or on watching one. */
export type JobEffect =
  | { readonly on: 'submit'; readonly kind: 'refused'; readonly role: JobErrorRole; readonly message: string }
  /** A job is created, but the caller does not learn that: it gets an error, or no answer. */
  | { readonly on: 'submit'; readonly kind: 'unanswered'; readonly how: 'error' | 'cut' }
  | {
      readonly on: 'submit';
      readonly kind: 'work';
      readonly changes: WorkChanges;
      readonly ahead?: { readonly jobs: number; readonly eachMs: number };
      readonly keptMs?: number;
    }
  | { readonly on: 'watch'; readonly kind: 'refused'; readonly role: JobErrorRole; readonly message: string }
  /** Cuts the stream after this many events. */
  | { readonly on: 'watch'; readonly kind: 'cut'; readonly afterEvents: number };

/** A scenario of the jobs. */
export interface JobScenario extends MockScenario {
  readonly job: JobEffect;
}

/**
 * Magic values of the jobs. Graphs and extra data have no safe place for them, so they are chosen by key or
 * by `Prefer`.
 */
export const jobScenarios: readonly JobScenario[] = [
  row('job-fails', 'the last node of the job breaks down', {
    on: 'submit',
    kind: 'work',
    changes: { fails: true },
  }),
  row('job-canceled', 'the job is cancelled from elsewhere while it runs', {
    on: 'submit',
    kind: 'work',
    changes: { stopped: true },
  }),
  row('job-slow', 'the job waits for three others, and then takes ten times as long', {
    on: 'submit',
    kind: 'work',
    changes: { slower: 10 },
    ahead: { jobs: 3, eachMs: 1_000 },
  }),
  row('job-expires', 'the job never completes and expires after five seconds', {
    on: 'submit',
    kind: 'work',
    changes: { endless: true },
    keptMs: 5_000,
  }),
  row('queue-full', 'no room for another job; the key is free again', {
    on: 'submit',
    kind: 'refused',
    role: 'queueFull',
    message: 'The queue is full: wait, then submit it again.',
  }),
  row('deployment-not-ready', 'the deployment is starting; the key is free again', {
    on: 'submit',
    kind: 'refused',
    role: 'notReady',
    message: 'The deployment is starting: wait, then submit it again.',
  }),
  row('deployment-stopped', 'the deployment accepts no jobs', {
    on: 'submit',
    kind: 'refused',
    role: 'stopped',
    message: 'The deployment was stopped.',
  }),
  row('submit-unanswered', 'a job is created, the caller gets an error, and the key stays claimed', {
    on: 'submit',
    kind: 'unanswered',
    how: 'error',
  }),
  row('submit-drops', 'a job is created and the connection is cut; the key stays claimed', {
    on: 'submit',
    kind: 'unanswered',
    how: 'cut',
  }),
  row('stream-drops', 'the event stream is cut after three events', {
    on: 'watch',
    kind: 'cut',
    afterEvents: 3,
  }),
  row('no-stream', 'the server has no event streams; reading works', {
    on: 'watch',
    kind: 'refused',
    role: 'notImplemented',
    message: 'This server has no event streams: read the job instead.',
  }),
  row('too-many-streams', 'no further event stream can be opened', {
    on: 'watch',
    kind: 'refused',
    role: 'tooManyStreams',
    message: 'Too many event streams are open.',
  }),
];

export function jobScenario(name: string): JobScenario | undefined {
  return byName.get(name);
}

// --- internal ---

const byName = new Map(jobScenarios.map((scenario) => [scenario.name, scenario]));

function row(name: string, does: string, job: JobEffect): JobScenario {
  return { name, does, api: 'jobs', caller: { kind: 'named' }, job };
}
