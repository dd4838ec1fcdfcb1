import type { Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type { RequestPlan, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, pathParameters, wasAccepted } from '../own-api.ts';
import { collectionOf, idForPath } from './ids.ts';
import { inputFor, refusalOf, sendAsNew } from './input.ts';
import { MadeResources } from './made.ts';
import { call } from './reads.ts';
import { documentRule } from './rules.ts';

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
  const after = operation.method === 'post' ? followUps(api, operation) : [];
  const requests: Record<string, RequestPlan> = {
    ...made.requests(),
    call: api.plan(operation, { times: 2 }),
  };
  for (const { operation: next } of after) requests[next.method] = api.plan(next, { isSpare: true });
  return scenario({
    id: `document.${operation.id}`,
    api: api.name,
    title: `${operation.method.toUpperCase()} ${operation.path}`,
    permissions: ['writes'],
    judges: [documentRule(operation, 'answer'), documentRule(operation, 'status')],
    requests,
    // The oracle of the document judges the answers.
    async *run(session: Session) {
      const known = await made.values(session);
      const send = (isTaken: boolean): Promise<Exchange> =>
        call(session, 'call', operation, inputFor(api, operation, session, known, isTaken));
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
    },
  });
}

/** The operations that read and remove the resource that an operation creates. */
function followUps(
  api: OwnApi,
  { path }: Operation,
): readonly { readonly operation: Operation; readonly parameter: string }[] {
  return ['get', 'delete'].flatMap((method) => {
    const next = api.operations.find((one) => {
      const last = pathParameters(one).at(-1)?.name ?? '';
      return one.method === method && one.path === `${path}/{${last}}`;
    });
    const parameter =
      next && pathParameters(next).find(({ name }) => collectionOf(next.path, name) === path)?.name;
    return next === undefined || parameter === undefined ? [] : [{ operation: next, parameter }];
  });
}
