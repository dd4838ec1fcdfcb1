import type { JSX } from 'preact';
import type { ClockShape, DueEvent } from '../../control/steering-shape.ts';
import { dateAndTime, duration } from '../clock-time.ts';
import { steer } from '../control-client.ts';
import { refreshState } from '../live.ts';
import { useNow } from '../now.ts';
import { List, type Column } from '../list.tsx';
import { ActButton, Badge, Head, Waiting } from '../parts.tsx';
import { useResource } from '../resource.ts';
import { address } from '../route.ts';

/** The clock of the mock, and the events that happen when it advances. */
export function ClockView(): JSX.Element {
  const { value, problem } = useResource<ClockShape>('clock', ['clock', 'keys', 'jobs', 'journal']);
  const now = useNow(200);
  return (
    <>
      <Head
        title="Clock"
        about="Everything that expires, runs or waits uses this clock. You can stop it, speed it up and advance it, but not turn it back."
      />
      <div class="scroll cards" tabIndex={0} role="region" aria-label="Clock">
        {value === undefined || now === undefined ? (
          <Waiting problem={problem} />
        ) : (
          <>
            <section class="card pad clock">
              <p class="time mono">{dateAndTime(now)}</p>
              <Speed speed={value.speed} />
              <Advance isSteerable={value.speed !== undefined} next={value.due[0]} now={now} />
            </section>
            <Due due={value.due.filter(({ at }) => at > now)} now={now} />
          </>
        )}
      </div>
    </>
  );
}

// --- internal ---

const speeds: readonly (readonly [speed: number, label: string])[] = [
  [0, 'Stopped'],
  [1, 'Real time'],
  [60, '× 60'],
  [3_600, '× 3,600'],
];

const steps: readonly (readonly [milliseconds: number, label: string])[] = [
  [60_000, '+1 min'],
  [600_000, '+10 min'],
  [3_600_000, '+1 h'],
  [86_400_000, '+24 h'],
];

async function move(step: { readonly advance: number } | { readonly speed: number }): Promise<void> {
  await steer('POST', 'clock', step);
  await refreshState();
}

function Speed({ speed }: { readonly speed: number | undefined }): JSX.Element {
  return (
    <div class="row" role="group" aria-label="Speed">
      {speeds.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={speed === value}
          disabled={speed === undefined}
          onClick={() => void move({ speed: value })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function Advance(props: {
  readonly isSteerable: boolean;
  readonly next: DueEvent | undefined;
  readonly now: number;
}): JSX.Element {
  const { isSteerable, next, now } = props;
  return (
    <div class="row" role="group" aria-label="Advance">
      {steps.map(([milliseconds, label]) => (
        <button
          key={label}
          type="button"
          disabled={!isSteerable}
          onClick={() => void move({ advance: milliseconds })}
        >
          {label}
        </button>
      ))}
      <ActButton
        class="main"
        disabled={!isSteerable || next === undefined || next.at <= now}
        act={() => move({ advance: Math.max(0, Math.ceil((next?.at ?? now) - now)) })}
      >
        To the next event
      </ActButton>
    </div>
  );
}

function Due({ due, now }: { readonly due: readonly DueEvent[]; readonly now: number }): JSX.Element {
  return (
    <section class="card">
      <h2 class="pad">Scheduled events</h2>
      {due.length === 0 ? (
        <p class="pad soft">Nothing is scheduled.</p>
      ) : (
        <List columns={columnsAt(now)} rows={due} nameOf={({ kind, id, what }) => `${kind} ${id} ${what}`} />
      )}
    </section>
  );
}

function columnsAt(now: number): readonly Column<DueEvent>[] {
  return [
    { title: 'In', is: 'short', cell: ({ at }) => <span class="mono">{duration(at - now)}</span> },
    {
      title: 'What',
      is: 'wide',
      cell: ({ kind, id, what }) => (
        <span class="breaks">
          <Badge tone={kind === 'job' ? 'info' : kind === 'key' ? 'good' : 'odd'}>{kind}</Badge>{' '}
          {kind === 'generation' ? what : <a href={address(kind === 'job' ? 'jobs' : 'keys', id)}>{what}</a>}
        </span>
      ),
    },
    { title: 'At', is: 'short', cell: ({ at }) => <span class="mono soft">{dateAndTime(at)}</span> },
  ];
}
