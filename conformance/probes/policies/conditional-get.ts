import { lifecyclesOf } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { inputFor } from '../document/input.ts';
import type { OwnApi } from '../own-api.ts';
import { responseFor } from '../own-api.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { actionsBelow, waysOf } from './lifecycle-calls.ts';
import { thingsOf } from './things.ts';

/** A conditional read without a body in the answer (RFC 9110, sections 8.8.3 and 13.1.2). */
export function conditionalProbes(facts: OperationFacts<PolicyOf<'conditional-get'>>): Probes {
  const { api, operation, reads } = facts;
  const found = reads.of(operation);
  const requests: RequestPlans = {
    read: api.plan(operation, { times: 2 }),
    again: api.plan(operation, { times: 5 }),
  };
  return {
    scenarios: [
      ...facts.scenario(CASES, {
        id: `conditional-get.${operation.id}`,
        title: `GET ${operation.path} with If-None-Match`,
        uses: [found],
        requests,
        async *run(session) {
          const { answer, values, missing, why } = await session.obtain(found);
          if (answer === undefined) throw new NotExercised(missing, why);
          yield* judged(facts, session, inputFor(api, operation, session, values));
        },
      }),
      ...ofMade(facts),
    ],
  };
}

// --- internal ---

type Facts = OperationFacts<PolicyOf<'conditional-get'>>;

const CASES = ['current', 'weak', 'list', 'any', 'changed', 'kept-headers'] as const;

/** The same read of a thing that the suite has made; and after a call has brought it into another state. */
function ofMade(facts: Facts): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const resource = (api.contract.sheet?.policies ?? [])
    .filter((one) => one.kind === 'resource')
    .find(({ operations }) => operations.read === operation.id);
  const things = resource && thingsOf(api, resource);
  if (things?.operation('create') === undefined) return [];
  const lifecycle = lifecyclesOf(api.contract).find(({ schema }) =>
    JSON.stringify(responseFor(operation, 200)?.content ?? []).includes(`#/components/schemas/${schema}"`),
  );
  const [action] = lifecycle === undefined ? [] : actionsFrom(api, lifecycle, operation);
  return facts.scenario(CASES, {
    id: `conditional-get.${operation.id}.made`,
    title: `GET ${operation.path} with If-None-Match, of a resource of the suite`,
    permissions: ['writes'],
    severalCases: facts.ids(...CASES),
    requests: {
      ...things.requests({ create: 2 }),
      read: api.plan(operation, { times: 4 }),
      again: api.plan(operation, { times: 6 }),
      ...(action === undefined ? {} : { action: api.plan(action) }),
    },
    async *run(session: Session) {
      const thing = await things.make(session, await things.within(session));
      const input = inputFor(api, operation, session, thing.values);
      yield* judged(facts, session, input);
      if (action === undefined || lifecycle === undefined) return;
      const before = await session.send('read', input);
      const tag = before.header('etag');
      if (tag === undefined || tag.startsWith('W/')) return;
      const done = await session.send('action', inputFor(api, action, session, thing.values));
      const seen = await session.send('again', {
        ...input,
        headers: [...(input.headers ?? []), ['If-None-Match', tag]],
      });
      const now = await session.send('read', input);
      const stateIn = (one: Exchange): unknown => at(things.shownIn(one), lifecycle.property);
      if (!isSuccess(done) || !isSuccess(now) || stateIn(now) === stateIn(before)) return;
      yield* facts.judge(
        'changed',
        [before, done, seen, now],
        seen.status !== policy.status,
        `the whole answer: ${lifecycle.property} is no longer ${String(stateIn(before))}`,
        sketchAnswer(seen),
      );
    },
  });
}

/** The calls below a resource that lead out of its first state. */
function actionsFrom(api: OwnApi, lifecycle: PolicyOf<'lifecycle'>, reader: Operation): readonly Operation[] {
  return actionsBelow({ api, policy: lifecycle }, reader).filter((one) =>
    waysOf(lifecycle, one).some(({ from }) => from === lifecycle.initial),
  );
}

async function* judged(facts: Facts, session: Session, input: SendOptions): AsyncGenerator<Check> {
  const { policy } = facts;
  // The state may have changed since the first answer.
  const first = await session.send('read', input);
  const tag = first.header('etag');
  const opaque = /^(?:W\/)?("[^"]*")$/.exec(tag ?? '')?.[1];
  if (tag === undefined || opaque === undefined) {
    yield* facts.judge(
      'current',
      first,
      false,
      'an answer with an ETag',
      tag === undefined ? 'no ETag' : `ETag: ${tag}`,
    );
    throw new NotExercised('an opportunity', 'the answer has no ETag');
  }
  const ask = (session: Session, tags: string): Promise<Exchange> =>
    session.send('again', { ...input, headers: [...(input.headers ?? []), ['If-None-Match', tags]] });
  const spared: readonly (readonly [string, string])[] = [
    ['current', tag],
    ['weak', tag.startsWith('W/') ? opaque : `W/${opaque}`],
    ['list', `"tallystick-other", ${tag}`],
    ['any', '*'],
  ];
  for (const [name, tags] of spared) {
    const seen = await ask(session, tags);
    yield* facts.status(
      name,
      seen,
      policy.status,
      `without a body to If-None-Match: ${tags}`,
      seen.bytes.length === 0,
    );
    if (name !== 'current' || seen.status !== policy.status) continue;
    const changed = policy.keptHeaders.filter(
      (header) => first.header(header) !== undefined && seen.header(header) !== first.header(header),
    );
    // Some headers have another value in each answer, such as the time or the id of a request.
    const whole = changed.length === 0 ? first : await session.send('read', input);
    const lost = changed.filter(
      (header) => seen.header(header) === undefined || whole.header(header) === first.header(header),
    );
    yield* facts.judge(
      'kept-headers',
      [first, seen],
      lost.length === 0,
      `the headers ${policy.keptHeaders.join(', ')} of the whole answer`,
      `other or no ${lost.join(', ')}`,
    );
  }
  const seen = await ask(session, '"tallystick-other"');
  yield* facts.judge(
    'changed',
    seen,
    isSuccess(seen) && seen.bytes.length > 0,
    'the whole answer',
    sketchAnswer(seen),
  );
}
