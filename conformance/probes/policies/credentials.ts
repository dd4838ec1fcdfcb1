import type { PolicyOf } from '../../../contract/index.ts';
import { placeOfScheme } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Oracle } from '../../oracle.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlan, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { withOtherEnd } from '../../target/altered-key.ts';
import { credentialIn } from '../../target/credential.ts';
import type { Credential } from '../../target/credential.ts';
import { MOST_FORGED, forgeries } from '../../target/forged-token.ts';
import { openingOf } from '../document/opening.ts';
import { isRead, isSecured, isStatusOpen } from '../own-api.ts';
import { acceptedScenarios } from './accepted-credentials.ts';
import { callerFirst } from './caller-first.ts';
import { neverSent } from './facts.ts';
import type { Facts, Probes } from './facts.ts';
import { forbiddenScenarios } from './forbidden-caller.ts';
import { harmlessCalls } from './harmless-calls.ts';
import type { HarmlessCall } from './harmless-calls.ts';
import { MOST_SPOILT, spoiltCredentials } from './spoilt-credentials.ts';

type Credentials = Facts<PolicyOf<'credentials'>>;

/** Which callers are accepted. */
export function credentialProbes(facts: Credentials): Probes {
  const calls = harmlessCalls(facts.api, facts.reads);
  const scenarios = [
    ...malformed(facts),
    ...spoilt(facts, calls),
    ...acceptedScenarios(facts, calls),
    ...forbiddenScenarios(facts, calls),
    ...callerFirst(facts, calls),
  ];
  const isUnjudged = (name: string): boolean =>
    !scenarios.some(({ judges }) => facts.ids(name).some((id) => judges.includes(id)));
  const unjudged = ['refused', 'accepted', 'key-as-bearer', 'forbidden'].filter(isUnjudged);
  return {
    scenarios: [
      ...scenarios,
      ...neverSent(facts, unjudged, 'no operation of the document tells such callers apart'),
    ],
    oracles: withoutOne(facts),
  };
}

// --- internal ---

/** Calls without a credential, of any scenario. One that is refused for another reason says nothing. */
function withoutOne(facts: Credentials): readonly Oracle[] {
  const { api } = facts;
  return facts.oracle(['none'], {
    *look(exchange) {
      const operation = api.operation(exchange.operation ?? '');
      if (operation === undefined || exchange.request.as !== 'none' || exchange.answer === undefined) return;
      if (!api.atAddressOf(operation).every(isSecured)) return;
      const { status } = exchange;
      if (isSuccess(exchange) || status === 401 || status === 403)
        yield* refused(facts, 'none', exchange, 'without a credential');
    },
  });
}

/** Headers with nothing in them. No API takes one as a credential. */
function malformed(facts: Credentials): readonly Scenario[] {
  const { api, policy } = facts;
  const [first] = Object.values(openingOf(api)?.requests ?? {}).flatMap((plan) => {
    const operation = api.operation(plan.operation ?? '');
    return operation === undefined || !isSecured(operation) ? [] : [{ plan, operation }];
  });
  if (first === undefined) return [];
  const { operation } = first;
  const keys = [
    ...(policy.keyHeader === undefined ? [] : [{ header: policy.keyHeader, value: '' }]),
    ...operation.security.flatMap(({ schemes: [scheme] }) => {
      const place = scheme && placeOfScheme(scheme);
      return place === undefined || place.in === 'header' ? [] : [credentialIn(place, '')];
    }),
  ];
  // In a header that accepts a key of any form, `Bearer` could be one.
  const isToken = policy.keyHeader?.toLowerCase() !== 'authorization';
  const bare: readonly Credential[] = isToken ? [{ header: 'Authorization', value: 'Bearer' }] : [];
  const wrong = [...bare, ...keys];
  return facts.scenario(['none', 'refused'], {
    id: 'credentials.refused',
    title: `GET ${operation.path} without a credential, and with a malformed one`,
    severalCases: facts.ids('refused'),
    requests: {
      bare: { ...first.plan, times: 1, isInvalid: true, as: 'none' },
      wrong: { ...first.plan, isInvalid: true, as: 'unusable', times: wrong.length },
    },
    async *run(session) {
      yield* refused(facts, 'none', await session.send('bare'), 'without a credential');
      for (const credential of wrong)
        yield* refused(
          facts,
          'refused',
          await session.send('wrong', { credential }),
          `with ${Object.values(credential).join(': ')}`,
        );
    },
  });
}

/** Real secrets, altered. They are sent where a call without a credential and one with it are told apart. */
function spoilt(facts: Credentials, calls: readonly HarmlessCall[]): readonly Scenario[] {
  const reads = calls.filter(({ operation }) => isRead(operation));
  const chosen = reads.length > 0 ? reads.slice(0, 1) : calls.slice(0, MOST_DOORS);
  return chosen.flatMap((call) => spoiltAt(facts, call));
}

/** Without a read, so many operations are tried. */
const MOST_DOORS = 2;

function spoiltAt(facts: Credentials, call: HarmlessCall): readonly Scenario[] {
  const { api, policy } = facts;
  const { operation, found } = call;
  const plan = (as: RequestPlan['as'], times: number): RequestPlan =>
    api.plan(operation, { as, times, isInvalid: true });
  const isRule = isRead(operation);
  return facts.scenario(['refused'], {
    id: `credentials.${operation.id}.spoilt`,
    title: `${operation.method.toUpperCase()} ${operation.path} with altered credentials`,
    permissions: isRule ? [] : ['negatives', 'writes'],
    severalCases: facts.ids('refused'),
    uses: found === undefined ? [] : [found],
    requests: {
      bare: plan('none', call.forms.length),
      usual: { ...api.plan(operation, { isInvalid: true }), times: call.forms.length },
      spoilt: plan('unusable', MOST_SPOILT + MOST_FORGED + 2),
    },
    async *run(session: Session<'bare' | 'usual' | 'spoilt'>) {
      const { options, usual } = await doorOf(call, session);
      const send = (credential: readonly [string, string]): Promise<Exchange> =>
        session.send('spoilt', { ...options, credential });
      for (const credential of spoiltCredentials(api.contract, policy, operation, session.fixtures))
        for (const check of refused(
          facts,
          'refused',
          await send(credential),
          `with ${sketch(credential)}`,
          usual,
        ))
          // The secret itself is a good one, so that to let it in does little harm.
          yield policy.exact === true ? check : { ...check, isMild: true };
      const { cred } = session.fixtures;
      for (const seen of await forgeries(cred?.jwt, send))
        yield* refused(facts, 'refused', seen, 'with a token that has another signature', usual);
      // A server for trying things may accept all keys of a form: then it accepts one with another end as well.
      if (cred?.apiKey === undefined || policy.keyHeader === undefined) return;
      const other = await send([policy.keyHeader, withOtherEnd(cred.apiKey)]);
      if (other.status !== 401 && other.status !== 403) return;
      const longer = await send([policy.keyHeader, `${cred.apiKey}0`]);
      yield* refused(facts, 'refused', longer, 'with a key and one character more', usual);
    },
  });
}

/**
 * A call that is refused without a credential, and otherwise with one.
 *
 * @throws {NotExercised} if the credential makes no difference, as where a body is read before the caller is known
 */
async function doorOf(
  { operation, forms }: HarmlessCall,
  session: Session<'bare' | 'usual'>,
): Promise<{ readonly options: SendOptions; readonly usual: Exchange }> {
  for (const form of forms) {
    const options = await form(session);
    const bare = await session.send('bare', options);
    if (bare.status !== 401 && bare.status !== 403) continue;
    const usual = await session.send('usual', options);
    if (usual.status !== 401 && usual.status !== 403) return { options, usual };
  }
  throw new NotExercised(
    'an opportunity',
    `no call of ${operation.id} is answered otherwise with a credential than without one`,
  );
}

/**
 * Refused with 401, or in any way where the sheet leaves the status open.
 *
 * @param usual the answer to the same call with a credential: whoever gets it was let in
 */
function* refused(
  facts: Credentials,
  name: 'none' | 'refused',
  seen: Exchange,
  what: string,
  usual?: Exchange,
): Generator<Check> {
  const { status } = seen;
  const open = isStatusOpen(facts.api.contract, 'credentials', name);
  if (open)
    yield* facts.judge(
      name,
      seen,
      status >= 400 && status < 500 && status !== usual?.status,
      `a refusal (4xx) ${what}`,
    );
  else yield* facts.status(name, seen, 401, what);
}

/** The header and the scheme, without what may be a part of a secret. */
function sketch([name, value]: readonly [string, string]): string {
  return `${name}: ${value.includes(' ') ? `${value.split(' ')[0] ?? ''} …` : '…'}`;
}
