import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { chosenId } from '../document/ids.ts';
import { newBody, requiredValues, withNewKey } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { legalRounds, MOST_ROUNDS, spelt } from '../document/legal-values.ts';
import type { LegalValue } from '../document/legal-values.ts';
import { refusesItself } from '../document/server-errors.ts';
import type { Facts, OperationFacts, Probes } from './facts.ts';
import { callWith } from './keyed.ts';
import { thingsOf } from './things.ts';

type Diagnostics = PolicyOf<'diagnostics'>;

/** Members of which every value that the document allows is accepted. */
export function acceptedProbes(facts: Facts<Diagnostics>): Probes {
  return {
    scenarios: Object.entries(facts.policy.accepts ?? {}).flatMap(([id, members]) => {
      const operation = facts.api.operation(id);
      return operation === undefined ? [] : accepted(facts.on(operation), members);
    }),
  };
}

// --- internal ---

/** Twice as many calls find one of so many values: 2^6. */
const MOST_HALVES = 6;

function accepted(facts: OperationFacts<Diagnostics>, members: readonly string[]): readonly Scenario[] {
  const { api, operation } = facts;
  const made = new MadeResources(api, operation);
  const upserted = resourcesOf(api.contract).find(
    ({ operations, upsert }) => upsert === true && operations.replace === operation.id,
  );
  const parameter = upserted && thingsOf(api, upserted).roles.parameter;
  return facts.scenario(['accepted'], {
    id: `diagnostics.${operation.id}.accepted`,
    title: `${operation.method.toUpperCase()} ${operation.path} with other values that the document allows`,
    permissions: ['writes'],
    severalCases: facts.ids('accepted'),
    requests: {
      ...made.requests(1 + MOST_ROUNDS),
      call: api.plan(operation, { times: 2 * MOST_ROUNDS + MOST_HALVES + 3 }),
    },
    async *run(session: Session) {
      let known = await made.values(session);
      const send = (values: readonly LegalValue[]): Promise<Exchange> => {
        const body = newBody(api, operation, session);
        if (body === undefined) throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
        // What is there already is changed only by its version.
        const id = parameter && chosenId(api, operation, parameter, session.freshKey);
        const place = parameter === undefined || id === undefined ? known : { ...known, [parameter]: id };
        const own = requiredValues(api, operation, session, place);
        const sent = callWith(operation, own, spelt(body.value, values), body.mediaType);
        return session.send('call', keyed(operation, sent, session));
      };
      const body = newBody(api, operation, session);
      const rounds = body === undefined ? [] : legalRounds(api, operation, body.value, members);
      if (rounds.length === 0) throw new NotExercised(`bodies.${operation.id}`, 'no other values are known');
      for (const round of rounds) {
        let seen = await send(round);
        // What has to be unique below a thing may be the same in each call.
        if (seen.status === 409 && made.hasCreators) {
          known = await made.values(session);
          seen = await send(round);
        }
        if (isSuccess(seen)) yield* facts.judge('accepted', seen, true, '');
        if (!refusesItself(seen.status)) continue;
        yield* judgeRefused(facts, round, seen, send);
        return;
      }
    },
  });
}

function keyed(operation: Operation, sent: SendOptions, session: Session): SendOptions {
  return withNewKey(operation, sent, session) ?? sent;
}

/** A refusal counts if the usual body is accepted after it. Halves of the values find the one that is refused. */
async function* judgeRefused(
  facts: OperationFacts<Diagnostics>,
  round: readonly LegalValue[],
  refused: Exchange,
  send: (values: readonly LegalValue[]) => Promise<Exchange>,
): AsyncGenerator<Check> {
  const control = await send([]);
  if (!isSuccess(control)) throw new NotExercised('an opportunity', 'the usual body is refused as well');
  let [values, seen]: [readonly LegalValue[], Exchange | undefined] = [round, refused];
  for (let halves = 0; halves < MOST_HALVES && values.length > 1; halves += 1) {
    const half = values.slice(0, Math.ceil(values.length / 2));
    const answer = await send(half);
    const isHere = refusesItself(answer.status);
    values = isHere ? half : values.slice(half.length);
    seen = isHere ? answer : undefined;
  }
  seen ??= await send(values);
  // Each of them is accepted without the others: no document says which values go together.
  if (!refusesItself(seen.status)) return;
  const what = values.map(({ path, value }) => `${path.join('.')} ${shown(value)}`).join(', ');
  const cause = `${seen.status} for a value that the document allows`;
  for (const check of facts.judge(
    'accepted',
    [control, seen],
    false,
    `no refusal of ${what}, which the document allows`,
  ))
    yield { ...check, cause };
}

function shown(value: Json): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value).slice(0, 60);
}
