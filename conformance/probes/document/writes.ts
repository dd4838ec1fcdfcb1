import type { Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised, scenario } from '../../scenarios/scenario.ts';
import type { RequestPlan, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import { isRead, itemOf, pathParameters, streams, wasAccepted } from '../own-api.ts';
import { creatorOf, idForPath } from './ids.ts';
import { alternativeInputs, inputFor, refusalOf, sendAsNew } from './input.ts';
import { MadeResources } from './made.ts';
import { call } from './reads.ts';
import { documentRule } from './rules.ts';
import { judgeSpellings, spelledRequests } from './spellings.ts';
import { MOST_ALTERNATIVES, alternativesOf } from './values.ts';

/**
 * Calls of operations that change something. A created resource is read, with what is below it, and removed, if the document
 * has operations for that.
 */
export function writeScenarios(api: OwnApi): readonly Scenario[] {
  return api.operations
    .filter((operation) => !isRead(operation))
    .map((operation) => writeScenario(api, operation));
}

// --- internal ---

/** A call with the id of what was made as the value of a parameter. */
interface NextCall {
  readonly operation: Operation;
  readonly parameter: string;
}

/** How many reads below a new thing are called. */
const MOST_BELOW = 8;

/** Reads about a new thing, where nothing is below it yet: lists without items, sums and results of nothing. */
function readsBelow(api: OwnApi, maker: Operation): readonly NextCall[] {
  if (maker.method !== 'post') return [];
  const known = new Set(pathParameters(maker).map(({ name }) => name));
  return api.operations
    .flatMap((operation): readonly NextCall[] => {
      const others = pathParameters(operation).filter(({ name }) => !known.has(name));
      const [{ name: parameter } = { name: '' }] = others;
      const isBelow =
        isRead(operation) &&
        !streams(operation, api) &&
        others.length === 1 &&
        operation !== itemOf(api, maker, ['get'])?.operation &&
        creatorOf(api, operation.path, parameter) === maker;
      return isBelow ? [{ operation, parameter }] : [];
    })
    .slice(0, MOST_BELOW);
}

/** Reads of the thing that a call is about, and of those around it, with their lists: what the call does is shown there. */
function readsAround(api: OwnApi, action: Operation): readonly Operation[] {
  const known = new Set(pathParameters(action).map(({ name }) => name));
  if (known.size === 0 || action.method === 'delete') return [];
  return api.operations
    .filter(
      (operation) =>
        isRead(operation) &&
        !streams(operation, api) &&
        action.path.startsWith(`${operation.path.replace(/\/\{[^{}]+\}$/, '')}/`) &&
        pathParameters(operation).every(({ name }) => known.has(name)) &&
        operation.parameters.every(({ in: place, required }) => place === 'path' || !required),
    )
    .slice(-MOST_AROUND);
}

/** The nearest ones. */
const MOST_AROUND = 4;

function writeScenario(api: OwnApi, operation: Operation): Scenario {
  const made = new MadeResources(api, operation);
  // What is created is read and removed.
  const after =
    operation.method === 'post'
      ? ['get', 'delete'].flatMap((one) => itemOf(api, operation, [one]) ?? [])
      : [];
  const below = readsBelow(api, operation);
  const others = alternativesOf(api, operation, {}).length;
  const requests: Record<string, RequestPlan> = {
    ...made.requests(),
    call: api.plan(operation, { times: 2 }),
    ...spelledRequests(api, operation),
    ...(others === 0 ? {} : { alternative: api.plan(operation, { times: MOST_ALTERNATIVES }) }),
  };
  for (const { operation: next } of after) requests[next.method] = api.plan(next, { isSpare: true });
  const around = readsAround(api, operation);
  for (const next of [...below.map((one) => one.operation), ...around])
    requests[next.id] = api.plan(next, { isSpare: true });
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
      const read = async (name: string, { operation: next, parameter }: NextCall): Promise<void> => {
        const id = idForPath(api, next, parameter, seen);
        if (id === undefined || session.leavesOut(next.id)) return;
        await call(session, name, next, inputFor(api, next, session, { ...known, [parameter]: id }));
      };
      for (const next of below) await read(next.operation.id, next);
      for (const next of around)
        if (!session.leavesOut(next.id))
          await call(session, next.id, next, inputFor(api, next, session, known));
      for (const next of after) await read(next.operation.method, next);
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
