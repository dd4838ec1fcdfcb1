import { createHash } from 'node:crypto';
import type { Contract, SecurityScheme } from '../contract/index.ts';
import { placeOfScheme } from '../contract/index.ts';
import type { Header } from './end-to-end-headers.ts';

/** Headers that identify a caller with any document, in lower case. */
const ALWAYS = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

/**
 * The callers, identified by their credentials. A credential itself is not stored, only its digest, and a number that
 * the inspector and reports show.
 */
export class Callers {
  /** Headers that identify a caller, in lower case. */
  readonly #headers: ReadonlySet<string>;
  readonly #names = new Map<string, string>();

  constructor(contracts: readonly Contract[]) {
    const declared = contracts
      .flatMap(({ operations }) => operations.flatMap(({ security }) => security))
      .flatMap(({ schemes }) => schemes.flatMap((scheme) => nameOfHeader(scheme) ?? []));
    this.#headers = new Set([...ALWAYS, ...declared]);
  }

  /** The caller of a request, such as `caller 2`; `undefined` for a request without a credential. */
  of(headers: readonly Header[]): string | undefined {
    const secrets = headers
      .filter(([name]) => this.#headers.has(name.toLowerCase()))
      .map(([, value]) => value.replace(/^\s*(?:bearer|basic)\s+/i, '').trim())
      .filter((secret) => secret !== '');
    if (secrets.length === 0) return undefined;
    const digest = createHash('sha256').update(JSON.stringify(secrets)).digest('base64');
    const known = this.#names.get(digest);
    if (known !== undefined) return known;
    if (this.#names.size >= MOST_CALLERS) return 'another caller';
    const name = `caller ${this.#names.size + 1}`;
    this.#names.set(digest, name);
    return name;
  }
}

// --- internal ---

const MOST_CALLERS = 10_000;

/** The header that a scheme reads, in lower case. A cookie is masked with all others, and a query by the name of its parameter. */
function nameOfHeader(scheme: SecurityScheme): string | undefined {
  const place = placeOfScheme(scheme);
  return place?.in === 'header' ? place.name.toLowerCase() : undefined;
}
