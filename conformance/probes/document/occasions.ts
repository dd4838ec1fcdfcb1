import { policyFor } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { BrokenFixture, NotExercised, scenario } from '../../scenarios/scenario.ts';
import type { Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { OCCASIONS, callsOn } from '../../target/occasions.ts';
import type { Occasion, OccasionCall } from '../../target/occasions.ts';
import { isRead, pathParameters } from '../own-api.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { inputFor, withNewKey, withVersion } from './input.ts';
import { MadeResources } from './made.ts';
import { documentRule } from './rules.ts';
import { valueKey } from './value-key.ts';
import { fixedValue } from './values.ts';

/**
 * Each call of the fixtures that brings an occasion about, once. The oracles of the document and of the policies judge
 * the answers, as those of all calls: errors that no document can provoke are seen only here.
 */
export function occasionScenarios(api: OwnApi): readonly Scenario[] {
  return api.operations.map((operation) => {
    // A run that may not write makes nothing for a read: the fixtures name what it reads.
    const made = isRead(operation) ? undefined : new MadeResources(api, operation);
    const unversioned = policyFor(operation, 'conditional-write')?.required?.status;
    return scenario({
      id: `occasions.${operation.id}`,
      api: api.name,
      title: `${operation.method.toUpperCase()} ${operation.path}: the occasions of the fixtures`,
      permissions: isRead(operation) ? [] : ['writes', 'slow'],
      needs: [`occasions.${operation.id}`],
      judges: [documentRule(operation, 'answer'), documentRule(operation, 'status')],
      isSearch: true,
      requests: {
        ...made?.requests(),
        call: api.plan(operation, {
          times: 2 * NAMES.length * MOST_EACH + WISHES.length,
          judgesRefusal: true,
        }),
        unpaid: api.plan(operation, { as: 'noCredits', isOptional: true }),
      },
      async *run(session: Session) {
        const known = (await made?.values(session)) ?? {};
        for (const occasion of NAMES)
          for (const call of callsOn(occasion, operation.id, session.fixtures).slice(0, MOST_EACH)) {
            if (made === undefined) requireNamed(operation, session, call);
            const own = onOccasion(session, operation, occasion, call);
            const sent = occasionInput(api, operation, own, call, known);
            const first = await own.send('call', sent);
            // What is there already is changed only by its version, which the fixtures cannot know.
            const isUnversioned = first.status === unversioned && call.expect?.status !== unversioned;
            const seen = isUnversioned
              ? await own.send('call', { ...sent, headers: withVersion(sent.headers ?? [], '*') })
              : first;
            requireStated(operation, occasion, call, seen);
          }
        for (const other of callsOn('other', operation.id, session.fixtures).slice(0, 1))
          for (const wish of WISHES) {
            const own = onOccasion(session, operation, 'other', {
              ...other,
              headers: { ...other.headers, ...wish },
            });
            const sent = occasionInput(api, operation, own, other, known);
            await own.send('call', withNewKey(operation, sent, session) ?? sent);
          }
        if (session.knows('noCredits'))
          await session.send('unpaid', {
            ...occasionInput(api, operation, session, {}, known),
            occasion: 'unpaid',
          });
      },
    });
  });
}

/** The need of a scenario that one occasion of an operation opens, as a path in the fixtures file. */
export function occasionNeed({ id }: Operation, name: Occasion): string {
  return `occasions.${id}.${name}`;
}

/** The session, in which calls of an operation bring an occasion about by their bodies and headers. */
export function onOccasion(
  { fixtures, ...session }: Session,
  { id }: Operation,
  occasion: Occasion,
  { body, headers = {} }: OccasionCall,
): Session {
  const provoking = (options: SendOptions): SendOptions => ({
    ...options,
    occasion,
    headers: [...(options.headers ?? []), ...Object.entries(headers)],
  });
  return {
    ...session,
    fixtures: body === undefined ? fixtures : { ...fixtures, bodies: { ...fixtures.bodies, [id]: body } },
    send: (name, options = {}) => session.send(name, provoking(options)),
    race: (name, options) => session.race(name, options.map(provoking)),
    together: (requests) =>
      session.together(requests.map((one) => ({ ...one, options: provoking(one.options) }))),
  };
}

/**
 * The call that brings an occasion about, in its session. It has no key, unless the document requires one: what a key
 * changes is tried by the templates for keys.
 */
export function occasionInput(
  api: OwnApi,
  operation: Operation,
  session: Session,
  { parameters = {} }: OccasionCall,
  known: Values,
): SendOptions {
  return inputFor(api, operation, session, { ...known, ...occasionValues(operation, { parameters }) });
}

/** Sends a call that brings an occasion about, by a planned request. */
export function sendOnOccasion(
  api: OwnApi,
  session: Session,
  name: string,
  [operation, occasion, call]: readonly [Operation, Occasion, OccasionCall],
  known: Values,
): Promise<Exchange> {
  const own = onOccasion(session, operation, occasion, call);
  return own.send(name, occasionInput(api, operation, own, call, known));
}

/** The values of parameters that bring an occasion about. */
export function occasionValues(operation: Operation, { parameters = {} }: OccasionCall): Values {
  const given = operation.parameters.flatMap((parameter) =>
    Object.hasOwn(parameters, parameter.name)
      ? [[valueKey(operation, parameter), parameters[parameter.name] as Json] as const]
      : [],
  );
  return Object.fromEntries(given);
}

// --- internal ---

/** @throws {NotExercised} if neither the call nor the fixtures say which thing is read */
function requireNamed(operation: Operation, { fixtures }: Session, { parameters = {} }: OccasionCall): void {
  for (const parameter of pathParameters(operation)) {
    const { name } = parameter;
    if (!Object.hasOwn(parameters, name) && fixedValue(fixtures, operation, parameter) === undefined)
      throw new NotExercised(`parameters.${operation.id}.${name}`, `needs a value for the parameter ${name}`);
  }
}

/** @throws {BrokenFixture} if the answer is not what the fixtures say that it is */
function requireStated(
  { id }: Operation,
  occasion: Occasion,
  { expect }: OccasionCall,
  seen: Exchange,
): void {
  if (expect === undefined || seen.status === expect.status) return;
  throw new BrokenFixture(
    `occasions.${id}.${occasion}`,
    `expected ${expect.status}, and the server returned ${sketchAnswer(seen)}`,
    [seen.id],
  );
}

const NAMES = Object.keys(OCCASIONS) as readonly Occasion[];

/** How many calls of one occasion are sent. */
const MOST_EACH = 2;

/**
 * What a caller may wish, and a server may ignore: a stream beside the usual types, and an answer before the work is done
 * (RFC 7240, section 4.1). A server that grants it declares the answer.
 */
const WISHES: readonly Readonly<Record<string, string>>[] = [
  { Accept: 'text/event-stream, application/json;q=0.9, */*;q=0.8' },
  { Prefer: 'respond-async' },
];
