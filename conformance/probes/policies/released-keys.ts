import type { PolicyOf } from '../../../contract/index.ts';
import { policyFor } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { isObject, isSuccess, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { occasionNeed } from '../document/occasions.ts';
import { bodyFor } from '../document/values.ts';
import { whenOf } from './facts.ts';
import type { OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';
import type { KeyedCall } from './keyed.ts';
import { frees } from './keyed-occasions.ts';

/** How a template reads the answer to a key whose earlier call was refused. */
export interface ReleaseReading {
  /** Whether it is one to a new key. */
  readonly isFresh: (seen: Exchange) => boolean;
  /** Whether the key is known from before. */
  readonly isHeld: (seen: Exchange) => boolean;
  /** What is expected, such as `a success`. */
  readonly fresh: string;
  readonly sketch: (seen: Exchange) => string;
}

/**
 * Keys whose first call was refused with a status that frees them: for a body that the document forbids, for a reserved
 * member, for what it is about, for a value that is taken, and for lack of credits.
 */
export function releasedKeys(
  facts: OperationFacts<PolicyOf<'idempotency'>>,
  { isFresh, isHeld, fresh, sketch }: ReleaseReading,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const calls = keyedCalls(api, operation);
  const reserved = policyFor(operation, 'reserved-fields')?.members.slice(0, MOST_MEMBERS) ?? [];
  const isUnique = policyFor(operation, 'uniqueness') !== undefined;
  return facts.scenario(['released'], {
    id: `idempotency.${operation.id}.released`,
    title: `${operation.method.toUpperCase()} ${operation.path}: a key again, after a refusal that frees it`,
    permissions: ['writes', 'negatives'],
    severalCases: facts.ids('released'),
    when: [...PROVOKED, 'reserved', 'unpaid'].map((name) => [name, '4xx']),
    alsoTakes: ['account.noCredits', ...PROVOKED.map((name) => occasionNeed(operation, name))],
    requests: {
      ...calls.requests(
        4 + 2 * MOST_FORMS + 2 * PROVOKED.length + MOST_CALLS + 2 * MOST_MEMBERS,
        2 + PROVOKED.length,
      ),
      invalid: api.plan(operation, { isInvalid: true, times: MOST_FORMS + MOST_MEMBERS }),
      unpaid: api.plan(operation, { as: 'noCredits', isOptional: true, judgesRefusal: true, times: 2 }),
    },
    async *run(session: Session) {
      const call = await calls.start(session);
      const body = bodyFor(api, operation, session.fixtures)?.value;
      const others: readonly Json[] = isObject(body)
        ? [...reserved.map((member) => ({ ...body, [member]: 'tallystick' })), [body]]
        : [];
      const provoked: (readonly [string, KeyedCall])[] = [];
      for (const name of PROVOKED)
        for (const given of callsOn(name, operation.id, session.fixtures).slice(0, MOST_CALLS))
          provoked.push([name, await calls.start(session, [name, given])]);
      const tries: (readonly [when: string, refuse: (key: string) => Promise<Exchange | undefined>])[] = [
        ['invalid', (key) => call.sendInvalid(key, 'invalid')],
        ...others.map(
          (other) =>
            [
              isObject(other) ? 'reserved' : 'invalid',
              (key: string) => call.sendBody(key, other, 'invalid'),
            ] as const,
        ),
        ...provoked.map(([name, one]) => [name, (key: string) => one.send(key)] as const),
      ];
      const made = await (await calls.start(session)).first(session.freshKey());
      const taken = isUnique ? sentIn(made) : undefined;
      if (taken !== undefined) tries.push(['refused', (key) => call.sendBody(key, taken)]);
      let isFreed = false;
      let last: Exchange | undefined;
      for (const [when, refuse] of tries) {
        const key = session.freshKey();
        const refused = await refuse(key);
        last = refused ?? last;
        if (refused === undefined || isHeld(refused) || !frees(policy.release, refused.status)) continue;
        isFreed = true;
        const again = await call.send(key);
        if (!isSuccess(again) && !(await call.isOfKey(again))) continue;
        const expected = `${fresh}, because ${refused.status} frees the key`;
        const by = [when, ...whenOf(refused)];
        yield* facts.judge('released', [refused, again], isFresh(again), expected, sketch(again), by);
      }
      if (session.knows('noCredits')) {
        const key = session.freshKey();
        const refused = await call.sendAs('unpaid', key, 'unpaid');
        // Whether this operation asks for credits, and takes that account, is open.
        const isUnpaid = !isSuccess(refused) && refused.status !== 401 && !isHeld(refused);
        if (!isUnpaid || !frees(policy.release, refused.status)) return;
        const again = await call.sendAs('unpaid', key, 'unpaid');
        // Another refusal comes before the key is looked at, or after: it does not show which.
        if (!isSuccess(again) && !isHeld(again) && again.status !== refused.status) return;
        const expected = `no refusal of the key, because ${refused.status} frees it`;
        const by = ['unpaid', ...whenOf(refused)];
        yield* facts.judge('released', [refused, again], !isHeld(again), expected, sketch(again), by);
        return;
      }
      if (last === undefined)
        throw new NotExercised(`bodies.${operation.id}`, 'no body is known that the document does not allow');
      if (!isFreed)
        throw new NotExercised(
          'an opportunity',
          `the invalid call was answered with ${last.status}, which frees no key`,
        );
    },
  });
}

// --- internal ---

/** The body of a call, with a value that has to be unique and is in use since then. */
function sentIn({ request: { body } }: Exchange): Json | undefined {
  return body === undefined ? undefined : (parseJson(new TextDecoder().decode(body)) as Json | undefined);
}

/** The occasions of the fixtures on which a call is refused for what it is about. */
const PROVOKED = ['invalid', 'refused'] as const;

const MOST_MEMBERS = 3;
/** A misfit of the document, and a list in place of an object. */
const MOST_FORMS = 2;
const MOST_CALLS = 1;
