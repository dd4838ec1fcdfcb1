import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { occasionNeed } from '../document/occasions.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { ANOTHER_WAY, MOST_OTHERS, keyedCalls, refusesChunks } from './keyed.ts';
import { keysAfterEnd } from './keys-after-end.ts';
import { keyWindow } from './key-window.ts';
import { refusal, statesBucket } from './refusal.ts';
import { releasedKeys } from './released-keys.ts';
import { withoutKey } from './without-key.ts';

/** A single-use key. */
export function singleUseProbes(
  facts: OperationFacts<Extract<PolicyOf<'idempotency'>, { mode: 'single-use' }>>,
): Probes {
  const { api, operation, policy } = facts;
  const { status, code } = policy.reuse;
  const calls = keyedCalls(api, operation);
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  return {
    scenarios: [
      ...facts.scenario(['used'], {
        id: `idempotency.${operation.id}.reuse`,
        title: `${title}: one key, several times`,
        permissions: ['writes'],
        severalCases: facts.ids('used'),
        requests: calls.requests(3 + 2 * MOST_OTHERS),
        async *run(session) {
          const call = await calls.start(session);
          const key = session.freshKey();
          await call.first(key);
          const inChunks = await call.send(key, ANOTHER_WAY);
          const again = [await call.send(key), ...(refusesChunks(inChunks) ? [] : [inChunks])];
          for (const seen of again) yield* judgeUsed(seen);
          // A body can be refused for what it is, before the key is looked at.
          for (const seen of await call.sendOthers(key))
            if (isSuccess(seen) || isReuse(seen) || (await call.isOfKey(seen))) yield* judgeUsed(seen);
        },
      }),
      ...keysAfterEnd(facts, 'used', (_, again) => judgeUsed(again)),
      ...OCCASIONS.flatMap((name) =>
        facts.scenario(['used'], {
          id: `idempotency.${operation.id}.${name}`,
          title: `${title}: one key, twice, for ${name === 'slow' ? 'a slow call' : 'another valid call'}`,
          permissions: ['writes', ...(name === 'slow' ? (['slow'] as const) : [])],
          needs: [occasionNeed(operation, name)],
          severalCases: facts.ids('used'),
          requests: calls.requests(2 * MOST_CALLS, MOST_CALLS),
          async *run(session: Session) {
            for (const given of callsOn(name, operation.id, session.fixtures).slice(0, MOST_CALLS)) {
              const call = await calls.start(session, [name, given]);
              const key = session.freshKey();
              await call.first(key);
              yield* judgeUsed(await call.send(key));
            }
          },
        }),
      ),
      ...facts.scenario(['used'], {
        id: `idempotency.${operation.id}.first-use`,
        title: `${title}: a key that resembles a used one, and one that only a refused caller has tried`,
        permissions: ['writes'],
        requests: {
          ...calls.requests(3, 3),
          stranger: api.plan(operation, { as: 'unusable', isInvalid: true }),
        },
        async *run(session: Session) {
          const key = session.freshKey();
          await (await calls.start(session)).first(key);
          const last = key.at(-1) === '0' ? '1' : '0';
          const call = await calls.start(session);
          const like = await call.send(`${key.slice(0, -1)}${last}`);
          const wanted = 'no refusal of a key that was not used';
          yield* facts.judge('used', like, !isReuse(like), wanted, sketchAnswer(like));
          const tried = session.freshKey();
          const other = await calls.start(session);
          const refused = await other.sendAs('stranger', tried);
          if (refused.status !== 401 && refused.status !== 403) return;
          const first = await other.send(tried);
          yield* facts.judge('used', [refused, first], !isReuse(first), wanted, sketchAnswer(first));
        },
      }),
      ...releasedKeys(facts, {
        isFresh: isSuccess,
        isHeld: isReuse,
        fresh: 'a success',
        sketch: sketchAnswer,
      }),
      ...facts.scenario(['used'], {
        id: `idempotency.${operation.id}.race`,
        title: `${title}: one key, several times at once`,
        permissions: ['writes'],
        requests: calls.requests(RACES * AT_ONCE + 1),
        async *run(session) {
          const call = await calls.start(session);
          await call.first(session.freshKey());
          for (let time = 0; time < RACES; time += 1) {
            const key = session.freshKey();
            const seen = await (time === 1 ? call.raceApart(key, AT_ONCE) : call.race(key, AT_ONCE));
            const made = seen.filter(isSuccess).length;
            if (made === 0) throw new NotExercised(`bodies.${operation.id}`, 'no call was accepted');
            yield* facts.judge('used', seen, made === 1, 'one success', `${made} successes with one key`);
          }
        },
      }),
      ...keyWindow(facts, (_, seen) => isReuse(seen), { tells: true }),
      ...withoutKey(facts),
    ],
  };

  function isReuse(seen: Exchange): boolean {
    return seen.status === status && statesBucket(api, seen, code);
  }

  function* judgeUsed(seen: Exchange): Generator<Check> {
    yield* refusal(facts, 'used', seen, { status, bucket: code }, 'to a key that was used');
  }
}

// --- internal ---

/** Valid calls that fixtures name. */
const OCCASIONS = ['other', 'slow'] as const;
const MOST_CALLS = 2;

const RACES = 3;
const AT_ONCE = 3;
