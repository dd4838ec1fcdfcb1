import type { PolicyOf } from '../../../contract/index.ts';
import { keyPlaceOf, placeOfScheme } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, RequestPlans, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { isSamePlace } from '../../target/credential.ts';
import { callsOn } from '../../target/occasions.ts';
import { isRead, pathParameters } from '../own-api.ts';
import type { OwnApi } from '../own-api.ts';
import { inputFor, withNewKey } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionInput, occasionNeed, onOccasion } from '../document/occasions.ts';
import type { Facts } from './facts.ts';
import type { HarmlessCall } from './harmless-calls.ts';

type Credentials = Facts<PolicyOf<'credentials'>>;

/** Each kind of credential at each operation that allows several, and a key in both of its places. */
export function acceptedScenarios(facts: Credentials, calls: readonly HarmlessCall[]): readonly Scenario[] {
  const several = calls.filter(({ operation }) => kindsOf(facts, operation).length > 1);
  const reads = several.filter(({ operation }) => isRead(operation));
  const writes = several.filter(({ operation }) => !isRead(operation));
  const control = [...reads, ...calls];
  return [
    ...scenarioOf(facts, reads, 'reads'),
    // Another operation tells whether a credential is any good. One that is withheld must not hold up the others.
    ...writes.flatMap((one) =>
      scenarioOf(facts, [one, ...control.filter((other) => other !== one).slice(0, 1)], one.operation.id),
    ),
    ...writes.flatMap(({ operation }) => validCalls(facts, operation)),
  ];
}

const KINDS = ['apiKey', 'jwt'] as const;
type Kind = (typeof KINDS)[number];

/** The kinds of credential each of which opens an operation, by the document. */
export function kindsOf({ api }: Facts, { security }: Operation): readonly Kind[] {
  const keys = keyPlaceOf(api.contract);
  const kinds = security.flatMap(({ schemes: [scheme, ...others] }): readonly Kind[] => {
    const place = scheme && placeOfScheme(scheme);
    if (scheme === undefined || place === undefined || others.length > 0) return [];
    if (scheme.type === 'apiKey') return isSamePlace(place, keys) ? ['apiKey'] : [];
    return (scheme.scheme ?? 'bearer').toLowerCase() === 'bearer' ? ['jwt'] : [];
  });
  return KINDS.filter((kind) => kinds.includes(kind));
}

// --- internal ---

function scenarioOf(facts: Credentials, calls: readonly HarmlessCall[], of: string): readonly Scenario[] {
  if (calls.length === 0) return [];
  const { api, policy } = facts;
  const isKeyRead = policy.keyHeader !== undefined && policy.keyPrefix !== undefined;
  const sentTo = (operation: Operation): readonly (Kind | 'apiKeyAsBearer')[] => {
    const kinds = kindsOf(facts, operation);
    return [...kinds, ...(isKeyRead && kinds.includes('apiKey') ? (['apiKeyAsBearer'] as const) : [])];
  };
  const plans: RequestPlans = Object.fromEntries(
    calls.flatMap(({ operation }) =>
      sentTo(operation).map((as) => [
        `${operation.id} ${as}`,
        api.plan(operation, { as, times: 3, isInvalid: true, isOptional: true, judgesCredential: true }),
      ]),
    ),
  );
  return facts.scenario(['accepted', 'key-as-bearer'], {
    id: `credentials.accepted.${of}`,
    title: `each kind of credential, for ${of}`,
    permissions: calls.every(({ operation }) => isRead(operation)) ? [] : ['negatives', 'writes'],
    severalCases: facts.ids('accepted', 'key-as-bearer'),
    uses: calls.flatMap(({ found }) => found ?? []),
    requests: plans,
    async *run(session: Session) {
      const seen: (readonly [kind: string, exchange: Exchange])[][] = [];
      for (const { operation, forms } of calls) {
        const [form] = forms;
        const options = await form?.(session);
        if (options === undefined) continue;
        for (const sent of [options, withNewKey(operation, options, session)]) {
          if (sent === undefined) continue;
          const answers: (readonly [string, Exchange])[] = [];
          for (const as of sentTo(operation).filter((one) => session.knows(one)))
            answers.push([as, await session.send(`${operation.id} ${as}`, sent)]);
          seen.push(answers);
        }
      }
      // Only what some operation lets in: else the fixture is at fault, or the API takes no keys as bearer tokens, unless
      // the fixtures say that it does.
      const isKeyTaken = session.fixtures.capabilities?.keyAsBearer === true;
      const good = new Set(seen.flat().flatMap(([kind, { status }]) => (status === 401 ? [] : [kind])));
      for (const answers of seen) {
        yield* judgeKinds(facts, answers, good);
        if (isKeyTaken || good.has('apiKeyAsBearer')) yield* judgeBearer(facts, new Map(answers));
      }
      for (const { operation } of calls) {
        const sent = aboutNothing(api, operation, session);
        if (sent === undefined) continue;
        const answers: (readonly [string, Exchange])[] = [];
        for (const as of sentTo(operation).filter((one) => session.knows(one)))
          answers.push([as, await session.send(`${operation.id} ${as}`, sent)]);
        yield* judgeKinds(facts, answers, good);
      }
    },
  });
}

/** A whole call about a thing that does not exist: nothing comes of it. `undefined` if the fixtures name none. */
function aboutNothing(api: OwnApi, operation: Operation, session: Session): SendOptions | undefined {
  const [given] = isRead(operation) ? [] : callsOn('missing', operation.id, session.fixtures);
  const isWhole = pathParameters(operation).every(({ name }) => Object.hasOwn(given?.parameters ?? {}, name));
  if (given === undefined || !isWhole) return undefined;
  const { occasion: _, ...sent } = occasionInput(
    api,
    operation,
    onOccasion(session, operation, 'missing', given),
    given,
    {},
  );
  return sent;
}

/** Each kind of credential with a valid call that the fixtures name: a server may tell kinds of calls apart. */
function validCalls(facts: Credentials, operation: Operation): readonly Scenario[] {
  const { api } = facts;
  const kinds = kindsOf(facts, operation);
  const made = new MadeResources(api, operation);
  return facts.scenario(['accepted'], {
    id: `credentials.accepted.${operation.id}.other`,
    title: `each kind of credential, for a valid call of ${operation.id}`,
    permissions: ['writes'],
    needs: [occasionNeed(operation, 'other')],
    searches: facts.ids('accepted'),
    requests: {
      ...made.requests(),
      ...Object.fromEntries(
        kinds.map((as) => [
          as,
          api.plan(operation, { as, times: 2, isOptional: true, judgesCredential: true }),
        ]),
      ),
    },
    async *run(session: Session) {
      const known = await made.values(session);
      const [other] = callsOn('other', operation.id, session.fixtures);
      if (other === undefined) return;
      const own = onOccasion(session, operation, 'other', other);
      const answers: (readonly [string, Exchange])[] = [];
      const good = new Set<string>();
      for (const as of kinds.filter((one) => session.knows(one))) {
        const sent = occasionInput(api, operation, own, other, known);
        const seen = await own.send(as, withNewKey(operation, sent, session) ?? sent);
        answers.push([as, seen]);
        if (seen.status !== 401) good.add(as);
        else {
          // Whether the usual call is let in: otherwise the fixture is at fault, or another scenario tells.
          const usual = inputFor(api, operation, session, known);
          const control = await session.send(as, withNewKey(operation, usual, session) ?? usual);
          if (control.status !== 401) good.add(as);
        }
      }
      yield* judgeKinds(facts, answers, good);
    },
  });
}

/** Each kind where another one is let in. */
function* judgeKinds(
  facts: Credentials,
  answers: readonly (readonly [kind: string, exchange: Exchange])[],
  good: ReadonlySet<string>,
): Generator<Check> {
  const declared = answers.filter(([kind]) => kind !== 'apiKeyAsBearer');
  if (declared.length < 2 || declared.every(([, { status }]) => status === 401)) return;
  for (const [kind, exchange] of declared)
    if (good.has(kind))
      yield* facts.judge(
        'accepted',
        declared.map(([, one]) => one),
        exchange.status !== 401,
        'no 401 for a kind of credential that the document allows',
        `${exchange.status} with ${kind === 'jwt' ? 'a bearer token' : 'a key'}`,
        [kind === 'jwt' ? 'token' : 'key'],
      );
}

/** A bearer value with the prefix of keys is a key. */
function* judgeBearer(facts: Credentials, answers: ReadonlyMap<string, Exchange>): Generator<Check> {
  const [key, bearer] = [answers.get('apiKey'), answers.get('apiKeyAsBearer')];
  if (key === undefined || bearer === undefined) return;
  if ([key, bearer].every(({ status }) => status === 401 || status === 403)) return;
  yield* facts.judge(
    'key-as-bearer',
    [key, bearer],
    key.status === bearer.status,
    'the same answer to a key in its header and as a bearer token',
    `${key.status} and ${bearer.status}`,
  );
}
