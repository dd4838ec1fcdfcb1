import type { Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type { RequestPlan, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, itemOf, wasAccepted } from '../own-api.ts';
import { idForPath } from './ids.ts';
import { alternativeInputs, inputFor, refusalOf, sendAsNew } from './input.ts';
import { MadeResources } from './made.ts';
import { call } from './reads.ts';
import { documentRule } from './rules.ts';
import { judgeSpellings, spelledRequests } from './spellings.ts';
import { MOST_ALTERNATIVES, alternativesOf } from './values.ts';

/**
 * Calls of operations that change something. A created resource is read and removed, if the document has
 * operations for that.
 */
export function writeScenarios(api: OwnApi): readonly Scenario[] {
  return api.operations
    .filter((operation) => !isRead(operation))
    .map((operation) => writeScenario(api, operation));
}

// --- internal ---

function writeScenario(api: OwnApi, operation: Operation): Scenario {
  const made = new MadeResources(api, operation);
  // What is created is read and removed.
  const after =
    operation.method === 'post'
      ? ['get', 'delete'].flatMap((one) => itemOf(api, operation, [one]) ?? [])
      : [];
  const others = alternativesOf(api, operation, {}).length;
  const requests: Record<string, RequestPlan> = {
    ...made.requests(),
    call: api.plan(operation, { times: 2 }),
    ...spelledRequests(api, operation),
    ...(others === 0 ? {} : { alternative: api.plan(operation, { times: MOST_ALTERNATIVES }) }),
  };
  for (const { operation: next } of after) requests[next.method] = api.plan(next, { isSpare: true });
  return scenario({
    id: `document.${operation.id}`,
    api: api.name,
    title: `${operation.method.toUpperCase()} ${operation.path}`,
    permissions: ['writes'],
    judges: [documentRule(operation, 'answer'), documentRule(operation, 'status')],
    requests,
    // The oracle of the document judges the answers as well.
    async *run(session: Session) {
      const known = await made.values(session);
      const send = (isTaken: boolean): Promise<Exchange> =>
        call(session, 'call', operation, inputFor(api, operation, session, known, isTaken), { api });
      const seen = await sendAsNew(send, operation.requestBody !== undefined);
      if (!wasAccepted(operation, seen))
        throw new NotExercised(
          operation.requestBody === undefined ? '' : `bodies.${operation.id}`,
          `no request was answered with success; the last one got ${refusalOf(seen)}`,
        );
      for (const { operation: next, parameter } of after) {
        const id = idForPath(api, next, parameter, seen);
        if (id === undefined || session.leavesOut(next.id)) continue;
        await call(session, next.method, next, inputFor(api, next, session, { ...known, [parameter]: id }));
      }
      // What is made now is another thing, also where a mock answers with the same example.
      session.startCourse();
      yield* judgeSpellings(
        operation,
        () => inputFor(api, operation, session, known),
        (options) => session.send('spelled', options),
      );
      if (others > 0 && operation.method !== 'delete')
        for (const input of alternativeInputs(api, operation, session, known))
          await call(session, 'alternative', operation, input);
    },
  });
}
