import type { Fetch } from './connection.ts';
import { patiently } from './patience.ts';

export interface RedirectOptions {
  /** The function that sends each request; the platform's own `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /**
   * The limit for redirects of one request; 5 by default. The redirect beyond it is returned to the caller.
   */
  readonly most?: number | undefined;
  /** Further origins, such as `https://files.example.com`, that get all headers, credentials included. None by default. */
  readonly trustedOrigins?: readonly string[] | undefined;
}

/**
 * A `fetch` for `ConnectionOptions` that follows redirects (RFC 9110, 15.4): 301 and 302 of a POST and every
 * 303 become a GET without a body, 307 and 308 repeat the request. Another origin gets no header that could
 * contain a secret.
 *
 * A redirect that cannot be followed safely becomes the answer of the call: from https to http, with a stream
 * as body, with an invalid `Location`, and in browsers every redirect, because they do not expose its target.
 */
export function followRedirects({
  fetch = (url, init) => globalThis.fetch(url, patiently(init)),
  most = 5,
  trustedOrigins = [],
}: RedirectOptions = {}): Fetch {
  return async (start, options) => {
    let url = start;
    let init = options;
    for (let followed = 0; ; followed += 1) {
      const response = await fetch(url, init);
      const next = followed < most ? redirectOf(response, url, init) : undefined;
      if (next === undefined) return response;
      const isTrusted = trustedOrigins.some((origin) => new URL(origin).origin === next.url.origin);
      const isSame = next.url.origin === originOf(url);
      init = isSame || isTrusted ? next.init : { ...next.init, headers: harmless(next.init.headers) };
      url = next.url.href;
      // Otherwise an unread body keeps the connection in use.
      await response.body?.cancel();
    }
  };
}

// --- internal ---

/** Headers without information about the caller. */
const HARMLESS = ['accept', 'accept-language', 'content-type', 'if-none-match', 'range'];

function redirectOf(
  { status, headers }: Response,
  from: string,
  init: RequestInit,
): { readonly url: URL; readonly init: RequestInit } | undefined {
  const location = headers.get('location');
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = addressOf(location, from);
  if (url === undefined) return undefined;
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || from.startsWith('https:'))) return undefined;
  const method = init.method ?? 'GET';
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  if (becomesGet && method !== 'GET') return { url, init: withoutBody(init) };
  return init.body instanceof ReadableStream ? undefined : { url, init };
}

function withoutBody(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const name of ['content-type', 'content-encoding', 'content-language']) headers.delete(name);
  return { ...init, method: 'GET', body: null, headers };
}

function harmless(all: RequestInit['headers']): Headers {
  const headers = new Headers(all);
  const kept = HARMLESS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Headers(kept);
}

function addressOf(location: string, from: string): URL | undefined {
  try {
    const url = new URL(location, from);
    return url.username === '' && url.password === '' ? url : undefined;
  } catch {
    return undefined;
  }
}

function originOf(url: string): string | undefined {
  return addressOf(url, url)?.origin;
}
