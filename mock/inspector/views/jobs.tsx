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

/** All jobs, newest first, and one of them with where it is in its life. */
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
      <Head title="Jobs" about="Where each job is in its life; what happens next can be brought about.">
        <ActButton class="" act={() => sendSample('jobs', 'submitJob')}>
          Start a sample job
        </ActButton>
      </Head>
      {value === undefined ? (
        <Waiting problem={problem} />
      ) : jobs.length === 0 ? (
        <p class="empty">
          No job yet. A submission makes one: see <a href={address('reference', 'submitJob')}>submitJob</a>.
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
            <p class="empty">This job is not kept any more.</p>
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

/** The way of success is the first one that leads to an end. */
function toneOfJob(list: JobList, job: JobShape): Tone {
  if (!terminal(list, job)) return 'info';
  const success = list.states.find((state) => state.terminal)?.name;
  return job.status === success ? 'good' : 'bad';
}
