import type { Json, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { RequestPlan, Session } from '../../scenarios/scenario.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import type { Fixtures } from '../../target/fixtures.ts';
import { isNamedWrite } from '../../writes/withheld.ts';
import { effectOf } from './effects.ts';
import { chosenId, creatorOf, idForPath } from './ids.ts';
import { inputFor, refusalOf, sendAsNew } from './input.ts';
import { callInState } from './states-before.ts';
import { thingPlace } from './thing-places.ts';
import { fixtureKeysOf } from './values.ts';

/**
 * Resources that the suite creates for a call: it changes only resources that it has created, or that the
 * user has named.
 */
export class MadeResources {
  readonly #api: OwnApi;
  readonly #operation: Operation;
  /** Outermost first. */
  readonly #creators: readonly Creator[];
  /** The calls after which the operation is possible for a new thing. */
  readonly #before: readonly Operation[];

  /** @param given parameters whose values have another source */
  constructor(api: OwnApi, operation: Operation, given: readonly string[] = []) {
    this.#api = api;
    this.#operation = operation;
    this.#before = callInState(api, operation)?.before ?? [];
    const place = thingPlace(api, operation);
    const inQuery = place?.in === 'query' ? [place.name] : [];
    this.#creators = [...pathParameters(operation).map(({ name }) => name), ...inQuery]
      .filter((name) => !given.includes(name))
      .map((name) => {
        const creator = creatorOf(api, operation.path, name);
        const isBeside = creator !== undefined && !operation.path.startsWith(creator.path);
        return { parameter: name, creator, parents: isBeside ? new MadeResources(api, creator) : undefined };
      })
      .sort(
        (a, b) => operation.path.indexOf(`{${a.parameter}}`) - operation.path.indexOf(`{${b.parameter}}`),
      );
  }

  /** Whether any value comes from a resource that is created. */
  get hasCreators(): boolean {
    return this.#creators.some(({ creator }) => creator !== undefined);
  }

  /**
   * @param times how often values are requested at most
   * @param sparedBy parameters of the fixtures file with which none of them is needed
   */
  requests(times = 1, sparedBy: readonly string[] = []): Readonly<Record<string, RequestPlan>> {
    const makers = this.#creators.flatMap(({ parameter, creator, parents }) => {
      if (creator === undefined) return [];
      const spared = [...sparedBy, ...this.#keysOf(parameter, creator)];
      return [
        ...Object.entries(parents?.requests(times, spared) ?? {}).map(
          ([name, plan]) => [nameFor(parameter, name), plan] as const,
        ),
        [`make ${parameter}`, this.#api.plan(creator, { times: 2 * times, sparedBy: spared })] as const,
      ];
    });
    const { parameter = '', creator } = this.#creators.at(-1) ?? {};
    const spared = [...sparedBy, ...this.#keysOf(parameter, creator)];
    const before = this.#before.map(
      (call) => [nameOfCall(call), this.#api.plan(call, { times, sparedBy: spared, isSpare: true })] as const,
    );
    return Object.fromEntries([...makers, ...(creator === undefined ? [] : before)]);
  }

  /**
   * Values of the path parameters. What is made is brought into a state in which the sheet allows the call.
   *
   * @param named the name of a planned request, if it is that of a parent
   * @throws {NotExercised} if no operation creates one and the fixtures file has none
   */
  async values(session: Session, named = (name: string): string => name): Promise<Values> {
    const values: Record<string, Json> = {};
    let isMade = false;
    for (const { parameter, creator, parents } of this.#creators) {
      isMade = false;
      const { parameters = {} } = session.fixtures;
      const key = this.#keysOf(parameter, creator, session.fixtures).find((one) =>
        Object.hasOwn(parameters, one),
      );
      const fixed = key === undefined ? undefined : parameters[key];
      if (fixed !== undefined) {
        values[parameter] = fixed;
        continue;
      }
      if (creator === undefined)
        throw new NotExercised(
          `parameters.${this.#operation.id}.${parameter}`,
          `no operation of the document creates a value for ${parameter}, and the suite changes only what is named`,
        );
      const own = chosenId(this.#api, creator, parameter, session.freshKey);
      const around = await parents?.values(session, (name) => named(nameFor(parameter, name)));
      const known = around ?? (own === undefined ? values : { ...values, [parameter]: own });
      const make = (isTaken: boolean): Promise<Exchange> =>
        session.send(named(`make ${parameter}`), inputFor(this.#api, creator, session, known, isTaken));
      const seen = await sendAsNew(make, own === undefined);
      const id = isSuccess(seen)
        ? (own ?? idForPath(this.#api, this.#operation, parameter, seen))
        : undefined;
      values[parameter] = id ?? notMade(seen, parameter);
      isMade = true;
    }
    if (isMade) await this.#bring(session, values, named);
    return values;
  }

  /** Without a call that the run may not send, or that is refused, the thing stays in its state. */
  async #bring(session: Session, values: Values, named: (name: string) => string): Promise<void> {
    for (const call of this.#before) {
      const sent = session.send(named(nameOfCall(call)), inputFor(this.#api, call, session, values));
      const seen = await sent.catch((error: unknown) => {
        if (error instanceof NotExercised) return undefined;
        throw error;
      });
      if (seen === undefined || !isSuccess(seen)) return;
    }
  }

  /**
   * The keys of the fixtures file that supply a value. The thing that a call changes is one of the run, where the document
   * has a way to make it: an id for all operations, which reads need, is no leave to change what has it.
   */
  #keysOf(parameter: string, creator: Operation | undefined, fixtures: Fixtures = {}): readonly string[] {
    const [own = '', ...general] = fixtureKeysOf(this.#operation, parameter);
    const isOfOthers =
      creator !== undefined &&
      parameter === this.#creators.at(-1)?.parameter &&
      effectOf(this.#api, this.#operation).kind === 'changes' &&
      !isNamedWrite(fixtures, this.#operation.id);
    return isOfOthers ? [own] : [own, ...general];
  }
}

// --- internal ---

interface Creator {
  readonly parameter: string;
  readonly creator: Operation | undefined;
  /** Of a creator below another path than that of the operation. */
  readonly parents: MadeResources | undefined;
}

function nameOfCall({ id }: Operation): string {
  return `before: ${id}`;
}

function nameFor(parameter: string, name: string): string {
  return `${name}, for ${parameter}`;
}

function notMade(seen: Exchange, parameter: string): never {
  if (isSuccess(seen))
    throw new NotExercised(
      `parameters.${parameter}`,
      `the answer to ${seen.request.method} ${seen.request.target} has no value for ${parameter}`,
    );
  throw new NotExercised(`parameters.${parameter}`, `nothing was made for ${parameter}: ${refusalOf(seen)}`);
}
