import { isRecord } from '../../../contract/index.ts';
import type { Json, Operation, Parameter } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised, resource, scenario } from '../../scenarios/scenario.ts';
import type { RequestPlans, Resource, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { describesPieces, isOptional, isRead, pathParameters, streams, wasAccepted } from '../own-api.ts';
import { endsWith, suppliersOf } from './ids.ts';
import type { Supplier } from './ids.ts';
import { judgeOfferedDefaults, offeredDefaults } from './offered-defaults.ts';
import { documentRule } from './rules.ts';
import { serialisedParameters } from './serialised-parameters.ts';
import { valueKey } from './value-key.ts';
import { documentedValues, fixedValue } from './values.ts';

/** A successful call of an operation, or the reason why there is none. */
export interface FoundCall {
  readonly answer: Exchange | undefined;
  readonly values: Values;
  /** The fixture that would help, if there was no success. */
  readonly missing: string;
  readonly why: string;
}

/**
 * The reads of an API. Each is sent once per run; the answers of lists lead to the resources that they
 * contain.
 */
export class Reads {
  readonly api: OwnApi;
  readonly #resources = new Map<string, Resource<FoundCall>>();

  constructor(api: OwnApi) {
    this.api = api;
  }

  /** The first successful answer of a read. */
  of(operation: Operation): Resource<FoundCall> {
    const known = this.#resources.get(operation.id);
    if (known !== undefined) return known;
    const suppliers = this.#suppliers(operation);
    const made = resource({
      id: `document.read.${operation.id}`,
      api: this.api.name,
      requests: {
        read: this.api.plan(operation, { times: MOST_TRIES + (streams(operation, this.api) ? 1 : 0) }),
      },
      uses: [...new Set(suppliers.flatMap((list) => list.map((one) => this.of(one.operation))))],
      obtain: (session) => this.#find(operation, suppliers, session),
    });
    this.#resources.set(operation.id, made);
    return made;
  }

  /** The same, for a scenario that skips it if its caller is not known. */
  ofIfKnown(operation: Operation): Resource<FoundCall> {
    return optional(this.of(operation));
  }

  scenarios(): readonly Scenario[] {
    return this.api.operations.filter(isRead).map((operation) => this.#scenario(operation));
  }

  /** The sources of the values of each path parameter. Only reads that are closer to the root. */
  #suppliers(operation: Operation): readonly (readonly Supplier[])[] {
    return required(operation)
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => suppliersOf(this.api, operation, name));
  }

  #scenario(operation: Operation): Scenario {
    const { api } = this;
    const found = this.of(operation);
    const defaults = offeredDefaults(api, operation);
    const requests: RequestPlans = {
      ...(this.#optional(operation) === undefined ? {} : { options: api.plan(operation) }),
      ...(defaults.length === 0 ? {} : { default: api.plan(operation, { times: defaults.length + 1 }) }),
      ...(this.#large(operation) === undefined ? {} : { large: api.plan(operation, { isInvalid: true }) }),
      ...(isOptional(operation) ? { anonymous: api.plan(operation, { as: 'none' }) } : {}),
    };
    return scenario({
      id: `document.${operation.id}`,
      api: api.name,
      title: `${operation.method.toUpperCase()} ${operation.path}`,
      judges: [documentRule(operation, 'answer'), documentRule(operation, 'status')],
      uses: [found],
      requests,
      // The oracle of the document judges the answer.
      run: async function* (this: Reads, session: Session) {
        const { answer, values, missing, why } = await session.obtain(found);
        if (answer === undefined) throw new NotExercised(missing, why);
        const optional = this.#optional(operation);
        if (optional !== undefined)
          await call(
            session,
            'options',
            operation,
            serialisedParameters(operation, { ...values, ...optional }),
          );
        yield* judgeOfferedDefaults(documentRule(operation, 'answer'), defaults, answer, (more) =>
          call(session, 'default', operation, serialisedParameters(operation, { ...values, ...more })),
        );
        const large = this.#large(operation);
        if (large !== undefined)
          await call(session, 'large', operation, serialisedParameters(operation, { ...values, ...large }));
        if (requests['anonymous'] !== undefined && answer.request.as !== 'none')
          await call(session, 'anonymous', operation, serialisedParameters(operation, values));
      }.bind(this),
    });
  }

  /**
   * The path of a thing that cannot exist, by a number that the document allows and that 32 bits do not hold. A server may
   * refuse it, but does not break.
   */
  #large(operation: Operation): Values | undefined {
    const last = pathParameters(operation).find(({ name }) => endsWith(operation, name));
    const described = last && followed(this.api.root, last.schema);
    const isWhole = isRecord(described) && [described['type']].flat().includes('integer');
    const isSmall = isRecord(described) && described['format'] === 'int32';
    // Elsewhere, a number can say how much the server has to do.
    const isId =
      last !== undefined &&
      (plainName(last.name).endsWith('id') || suppliersOf(this.api, operation, last.name).length > 0);
    return isId && isWhole && !isSmall && this.api.misfits(last, LARGE).length === 0
      ? { [valueKey(operation, last)]: LARGE }
      : undefined;
  }

  /** Optional parameters, with values from the document. */
  #optional(operation: Operation): Values | undefined {
    const named = operation.parameters.flatMap((parameter): [string, Json][] => {
      if (parameter.required || parameter.deprecated) return [];
      const first = documentedValues(this.api, parameter).find(({ isMadeUp }) => !isMadeUp);
      return first === undefined ? [] : [[valueKey(operation, parameter), first.value]];
    });
    return named.length === 0 ? undefined : Object.fromEntries(named);
  }

  async #find(
    operation: Operation,
    suppliers: readonly (readonly Supplier[])[],
    session: Session,
  ): Promise<FoundCall> {
    const { api } = this;
    const choices: (readonly [Parameter, readonly Json[]])[] = [];
    let path = 0;
    for (const parameter of required(operation)) {
      const own = parameter.in === 'path' ? (suppliers[path++] ?? []) : [];
      choices.push([parameter, await this.#choices(operation, parameter, own, session)]);
    }
    const [helpful] = choices.find(([{ in: place }]) => place === 'path') ?? choices[0] ?? [];
    const missing = helpful === undefined ? '' : `parameters.${helpful.name}`;
    const without = choices.find(([, values]) => values.length === 0);
    if (without !== undefined)
      return {
        answer: undefined,
        values: {},
        missing: `parameters.${without[0].name}`,
        why: `needs a value for the parameter ${without[0].name}`,
      };
    const tries = Math.min(MOST_TRIES, Math.max(1, ...choices.map(([, values]) => values.length)));
    let last: Exchange | undefined;
    let values: Values = {};
    for (let at = 0; at < tries; at += 1) {
      values = Object.fromEntries(
        choices.map(([parameter, list]) => [
          valueKey(operation, parameter),
          list[Math.min(at, list.length - 1)] as Json,
        ]),
      );
      const sent = serialisedParameters(operation, values);
      last = await call(session, 'read', operation, sent, { api });
      // A stream that is silent is asked again, and waited for as long as for any read.
      if (last.answer === undefined)
        last = await call(session, 'read', operation, sent, { api, leastMs: session.readTimeoutMs });
      if (wasAccepted(operation, last)) return { answer: last, values, missing, why: '' };
      if (last.answer === undefined) break;
    }
    if (last !== undefined && last.answer === undefined)
      return { answer: undefined, values, missing: 'an opportunity', why: SILENT };
    const got = last === undefined ? 'nothing' : sketchAnswer(last);
    const why = `no request was answered with success; the last one got ${got}`;
    return { answer: undefined, values, missing, why };
  }

  async #choices(
    operation: Operation,
    parameter: Parameter,
    suppliers: readonly Supplier[],
    session: Session,
  ): Promise<readonly Json[]> {
    const fixed = fixedValue(session.fixtures, operation, parameter);
    if (fixed !== undefined) return [fixed];
    const supplied: Json[] = [];
    for (const { operation: from, valuesIn } of suppliers) {
      if (session.leavesOut(from.id)) continue;
      const { answer } = await session.obtain(this.of(from));
      if (answer !== undefined) supplied.push(...valuesIn(answer));
    }
    const documented = documentedValues(this.api, parameter).map(({ value }) => value);
    return [...supplied.slice(0, 2), ...documented];
  }
}

/**
 * Sends a request; of a stream, the beginning is read.
 *
 * @param more.leastMs how long to wait at least for the first piece
 * @param more.api reads more of the stream, if the document describes its pieces, so that they can be judged
 */
export async function call<Name extends string>(
  session: Session<Name>,
  name: Name,
  operation: Operation,
  options: SendOptions,
  { leastMs = 0, api }: { readonly leastMs?: number; readonly api?: OwnApi } = {},
): Promise<Exchange> {
  if (!streams(operation, api)) return session.send(name, options);
  const enough = api !== undefined && describesPieces(api, operation) ? MOST_PIECES : 1;
  const until = (pieces: readonly unknown[]): boolean => pieces.length >= enough;
  const grace = { when: (pieces: readonly unknown[]) => pieces.length > 0, ms: MORE_MS };
  const timeoutMs = Math.max(STREAM_MS, leastMs);
  return (await session.watch(name, { ...options, until, grace, timeoutMs, mayBeSilent: true })).exchange;
}

// --- internal ---

/** Beyond 32 bits, and exact in any language. */
const LARGE = 9_000_000_000_001;

const MOST_TRIES = 3;

function optional<Value>(wanted: Resource<Value>): Resource<Value> {
  const requests = Object.entries(wanted.requests).map(
    ([name, plan]) => [name, { ...plan, isOptional: true }] as const,
  );
  return { ...wanted, requests: Object.fromEntries(requests), uses: wanted.uses.map(optional) };
}

const SILENT = 'the stream sent nothing, not even the head of a response';

/** The time limit for the first event of a stream. */
const STREAM_MS = 5000;

/** How much of a stream is read after its first piece, if its pieces are judged. */
const MORE_MS = 1500;
const MOST_PIECES = 1000;

function required({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.required);
}
