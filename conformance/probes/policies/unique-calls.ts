import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, RequestPlans, SendOptions, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { requiredValues } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionValues } from '../document/occasions.ts';
import { bodyFor, isValid } from '../document/values.ts';
import { freshAt, put } from '../document/variants.ts';
import { written } from '../document/wire-body.ts';
import { sentContent } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { callWith } from './keyed.ts';
import { refusal, statesBucket } from './refusal.ts';

export type Unique = OperationFacts<PolicyOf<'uniqueness'>>;

/** Calls of an operation in which one value has to be unique. */
export class UniqueCalls {
  readonly #facts: Unique;
  readonly #made: MadeResources;

  constructor(facts: Unique) {
    this.#facts = facts;
    this.#made = new MadeResources(facts.api, facts.operation);
  }

  /** @param parents how many parents are made at most */
  requests(times: number, parents = 1): RequestPlans {
    const { api, operation } = this.#facts;
    return { ...this.#made.requests(parents), call: api.plan(operation, { times }) };
  }

  /** @throws {NotExercised} if no body is known */
  async start(session: Session): Promise<UniqueCall> {
    return new UniqueCall(this.#facts, this.#made, session, { values: await this.#made.values(session) });
  }
}

/** The calls below one parent. Each has a key of its own if calls have one. */
export class UniqueCall {
  readonly values: Values;
  readonly #facts: Unique;
  readonly #made: MadeResources;
  readonly #session: Session;
  readonly #body: NonNullable<ReturnType<typeof bodyFor>>;

  constructor(
    facts: Unique,
    made: MadeResources,
    session: Session,
    { values, given }: { readonly values: Values; readonly given?: Json | undefined },
  ) {
    const { api, operation } = facts;
    const body = bodyFor(api, operation, session.fixtures);
    if (body === undefined) throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
    this.#facts = facts;
    this.#made = made;
    this.#session = session;
    this.#body = given === undefined ? body : { ...body, value: given };
    this.values = values;
  }

  /** A body with this value; by default with one that no other has. */
  fresh(value?: Json): Json {
    const { api, operation, policy } = this.#facts;
    return value === undefined
      ? freshAt(api, operation, this.#body.value, policy.member, this.#session.freshKey)
      : put(this.#body.value, policy.member.split('.'), value);
  }

  takes(value: Json): boolean {
    const content = sentContent(this.#facts.operation);
    return content !== undefined && isValid(this.#facts.api, content, value);
  }

  send(value: Json, change = (sent: SendOptions): SendOptions => sent, as = 'call'): Promise<Exchange> {
    return this.#session.send(as, change(this.#options(value)));
  }

  race(values: readonly Json[]): Promise<readonly Exchange[]> {
    return this.#session.race(
      'call',
      values.map((value) => this.#options(value)),
    );
  }

  pause(ms: number): Promise<void> {
    return this.#session.clock.sleep(ms);
  }

  /** The calls below another parent: one that the fixtures name, or one that is made. */
  async elsewhere(): Promise<UniqueCall> {
    const { operation } = this.#facts;
    const [other] = callsOn('other', operation.id, this.#session.fixtures).filter(
      ({ parameters = {} }) => Object.keys(parameters).length > 0,
    );
    const values =
      other === undefined
        ? await this.#made.values(this.#session)
        : { ...this.values, ...occasionValues(operation, other) };
    return new UniqueCall(this.#facts, this.#made, this.#session, { values, given: other?.body });
  }

  #options(value: Json): SendOptions {
    const { api, operation } = this.#facts;
    const text = written(value, this.#body);
    const known = requiredValues(api, operation, this.#session, this.values);
    const sent = callWith(operation, known, text, this.#body.mediaType);
    const headers = sent.headers ?? [];
    const key = policyFor(operation, 'idempotency')?.requestHeader;
    const isKeyed = headers.some(([name]) => name.toLowerCase() === key?.toLowerCase());
    return key === undefined || isKeyed
      ? sent
      : { ...sent, headers: [...headers, [key, this.#session.freshKey()]] };
  }
}

/** Calls with values of one kind, one scenario after the other: what is refused beside others is seen by itself. */
export function lockOf({ operation }: Unique): string {
  return `uniqueness.${operation.id}`;
}

/** A value that is in use is refused. */
export function* judgeTaken(facts: Unique, first: Exchange, again: Exchange): Generator<Check> {
  const { refusal: stated } = facts.policy;
  if (stated !== undefined)
    yield* refusal(facts, 'taken', again, stated, 'for a value that is already in use');
  else
    yield* facts.judge(
      'taken',
      [first, again],
      again.status >= 400 && again.status < 500,
      'a refusal (4xx) of every later one',
    );
}

/** Whether an answer can be the refusal of a value that is in use. */
export function mayBeTaken({ api, policy }: Unique, seen: Exchange): boolean {
  const { refusal: stated } = policy;
  if (stated === undefined) return seen.status >= 400 && seen.status < 500;
  return seen.status === stated.status && statesBucket(api, seen, stated.bucket);
}

/** Whether an answer is the refusal of a value that is in use: the stated one, or the usual one where none is stated. */
export function isTaken({ api, policy }: Unique, seen: Exchange): boolean {
  const { status, bucket } = policy.refusal ?? { status: 409 };
  return seen.status === status && statesBucket(api, seen, bucket);
}

/**
 * A body whose value is free is not refused for it. If the sheet does not say how such a refusal looks, a call that
 * differs in nothing but its value has to succeed before the refusal counts.
 *
 * @param told.of what is refused, in words
 */
export async function* judgeFree(
  facts: Unique,
  call: UniqueCall,
  body: Json,
  told: { readonly before: readonly Exchange[]; readonly of: string },
): AsyncGenerator<Check> {
  const { policy } = facts;
  const seen = await call.send(body);
  const expected = `no refusal of ${told.of}`;
  if (policy.refusal !== undefined || isSuccess(seen) || !mayBeTaken(facts, seen)) {
    const holds = isSuccess(seen) || !isTaken(facts, seen);
    yield* facts.judge('taken', [...told.before, seen], holds, expected);
    return;
  }
  const other = await call.send(call.fresh());
  const again = isSuccess(other) ? await call.send(body) : undefined;
  if (again === undefined || isSuccess(again)) return;
  yield* facts.judge('taken', [...told.before, seen, other, again], false, expected);
}

/** A body with one value at a dotted path. */
export function nested(path: string, value: Json): Json {
  return path.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
}
