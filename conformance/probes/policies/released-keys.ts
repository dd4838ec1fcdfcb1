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
import type { OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';
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
    alsoTakes: ['account.noCredits', occasionNeed(operation, 'invalid')],
    requests: {
      ...calls.requests(4 + 2 * MOST_FORMS + 3 * MOST_CALLS + 2 * MOST_MEMBERS, 3),
      invalid: api.plan(operation, { isInvalid: true, times: MOST_FORMS + MOST_MEMBERS }),
      unpaid: api.plan(operation, { as: 'noCredits', isOptional: true, judgesRefusal: true, times: 2 }),
    },
    async *run(session: Session) {
      const call = await calls.start(session);
      const body = bodyFor(api, operation, session.fixtures)?.value;
      const others: readonly Json[] = isObject(body)
        ? [...reserved.map((member) => ({ ...body, [member]: null })), [body]]
        : [];
      const [given] = callsOn('invalid', operation.id, session.fixtures);
      const provoked = given && (await calls.start(session, ['invalid', given]));
      const tries: ((key: string) => Promise<Exchange | undefined>)[] = [
        (key) => call.sendInvalid(key, 'invalid'),
        ...others.map((other) => (key: string) => call.sendBody(key, other, 'invalid')),
        ...(provoked === undefined ? [] : [(key: string) => provoked.send(key)]),
      ];
      const made = await (await calls.start(session)).first(session.freshKey());
      const taken = isUnique ? sentIn(made) : undefined;
      if (taken !== undefined) tries.push((key) => call.sendBody(key, taken));
      let isFreed = false;
      let last: Exchange | undefined;
      for (const refuse of tries) {
        const key = session.freshKey();
        const refused = await refuse(key);
        last = refused ?? last;
        if (refused === undefined || isHeld(refused) || !frees(policy.release, refused.status)) continue;
        isFreed = true;
        const again = await call.send(key);
        if (!isSuccess(again) && !(await call.isOfKey(again))) continue;
        const expected = `${fresh}, because ${refused.status} frees the key`;
        yield* facts.judge('released', [refused, again], isFresh(again), expected, sketch(again));
      }
      if (session.knows('noCredits')) {
        const key = session.freshKey();
        const refused = await call.sendAs('unpaid', key, 'unpaid');
        if (isSuccess(refused) || isHeld(refused) || !frees(policy.release, refused.status)) return;
        const again = await call.sendAs('unpaid', key, 'unpaid');
        const expected = `no refusal of the key, because ${refused.status} frees it`;
        yield* facts.judge('released', [refused, again], !isHeld(again), expected, sketch(again));
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

const MOST_MEMBERS = 3;
/** A misfit of the document, and a list in place of an object. */
const MOST_FORMS = 2;
const MOST_CALLS = 1;
