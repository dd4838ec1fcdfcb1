import { headerOf } from '../exchanges/exchange.ts';
import { cut } from '../exchanges/sketch.ts';
import type { StoredExchange } from './report.ts';

/**
 * How the set-up of a server may explain an answer that breaks a rule, by its status and headers alone: a page of a
 * proxy, an error page of a development mode, a login. `undefined` if nothing points to it.
 *
 * @param cause why it breaks the rule; a page that the document declares needs no explanation
 */
export function explainedBySetUp(
  { answer }: Pick<StoredExchange, 'answer'>,
  cause: string,
): string | undefined {
  const isPageInPlace = cause.startsWith('text/html in place of');
  if (answer === undefined || !(isPageInPlace || /^\d{3}\b/.test(cause))) return undefined;
  const { status, headers } = answer;
  const value = (name: string): string | undefined => headerOf(headers, name);
  const place = value('location')?.replace(/[?#].*/s, '');
  if (status >= 300 && status < 400 && place !== undefined)
    return LOGIN.test(place)
      ? `It redirects to ${cut(place, LONGEST)}: perhaps a login for people is in front of the API, and no credential of an API opens it.`
      : undefined;
  if (!/^text\/html\b/i.test(value('content-type') ?? '')) return undefined;
  const [proxy] = PROXY.exec(value('server') ?? '') ?? [];
  const via = value('via');
  if (status >= 400 && (proxy !== undefined || via !== undefined))
    return `It is an HTML page with ${proxy === undefined ? `Via: ${cut(via ?? '', LONGEST)}` : `Server: ${cut(value('server') ?? '', LONGEST)}`}: perhaps a proxy in front of the API answered.`;
  if (status >= 500)
    return 'It is an HTML page: some servers answer so in their development mode. Test the mode that callers get.';
  return isPageInPlace && status < 300
    ? 'It is an HTML page: perhaps a login page, or the page of a web application that answers every path. Check the base URL and the credential.'
    : undefined;
}

// --- internal ---

const LOGIN = /\b(?:log-?in|sign-?in|auth|oauth2?|sso)\b/i;

/** For characters of a header that is quoted. */
const LONGEST = 100;

/** Servers that often stand before others. */
const PROXY =
  /\b(?:nginx|openresty|cloudflare|cloudfront|envoy|haproxy|varnish|awselb|akamai|traefik|caddy|squid|kong)\b/i;
