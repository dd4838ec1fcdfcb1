import { jsonAnswer, type Answer, type HeaderLine } from '../../call/answer.ts';
import { codeAnswer } from '../../call/code-answer.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import type { Call } from '../../call/call.ts';
import type { Clock } from '../../state/clock.ts';
import type { Ids } from '../../state/ids.ts';
import type { Replacing } from '../../deviations/replacements.ts';
import type { AnswerStore, KeyLedger } from '../../state/key-ledger.ts';
import type { ScenarioRequests } from '../../scenarios/requested-scenarios.ts';
import type { AssumeJobs } from './assumptions.ts';
import type { Assets } from './assets.ts';
import type { Board } from './board.ts';
import { jobError, type JobErrorRole, type JobFacts } from './facts.ts';
import type { Job, JobState } from './job.ts';
import { linkBase, type LinkBase } from './links.ts';
import type { JobMechanisms } from './mechanisms.ts';
import type { NodeClasses } from './node-classes.ts';
import type { JobSettings } from './options.ts';
import { type JobEffect, jobScenario } from './scenarios.ts';
import { jobView, type ViewRules } from './view.ts';

/**
 * The dependencies that the behaviours of the jobs share: facts of the contract, the state of this mock, and
 * its clock.
 */
export interface Jobs {
  readonly facts: JobFacts;
  readonly assume: AssumeJobs;
  readonly settings: JobSettings;
  readonly classes: NodeClasses;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The public address for clients; if left out, that of the request. */
  readonly publicUrl: string | undefined;
  readonly views: ViewRules;
  readonly deviations: readonly Replacing[];
  readonly mechanisms: JobMechanisms;
  /** Replaced by a reset. */
  state: JobsState;
}

export interface JobsState extends ScenarioRequests {
  readonly board: Board;
  readonly ledger: KeyLedger;
  /** The store of the ledger, possibly replaced by deviations. */
  readonly store: AnswerStore;
  readonly assets: Assets;
  /** Open event streams, by the caller's scope. */
  readonly streams: Map<string, number>;
  /** Aborts the event streams of a job, by its id. */
  readonly watchers: Map<string, Set<() => void>>;
}

export interface JobRefusal {
  readonly role: JobErrorRole;
  readonly message: string;
  readonly details?: object;
  /** If it differs from the usual status of the role. */
  readonly status?: number;
  readonly headers?: readonly HeaderLine[];
  /** The rule or open point behind the answer, if it differs from that of the role. */
  readonly because?: string;
}

/** An error of the job API (document 3, "Error body"). */
export function refuseJob(jobs: Jobs, call: Call, refusal: JobRefusal): Answer {
  const { code, because, ...usual } = jobError(jobs.facts, jobs.assume, refusal.role);
  const status = refusal.status ?? usual.status;
  const licence = refusal.because ?? because;
  call.note('answer', `${String(status)} ${code}`, licence);
  const waits = jobs.assume('A-65').codes.includes(code) ? ([['Retry-After', WAIT_SECONDS]] as const) : [];
  const { message, details, headers = [] } = refusal;
  return codeAnswer(
    jobs.facts.served,
    { status, code, message, ...(details === undefined ? {} : { details }) },
    { headers: [...waits, ...headers], licence },
  );
}

/** A job as the answer to a call, in its current or an earlier state. */
export function jobAnswer(
  jobs: Jobs,
  call: Call,
  status: number,
  job: Job,
  state: JobState = job.state,
): Answer {
  const operation = call.operation?.id ?? '';
  return jsonAnswer(status, jobView(jobs.views, job, state, { operation, links: linksFor(jobs, call) }));
}

export function linksFor({ settings, publicUrl }: Jobs, call: Call): LinkBase {
  return linkBase(call.request, { form: settings.links, mountPrefix: settings.mountPrefix, publicUrl });
}

/** The effect of a call's scenario on jobs: the request's own scenario, else that of the credential. */
export function effectOf<On extends JobEffect['on']>(
  call: Call,
  on: On,
): Extract<JobEffect, { on: On }> | undefined {
  const scenario = jobScenario(scenarioOf(call.facts));
  if (scenario?.job.on !== on) return undefined;
  call.facts.scenario = scenario.name;
  return scenario.job as Extract<JobEffect, { on: On }>;
}

export function scopeOf(call: Call): string {
  return call.facts.caller?.scope ?? '';
}

// --- internal ---

const WAIT_SECONDS = '1';
