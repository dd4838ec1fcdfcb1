import type { Dictionary, HttpMethod } from '@stoplight/types';
import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http/dist/types.js';
import type { JudgedRequest, JudgedResponse } from '../call/engine.ts';
import { isDecodable } from '../call/front.ts';

/** A request in the form that Prism validates, with only these headers. */
export function prismRequest(request: JudgedRequest, headerNames: readonly string[]): IHttpRequest {
  const { body } = request;
  const headers: Dictionary<string> = {};
  for (const name of headerNames) {
    const value = headerOf(request.headers, name);
    if (value !== undefined) headers[name] = value;
  }
  // Prism checks the media type only if the request has a length, which chunked requests do not have.
  if (body !== undefined) headers['content-length'] = '1';
  const { authorization, 'content-type': type } = headers;
  // Names of schemes and of media types are case-insensitive (RFC 9110, sections 8.3.1 and 11.1); Prism
  // accepts only one form.
  if (authorization !== undefined)
    headers['authorization'] = authorization.replace(
      /^(?:basic|bearer|digest)(?=\s)/i,
      (scheme) => scheme.slice(0, 1).toUpperCase() + scheme.slice(1).toLowerCase(),
    );
  if (type !== undefined) headers['content-type'] = type.replace(/^[^;]*/, (name) => name.toLowerCase());
  if (!isMediaType(headers['content-type'])) headers['content-type'] = 'application/x-unreadable';
  return {
    method: request.method.toLowerCase() as HttpMethod,
    url: { path: decodablePath(request.path), query: gathered(request.query) },
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

/** An answer in the form that Prism validates. */
export function prismResponse(response: JudgedResponse): IHttpResponse {
  const headers: Dictionary<string> = {};
  for (const [name, value] of response.headers) headers[name.toLowerCase()] = value;
  return { statusCode: response.status, headers, body: response.body };
}

// --- internal ---

function headerOf(headers: JudgedRequest['headers'], name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** The values of a repeated name become a list. */
function gathered(pairs: JudgedRequest['query']): Dictionary<string | string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]),
  );
}

/**
 * Prism throws on undecodable percent-encoding, so such a percent sign is escaped for it. It treats
 * lower-case and upper-case escapes as different text.
 */
function decodablePath(path: string): string {
  if (!path.includes('%')) return path;
  return path
    .replace(/%[0-9a-f]{2}/gi, (escaped) => escaped.toUpperCase())
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

/** Prism throws on text that is not a media type, so it gets a type that no document names. */
function isMediaType(text: string | undefined): boolean {
  return text === undefined || /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(text);
}
