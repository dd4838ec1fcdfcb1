import { own, type Input } from './input.ts';
import type { RequestBody } from './body-description.ts';
import { checkedBase } from './connection.ts';
import type { Connection } from './connection.ts';
import type { CallOptions, Operation } from './operation.ts';
import type { Draft } from './secrets.ts';

/** A request that can be sent repeatedly; its credentials are added to a copy for each attempt. */
export interface PreparedRequest extends Draft {
  readonly body: RequestBody | null;
}

/** @throws {TypeError} when the input cannot be written. Nothing has been sent then */
export function prepareRequest(
  connection: Connection,
  operation: Operation,
  input: Input,
  options: CallOptions,
  key: string | undefined,
): PreparedRequest {
  const { id, accept = 'application/json', parameters = [] } = operation;
  const headers = new Headers({ accept });
  setHeaders(headers, connection.headers);

  let { path } = operation;
  const query: string[] = [];
  for (const { name, member = name, in: place, style, encode, explode, empty } of parameters) {
    const value = own(input, member);
    if (value === undefined || value === null) continue;
    const written = style(
      name,
      value instanceof Date ? value.toISOString() : value,
      explode ?? (place === 'query' || place === 'cookie'),
      encode ?? (place === 'header' ? String : encodeURIComponent),
    );
    if (!written && !empty) continue;
    if (place === 'path') path = path.replace(`{${name}}`, () => written);
    else if (place === 'header') setHeaders(headers, { [name]: written });
    else if (place === 'query') query.push(written);
    else setHeaders(headers, { cookie: [headers.get('cookie') ?? [], written].flat().join('; ') });
  }

  const body = operation.body?.prepare(operation, input, headers) ?? null;
  if (operation.key) setHeaders(headers, { [operation.key.header]: key as string });
  setHeaders(headers, options.headers);

  const { server } = operation;
  const address = options.baseUrl ?? server?.find(server, connection) ?? connection.baseUrl;
  const base = connection.at ?? checkedBase(address) + checkedPath(id, path);
  const separator = base.includes('?') ? '&' : '?';
  return { url: query[0] ? base + separator + query.join('&') : base, headers, body };
}

/**
 * Adds the secrets of one attempt: for the first alternative of the operation for which the connection has
 * credentials.
 */
export async function withCredentials(
  request: PreparedRequest,
  connection: Connection,
  operation: Operation,
): Promise<Draft> {
  const draft = { url: request.url, headers: new Headers(request.headers) };
  const { credentials = {} } = connection;
  const uses = operation.security?.find((schemes) =>
    schemes.every(({ name }) => own(credentials, name) !== undefined),
  );
  for (const { name, write, parameter = '' } of uses ?? []) {
    const credential = credentials[name];
    const secret = typeof credential === 'function' ? await credential() : credential;
    try {
      if (!secret || secret !== secret.trim()) throw new TypeError();
      write(draft, secret, parameter);
    } catch {
      throw new TypeError(`the credential "${name}" is empty or ${UNSENDABLE}, such as a line break`);
    }
  }
  return draft;
}

// --- internal ---

const UNSENDABLE = 'has characters not allowed in headers';

/**
 * A value cannot leave its position in the template: `/` is always encoded, and a segment that results in `.`
 * or `..` is refused, because URL parsers resolve it in any encoding.
 */
function checkedPath(id: string, path: string): string {
  const [, missing] = /\{([^{}]+)\}/.exec(path) ?? [];
  if (missing) throw new TypeError(`${id}: no value for "${missing}" in its path`);
  if (/\/(\.|%2e){1,2}(?![^/?])/i.test(path)) {
    throw new TypeError(`${id}: no path segment may be "." or ".."`);
  }
  return path;
}

/** Replaces the platform's message, which would show the value. */
function setHeaders(headers: Headers, values: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(values)) {
    try {
      headers.set(name, value);
    } catch {
      throw new TypeError(`the header "${name}" ${UNSENDABLE}`);
    }
  }
}
