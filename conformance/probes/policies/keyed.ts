import type { Json, Operation } from '../../../contract/model.ts';
import { policyFor } from '../../../contract/index.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf, propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { isObject, isSuccess, member, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { RefusedFixture } from '../../scenarios/scenario.ts';
import type { RequestPlan, SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { inputFor, otherTexts, withBody } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { occasionValues, onOccasion } from '../document/occasions.ts';
import { bodyFor, isValid } from '../document/values.ts';
import { otherBody, otherValues, put } from '../document/variants.ts';
import { misfitsOf, withMore } from '../document/misfits.ts';
import { written } from '../document/wire-body.ts';
import type { Occasion, OccasionCall } from '../../target/occasions.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { likeBodies, type LikeBodies } from './like-bodies.ts';
import { sentContent, statesStatus } from '../own-api.ts';

/** Calls of one operation that differ only in their keys and bodies. */
export interface KeyedCalls {
  /**
   * @param times how often the operation is called at most
   * @param starts how often `start` is called at most; default 2
   */
  readonly requests: (times: number, starts?: number) => Readonly<Record<string, RequestPlan>>;
  /** Creates the resources that the calls need. */
  readonly start: (session: Session, by?: readonly [Occasion, OccasionCall]) => Promise<KeyedCall>;
}

export interface KeyedCall {
  /** Of its path parameters. */
  readonly values: Values;
  /** @param parts how the request differs, such as in the agent that sends it */
  readonly send: (key: string, parts?: Pick<SendOptions, 'headers' | 'isChunked'>) => Promise<Exchange>;
  readonly sendWithoutKey: () => Promise<Exchange>;
  /** The same call by another planned request, such as that of another caller. */
  readonly sendAs: (as: string, key: string, occasion?: Occasion) => Promise<Exchange>;
  /** Bodies that are hard to tell apart; `undefined` if the document allows none. */
  readonly alike: () => LikeBodies | undefined;
  /** @param as the name of the planned request, if it is another one */
  readonly sendBody: (key: string, body: Json, as?: string) => Promise<Exchange>;
  /**
   * The first call of a series, which has to succeed. Where a server takes a value only once although the sheet does not say
   * so, this call finds the member, and each later key has a value of its own for it.
   *
   * @throws {RefusedFixture} if it does not succeed
   */
  readonly first: (key: string) => Promise<Exchange>;
  /** The same call with other valid bodies, each of which differs in one member; empty if none is known. */
  readonly sendOthers: (key: string) => Promise<readonly Exchange[]>;
  /**
   * A call whose body the document does not allow, by another planned request; `undefined` if no such body is known.
   */
  readonly sendInvalid: (key: string, as: string) => Promise<Exchange | undefined>;
  /**
   * Whether a refusal is about the key of its call: the same call with a new key gets another status. Otherwise it is about the
   * call, such as one that is possible only once.
   */
  readonly isOfKey: (refused: Exchange) => Promise<boolean>;
  /** Several simultaneous equal calls; with the same key, or with a fresh one each. */
  readonly race: (key: string | (() => string), times: number) => Promise<readonly Exchange[]>;
  /** Several simultaneous calls with the same key, each with its own values where these have to be unique. */
  readonly raceApart: (key: string, times: number) => Promise<readonly Exchange[]>;
}

/**
 * @param kind the policy that the calls are judged by: what limits them by any other one is in their way
 */
export function keyedCalls(
  api: OwnApi,
  operation: Operation,
  kind: 'idempotency' | 'capacity' | 'deadline' = 'idempotency',
): KeyedCalls {
  const made = new MadeResources(api, operation);
  const header = policyFor(operation, 'idempotency')?.requestHeader;
  const judged = operation.policies.filter((policy) => policy.kind === kind);
  const onceOnly = new WeakMap<Session, readonly string[]>();
  return {
    requests: (times, starts = MOST_STARTS) => ({
      ...made.requests(starts),
      // Otherwise such an answer is not about keys, and the call is sent again.
      call: api.plan(operation, {
        times: times + MOST_TEXTS,
        judgesRefusal: LIMITS.some((status) => statesStatus({ policies: judged }, status)),
      }),
    }),
    start: async (given, by) => {
      const session = by === undefined ? given : onOccasion(given, operation, ...by);
      const known = { ...(await made.values(given)), ...(by && occasionValues(operation, by[1])) };
      // Each key is used with one body, and another key with another body if values must be unique.
      const inputs = new Map<string, Input>();
      const newInput = (names = onceOnly.get(given) ?? []): Input => {
        const input = inputFor(api, operation, session, known);
        const value = names.length === 0 ? undefined : (parseJson(input.body ?? '') as Json | undefined);
        const own = otherTexts(api, operation, value, session.freshKey, names);
        return own === undefined ? input : { ...input, body: JSON.stringify(own) };
      };
      const inputOf = (key: string): Input => {
        const input = inputs.get(key) ?? newInput();
        inputs.set(key, input);
        return input;
      };
      // Another body differs from that of the key, and not from the example that it was made of.
      const sentValue = (key: string, example: Json): Json =>
        (parseJson(inputOf(key).body ?? '') as Json | undefined) ?? example;
      // What a refused first call may have spent is replaced.
      const keys = new Map<string, string>();
      const keyed = (sent: SendOptions, key: string): SendOptions =>
        withKey(sent, header, keys.get(key) ?? key);
      const options = (key: string): SendOptions => keyed(inputOf(key), key);
      const sendBody: KeyedCall['sendBody'] = (key, value, as = 'call') => {
        const body = bodyFor(api, operation, session.fixtures);
        const text = body === undefined ? JSON.stringify(value) : written(value, body);
        return session.send(as, keyed({ ...inputOf(key), body: text }, key));
      };
      return {
        values: known,
        send: (key, { headers = [], isChunked = false } = {}) => {
          const sent = options(key);
          return session.send('call', { ...sent, headers: [...(sent.headers ?? []), ...headers], isChunked });
        },
        sendAs: (as, key, occasion) =>
          session.send(as, { ...options(key), ...(occasion === undefined ? {} : { occasion }) }),
        sendWithoutKey: () => session.send('call', newInput()),
        alike: () => {
          const body = bodyFor(api, operation, session.fixtures);
          return body && likeBodies(api, operation, body.value);
        },
        sendBody,
        first: async (key) => {
          const first = await session.send('call', options(key));
          for (const names of first.status === 409 ? textsOf(inputOf(key)) : []) {
            inputs.set(key, newInput(names));
            keys.set(key, session.freshKey());
            const seen = await session.send('call', options(key));
            if (!isSuccess(seen)) continue;
            onceOnly.set(given, names);
            return seen;
          }
          return needed(operation, first);
        },
        sendOthers: async (key) => {
          const body = bodyFor(api, operation, session.fixtures);
          if (body === undefined) return [];
          const seen: Exchange[] = [];
          for (const other of othersOf(api, operation, sentValue(key, body.value)))
            seen.push(await sendBody(key, other));
          return seen;
        },
        sendInvalid: async (key, as) => {
          const body = bodyFor(api, operation, session.fixtures);
          const content = sentContent(operation);
          const bad =
            body === undefined || content === undefined
              ? undefined
              : misfitsOf(api, content, sentValue(key, body.value), () => true)[0];
          return body === undefined || bad === undefined
            ? undefined
            : session.send(as, keyed({ ...inputOf(key), body: written(bad.body as Json, body) }, key));
        },
        isOfKey: async ({ status, request: { body } }) => {
          const same = body === undefined ? {} : { body: new TextDecoder().decode(body) };
          const key = session.freshKey();
          const other = await session.send('call', keyed({ ...newInput(), ...same }, key));
          return other.status !== status;
        },
        race: (key, times) =>
          session.race(
            'call',
            Array.from({ length: times }, () => options(typeof key === 'string' ? key : key())),
          ),
        raceApart: (key, times) =>
          session.race(
            'call',
            Array.from({ length: times }, () => keyed(newInput(), key)),
          ),
      };
    },
  };
}

/**
 * The answer to a first call, for comparison with others.
 *
 * @throws {RefusedFixture} if the call was not successful
 */
export function needed(operation: Operation, first: Exchange): Exchange {
  if (isSuccess(first)) return first;
  throw new RefusedFixture(`bodies.${operation.id}`, first, `the first call got ${sketchAnswer(first)}`);
}

/** A call with these values and this body. */
export function callWith(operation: Operation, values: Values, body: string, mediaType: string): SendOptions {
  return withBody(serialisedParameters(operation, values), body, mediaType);
}

/** The same call by another agent, with its body in chunks. */
export const ANOTHER_WAY = { headers: [['User-Agent', 'tallystick again']], isChunked: true } as const;

/** Whether a server takes no bodies in chunks (RFC 9112, sections 6.1 and 6.3). */
export function refusesChunks({ status }: Exchange): boolean {
  return status === 411 || status === 501;
}

/** How many bodies are alike at most. */
export const MOST_LIKE = 8;

/** The number of other bodies that are sent with a key. */
export const MOST_OTHERS = 4;

/**
 * Bodies that differ in one value, in one within an object or a list, or by one more member. A member with its default value is
 * not a difference.
 */
export function othersOf(
  api: OwnApi,
  operation: Operation,
  value: Json,
  takes: (name: string) => boolean = () => true,
): readonly Json[] {
  const content = sentContent(operation);
  const changed = otherBody(api, operation, value, takes);
  const more = content === undefined ? [] : withMore(api, content, value);
  const longer = more
    .filter(([name, body]) => {
      const added = member(body, name);
      const schemas = propertyAt(content?.schema, name, api.root).map((one) => followed(api.root, one));
      const isDefault = schemas.some((one) => isObject(one) && one['default'] === added);
      return added !== null && !isDefault && takes(name);
    })
    .map(([, body]) => body);
  const declared = propertiesOf(content?.schema, api.root);
  const names = new Set(declared.map(([name]) => name));
  // An open schema says nothing of the members that a body of the fixtures has.
  const open = Object.keys(isObject(value) ? value : {}).flatMap((name): typeof declared =>
    names.has(name) ? [] : [[name, {}]],
  );
  const inner = [...declared, ...open].flatMap(([name, schema]) => {
    const own = member(value, name);
    const isInner = content !== undefined && typeof own === 'object' && own !== null && takes(name);
    const bodies = isInner
      ? otherValues(api, name, schema, own).map((other) => put(value, [name], other))
      : [];
    return bodies.filter((body) => content !== undefined && isValid(api, content, body)).slice(0, 1);
  });
  return [...(changed === undefined ? [] : [changed]), ...inner.slice(0, 2), ...longer].slice(0, MOST_OTHERS);
}

// --- internal ---

type Input = ReturnType<typeof inputFor>;

/** The texts of a body that a server may take only once: all of them, and each by itself. */
function textsOf({ body }: Input): readonly (readonly string[])[] {
  const value = parseJson(body ?? '');
  const names = isObject(value) ? Object.keys(value).filter((name) => typeof value[name] === 'string') : [];
  return names.length === 0 ? [] : [names, ...names.map((name) => [name])].slice(0, MOST_TEXTS);
}

/** How often a call is sent with other texts. */
const MOST_TEXTS = 4;

function withKey(sent: SendOptions, header: string | undefined, key: string): SendOptions {
  if (header === undefined) return sent;
  const others = (sent.headers ?? []).filter(([name]) => name.toLowerCase() !== header.toLowerCase());
  return { ...sent, headers: [...others, [header, key]] };
}

/** Statuses of limits that any server may have. */
const LIMITS = [429, 503];

/** A call that is possible only once per resource gets another resource for another key. */
const MOST_STARTS = 2;
