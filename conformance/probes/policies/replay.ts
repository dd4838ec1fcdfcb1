import { findPolicy } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { responseFor } from '../own-api.ts';
import type { Probes, OperationFacts } from './facts.ts';
import { ANOTHER_WAY, MOST_LIKE, MOST_OTHERS, keyedCalls, refusesChunks } from './keyed.ts';
import { keyWindow } from './key-window.ts';
import { keysAfterEnd } from './keys-after-end.ts';
import { FIRST_USES, judgeFirstUses, keyedOccasions, judgeAdvice } from './keyed-occasions.ts';
import { refusesKeys, statesBucket } from './refusal.ts';
import { releasedKeys } from './released-keys.ts';
import type { Role } from './thing.ts';
import { type Things, thingsBy } from './things.ts';
import { withoutKey } from './without-key.ts';

/** A key whose answer is recorded and replayed. */
export function replayProbes(facts: OperationFacts<Replay>): Probes {
  const { operation, policy } = facts;
  const { replayHeader: mark } = policy;
  const calls = keyedCalls(facts.api, operation);
  const isMarked = (seen: Exchange): boolean => mark !== undefined && seen.header(mark.name) === mark.value;
  const bucket = findPolicy(facts.api.contract, 'error-buckets')?.header;
  const isSame = (first: Exchange, seen: Exchange): boolean =>
    seen.status === first.status &&
    Buffer.compare(seen.bytes, first.bytes) === 0 &&
    (seen.header('location') === first.header('location') || !declaresLocation(operation, first)) &&
    (bucket === undefined || seen.header(bucket) === first.header(bucket));
  const replays = (first: Exchange, seen: Exchange): boolean =>
    isSame(first, seen) && (mark === undefined || isMarked(seen));
  const reading = { isMarked, replays };
  const unmarked = mark === undefined ? '' : ` without ${mark.name}: ${mark.value}`;
  const withMark = mark === undefined ? '' : ` and ${mark.name}: ${mark.value}`;
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  return {
    scenarios: [
      ...keysAfterEnd(facts, 'replayed', (first, again) =>
        facts.judge(
          'replayed',
          [first, again],
          replays(first, again),
          `${first.status} with the same body${withMark}, also after what it made is gone`,
          `${sketchAnswer(again)}${marks(again, mark)}`,
        ),
      ),
      ...facts.scenario(['first-use', 'replayed', 'mismatch', 'not-overwritten'], {
        id: `idempotency.${operation.id}.retries`,
        when: [['2xx']],
        title: `${title}: one key, several times`,
        permissions: ['writes'],
        severalCases: facts.ids('replayed', 'first-use', 'mismatch', 'not-overwritten'),
        requests: calls.requests(8 + 2 * MOST_OTHERS),
        async *run(session) {
          const call = await calls.start(session);
          const key = session.freshKey();
          const first = await call.first(key);
          yield* facts.judge(
            'first-use',
            first,
            !isMarked(first),
            `an answer${unmarked}`,
            `${sketchAnswer(first)}${marks(first, mark)}`,
          );
          // How it is sent, and by whom, is no part of the call.
          let last = first;
          for (const parts of [{}, {}, ANOTHER_WAY]) {
            const again = await call.send(key, parts);
            if (parts === ANOTHER_WAY && refusesChunks(again)) continue;
            if (parts !== ANOTHER_WAY) last = again;
            yield* facts.judge(
              'replayed',
              [first, again],
              replays(first, again),
              `${first.status} with the same body${withMark}`,
              `${sketchAnswer(again)}${marks(again, mark)}`,
            );
          }
          // A call that is possible only once per resource is made for another one.
          const next = await calls.start(session);
          const fresh = await next.send(session.freshKey());
          // The fixtures may name the only resource.
          const isOpen =
            !isSuccess(fresh) && !refusesKeys(operation, fresh.status) && !(await next.isOfKey(fresh));
          if (!isOpen)
            yield* facts.judge(
              'first-use',
              fresh,
              isSuccess(fresh) && !isMarked(fresh),
              `a success${unmarked}`,
            );
          const others = await call.sendOthers(key);
          if (others.length === 0)
            throw new NotExercised(
              `bodies.${operation.id}`,
              'no second body is known that differs from the first one',
            );
          for (const other of others) {
            const isRefused = !isMarked(other) && statesBucket(facts.api, other, policy.mismatch.bucket);
            const isRight = isRefused && other.status === policy.mismatch.status;
            // A body can be refused for what it is, before the key is looked at.
            if (!isRight && !isSuccess(other) && !(await call.isOfKey(other))) continue;
            const said = mark === undefined ? 'for another body' : `and no ${mark.name}`;
            const { status, bucket } = policy.mismatch;
            yield* facts.status('mismatch', other, status, `${said}${asBucket(bucket)}`, isRefused);
          }
          // Whether it is a right replay is judged above.
          const kept = await call.send(key);
          yield* facts.judge(
            'not-overwritten',
            [last, kept],
            isSame(last, kept) && isMarked(last) === isMarked(kept),
            'the same answer to the first body, after other bodies were refused',
            `${sketchAnswer(kept)}${marks(kept, mark)}`,
          );
        },
      }),
      ...facts.scenario(['first-use', 'no-key', 'mismatch'], {
        id: `idempotency.${operation.id}.likenesses`,
        title: `${title}: bodies and keys that are hard to tell apart`,
        permissions: ['writes'],
        severalCases: facts.ids('mismatch'),
        requests: calls.requests(FIRST_USES + 1 + 2 * MOST_LIKE),
        async *run(session) {
          const call = await calls.start(session);
          yield* judgeFirstUses(facts, reading, call, session.freshKey());
          const bodies = call.alike();
          if (bodies === undefined) return;
          const key = session.freshKey();
          const first = await call.sendBody(key, bodies.first);
          if (!isSuccess(first)) return;
          for (const other of bodies.others) {
            const seen = await call.sendBody(key, other);
            const isRefused = !isMarked(seen) && statesBucket(facts.api, seen, policy.mismatch.bucket);
            const isRight = isRefused && seen.status === policy.mismatch.status;
            if (!isRight && !isSuccess(seen) && !(await call.isOfKey(seen))) continue;
            const said = `for a body that differs in one place${asBucket(policy.mismatch.bucket)}`;
            yield* facts.status('mismatch', seen, policy.mismatch.status, said, isRefused);
          }
        },
      }),
      ...withoutKey(facts, { isMarked, unmarked, markOf: (seen) => marks(seen, mark) }),
      ...keyedOccasions(facts, reading),
      ...keyWindow(facts, replays, { tells: mark !== undefined }),
      ...afterChange(facts, replays),
      ...releasedKeys(facts, {
        isFresh: (seen) => isSuccess(seen) && !isMarked(seen),
        isHeld: (seen) => isMarked(seen) || seen.status === policy.mismatch.status,
        fresh: `a success${unmarked}`,
        sketch: (seen) => `${sketchAnswer(seen)}${marks(seen, mark)}`,
      }),
      ...facts.scenario(['in-flight', 'at-once', 'retry-after'], {
        id: `idempotency.${operation.id}.race`,
        title: `${title}: one key, twice at once`,
        permissions: ['writes'],
        requests: calls.requests(6),
        async *run(session) {
          const call = await calls.start(session);
          const { inFlight } = policy;
          for (let time = 0; time < 3; time += 1) {
            const seen = await call.race(session.freshKey(), 2);
            const succeeded = seen.filter(isSuccess);
            // A call that a limit of the rate refused did not meet the other one.
            if (inFlight.status !== 429 && seen.some(({ status }) => status === 429)) continue;
            // Without a mark, only a different answer shows that the call ran again.
            const ran =
              mark === undefined
                ? succeeded.filter((one, at) => !succeeded.slice(0, at).some((other) => isSame(other, one)))
                : succeeded.filter((one) => !isMarked(one));
            const refused = seen.filter((one) => one.answer !== undefined && !isSuccess(one));
            // That one ran shows nothing of a key in flight, where that is one case with this.
            if (ran.length > 1 || (ran.length === 1 && facts.isApart('at-once')))
              yield* facts.judge(
                'at-once',
                seen,
                ran.length === 1,
                'one call that runs',
                `${ran.length} calls with one key ran`,
              );
            const [second] = refused;
            if (second === undefined || ran.length !== 1) continue;
            const isStated = statesBucket(facts.api, second, inFlight.bucket);
            const said = `for the call that meets the first one${asBucket(inFlight.bucket)}`;
            yield* facts.status('in-flight', second, inFlight.status, said, isStated);
            yield* judgeAdvice(facts, second);
            return;
          }
          throw new NotExercised(
            'an opportunity',
            'the calls did not overlap: each had ended before the next one arrived',
          );
        },
      }),
    ],
  };
}

// --- internal ---

/** Whether the document says that an answer has the address of what was made: then it is a part of what is recorded. */
function declaresLocation(operation: Operation, { status }: Exchange): boolean {
  return responseFor(operation, status)?.headers.some(({ name }) => /^location$/i.test(name)) === true;
}

type Replay = Extract<PolicyOf<'idempotency'>, { mode: 'replay' }>;

/** The replay is the recorded answer, not the current state. */
function afterChange(
  facts: OperationFacts<Replay>,
  replays: (first: Exchange, seen: Exchange) => boolean,
): readonly Scenario[] {
  const { api, operation } = facts;
  const things = thingsBy(api, 'create', operation);
  if (things === undefined) return [];
  const change = (['patch', 'replace'] as const).find((one) => things.operation(one) !== undefined);
  const remove = things.operation('delete') === undefined ? undefined : ('delete' as const);
  return [change, remove].flatMap((role) =>
    role === undefined ? [] : afterOne(facts, things, role, replays),
  );
}

function afterOne(
  facts: OperationFacts<Replay>,
  things: Things,
  role: Role,
  replays: (first: Exchange, seen: Exchange) => boolean,
): readonly Scenario[] {
  const { operation } = facts;
  const what = role === 'delete' ? 'deletion' : 'change';
  return facts.scenario(['replayed'], {
    id: `idempotency.${operation.id}.${role === 'delete' ? 'deleted' : 'later'}`,
    title: `${operation.method.toUpperCase()} ${operation.path}: a key again, after a ${what} of the created resource`,
    permissions: ['writes'],
    requests: things.requests({ create: 3, read: 1, [role]: 1 }),
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      const body = things.bodies.change(session, role, thing.sent);
      const changed = await things.call(session, role, thing.values, { body });
      if (!isSuccess(changed))
        throw new NotExercised('an opportunity', `the ${what} was refused: ${sketchAnswer(changed)}`);
      const again = await things.makeAgain(session, thing, { isSameKey: true });
      yield* facts.judge(
        'replayed',
        [thing.made, changed, again],
        replays(thing.made, again),
        `${thing.made.status} with the recorded body, as before the ${what}`,
        sketchAnswer(again),
      );
    },
  });
}

function asBucket(bucket: string | undefined): string {
  return bucket === undefined ? '' : `, as ${bucket}`;
}

function marks(seen: Exchange, mark: Replay['replayHeader']): string {
  if (mark === undefined) return '';
  const value = seen.header(mark.name);
  return value === undefined ? `, without ${mark.name}` : `, with ${mark.name}: ${value}`;
}
