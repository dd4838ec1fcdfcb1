import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { isJson } from '../../../contract/judge/body-format.ts';
import { at, isSuccess, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { requiredValues } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { misfitsOf } from '../document/misfits.ts';
import { bodyFor } from '../document/values.ts';
import { freshAt } from '../document/variants.ts';
import { written } from '../document/wire-body.ts';
import { pathParameters, sentContent } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { callWith, MOST_OTHERS, needed, othersOf } from './keyed.ts';
import { refusal } from './refusal.ts';
import type { Thing } from './thing.ts';
import { thingsOf } from './things.ts';

type Unique = OperationFacts<PolicyOf<'uniqueness'>>;

/** A unique value: in created resources, and in replacements and changes. */
export function uniquenessProbes(facts: Unique): Probes {
  return {
    scenarios: changeOfOther(facts) ?? [...sameTwice(facts), ...afterRefusal(facts), ...atOnce(facts)],
  };
}

// --- internal ---

const MOST_WRONG = 2;
const RACES = 2;

/** Two things with the same value, created by two calls with separate keys. */
function sameTwice(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const made = new MadeResources(api, operation);
  const apart = pathParameters(operation).filter(({ name }) => policy.within.includes(name));
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the same ${policy.member} twice`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: { ...made.requests(2), call: api.plan(operation, { times: 6 + MOST_OTHERS }) },
    async *run(session: Session) {
      const known = await made.values(session);
      const body = bodyFor(api, operation, session.fixtures);
      if (body === undefined) throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
      const fresh = (): string =>
        written(freshAt(api, operation, body.value, policy.member, session.freshKey), body);
      const own = fresh();
      const send = (values: Values, text = own): Promise<Exchange> =>
        session.send('call', keyedCall(facts, session, { values, text, mediaType: body.mediaType }));
      const first = needed(operation, await send(known));
      yield* judgeTaken(facts, first, await send(known));
      // Another value in between shows whether the server remembers more than the last one.
      await send(known, fresh());
      yield* judgeTaken(facts, first, await send(known));
      // Only the value must be unique, so the rest of the body may differ.
      const others = othersOf(api, operation, parseJson(own) as Json, (name) => name !== policy.member);
      for (const other of others) yield* judgeTaken(facts, first, await send(known, written(other, body)));
      if (apart.length === 0) return;
      const elsewhere = await made.values(session);
      // The fixtures file may name only one parent.
      if (!apart.some(({ name }) => elsewhere[name] !== known[name])) return;
      const other = await send(elsewhere);
      yield* facts.judge(
        'taken',
        [first, other],
        isSuccess(other) || other.status !== (policy.refusal?.status ?? 409),
        `no refusal of the ${policy.member} in another ${policy.within.join(', ')}`,
      );
      yield* judgeTaken(facts, first, await send(known));
    },
  });
}

/** A refused call does not use up its value: a later valid call may have it. */
function afterRefusal(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const content = sentContent(operation);
  if (content === undefined || !isJson(content.mediaType)) return [];
  const made = new MadeResources(api, operation);
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}.refused`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the ${policy.member} of a refused call`,
    permissions: ['writes', 'negatives'],
    severalCases: facts.ids('taken'),
    requests: {
      ...made.requests(),
      call: api.plan(operation, { times: 1 }),
      wrong: api.plan(operation, { times: MOST_WRONG, isInvalid: true }),
    },
    async *run(session: Session) {
      const known = await made.values(session);
      const body = bodyFor(api, operation, session.fixtures);
      if (body === undefined) throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
      const own = freshAt(api, operation, body.value, policy.member, session.freshKey);
      const wrong = misfitsOf(api, content, own, () => true).filter(
        (one) => at(one.body, policy.member) === at(own, policy.member),
      );
      const send = (name: 'call' | 'wrong', value: Json): Promise<Exchange> => {
        const text = written(value, body);
        const { mediaType } = body;
        return session.send(name, keyedCall(facts, session, { values: known, text, mediaType }));
      };
      const refused: Exchange[] = [];
      for (const one of wrong.slice(0, MOST_WRONG)) {
        const seen = await send('wrong', one.body as Json);
        if (isSuccess(seen)) throw new NotExercised('an opportunity', 'the server accepts an invalid body');
        refused.push(seen);
      }
      if (refused.length === 0)
        throw new NotExercised('an opportunity', 'no invalid body with the value is known');
      const seen = await send('call', own);
      yield* facts.judge(
        'taken',
        [...refused, seen],
        seen.status !== (policy.refusal?.status ?? 409),
        `no refusal of the ${policy.member} that only refused calls have had`,
      );
    },
  });
}

/** Two calls with the same value at the same time: a server that looks first and stores later makes both. */
function atOnce(facts: Unique): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const made = new MadeResources(api, operation);
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}.race`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the same ${policy.member} twice at once`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: { ...made.requests(), call: api.plan(operation, { times: 2 * RACES }) },
    async *run(session: Session) {
      const known = await made.values(session);
      const body = bodyFor(api, operation, session.fixtures);
      if (body === undefined) throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
      let isTried = false;
      for (let time = 0; time < RACES; time += 1) {
        const text = written(freshAt(api, operation, body.value, policy.member, session.freshKey), body);
        const options = { values: known, text, mediaType: body.mediaType };
        const seen = await session.race('call', [
          keyedCall(facts, session, options),
          keyedCall(facts, session, options),
        ]);
        const done = seen.filter(isSuccess);
        if (done.length === 0 || done.some(({ status }) => status === 202)) continue;
        isTried = true;
        yield* facts.judge(
          'taken',
          seen,
          done.length === 1,
          `a refusal of one of two calls with the same ${policy.member}`,
          'both succeeded',
        );
      }
      if (!isTried) throw new NotExercised(`bodies.${operation.id}`, 'no call of a pair succeeded');
    },
  });
}

/** Changes a thing to the value of another thing, which is refused, and to its own value, which is not. */
function changeOfOther(facts: Unique): readonly Scenario[] | undefined {
  const { api, operation, policy } = facts;
  const resource = (api.contract.sheet?.policies ?? [])
    .filter((one) => one.kind === 'resource')
    .find(({ operations }) => [operations.replace, operations.patch].includes(operation.id));
  if (resource === undefined) return undefined;
  const things = thingsOf(api, resource);
  const role = resource.operations.replace === operation.id ? 'replace' : 'patch';
  if (things.operation('create') === undefined) return undefined;
  const plans: RequestPlans = things.requests({ create: 4, read: 4, [role]: 4 });
  return facts.scenario(['taken'], {
    id: `uniqueness.${operation.id}`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the ${policy.member} of another resource`,
    permissions: ['writes'],
    severalCases: facts.ids('taken'),
    requests: plans,
    async *run(session: Session): AsyncGenerator<Check> {
      const within = await things.within(session);
      const [one, other] = [await things.make(session, within), await things.make(session, within)];
      const [own, taken] = [at(other.sent, policy.member), at(one.sent, policy.member)];
      if (own === undefined || taken === undefined || own === taken)
        throw new NotExercised(
          `bodies.${operation.id}`,
          `no two resources with a ${policy.member} are known`,
        );
      const put = ({ sent }: Thing): Promise<Exchange> =>
        things.call(session, role, other.values, {
          body: role === 'replace' ? sent : nested(policy.member, at(sent, policy.member) as Json),
        });
      const same = await put(other);
      yield* facts.judge(
        'taken',
        [other.made, same],
        same.status !== (policy.refusal?.status ?? 409),
        `no refusal of the ${policy.member} that the resource has itself`,
      );
      needed(operation, same);
      for (let time = 0; time < 2; time += 1) yield* judgeTaken(facts, same, await put(one));
    },
  });
}

function nested(path: string, value: Json): Json {
  return path.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
}

/** A call, with a separate key if calls have one. */
function keyedCall(
  { api, operation }: Unique,
  session: Session,
  { values, text, mediaType }: { readonly values: Values; readonly text: string; readonly mediaType: string },
): SendOptions {
  const sent = callWith(operation, requiredValues(api, operation, session, values), text, mediaType);
  const headers = sent.headers ?? [];
  const key = policyFor(operation, 'idempotency')?.requestHeader;
  const isKeyed = headers.some(([name]) => name.toLowerCase() === key?.toLowerCase());
  return key === undefined || isKeyed ? sent : { ...sent, headers: [...headers, [key, session.freshKey()]] };
}

function* judgeTaken(facts: Unique, first: Exchange, again: Exchange): Generator<Check> {
  const { refusal: stated } = facts.policy;
  if (stated !== undefined)
    yield* refusal(facts, 'taken', again, stated, 'for a value that is already in use');
  else
    yield* facts.judge(
      'taken',
      [first, again],
      again.status >= 400 && again.status < 500,
      'a refusal (4xx) of every later one',
    );
}
