/**
 * What a contract says of one thing, or of one side of it, as a small state machine that may leave much open. States are
 * JSON, so that equal ones are known to be equal.
 */
export interface Specification<State, Call> {
  readonly start: readonly State[];
  /** The states after a call, given its answer; empty if the contract does not allow that answer in this state. */
  readonly after: (state: State, call: Call) => readonly State[];
  /** The states after a call whose answer is left out of account. */
  readonly anyway: (state: State, call: Call) => readonly State[];
}

/** A call of a moment: its place among the others of that moment is open. */
export interface PlacedCall<Call> {
  readonly call: Call;
  /** The index of a call of the same moment that comes before it. */
  readonly behind?: number;
}

/** Calls that were under way at the same time; a single one, if there were no others. */
export type Moment<Call> = readonly PlacedCall<Call>[];

/**
 * The states in which a server can be after a moment: those of every order of its calls that explains all answers
 * (linearizability). Empty if no order does.
 */
export function statesAfter<State, Call>(
  { after }: Pick<Specification<State, Call>, 'after'>,
  before: readonly State[],
  moment: Moment<Call>,
): readonly State[] {
  if (moment.length > MOST_CALLS) throw new RangeError(`${moment.length} calls have too many orders`);
  const all = 2 ** moment.length - 1;
  // The states after each set of calls, by any order of them: a set is a number with a bit for each call.
  const reached = new Map<number, ReadonlyMap<string, State>>([[0, distinct(before)]]);
  for (let set = 1; set <= all; set += 1) {
    const states = [...moment.entries()].flatMap(([index, { call, behind }]) => {
      const others = set & ~(1 << index);
      const isLast = others !== set && (behind === undefined || (others & (1 << behind)) !== 0);
      return isLast ? [...(reached.get(others)?.values() ?? [])].flatMap((state) => after(state, call)) : [];
    });
    reached.set(set, distinct(states));
  }
  return [...(reached.get(all)?.values() ?? [])];
}

/**
 * The calls that no order explains, none of which can be left out; `undefined` if an order explains all. What is left out
 * may have had any answer.
 */
export function unexplained<State, Call>(
  specification: Specification<State, Call>,
  history: readonly Moment<Call>[],
): readonly Call[] | undefined {
  const calls = history.flat().map(({ call }) => call);
  const isExplained = (kept: ReadonlySet<Call>): boolean => {
    const { start, after, anyway } = specification;
    const seen = (state: State, call: Call): readonly State[] =>
      (kept.has(call) ? after : anyway)(state, call);
    let states = start;
    for (const moment of history) states = statesAfter({ after: seen }, states, moment);
    return states.length > 0;
  };
  let kept = new Set(calls);
  if (isExplained(kept)) return undefined;
  for (const call of calls) {
    const fewer = new Set(kept);
    fewer.delete(call);
    if (!isExplained(fewer)) kept = fewer;
  }
  return [...kept];
}

// --- internal ---

/** Twice as many as are sent at once: an answer to a change is a call of its own if it shows the thing. */
const MOST_CALLS = 10;

function distinct<State>(states: readonly State[]): ReadonlyMap<string, State> {
  return new Map(states.map((state) => [JSON.stringify(state), state]));
}
