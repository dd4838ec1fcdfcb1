import type { JSX } from 'preact';
import type { ScenarioList, ScenarioToForce } from '../../control/steering-shape.ts';
import { notice, steer } from '../control-client.ts';
import { ActButton } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address } from '../route.ts';

/** States that a web app should be able to show. Each uses the first of its scenarios that this mock has. */
const states: readonly {
  readonly label: string;
  readonly title: string;
  readonly by: readonly string[];
  readonly ms?: number;
}[] = [
  { label: 'Slow', title: 'The next answer is delayed by three seconds', by: ['latency'], ms: 3_000 },
  { label: 'Offline', title: 'The next call gets no answer', by: ['cut-before'] },
  { label: 'Half-loaded', title: 'The next answer is cut halfway', by: ['cut-midway'] },
  { label: 'Refused', title: 'The next call is refused access', by: ['forbidden', 'status-403'] },
  { label: 'No credits', title: 'The next call is refused because the account is empty', by: ['no-credits'] },
  {
    label: 'Rate-limited',
    title: 'The next call exceeds the rate limit',
    by: ['rate-limited', 'status-429'],
  },
  {
    label: 'Unavailable',
    title: 'The next operation that supports it answers with 503',
    by: ['unavailable', 'status-503'],
  },
  {
    label: 'Server error',
    title: 'The next operation that supports it answers with 500',
    by: ['internal-error'],
  },
  { label: 'Failed job', title: 'The next job fails', by: ['job-fails'] },
  {
    label: 'Queue full',
    title: 'The next submission is refused because the queue is full',
    by: ['queue-full'],
  },
  { label: 'Stream breaks', title: 'The next event stream is cut after three events', by: ['stream-drops'] },
  {
    label: 'Expired upload',
    title: 'The next upload address has expired',
    by: ['upload-expired'],
  },
  { label: 'Broken upload', title: 'The next upload is cut before it is stored', by: ['upload-drops'] },
  {
    label: 'Charged twice?',
    title: 'The next call runs but its answer is lost. The ledger shows whether the retry is charged',
    by: ['cut-after'],
  },
];

/** One press sets the state for the next call; another press removes it. */
export function Palette(): JSX.Element {
  const { value } = useResource<ScenarioList>('scenarios', ['scenarios', 'journal']);
  const known = new Set(value?.scenarios.map(({ name }) => name));
  const coming = new Set(
    value?.forced
      .filter(({ after, times, seen }) => times === null || seen < after + times)
      .map(({ name }) => name),
  );
  return (
    <fieldset class="palette">
      <legend>Outcome of the next call</legend>
      <span class="row tight">
        {states.map(({ label, title, by, ms }) => {
          const name = by.find((each) => known.has(each));
          if (name === undefined) return null;
          const isOn = coming.has(name);
          const wanted: ScenarioToForce = { name, times: 1, ...(ms === undefined ? {} : { ms }) };
          return (
            <ActButton
              key={label}
              title={title}
              pressed={isOn}
              act={async () => {
                const done = await (isOn
                  ? steer('DELETE', `scenarios/${name}`)
                  : steer('POST', 'scenarios', wanted));
                if (done === undefined || isOn) return;
                notice.value = {
                  kind: 'done',
                  text: `${title}.`,
                  undo: () => void steer('DELETE', `scenarios/${name}`),
                };
              }}
            >
              {label}
            </ActButton>
          );
        })}
        {known.has('no-credits') ? (
          <a class="soft" href={address('ledger')}>
            Ledger
          </a>
        ) : null}
      </span>
    </fieldset>
  );
}
