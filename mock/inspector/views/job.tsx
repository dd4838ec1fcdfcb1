import type { JSX } from 'preact';
import type { JobList, JobShape, JobStep } from '../../apis/jobs/control-shape.ts';
import { callerName } from '../caller-name.ts';
import { duration, timeOfDay } from '../clock-time.ts';
import { steer } from '../control-client.ts';
import { useNow } from '../now.ts';
import { Badge, CopyButton, type Tone } from '../parts.tsx';
import { JsonBlock } from './json-block.tsx';
import { StatePicture } from './state-picture.tsx';

/** From 0 to 1; `undefined` if the job does not report it. */
export function progressOf(job: JobShape): number | undefined {
  const { progress } = job as { readonly progress?: { readonly value?: unknown } | null };
  return typeof progress?.value === 'number' ? Math.min(1, Math.max(0, progress.value)) : undefined;
}

/** One job: its status, its history and the actions on it. */
export function JobView(props: {
  readonly job: JobShape;
  readonly list: JobList;
  readonly isOver: boolean;
  readonly tone: Tone;
}): JSX.Element {
  const { job, list, isOver, tone } = props;
  const progress = progressOf(job);
  const { caller, statuses, watchers, due, ...view } = job;
  return (
    <article class="job" tabIndex={0} aria-label={`Job ${job.id}`}>
      <div class="row">
        <h2 class="mono">{job.id}</h2>
        <Badge tone={tone}>{job.status}</Badge>
        <CopyButton what="its id" text={() => job.id}>
          Copy
        </CopyButton>
      </div>
      <Facts caller={caller} watchers={watchers} due={isOver ? undefined : due} />
      <StatePicture list={list} now={job.status} passed={statuses.map(({ status }) => status)} />
      {progress === undefined ? null : (
        <div>
          <p class="soft">
            {Math.round(progress * 100)} %{message(job)}
          </p>
          <div
            class="bar"
            role="progressbar"
            aria-label="Progress"
            aria-valuenow={Math.round(progress * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${progress * 100}%` }} />
          </div>
        </div>
      )}
      <div class="row">
        {steps.map(([step, label, title]) => (
          <button
            key={step}
            type="button"
            class={step === 'step' && !isOver ? 'small main' : 'small'}
            title={title}
            disabled={step === 'drop-streams' ? watchers === 0 : isOver}
            onClick={() => void steer('POST', `jobs/${encodeURIComponent(job.id)}`, { do: step })}
          >
            {label}
          </button>
        ))}
      </div>
      <section>
        <h3>Status history</h3>
        <ol class="trail">
          {statuses.map(({ at, status }) => (
            <li key={status}>
              <span class="step mono">{timeOfDay(at)}</span>
              <span>{status}</span>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h3>As its owner sees it</h3>
        <JsonBlock label="Job as JSON" value={view} />
      </section>
    </article>
  );
}

// --- internal ---

const steps: readonly (readonly [step: JobStep['do'], label: string, title: string])[] = [
  ['step', 'Next step', 'The next scheduled step happens now'],
  ['succeed', 'Succeed', 'The job succeeds now'],
  ['fail', 'Fail', 'Its last node fails now'],
  ['expire', 'Expire', 'The job expires now'],
  ['cancel', 'Cancel', 'Cancels the job as its owner would'],
  ['drop-streams', 'Cut the streams', 'Cuts the connections of all open streams of the job'],
];

function Facts(props: {
  readonly caller: string;
  readonly watchers: number;
  readonly due: number | undefined;
}): JSX.Element {
  const now = useNow(250);
  const { caller, watchers, due } = props;
  return (
    <p class="soft">
      {callerName(caller)} ·{' '}
      {watchers === 0 ? 'no open streams' : watchers === 1 ? '1 open stream' : `${watchers} open streams`}
      {due === undefined || now === undefined || due <= now ? '' : ` · next step in ${duration(due - now)}`}
    </p>
  );
}

function message(job: JobShape): string {
  const { progress } = job as { readonly progress?: { readonly message?: unknown } | null };
  return typeof progress?.message === 'string' ? ` · ${progress.message}` : '';
}
