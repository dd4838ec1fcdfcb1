import { durationMs } from '../../../contract/policies/duration.ts';
import type { Contract } from '../../../contract/model.ts';
import type { MockedApi } from '../../api.ts';
import { byOperation, type Call } from '../../call/call.ts';
import type { MockScenario } from '../../scenarios/scenario.ts';
import { KeyLedger } from '../../state/key-ledger.ts';
import { enacted } from '../../call/course.ts';
import { mechanismsOf, replacedStore } from '../../deviations/replacements.ts';
import type { ModuleParts } from '../module.ts';
import { access } from './access.ts';
import { Assets, defaultAssets } from './assets.ts';
import type { AssumeJobs } from './assumptions.ts';
import { Board } from './board.ts';
import { cancel } from './cancel.ts';
import { refuseJob, type Jobs, type JobsState } from './context.ts';
import { jobsCourse } from './course.ts';
import { jobsControl, ownedAsset } from './control.ts';
import { credentials, jobsCredential } from './credentials.ts';
import { events } from './events.ts';
import { jobFacts } from './facts.ts';
import { jobsFixtures, jobsSample, newestJob } from './fixtures.ts';
import { jobStates } from './job-states.ts';
import { durableJobs } from './durable-state.ts';
import { jobMechanisms } from './mechanisms.ts';
import { nodeClasses } from './node-classes.ts';
import { jobSettings, type JobsOptions } from './options.ts';
import { read } from './read.ts';
import { EXTRA_DATA } from './submission.ts';
import { jobScenario } from './scenarios.ts';
import { submit } from './submit.ts';
import { unmatched } from '../../call/unmatched.ts';
import { requestedScenarios } from '../../scenarios/requested-scenarios.ts';

/** The workflow jobs: their behaviours, in order. */
export function jobsApi(contract: Contract, parts: ModuleParts): MockedApi {
  const { clock, ids, deviations } = parts;
  const { profile, publicUrl, jobs: options = {} } = parts.options;
  const assume = parts.assume as AssumeJobs;
  const facts = jobFacts(contract, parts.keyPrefix);
  const settings = jobSettings(options, {
    surface: assume('A-86').surface,
    links: assume('A-76').form,
  });
  const shared = {
    ...{ facts, assume, settings, clock, ids, publicUrl, deviations },
    classes: nodeClasses(options.nodeClasses),
    mechanisms: mechanismsOf(deviations, 'jobs', jobMechanisms),
    views: { facts, assume, surface: settings.surface, isOdd: profile === 'legal-but-odd' },
  };
  const fresh = (): JobsState => freshState(shared, options);
  const jobs: Jobs = { ...shared, state: fresh() };
  return {
    ...{ contract, ...durableJobs(jobs, fresh, parts.keep) },
    ...(settings.mountPrefix === '' ? {} : { mountPrefix: settings.mountPrefix }),
    baseUrlFixture: 'jobsBaseUrl',
    behaviours: [
      credentials(jobs),
      // Includes the list of jobs.
      unmatched((call, message, headers) => {
        const refusal = { role: 'unknownJob', message, because: 'A-89' } as const;
        if (headers.length === 0) return refuseJob(jobs, call, refusal);
        return call.request.effectiveMethod === 'GET'
          ? refuseJob(jobs, call, { ...refusal, status: assume('A-89').status })
          : refuseJob(jobs, call, { ...refusal, status: NO_SUCH_METHOD, headers });
      }),
      requestedScenarios(
        () => jobs.state,
        (call, scenario) => concerns(facts, call, scenario),
        parts,
      ),
      access(jobs),
      enacted(jobsCourse(jobs)),
      byOperation({
        submitJob: submit(jobs),
        getJob: read(jobs),
        cancelJob: cancel(jobs),
        streamJobEvents: events(jobs),
      }),
    ],
    stamps: () => [['Cache-Control', assume('A-67').cacheControl]],
    failure: (call, detail) => refuseJob(jobs, call, { role: 'upstream', message: detail }),
    // `view.ts` adds the unusual forms of jobs.
    isUntouchable: ({ status }) => status < 400,
    credential: jobsCredential(jobs),
    sample: () => jobsSample(jobs),
    known: ({ parameters }) => ({ parameters: newestJob(jobs, parameters) }),
    // For one run only; never stored.
    secretMembers: [EXTRA_DATA, ...assume('A-61').keys],
    control: jobsControl(jobs),
    fixtures: () => jobsFixtures(jobs),
  };
}

// --- internal ---

const NO_SUCH_METHOD = 405;

function concerns(
  { idempotency, stream }: Jobs['facts'],
  { operation }: Call,
  scenario: MockScenario,
): boolean {
  switch (jobScenario(scenario.name)?.job.on) {
    case 'submit':
      return idempotency.operations.includes(operation?.id ?? '');
    case 'watch':
      return stream.operations.includes(operation?.id ?? '');
    case undefined:
      return scenario.caller?.kind === 'refused';
  }
}

function freshState(
  { facts, assume, settings, clock, ids, deviations }: Omit<Jobs, 'state'>,
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
  const ledger = new KeyLedger(() => clock.now());
  return {
    board: new Board(rules, clock, ids),
    ledger,
    store: replacedStore(deviations, ledger, clock),
    assets: new Assets([
      ...defaultAssets,
      ...(options.assets ?? []).map((asset) => ownedAsset(facts, asset)),
    ]),
    streams: new Map(),
    watchers: new Map(),
    requestCounts: new Map(),
  };
}
