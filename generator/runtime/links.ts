import { resolveLink } from '../../contract/policies/links.ts';
import type { Connection } from './connection.ts';
import { textAt } from './errors.ts';
import type { Answer } from './operation.ts';

/**
 * The address of a link in the body of an answer, such as `linkIn(answer, 'urls', 'self')`. A relative link
 * is resolved against the origin of that answer. `undefined` if there is no such link, or if it cannot be
 * followed.
 */
export function linkIn(answer: Answer, ...path: readonly string[]): string | undefined {
  return resolveLink(textAt(answer.data, ...path), answer.url);
}

/**
 * A connection whose calls go to the address of a link instead of the path of their operation:
 * `readThing(at(connection, link), { id })`. If the link's origin differs from that of `baseUrl`, credentials
 * and headers are left out, unless `trustedOrigins` names it.
 *
 * @throws {TypeError} when the link is not an absolute address, or a trusted origin is not an origin
 */
export function at(connection: Connection, link: string): Connection {
  if (!/^https?:\/\//i.test(link)) throw new TypeError('a link must be a complete http or https address');
  const trusted = [connection.baseUrl, ...(connection.trustedOrigins ?? [])].map(originOf);
  if (trusted.includes(originOf(link))) return { ...connection, at: link };
  return { ...connection, at: link, credentials: {}, headers: {} };
}

// --- internal ---

/** Resolves a base address, which may be relative to the page. */
function originOf(url: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  return new URL(url, location?.href ?? 'http://relative.invalid').origin;
}
