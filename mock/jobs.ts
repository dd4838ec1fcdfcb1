import { durationMs } from '../contract/policies/duration.ts';
import type { SingleUseRecord } from '../contract/policies/idempotency-single-use.ts';
import type { Contract } from '../contract/model.ts';
import type { Api } from './api.ts';
import { jobAccess } from './behaviours/jobs/access.ts';
import { cancelJob } from './behaviours/jobs/cancel.ts';
import { refuseJob, type Jobs, type JobsState } from './behaviours/jobs/context.ts';
import { jobCredentials } from './behaviours/jobs/credentials.ts';
import { streamJobEvents } from './behaviours/jobs/events.ts';
import { readJob } from './behaviours/jobs/read.ts';
import { submitJob } from './behaviours/jobs/submit.ts';
import { jobUnmatched } from './behaviours/jobs/unmatched.ts';
import { jobWish } from './behaviours/jobs/wish.ts';
import type { Profile } from './profile.ts';
import type { Behaviour } from './call.ts';
import type { Clock } from './clock.ts';
import { Assets, defaultAssets } from './jobs/assets.ts';
import type { AssumeJobs } from './jobs/assumptions.ts';
import { Board } from './jobs/board.ts';
import { jobFacts, type JobFacts } from './jobs/facts.ts';
import { jobStates } from './jobs/job-states.ts';
import { nodeClasses } from './jobs/node-classes.ts';
import { jobSettings, type JobSettings, type JobsOptions } from './jobs/options.ts';
import { KeyStore } from './store.ts';

/** The workflow jobs: which behaviours decide about them, and in which order. */
export function jobsApi(parts: {
  readonly contract: Contract;
  readonly assume: AssumeJobs;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly publicUrl: string | undefined;
  /** What API keys begin with; another contract of the same account says it. */
  readonly keyPrefix: string | undefined;
  readonly options: JobsOptions;
}): Api & { readonly jobs: Jobs } {
  const { contract, assume, clock, profile, publicUrl, options } = parts;
  const facts = jobFacts(contract, parts.keyPrefix);
  const isOdd = profile === 'legal-but-odd';
  const settings = jobSettings(options, {
    surface: assume('A-86').surface,
    links: isOdd ? 'mixed' : assume('A-76').form,
  });
  const fresh = (): JobsState => freshState(facts, assume, settings, clock, options);
  const jobs: Jobs = {
    facts,
    assume,
    settings,
    classes: nodeClasses(options.nodeClasses),
    clock,
    profile,
    publicUrl,
    views: { facts, assume, surface: settings.surface, isOdd },
    state: fresh(),
  };
  const resources: Readonly<Record<string, Behaviour>> = {
    submitJob: submitJob(jobs),
    getJob: readJob(jobs),
    cancelJob: cancelJob(jobs),
    streamJobEvents: streamJobEvents(jobs),
  };
  return {
    contract,
    jobs,
    behaviours: [
      jobCredentials(jobs),
      jobUnmatched(jobs),
      jobWish(jobs),
      jobAccess(jobs),
      // An operation that no behaviour owns is left to the document's examples.
      (call, next) => resources[call.operation?.id ?? '']?.(call, next) ?? next(),
    ],
    stamps: () => [['Cache-Control', assume('A-67').cacheControl]],
    failure: (call, detail) => refuseJob(jobs, call, { role: 'upstream', message: detail }),
    // Its members of a later version stand in the views of a job.
    isUntouchable: () => true,
    reset: () => {
      jobs.state.board.close(new Error('the mock was reset'));
      jobs.state = fresh();
    },
  };
}

// --- internal ---

function freshState(
  facts: JobFacts,
  assume: AssumeJobs,
  settings: JobSettings,
  clock: Clock,
  options: JobsOptions,
): JobsState {
  const { expiresAfter, readableAfterExpiry } = assume('A-84');
  const rules = {
    states: jobStates(facts.lifecycle, assume('A-81').path),
    slots: settings.slots,
    cancelMs: settings.cancelMs,
    queueMs: settings.queueMs,
    keptMs: durationMs(expiresAfter),
    readableMs: durationMs(readableAfterExpiry),
    stillAliveMs: durationMs(assume('A-70').every),
  };
  return {
    board: new Board(rules, clock),
    keys: new KeyStore<SingleUseRecord>((record, now) => record.state === 'claimed' && record.expiresAt <= now),
    firstUses: new Map(),
    assets: new Assets([...defaultAssets, ...(options.assets ?? [])]),
    streams: new Map(),
    wishes: new Map(),
  };
}
