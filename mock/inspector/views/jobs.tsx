import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { JobList, JobShape } from '../../apis/jobs/control-shape.ts';
import { callerName } from '../caller-name.ts';
import { timeOfDay } from '../clock-time.ts';
import { useRows } from '../keyboard.ts';
import { ActButton, Badge, Head, Waiting, type Tone } from '../parts.tsx';
import { sendSample } from '../send.ts';
import { useResource } from '../resource.ts';
import { address, route } from '../route.ts';
import { JobView, progressOf } from './job.tsx';
import { ServedOnly } from './served-only.tsx';

/** All jobs, newest first, and the details of one. */
export function JobsView(): JSX.Element {
  return (
    <ServedOnly resource="jobs" title="Jobs" what="workflow jobs">
      <Served />
    </ServedOnly>
  );
}

// --- internal ---

function Served(): JSX.Element {
  const { value, problem } = useResource<JobList>('jobs', ['jobs', 'clock', 'journal']);
  const jobs = useMemo(() => [...(value?.jobs ?? [])].reverse(), [value]);
  useRows(
    'jobs',
    useMemo(() => (value === undefined ? undefined : jobs.map(({ id }) => id)), [value, jobs]),
  );
  const { row } = route.value;
  const chosen = jobs.find(({ id }) => id === row) ?? (row === undefined ? jobs[0] : undefined);
  return (
    <>
      <Head title="Jobs" about="The status of each job, and actions that change it.">
        <ActButton class="" act={() => sendSample('jobs', 'submitJob')}>
          Start a sample job
        </ActButton>
      </Head>
      {value === undefined ? (
        <Waiting problem={problem} />
      ) : jobs.length === 0 ? (
        <p class="empty">
          No jobs yet. Submit one with <a href={address('reference', 'submitJob')}>submitJob</a>.
        </p>
      ) : (
        <div class="beside">
          <ul class="jobs" aria-label="Jobs">
            {jobs.map((job) => (
              <JobRow
                key={job.id}
                job={job}
                isChosen={job === chosen}
                tone={toneOfJob(value, job)}
                terminal={terminal(value, job)}
              />
            ))}
          </ul>
          {chosen === undefined ? (
            <p class="empty">This job no longer exists.</p>
          ) : (
            <JobView
              job={chosen}
              list={value}
              isOver={terminal(value, chosen)}
              tone={toneOfJob(value, chosen)}
            />
          )}
        </div>
      )}
    </>
  );
}

function JobRow(props: {
  readonly job: JobShape;
  readonly isChosen: boolean;
  readonly terminal: boolean;
  readonly tone: Tone;
}): JSX.Element {
  const { job, isChosen } = props;
  const progress = props.terminal ? undefined : progressOf(job);
  return (
    <li>
      <a href={address('jobs', job.id)} aria-current={isChosen ? 'true' : undefined}>
        <span class="row">
          <code>{job.id.slice(0, 8)}</code>
          <Badge tone={props.tone}>{job.status}</Badge>
          <span class="soft ends">
            {timeOfDay(job.statuses[0]?.at ?? Date.parse(String(job['created_at'])))}
          </span>
        </span>
        <span class="soft">{callerName(job.caller)}</span>
        {progress === undefined ? null : (
          <span class="bar">
            <span style={{ width: `${progress * 100}%` }} />
          </span>
        )}
      </a>
    </li>
  );
}

function terminal({ states }: JobList, { status }: JobShape): boolean {
  return states.find(({ name }) => name === status)?.terminal ?? false;
}

/** The first transition to a terminal state is the one of success. */
function toneOfJob(list: JobList, job: JobShape): Tone {
  if (!terminal(list, job)) return 'info';
  const success = list.states.find((state) => state.terminal)?.name;
  return job.status === success ? 'good' : 'bad';
}
