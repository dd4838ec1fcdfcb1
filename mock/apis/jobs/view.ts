import { isTerminal } from '../../../contract/policies/lifecycle.ts';
import { showPresent } from '../../../contract/policies/presence.ts';
import type { AssumeJobs, Surface } from './assumptions.ts';
import type { JobFacts } from './facts.ts';
import type { Job, JobState } from './job.ts';
import { linksOf, type LinkBase } from './links.ts';
import type { NodeOutput, Preview, Progress } from './work.ts';

/** The data that determine how a job is shown, in any state. */
export interface ViewRules {
  readonly facts: JobFacts;
  readonly assume: AssumeJobs;
  readonly surface: Surface;
  /** Adds unusual content that the contract allows (the profile `legal-but-odd`). */
  readonly isOdd: boolean;
}

/** The job in an answer of this operation (document 3, "Job"). */
export function jobView(
  rules: ViewRules,
  job: Job,
  state: JobState,
  place: { readonly operation: string; readonly links: LinkBase },
): Record<string, unknown> {
  const { facts, assume, surface } = rules;
  const { lifecycle, presence, links } = facts;
  const terminal = isTerminal(lifecycle, state.status);
  const view: Record<string, unknown> = {
    id: job.id,
    [lifecycle.property]: state.status,
    created_at: dateTime(job.createdAt),
    started_at: dateTimeOrNull(state.startedAt),
    completed_at: dateTimeOrNull(state.completedAt),
    expires_at: dateTime(job.expiresAt),
    queue_position: state.queuePosition,
    progress: state.progress === null ? null : progressView(rules, state.progress),
    outputs: state.outputs.map((output) => outputView(rules, job, output)),
    error: errorView(assume, state),
    [links.property]: linksOf(job.id, facts.linkNames, place.links, facts.pathOf),
    metrics: pick(
      {
        queue_ms: state.startedAt === null ? null : state.startedAt - job.createdAt,
        execution_ms: elapsed(state.startedAt, state.completedAt),
      },
      assume('A-77').members,
    ),
    [presence.property]:
      state.printed === null
        ? null
        : pick(
            { text: state.printed, truncated: false, captured_at: dateTimeOrNull(state.completedAt) },
            assume('A-78').members,
          ),
  };
  const shown = showPresent(presence, { operation: place.operation, surface, terminal }, view);
  return rules.isOdd ? oddView(shown) : shown;
}

/** The same data in the job and in the events of the stream. */
export function progressView({ assume, isOdd }: ViewRules, progress: Progress): Record<string, unknown> {
  const view = pick(progress, assume('A-72').members);
  return isOdd ? withMore(view) : view;
}

export function outputView(
  { assume, isOdd }: ViewRules,
  job: Job,
  output: NodeOutput,
): Record<string, unknown> {
  const { members } = assume('A-74');
  const view = pick({ ...output, url_expires_at: dateTime(job.expiresAt) }, members);
  return isOdd ? withMore({ ...view, job_id: job.id }) : view;
}

export function previewView({ assume }: ViewRules, { node_id, bytes }: Preview): Record<string, unknown> {
  const { members, contentType } = assume('A-73');
  const data = Buffer.from(bytes).toString('base64');
  return pick({ node_id, content_type: contentType, data_base64: data }, members);
}

// --- internal ---

function errorView(assume: AssumeJobs, { breakdown }: JobState): Record<string, unknown> | null {
  if (breakdown === null) return null;
  const { code, members } = assume('A-75');
  const message = `Node ${breakdown.node_id} (${breakdown.class_type}) failed.`;
  return pick({ code, message, ...breakdown, traceback: null }, members);
}

/** Members by their names in the sheet, in its order. */
function pick(value: object, members: readonly string[]): Record<string, unknown> {
  const known = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    members.filter((member) => Object.hasOwn(known, member)).map((member) => [member, known[member]]),
  );
}

/** No metrics, further members in every open object, and a time with another offset. */
function oddView(view: Record<string, unknown>): Record<string, unknown> {
  const { metrics: _unwanted, ...rest } = view;
  const { error } = rest;
  return {
    x_region: 'nowhere',
    ...rest,
    error: error === null ? null : withMore(error as Record<string, unknown>),
    created_at: String(rest['created_at']).replace('Z', '+00:00'),
  };
}

function withMore(value: Record<string, unknown>): Record<string, unknown> {
  return { ...value, x_later: { added: true } };
}

function elapsed(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}

function dateTime(time: number): string {
  return new Date(time).toISOString();
}

function dateTimeOrNull(time: number | null): string | null {
  return time === null ? null : dateTime(time);
}
