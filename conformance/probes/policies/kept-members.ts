import type { PolicyOf } from '../../../contract/index.ts';
import { canonical } from '../../../contract/canonical-json.ts';
import { isObject, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { sketch } from '../../exchanges/sketch.ts';
import { defaultsOf } from './declared-defaults.ts';
import type { OperationFacts } from './facts.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A thing shows the defaults of members that were left out, as far as it shows them. */
export function* judgeDefaults(
  facts: OperationFacts<Resource>,
  name: 'created' | 'replaced' | 'upsert',
  things: Things,
  thing: Pick<Thing, 'sent' | 'made'>,
  seen: Exchange,
): Generator<Check> {
  const shown = things.shownIn(seen);
  for (const [left, value] of defaultsOf(facts.api, facts.operation, thing.sent)) {
    const own = member(shown, left);
    if (own === undefined) continue;
    yield* facts.judge(
      name,
      [thing.made, seen],
      canonical(own) === canonical(value),
      `${left} ${sketch(value, 40)}, its default, because it was left out`,
      `${left} ${sketch(own, 40)}`,
    );
  }
}

/** The time of creation is the same in all answers that show the thing. */
export function* judgeCreation(
  facts: OperationFacts<Resource>,
  name: 'created' | 'replaced' | 'patched',
  things: Things,
  answers: readonly Exchange[],
): Generator<Check> {
  const [first] = answers;
  const last = answers.at(-1);
  const [before, after] = [first, last].map((one) => (one === undefined ? undefined : things.shownIn(one)));
  yield* judgeCreationIn(facts, name, answers, before, after);
}

/** Waits until a thing that shows its time of creation is so old that a change of this time can be seen. */
export async function aged(session: Session, things: Things, { made }: Thing): Promise<void> {
  const shown = things.shownIn(made) ?? {};
  const isTold = Object.entries(shown).some(
    ([name, value]) => isCreation(name) && momentOf(value) !== undefined,
  );
  if (isTold) await session.clock.sleep(ROUNDED_MS + 100);
}

/** The same for two representations of a thing. */
export function* judgeCreationIn(
  facts: OperationFacts<Resource>,
  name: 'created' | 'replaced' | 'patched' | 'listed',
  answers: readonly Exchange[],
  before: unknown,
  after: unknown,
): Generator<Check> {
  if (!isObject(before) || !isObject(after)) return;
  for (const [time, value] of Object.entries(before)) {
    if (!isCreation(time)) continue;
    const [one, other] = [momentOf(value), momentOf(member(after, time))];
    if (one === undefined || other === undefined) continue;
    yield* facts.judge(
      name,
      answers,
      Math.abs(one - other) < ROUNDED_MS,
      `${time} ${sketch(value, 40)}, as before`,
      `${time} ${sketch(member(after, time), 40)}`,
    );
  }
}

// --- internal ---

/** A database may keep times less exactly than the first answer shows them. */
const ROUNDED_MS = 1000;

function isCreation(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  return /^creat(?:ed|ion)(?:at|on|time|date|timestamp)?$/.test(plain);
}

/** In milliseconds; dates without a time, and numbers, which may count anything, show too little. */
function momentOf(value: unknown): number | undefined {
  const time = typeof value === 'string' && value.includes(':') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
