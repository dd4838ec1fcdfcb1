import type { IncomingMessage } from 'node:http';
import type { FrontRequest } from './call/front.ts';

/**
 * The base address of a caller's requests, without a trailing slash: the public address of the mock, else the
 * address of the in-process call, else the host that the request names. `undefined` if that host is unusable:
 * it comes from outside, and is never repeated unchecked.
 */
export function baseUrlOf(
  { raw, header }: Pick<FrontRequest, 'header'> & { readonly raw: Pick<FrontRequest['raw'], 'baseUrl'> },
  publicUrl: string | undefined,
): string | undefined {
  const known = publicUrl ?? raw.baseUrl;
  if (known !== undefined) return known;
  const fromHost = `http://${header('host') ?? ''}`;
  return HTTP_HOST.test(fromHost) && URL.canParse(fromHost) ? fromHost : undefined;
}

/**
 * The base address of a request over TLS or below a path. `undefined` without TLS and path, because its host
 * is sufficient then, and if the host that it names is unusable.
 */
export function requestOrigin(
  { headers, socket, rawHeaders }: IncomingMessage,
  below = '',
): string | undefined {
  const isSecure = 'encrypted' in socket && socket.encrypted === true;
  if (!isSecure && below === '') return undefined;
  const host = headers.host ?? rawHeaders[rawHeaders.indexOf('host') + 1] ?? '';
  return HTTP_HOST.test(`http://${host}`) ? `${isSecure ? 'https' : 'http'}://${host}${below}` : undefined;
}

/**
 * A base address, without a trailing slash.
 *
 * @param name of the option, for the message
 * @throws {RangeError} for anything but an http or https address without query and fragment
 */
export function readBaseUrl(name: string, text: string): string {
  const isUsable = URL.canParse(text) && /^https?:\/\/[^?#]+$/i.test(text);
  if (isUsable) return withoutSlash(text);
  throw new RangeError(
    `${name} must be an address such as https://api.example.com/base, got ${JSON.stringify(text)}.`,
  );
}

/** The path of an address without a trailing slash: `/base` of `https://api.example.com/base`. */
export function basePathOf(url: URL): string {
  return withoutSlash(url.pathname);
}

// --- internal ---

const HTTP_HOST = /^http:\/\/([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i;

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
