import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JobList } from '../../apis/jobs/control-shape.ts';
import { placed, type PlacedState } from '../state-machine.ts';

/** The state machine of the contract, with the history of a job and its current state. */
export function StatePicture(props: {
  readonly list: Pick<JobList, 'states' | 'transitions'>;
  readonly now: string;
  readonly passed: readonly string[];
}): JSX.Element {
  const { list, now, passed } = props;
  const states = placed(list.states, list.transitions);
  const byName = new Map(states.map((state) => [state.name, state]));
  const rows = Math.max(...states.map(({ row }) => row)) + 1;
  const columns = Math.max(...states.map(({ column }) => column)) + 1;
  const figure = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // On a phone, not all states fit.
    const { current } = figure;
    const state = current?.querySelector('[data-is="now"]')?.getBoundingClientRect();
    if (current === null || state === undefined) return;
    const { left, width } = current.getBoundingClientRect();
    current.scrollLeft += state.left + state.width / 2 - (left + width / 2);
  }, [now]);
  return (
    <figure ref={figure} class="machine" tabIndex={0} aria-label="State machine">
      <svg
        viewBox={`0 0 ${columns * STEP_X - (STEP_X - WIDTH) + 4} ${rows * STEP_Y - (STEP_Y - HEIGHT) + 4}`}
        role="img"
        aria-label={`State machine: the job is ${now}${passed.length > 1 ? `, after ${passed.slice(0, -1).join(', ')}` : ''}`}
      >
        {list.transitions.map(({ from, to, on }) => {
          const [start, end] = [byName.get(from), byName.get(to)];
          if (start === undefined || end === undefined) return null;
          return <Way key={`${from} ${to}`} start={start} end={end} on={on} taken={took(passed, from, to)} />;
        })}
        {states.map((state) => (
          <g
            key={state.name}
            class="state"
            data-is={state.name === now ? 'now' : passed.includes(state.name) ? 'passed' : 'other'}
          >
            <rect x={x(state)} y={y(state)} width={WIDTH} height={HEIGHT} rx={state.terminal ? 17 : 6} />
            <text x={x(state) + WIDTH / 2} y={y(state) + HEIGHT / 2 + 4.5} text-anchor="middle">
              {state.name}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

// --- internal ---

const WIDTH = 104;
const HEIGHT = 34;
const STEP_X = 196;
const STEP_Y = 52;
/** Where transitions that start together diverge. */
const TRUNK = 14;
const ROUND = 6;

const x = ({ column }: PlacedState): number => 2 + column * STEP_X;
const y = ({ row }: PlacedState): number => 2 + row * STEP_Y;

function took(passed: readonly string[], from: string, to: string): boolean {
  return passed.some((state, index) => state === from && passed[index + 1] === to);
}

function Way(props: {
  readonly start: PlacedState;
  readonly end: PlacedState;
  readonly on: string;
  readonly taken: boolean;
}): JSX.Element {
  const { start, end, on, taken } = props;
  const [x1, y1] = [x(start) + WIDTH, y(start) + HEIGHT / 2];
  const [x2, y2] = [x(end), y(end) + HEIGHT / 2];
  const turn = x1 + TRUNK;
  const bend =
    y2 === y1
      ? ''
      : `H${turn - ROUND}Q${turn} ${y1} ${turn} ${y1 + ROUND}V${y2 - ROUND}Q${turn} ${y2} ${turn + ROUND} ${y2}`;
  return (
    <g class="way" data-is={taken ? 'taken' : 'other'}>
      <path d={`M${x1} ${y1}${y2 < y1 ? `H${turn}V${y2}` : bend}H${x2 - 6}`} />
      <path class="tip" d={`M${x2 - 7} ${y2 - 4}L${x2} ${y2}L${x2 - 7} ${y2 + 4}z`} />
      <text x={(turn + x2) / 2} y={y2 - 6} text-anchor="middle">
        {on}
      </text>
    </g>
  );
}
