import { durationMs } from '../../../contract/policies/duration.ts';
import type { Contract } from '../../../contract/model.ts';
import type { MockedApi } from '../../api.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import type { Clock } from '../../state/clock.ts';
import type { Ids } from '../../state/ids.ts';
import type { ScenarioSteering } from '../../scenarios/forced-scenarios.ts';
import { concealSecrets } from '../../call/secrecy.ts';
import type { MockScenario } from '../../scenarios/scenario.ts';
import type { RecordChange, DurableState } from '../../state/durable-state.ts';
import { KeyLedger } from '../../state/key-ledger.ts';
import { enacted } from '../../call/course.ts';
import { mechanismsOf, replacedStore, type Replacing } from '../../deviations/replacements.ts';
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
import { jobsFixtures, jobsSample } from './fixtures.ts';
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
import { wish } from '../../scenarios/wish.ts';

export type JobsApi = MockedApi & { readonly jobs: Jobs };

/** The workflow jobs: which behaviours decide about them, and in which order. */
export function jobsApi(parts: {
  readonly contract: Contract;
  readonly assume: AssumeJobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly steering: ScenarioSteering;
  readonly keep: RecordChange | undefined;
  readonly deviations: readonly Replacing[];
  /** Shows what the contract allows and nobody expects. */
  readonly isOdd: boolean;
  readonly publicUrl: string | undefined;
  /** What API keys begin with; the contract of the model router says it, for the same accounts. */
  readonly keyPrefix: string | undefined;
  readonly options: JobsOptions;
}): JobsApi {
  const { contract, assume, clock, ids, isOdd, publicUrl, options, deviations } = parts;
  const facts = jobFacts(contract, parts.keyPrefix);
  const settings = jobSettings(options, {
    surface: assume('A-86').surface,
    links: assume('A-76').form,
  });
  const shared = {
    facts,
    assume,
    settings,
    classes: nodeClasses(options.nodeClasses),
    clock,
    ids,
    publicUrl,
    deviations,
    mechanisms: mechanismsOf(deviations, 'jobs', jobMechanisms),
    views: { facts, assume, surface: settings.surface, isOdd },
  };
  const fresh = (): JobsState => freshState(shared, options);
  const jobs: Jobs = { ...shared, state: fresh() };
  const durable = durableJobs(jobs, fresh, parts.keep);
  durable.watch();
  const resources: Readonly<Record<string, Behaviour>> = {
    submitJob: submit(jobs),
    getJob: read(jobs),
    cancelJob: cancel(jobs),
    streamJobEvents: events(jobs),
  };
  return {
    contract,
    jobs,
    ...(settings.mountPrefix === '' ? {} : { mountPrefix: settings.mountPrefix }),
    baseUrlFixture: 'jobsBaseUrl',
    behaviours: [
      credentials(jobs),
      // Also the list of jobs.
      unmatched((call, message, headers) => {
        const refusal = { role: 'unknownJob', message, because: 'A-89' } as const;
        if (headers.length === 0) return refuseJob(jobs, call, refusal);
        return call.request.effectiveMethod === 'GET'
          ? refuseJob(jobs, call, { ...refusal, status: assume('A-89').status })
          : refuseJob(jobs, call, { ...refusal, status: NO_SUCH_METHOD, headers });
      }),
      wish(
        () => jobs.state,
        (call, scenario) => concerns(facts, call, scenario),
        { clock, steering: parts.steering },
      ),
      access(jobs),
      enacted(jobsCourse(jobs)),
      // An operation that no behaviour owns is left to the document's examples.
      (call, next) => resources[call.operation?.id ?? '']?.(call, next) ?? next(),
    ],
    stamps: () => [['Cache-Control', assume('A-67').cacheControl]],
    failure: (call, detail) => refuseJob(jobs, call, { role: 'upstream', message: detail }),
    // What nobody expects of a job stands in its views.
    isUntouchable: ({ status }) => status < 400,
    credential: jobsCredential(jobs),
    sample: () => jobsSample(jobs),
    // Given for one run and never kept.
    conceal: concealSecrets([EXTRA_DATA, ...assume('A-61').keys]),
    control: jobsControl(jobs),
    durable,
    restoreFrom: (earlier) => {
      if ('jobs' in earlier) takeOver(jobs, durable, earlier as JobsApi);
    },
    fixtures: () => jobsFixtures(jobs),
    reset: () => {
      durable.prepare([])();
    },
  };
}

// --- internal ---

const NO_SUCH_METHOD = 405;

/** All of it where the life of a job is as it was; else jobs live their lives again by the new one, and streams end. */
function takeOver(jobs: Jobs, durable: DurableState, earlier: JobsApi): void {
  const { state } = earlier.jobs;
  if (state.board.follow(jobs.state.board)) {
    jobs.state = state;
    return;
  }
  for (const change of earlier.durable?.snapshot() ?? []) durable.restore(change);
  state.board.close(new Error('the contract has changed'));
}

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
    wishes: new Map(),
  };
}
