import type { PolicyOf } from '../../../contract/index.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session, Watched, WatchOptions } from '../../scenarios/scenario.ts';
import { at, isGone, isStream } from '../../exchanges/exchange.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import type { Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { shownLifecycle } from './shown-lifecycle.ts';
import { GRACE_MS, STREAM_CASES, StreamChecks } from './stream-checks.ts';
import type { WatchedCourse } from './stream-checks.ts';
import { besideScenario } from './stream-beside.ts';
import { waysToEnd } from './stream-end.ts';
import { endingScenario } from './stream-ending.ts';

/** The live events of a resource (WHATWG HTML, "Server-sent events"). */
export function streamProbes(facts: OperationFacts<PolicyOf<'event-stream'>>): Probes {
  const { api, operation, policy, reads } = facts;
  const found = reads.of(operation);
  const reader = api.operation(policy.authority);
  const lifecycle = shownLifecycle(api, reader);
  const ways = lifecycle && reader ? waysToEnd(facts.about(lifecycle), reader) : [];
  const checks = new StreamChecks(facts, lifecycle);
  const parameter = pathParameters(operation).at(-1)?.name ?? '';
  const made = new MadeResources(api, operation);
  const title = `GET ${operation.path}`;
  const requests = {
    stream: api.plan(operation),
    ...(reader === undefined ? {} : { 'whether it has ended': api.plan(reader) }),
  };
  const canMake = Object.keys(made.requests()).length > 0;
  return {
    scenarios: [
      ...facts.scenario(STREAM_CASES, {
        id: `event-stream.${operation.id}`,
        title,
        uses: [found],
        requests,
        async *run(session: Session) {
          const { answer, values, missing, why } = await session.obtain(found);
          if (answer === undefined) throw new NotExercised(missing, why);
          yield* judge(session, values, await watch(session, values, { idleMs: IDLE_MS }));
        },
      }),
      // A resource that ended long ago may have no events any more.
      ...(canMake && ways.length === 0
        ? facts.scenario(STREAM_CASES, {
            id: `event-stream.${operation.id}.made`,
            title: `${title}, of a resource that the suite has created`,
            permissions: ['writes'],
            requests: { ...made.requests(), ...requests },
            async *run(session: Session) {
              const values = await made.values(session);
              yield* judge(session, values, await watch(session, values), { id: values[parameter] });
            },
          })
        : []),
      ...(canMake ? ways : []).flatMap((way, index) =>
        facts.scenario(STREAM_CASES, {
          id: `event-stream.${operation.id}.made${index === 0 ? '' : '.long'}`,
          title: `${title}, of a resource that the suite has created and brings to its end${index === 0 ? '' : ', on the longest way'}`,
          permissions: ['writes'],
          requests: { ...made.requests(), ...requests, ...way.requests },
          async *run(session: Session) {
            const values = await made.values(session);
            const opened = signalled();
            let isOpened = false;
            const endsWithin = signalled<number>();
            const watching = watch(session, values, {
              until: () => {
                isOpened = true;
                opened.give(undefined);
                return false;
              },
              endsWithin: endsWithin.given,
            });
            // A stream may report only what changes after it was opened.
            const patienceMs = policy.stateFirst === true ? FIRST_MS : OPENING_MS;
            await Promise.race([opened.given, watching, session.clock.sleep(patienceMs)]);
            const isEarly = isOpened;
            const end = await way.go(session, values).catch((error: unknown) => {
              endsWithin.give(0);
              throw error;
            });
            endsWithin.give(GRACE_MS);
            yield* judge(session, values, await watching, { end, isEarly, id: values[parameter] });
          },
        }),
      ),
      ...endingScenario(facts, { reader, lifecycle, watch, judge, idleMs: IDLE_MS }),
      ...besideScenario(facts, { reader, lifecycle, checks, watch }),
    ],
  };

  async function watch(
    session: Pick<Session<'stream'>, 'fixtures' | 'freshKey' | 'watch'>,
    values: Values,
    options: WatchOptions = {},
  ): Promise<Watched> {
    const { headers = [], ...input } = inputFor(api, operation, session, values);
    return session.watch('stream', {
      ...input,
      timeoutMs: LONGEST_MS,
      mayBeSilent: true,
      grace: { when: (events) => checks.isOver(events), ms: GRACE_MS },
      ...options,
      headers: [...headers, ...(options.headers ?? [])],
    });
  }

  async function* judge(
    session: Session,
    values: Values,
    watched: Watched,
    known: WatchedCourse = {},
  ): AsyncGenerator<Check> {
    const { exchange, events } = watched;
    const course = { ...known, ...(await lateness(session, values, watched, known)) };
    if (course.isLate === true && checks.isRefused(exchange))
      throw new NotExercised('an opportunity', 'the resource had ended before its stream was opened');
    const isSilent = isStream(exchange) && events.length === 0;
    if (exchange.answer === undefined && policy.stateFirst !== true && course.end === undefined)
      throw new NotExercised('an opportunity', 'the stream sent nothing');
    if (
      isSilent &&
      /\.made(?:\.long)?$/.test(exchange.scenario) &&
      course.end === undefined &&
      policy.stateFirst !== true
    )
      throw new NotExercised('an opportunity', 'the stream of a new resource reported nothing');
    yield* checks.judge(watched, course);
    if (lifecycle === undefined) throw new NotExercised('an opportunity', 'the sheet has no lifecycle');
    if (!checks.isOver(events) && course.end === undefined)
      throw new NotExercised('an opportunity', 'the stream reported no terminal state');
  }

  /** A stream without events, and a refused one, can be that of a resource that has ended. */
  async function lateness(
    session: Session,
    values: Values,
    { exchange, events }: Watched,
    { end }: WatchedCourse,
  ): Promise<WatchedCourse> {
    if (reader === undefined || lifecycle === undefined || end !== undefined) return {};
    if (!checks.isRefused(exchange) && events.length > 0) return {};
    const seen = await session.send('whether it has ended', inputFor(api, reader, session, values));
    if (isGone(seen)) return { isLate: true };
    const isOver = lifecycle.terminal.includes(String(at(seen.json, lifecycle.property)));
    return isOver ? { isLate: true, end: seen } : {};
  }
}

// --- internal ---

const LONGEST_MS = 20_000;
const IDLE_MS = 3000;
const OPENING_MS = 1000;
const FIRST_MS = 5000;

/** A promise with the function that resolves it. */
function signalled<Value = undefined>(): {
  readonly given: Promise<Value>;
  readonly give: (value: Value) => void;
} {
  let give: (value: Value) => void = () => undefined;
  const given = new Promise<Value>((resolve) => (give = resolve));
  return { given, give };
}
