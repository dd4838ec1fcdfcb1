import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isStream, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { watchDelays, whyTooLate } from '../../scenarios/delays.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session, Watched, WatchOptions } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { creatorOf, idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionNeed, sendOnOccasion } from '../document/occasions.ts';
import type { Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { changesOfThing, plansOfChanges } from './conditional-changes.ts';
import { actionsBelow, waysOf } from './lifecycle-ways.ts';
import { judgeBelow, judgeLive, judgeMissed, judgeOwn, judgeSecondStream } from './stream-live.ts';
import { GRACE_MS, STREAM_CASES } from './stream-checks.ts';
import type { StreamChecks, WatchedCourse } from './stream-checks.ts';

type Stream = PolicyOf<'event-stream'>;

/** Opens a stream of a thing. */
export type OpenStream = (session: Session, values: Values, options?: WatchOptions) => Promise<Watched>;

/**
 * The streams of a thing that the server works on for some time: one from its beginning, one that is opened on the way, one
 * after a call that ends it, and one after its end; beside the stream of another thing, and reads.
 */
export function besideScenario(
  facts: OperationFacts<Stream>,
  {
    reader,
    lifecycle,
    checks,
    watch,
  }: {
    readonly reader: Operation | undefined;
    readonly lifecycle: PolicyOf<'lifecycle'> | undefined;
    readonly checks: StreamChecks;
    readonly watch: OpenStream;
  },
): readonly Scenario[] {
  const { api, operation } = facts;
  const parameter = pathParameters(operation).at(-1)?.name ?? '';
  const maker = creatorOf(api, operation.path, parameter);
  if (maker === undefined || reader === undefined || lifecycle === undefined) return [];
  const made = new MadeResources(api, operation, [parameter]);
  const [action] = actionsBelow(facts.about(lifecycle), reader).filter(
    (one) => waysOf(lifecycle, one).length > 0,
  );
  const below = changesOfThing(api, reader).filter(({ property }) => property === undefined);
  const { liveOnly } = facts.policy;
  const stateIn = (seen: Exchange): string => String(at(seen.json, lifecycle.property));
  const isTerminal = (seen: Exchange): boolean => lifecycle.terminal.includes(stateIn(seen));
  return facts.scenario(STREAM_CASES, {
    id: `event-stream.${operation.id}.beside`,
    title: `GET ${operation.path}, of a resource that takes some time`,
    permissions: ['writes'],
    needs: [occasionNeed(maker, 'slow')],
    requests: {
      ...made.requests(),
      make: api.plan(maker),
      other: api.plan(maker),
      read: api.plan(reader, { times: 3 * MOST_READS + 3 }),
      stream: api.plan(operation, { times: 7 }),
      ...(action === undefined ? {} : { call: api.plan(action) }),
      ...plansOfChanges(api, below),
    },
    async *run(session: Session) {
      const known = await made.values(session);
      const [call = {}] = callsOn('slow', maker.id, session.fixtures);
      const slow = sendOnOccasion(api, session, 'make', [maker, 'slow', call], known);
      const values = await making(slow, known);
      const look = (): Promise<Exchange> => session.send('read', inputFor(api, reader, session, values));
      const open = (of: Values, options?: WatchOptions): Promise<Watched> => {
        const watching = watch(session, of, options);
        // Something else can go wrong before it is awaited.
        watching.catch(() => undefined);
        return watching;
      };
      const late = watchDelays(session.clock);
      try {
        const whole = open(values);
        const reads = [await look()];
        const readOn = async (isEnough: () => boolean): Promise<void> => {
          for (let count = 0; count < MOST_READS && !isEnough(); count += 1) {
            await session.clock.sleep(PAUSE_MS);
            reads.push(await look());
          }
        };
        await readOn(() => reads.some((read) => stateIn(read) !== lifecycle.initial));
        // One is ahead of the other, so that things of the same kind do not show the same at the same time.
        await session.clock.sleep(PAUSE_MS);
        const isJoinedLate = reads.some(isTerminal);
        const joined = open(values);
        const others = await making(session.send('other', inputFor(api, maker, session, known)), known);
        const other = open(others);
        const made: Exchange[] = [];
        for (const creation of below) made.push(await creation.send(session, others));
        await readOn(() => reads.some(isTerminal));
        const before = reads.at(-1);
        const resumed = liveOnly === true && !reads.some(isTerminal) ? [open(values, AGAIN)] : [];
        // It is there before the call.
        if (resumed.length > 0) await session.clock.sleep(PAUSE_MS);
        const stopped: Promise<Watched>[] = [];
        if (action !== undefined && !reads.some(isTerminal)) {
          const called = await session.send('call', inputFor(api, action, session, values));
          // It may be stopped later than the call is answered.
          if (isSuccess(called)) stopped.push(open(values));
        }
        const both = Promise.all([whole, joined]);
        let areOpen = true;
        void both.finally(() => (areOpen = false)).catch(() => undefined);
        for (let count = 0; count < MOST_READS && !reads.some(isTerminal); count += 1) {
          await Promise.race([both, session.clock.sleep(LONG_PAUSE_MS)]);
          if (!areOpen) break;
          reads.push(await look());
        }
        const [first, second] = await both;
        const lateness = whyTooLate(late());
        const last = await look();
        const ofThing = { id: values[parameter] };
        const end = reads.find(isTerminal);
        // One that was closed before the end may have nothing to tell.
        const until = ({ exchange }: Watched): WatchedCourse =>
          end !== undefined && end.endedAt + GRACE_MS < exchange.endedAt ? { end } : {};
        yield* checks.judge(first, { ...ofThing, ...until(first) });
        yield* judgeFurther(second, { ...ofThing, ...until(second), isLate: isJoinedLate });
        for (const one of await Promise.all(stopped))
          yield* judgeFurther(one, { ...ofThing, ...until(one), isLate: true });
        yield* judgeFurther(await other, { id: others[parameter] });
        for (const one of await Promise.all(resumed)) {
          const isLate = stopped.length > 0 && isStream(one.exchange);
          yield* judgeFurther(one, { ...ofThing, ...until(one), before, isLate });
          yield* judgeMissed(facts, first, one);
        }
        if (lateness === undefined) {
          yield* judgeLive(facts, first, reads, { lifecycle, checks });
          yield* judgeSecondStream(facts, first, second);
          yield* judgeOwn(facts, first, await other);
          yield* judgeBelow(facts, [first, second], made);
        } else yield* facts.open('live', first.exchange, lateness);
        if (!isTerminal(last)) return;
        const afterwards = { ...ofThing, end: last, isLate: true };
        yield* checks.judge(await open(values), afterwards);
        if (liveOnly === true)
          yield* checks.judge(await open(values, AGAIN), { ...afterwards, before: last });
      } finally {
        late();
      }
    },
  });

  /** How many streams may be open at once is the server's affair. */
  function* judgeFurther(watched: Watched, course: WatchedCourse): Generator<Check> {
    if (!BUSY.includes(watched.exchange.status)) yield* checks.judge(watched, course);
  }

  async function making(sent: Promise<Exchange>, known: Values): Promise<Values> {
    const seen = await sent;
    const id = isSuccess(seen) ? idOfCreated(api, seen, parameter) : undefined;
    if (id === undefined || maker === undefined)
      throw new NotExercised(`bodies.${maker?.id ?? ''}`, 'nothing was made');
    return { ...known, [parameter]: id };
  }
}

// --- internal ---

/** In each of three parts of the life of a thing. */
const MOST_READS = 10;
const PAUSE_MS = 250;
const LONG_PAUSE_MS = 2000;
const BUSY: readonly number[] = [409, 423, 429, 503];
/** A request to continue after an event. */
const AGAIN: WatchOptions = { headers: [['Last-Event-ID', '1']] };
