import { control } from '../scenarios/control.ts';
import { isSamePlace, credentialPlace } from '../target/credential.ts';
import type { Credential } from '../target/credential.ts';
import { mayOpen } from '../target/fitting-caller.ts';
import { sourceOf } from '../target/credentials.ts';
import { isSuccess, withoutBody } from '../exchanges/exchange.ts';
import type { Exchange, SentRequest } from '../exchanges/exchange.ts';
import { foreignOf } from '../exchanges/foreign.ts';

import type { Preflight } from '../scenarios/preflight.ts';
import type { RunFinding } from '../verdicts/report.ts';
import { BrokenFixture, Hindered } from '../scenarios/scenario.ts';
import type { Identity, RequestPlan } from '../scenarios/scenario.ts';
import type { RequestHost } from '../sessions/request-host.ts';
import { needOf } from '../target/target.ts';

/** How often a read may be sent to find out whether one credential is accepted. */
export const MOST_CONTROLS = 3;

/** Whether a 401 to this identity causes such a read. */
export function isWatched(as: Identity): boolean {
  const source = sourceOf(as);
  return source !== undefined && source.isUnwatched !== true;
}

/** The read that shows whether an API accepts a credential; a read of another API if it has none. */
export function controlPlan(
  preflights: readonly Preflight[],
  {
    api,
    as,
    served,
    opened,
    credential,
  }: {
    readonly api: string;
    readonly as: Identity;
    readonly served: readonly string[];
    /** By API: the read that showed that it is served. */
    readonly opened?: ReadonlyMap<string, RequestPlan>;
    readonly credential?: Credential | undefined;
  },
): (RequestPlan & { readonly api: string }) | undefined {
  const preflight =
    preflights.find((one) => one.api === api) ?? preflights.find((one) => served.includes(one.api));
  // A refusal by an operation that takes another kind of credential shows nothing.
  const first = [opened?.get(preflight?.api ?? '') ?? [], Object.values(preflight?.requests ?? {})]
    .flat()
    .find((plan) => credential === undefined || mayOpen(credential, plan));
  if (preflight === undefined || first === undefined) return undefined;
  const { method, target } = first;
  return { api: preflight.api, method, target, as, times: MOST_CONTROLS };
}

type Compose = (api: string, plan: RequestPlan) => SentRequest;

/** What is known about one credential. */
interface Known {
  /** The last exchange in which it was accepted. */
  accepted?: Exchange;
  /** Of the reads in which it was accepted, the first of those that say most if they are refused later. */
  read?: Exchange;
  weight: number;
  controls: number;
  /** Operations whose 401 was about something else, such as a password in the body. */
  readonly unrelated: Set<string>;
  /** Why the credential is no longer used, or no longer a basis for verdicts. */
  trouble?: Hindered | BrokenFixture | undefined;
  /** A control that is under way. */
  checking?: Promise<void> | undefined;
}

/**
 * Monitors the credentials of a run. A 401 or a 403 to a declared credential is judged only if the server accepts
 * that credential elsewhere, which a read shows. A credential that is no longer accepted has expired; one that was
 * never accepted is a fault of the fixtures. Each is reported once.
 */
export class Acceptance {
  readonly findings: RunFinding[] = [];
  /** By API: the read that showed that it is served. */
  readonly opened = new Map<string, RequestPlan>();
  readonly #known = new Map<string, Known>();
  readonly #preflights: readonly Preflight[];

  constructor(preflights: readonly Preflight[]) {
    this.#preflights = preflights;
  }

  /** @throws {Hindered} when the credential of this identity has expired */
  requireValid(host: RequestHost, as: Identity): void {
    const trouble = this.#of(host, as)?.trouble;
    if (trouble instanceof Hindered) throw trouble;
  }

  /**
   * Processes an exchange.
   *
   * @throws {Hindered} when it shows that its credential has expired
   * @throws {BrokenFixture} when it shows that its credential was never accepted
   */
  async see(host: RequestHost, exchange: Exchange, plan: RequestPlan, compose: Compose): Promise<void> {
    const known = this.#of(host, plan.as);
    const { answer, status } = exchange;
    // Credentials that were issued together expire together, including those that are refused on purpose.
    if (plan.as === 'forbidden' && status === 401 && this.#ended !== undefined) {
      host.excludeFromOracles?.([exchange.id]);
      throw this.#ended;
    }
    if (known === undefined || answer === undefined || foreignOf(exchange) !== undefined) return;
    if (status !== 401 && status !== 403) {
      // Only an authorised caller learns that a job does not exist.
      if (!isSuccess(exchange) && !(plan.method === 'GET' && status === 404)) return;
      known.accepted = withoutBody(exchange);
      const weight = weightOf(plan, exchange);
      if (plan.method === 'GET' && weight > known.weight) keepRead(known, exchange, weight);
      return;
    }
    // What is refused meanwhile waits for what the control says.
    while (known.checking !== undefined) await known.checking;
    const { accepted } = known;
    // Whether the credential is accepted may be the very thing under test. A 403 concerns a permission if the
    // credential is known.
    if (accepted === undefined ? plan.judgesCredential === true : status === 403) return;
    // The last control is for an operation whose 401 has no other known cause.
    const isLast = known.controls >= MOST_CONTROLS - 1;
    if (known.trouble === undefined && isLast && known.unrelated.has(exchange.operation ?? '')) return;
    const check = async (): Promise<void> => {
      known.trouble ??= await this.#find(host, exchange, plan.as, known, compose);
    };
    known.checking = check().finally(() => (known.checking = undefined));
    await known.checking;
    const { trouble } = known;
    if (trouble === undefined) return;
    host.excludeFromOracles?.([exchange.id]);
    throw trouble;
  }

  /** Why a credential is no longer accepted, if one has already expired. */
  get #ended(): Hindered | undefined {
    const troubles = [...this.#known.values()].map(({ trouble }) => trouble);
    return troubles.find((trouble) => trouble instanceof Hindered);
  }

  #of({ target }: RequestHost, as: Identity): Known | undefined {
    const credential = target.credentials[as];
    if (credential === undefined || !isWatched(as)) return undefined;
    const place = credentialPlace(credential);
    const key = `${place.in} ${place.name.toLowerCase()}: ${credential.value}`;
    const known = this.#known.get(key) ?? { weight: 0, controls: 0, unrelated: new Set() };
    this.#known.set(key, known);
    return known;
  }

  async #find(
    host: RequestHost,
    exchange: Exchange,
    as: Identity,
    known: Known,
    compose: Compose,
  ): Promise<Known['trouble']> {
    const asked = known.read ?? this.#firstRead(host, exchange, as, compose);
    if (asked === undefined || known.controls >= MOST_CONTROLS) return undefined;
    known.controls += 1;
    const answer = await control(host, asked);
    if (answer.status !== 401 && answer.status !== 403) {
      if (answer.answer !== undefined && foreignOf(answer) === undefined) {
        if (known.read === undefined) keepRead(known, answer, BARE);
        known.accepted ??= known.read ?? answer;
        if (exchange.operation !== undefined) known.unrelated.add(exchange.operation);
      }
      return undefined;
    }
    host.excludeFromOracles?.([answer.id]);
    // The thing that the read was about may be gone: many servers answer 403 for what does not exist.
    if (known.read !== undefined && known.weight < BARE && answer.status === 403) return undefined;
    const ids = [exchange.id, answer.id];
    const need = nameOf(host, as);
    const { method, target } = answer.request;
    const how = `${method} ${target} returned ${answer.status}`;
    const { accepted } = known;
    if (accepted === undefined) return this.#ended ?? new BrokenFixture(need, `it was refused: ${how}`, ids);
    const says = `The credential ${need} was accepted for ${accepted.id} and is refused since ${exchange.id}: ${how}`;
    this.findings.push({
      kind: 'disturbed',
      about: need,
      says,
      help: 'It may have expired. Rules that needed it from then on are inconclusive. Use one that lives longer than the run.',
      exchanges: [accepted.id, ...ids],
    });
    return new Hindered(says, ids);
  }

  /**
   * The read with this credential that shows whether an API is served; a read of another API if that one was
   * already answered.
   */
  #firstRead(
    { target }: RequestHost,
    { api }: Exchange,
    as: Identity,
    compose: Compose,
  ): { readonly api: string; readonly request: SentRequest } | undefined {
    const served = [...this.#known.values()].flatMap(({ read }) =>
      read !== undefined && isSuccess(read) ? [read.api] : [],
    );
    const plan = controlPlan(this.#preflights, {
      ...{ api, as, served, opened: this.opened },
      credential: target.credentials[as],
    });
    return plan === undefined ? undefined : { api: plan.api, request: compose(plan.api, plan) };
  }
}

// --- internal ---

/** The weight of a success of a read that names no thing: nothing that the run removes makes the server refuse it. */
const BARE = 3;

/** How much it says about the credential if this read is refused later. */
function weightOf({ target }: RequestPlan, exchange: Exchange): number {
  if (!isSuccess(exchange)) return 1;
  const { target: sent, keyParameter } = exchange.request;
  const query = (sent.split('?')[1] ?? '').split('&');
  const isOpen = query.every((part) => part === '' || part.split('=')[0] === keyParameter);
  return isOpen && !target.replace('{?query}', '').includes('{') ? BARE : 2;
}

function keepRead(known: Known, exchange: Exchange, weight: number): void {
  known.read = withoutBody(exchange);
  known.weight = weight;
}

/** The fixture with the credential of an identity; several identities may share one. */
function nameOf({ target: { credentials } }: RequestHost, as: Identity): string {
  const own = credentials[as];
  const named = (['valid', 'jwt', 'apiKey', 'apiKeyAsBearer'] as const).find(
    (one) => own !== undefined && isSame(credentials[one], own),
  );
  return needOf(named ?? as);
}

function isSame(one: Credential | undefined, other: Credential): boolean {
  return one?.value === other.value && isSamePlace(credentialPlace(one), credentialPlace(other));
}
