import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { occasionNeed } from '../document/occasions.ts';
import { pathParameters } from '../own-api.ts';
import type { Facts } from './facts.ts';
import type { HarmlessCall } from './harmless-calls.ts';

/**
 * Calls without a credential that are wrong in another way as well: they have a body that is not JSON, or are about a thing that
 * does not exist. Where the sheet says that the caller is judged first, each of them is refused for its caller.
 */
export function callerFirst(
  facts: Facts<PolicyOf<'credentials'>>,
  calls: readonly HarmlessCall[],
): readonly Scenario[] {
  const { api, policy } = facts;
  if (policy.first !== true) return [];
  return facts.scenario(['none', 'unknown'], {
    id: 'credentials.first',
    title: 'calls without a credential, with a malformed body, or about what does not exist',
    severalCases: facts.ids('unknown'),
    // Whether a call without a credential is refused at all is seen elsewhere, without any help of a read.
    searches: facts.ids('none'),
    alsoTakes: calls.map(({ operation }) => occasionNeed(operation, 'missing')),
    uses: calls.flatMap(({ found }) => found ?? []),
    requests: Object.fromEntries(
      calls.map(({ operation, forms }) => [
        operation.id,
        api.plan(operation, { as: 'none', times: 2 * forms.length, isInvalid: true }),
      ]),
    ),
    async *run(session: Session) {
      let isSent = false;
      for (const call of calls)
        for (const form of call.forms) {
          const sent = await form(session);
          const unknown = aboutNothing(call, sent, facts, session);
          for (const [name, options] of [
            ['none', sent],
            ['unknown', unknown],
          ] as const) {
            if (options === undefined) continue;
            isSent = true;
            const seen = await session.send(call.operation.id, options);
            // Who is let in without a credential learns nothing by the refusal of others.
            const about = isSuccess(seen) ? 'none' : name;
            yield* facts.status(about, seen, 401, 'without a credential, whatever else is wrong');
          }
        }
      if (!isSent)
        throw new NotExercised('an opportunity', 'no operation of the document wants a credential');
    },
  });
}

// --- internal ---

/** The same call about what the fixtures name as missing; `undefined` if they name nothing of its path. */
function aboutNothing(
  { operation }: HarmlessCall,
  sent: SendOptions,
  { api }: Facts<PolicyOf<'credentials'>>,
  { fixtures }: Session,
): SendOptions | undefined {
  const names = pathParameters(operation).map(({ name }) => name);
  const values = api.operations
    .flatMap(({ id }) => callsOn('missing', id, fixtures))
    .map(({ parameters = {} }) => parameters)
    .find((given) => names.every((name) => typeof given[name] === 'string'));
  if (values === undefined || names.length === 0) return undefined;
  const fill = Object.fromEntries(names.map((name) => [name, encodeURIComponent(String(values[name]))]));
  return { ...sent, fill: { ...sent.fill, ...fill } };
}
