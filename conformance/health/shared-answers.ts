import { placeOfScheme } from '../../contract/index.ts';
import type { Contract, CredentialPlace } from '../../contract/index.ts';
import { isBuiltIn } from '../apis/declared.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { isSecured } from '../probes/own-api.ts';
import type { RunFinding } from '../verdicts/report.ts';

/** The reads of an API with a credential in one header. */
export interface CredentialReads {
  readonly api: string;
  readonly header: string;
  readonly count: number;
  /** How many of them got an answer that a shared cache may give to other callers. */
  readonly shared: number;
  /** The first of those. */
  readonly exchanges: readonly string[];
  /** What they say about caches. */
  readonly says: readonly string[];
}

/**
 * Learns which answers to a credential a shared cache may store and give to other callers (RFC 9111, sections 3 to 4.2).
 * No contract forbids that, so it breaks no rule.
 */
export class SharedAnswers {
  readonly #contracts: ReadonlyMap<string, Contract>;
  readonly #reads = new Map<string, CredentialReads>();

  constructor(contracts: readonly Contract[]) {
    this.#contracts = new Map(contracts.map((contract) => [contract.name, contract]));
  }

  see(exchange: SeenExchange): void {
    const { api, request, status } = exchange;
    // Other answers are seldom stored without explicit permission.
    if ((request.method !== 'GET' && request.method !== 'HEAD') || (status !== 200 && status !== 203)) return;
    const header = this.#headerOf(exchange);
    if (header === undefined) return;
    const { isShared, isStated } = sharing(exchange, header);
    // The contracts of this project leave it to the server what it declares public.
    const isDoubtful = isShared && !(isStated && isBuiltIn(api));
    const told = isDoubtful ? tellingLines(exchange) || 'no Cache-Control' : undefined;
    this.add({
      ...{ api, header, count: 1, shared: isDoubtful ? 1 : 0 },
      exchanges: isDoubtful ? [exchange.id] : [],
      says: told === undefined ? [] : [told],
    });
  }

  /** Adds what was learned elsewhere. */
  add({ api, header, count, shared, exchanges, says }: CredentialReads): void {
    const key = `${api} ${header}`;
    const before = this.#reads.get(key);
    this.#reads.set(key, {
      ...{ api, header, count: (before?.count ?? 0) + count, shared: (before?.shared ?? 0) + shared },
      exchanges: [...(before?.exchanges ?? []), ...exchanges].slice(0, MOST_SHOWN),
      says: [...new Set([...(before?.says ?? []), ...says])].slice(0, MOST_SAID),
    });
  }

  /** What was learned since the last call, which is forgotten here. */
  take(): readonly CredentialReads[] {
    const reads = [...this.#reads.values()];
    this.#reads.clear();
    return reads;
  }

  /** One finding for each API and header. */
  findings(): readonly RunFinding[] {
    return [...this.#reads.values()]
      .filter(({ shared }) => shared > 0)
      .map(({ api, header, count, shared, says, exchanges }) => ({
        kind: 'doubt',
        says: `${shared} of ${count} reads of ${api} with a credential in ${header} got an answer that a shared cache may give to other callers: ${says.join('; ')}`,
        help: `Send Cache-Control: private or no-store, or Vary: ${header}, with each answer to a credential. A cache in front of the server could otherwise answer one caller with the data of another.`,
        exchanges,
      }));
  }

  /** The header with the credential of a request, if its operation needs one and nothing in the address is one. */
  #headerOf({ api, operation, request }: SeenExchange): string | undefined {
    const all = this.#contracts.get(api)?.operations ?? [];
    const called = operation === undefined ? all : all.filter(({ id }) => id === operation);
    if (called.length === 0 || request.keyParameter !== undefined || !called.every(isSecured))
      return undefined;
    const schemes = called.flatMap(({ security }) => security.flatMap((each) => each.schemes));
    const sent = schemes
      .flatMap((scheme) => placeOfScheme(scheme) ?? [])
      .filter((place) => carries(request, place));
    if (sent.some((place) => place.in === 'query')) return undefined;
    const headers = sent.map((place) => (place.in === 'cookie' ? 'Cookie' : place.name));
    // RFC 9111 protects the answer to a request with this header, whatever else it carries.
    return headers.find((name) => isAuthorization(name)) ?? headers[0];
  }
}

// --- internal ---

type SeenExchange = Pick<Exchange, 'id' | 'api' | 'operation' | 'request' | 'status' | 'answer'>;

const MOST_SAID = 3;
const MOST_SHOWN = 5;

/** For characters of headers that are quoted. */
const LONGEST = 100;

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function carries({ target, headers }: Exchange['request'], { in: place, name }: CredentialPlace): boolean {
  if (place === 'query') return new URLSearchParams(target.split('?')[1] ?? '').has(name);
  const values = linesOf(headers, place === 'cookie' ? 'cookie' : name);
  if (place === 'header') return values !== '';
  return values.split(/[;,] */).some((pair) => pair.split('=', 1)[0]?.trim() === name);
}

/**
 * Whether a cache may reuse the answer for a request with another credential without asking the server, and whether the
 * server states that its answer may be shared.
 */
function sharing(
  exchange: SeenExchange,
  header: string,
): { readonly isShared: boolean; readonly isStated: boolean } {
  const lines = (name: string): string => linesOf(exchange.answer?.headers ?? [], name);
  const directives = new Map(
    lines('cache-control')
      .toLowerCase()
      .split(',')
      .map((each) => each.split('='))
      .map(([name = '', value = '']) => [name.trim(), value.replaceAll('"', '').trim()] as const),
  );
  const isStated = directives.has('public') || directives.has('s-maxage');
  const lifetime = lifetimeOf(directives, lines);
  const varies = lines('vary')
    .split(',')
    .map((each) => each.trim().toLowerCase());
  const isKept =
    ['private', 'no-store', 'no-cache'].some((name) => directives.has(name)) ||
    varies.includes('*') ||
    varies.includes(header.toLowerCase()) ||
    (lifetime !== undefined && !(lifetime > 0));
  // RFC 9111, section 3.5: to share the answer to `Authorization`, the server has to permit it.
  const isPermitted =
    !isAuthorization(header) || isStated || (directives.has('must-revalidate') && lifetime !== undefined);
  return { isShared: !isKept && isPermitted, isStated };
}

/** For how long a shared cache may use the answer, in seconds; `undefined` if the server does not say. */
function lifetimeOf(
  directives: ReadonlyMap<string, string>,
  lines: (name: string) => string,
): number | undefined {
  const stated = directives.get('s-maxage') ?? directives.get('max-age');
  if (stated !== undefined) return /^\d+$/.test(stated) ? Number(stated) : 0;
  const expires = lines('expires');
  if (expires === '') return undefined;
  const date = Date.parse(lines('date'));
  // A date that cannot be read means that the answer has expired.
  return (Date.parse(expires) - (Number.isNaN(date) ? Date.now() : date)) / 1000 || 0;
}

function tellingLines({ answer }: SeenExchange): string {
  const told = ['Cache-Control', 'Vary', 'Expires'].flatMap((name) => {
    const value = linesOf(answer?.headers ?? [], name);
    return value === '' ? [] : [`${name}: ${value.slice(0, LONGEST)}`];
  });
  return told.join(', ');
}

/** All lines of a header as one value. */
function linesOf(headers: Exchange['request']['headers'], name: string): string {
  const wanted = name.toLowerCase();
  return headers
    .filter(([each]) => each.toLowerCase() === wanted)
    .map(([, value]) => value)
    .join(', ');
}
