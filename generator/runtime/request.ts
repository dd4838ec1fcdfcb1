import type { RequestBody } from './bodies.ts';
import { originOf } from './connection.ts';
import type { Connection } from './connection.ts';
import type { CallOptions, Input, Operation, ParameterDescription, SchemeUse } from './operation.ts';
import { form, simple } from './parameters.ts';

/** A request that can be sent as often as needed; its credentials are added to a copy for each attempt. */
export interface PreparedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: RequestBody | undefined;
  /** Whether it goes where the connection's secrets may go. */
  readonly trusted: boolean;
}

/** @throws {TypeError} when the input cannot be written: the caller's mistake, found before anything is sent */
export function prepareRequest(
  connection: Connection,
  operation: Operation,
  input: Input,
  options: CallOptions,
  key: string | undefined,
): PreparedRequest {
  const base = originOf(connection.baseUrl);
  const trusted = options.url === undefined || (base !== undefined && originOf(options.url) === base);
  const headers = new Headers();
  setHeader(headers, 'accept', operation.accept ?? 'application/json');
  if (trusted) setHeaders(headers, connection.headers);

  const inPath = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  for (const parameter of operation.parameters ?? []) {
    const value = input[parameter.member ?? parameter.name];
    if (value === undefined || value === null) continue;
    const written = writeParameter(parameter, value);
    if (parameter.in === 'path') inPath.set(parameter.name, written);
    else if (parameter.in === 'header') setHeader(headers, parameter.name, written);
    else if (written !== '') (parameter.in === 'query' ? query : cookies).push(written);
  }
  if (cookies.length > 0) setHeader(headers, 'cookie', cookies.join('; '));
  const body = writeBody(operation, input, headers);
  if (operation.key !== undefined && key !== undefined) setHeader(headers, operation.key.header, key);
  setHeaders(headers, options.headers ?? {});

  if (options.url !== undefined && !/^https?:\/\//i.test(options.url)) {
    throw new TypeError(`${operation.id}: a link must be a complete http or https address`);
  }
  const url = options.url ?? connection.baseUrl + expandPath(operation, inPath);
  return { url: withQuery(url, query), headers, body, trusted };
}

/** Adds the secrets of one attempt: the first alternative of the operation that the connection has credentials for. */
export async function withCredentials(
  request: PreparedRequest,
  connection: Connection,
  operation: Operation,
): Promise<{ readonly url: string; readonly headers: Headers }> {
  const uses = operation.security?.find((alternative) =>
    alternative.every((scheme) => connection.credentials[scheme.name] !== undefined),
  );
  if (!request.trusted || uses === undefined) return request;
  const headers = new Headers(request.headers);
  let { url } = request;
  for (const scheme of uses) {
    const credential = connection.credentials[scheme.name];
    const secret = checkedSecret(scheme, typeof credential === 'function' ? await credential() : credential);
    if (scheme.type === 'bearer') headers.set('authorization', `Bearer ${secret}`);
    else if (scheme.type === 'basic') headers.set('authorization', `Basic ${base64(secret)}`);
    else if (scheme.type === 'header') headers.set(scheme.parameter, secret);
    else {
      const pair = form(scheme.parameter, secret, true, encodeURIComponent);
      if (scheme.type === 'query') url = withQuery(url, [pair]);
      else headers.set('cookie', [headers.get('cookie'), pair].filter(Boolean).join('; '));
    }
  }
  return { url, headers };
}

// --- internal ---

function writeParameter(parameter: ParameterDescription, value: unknown): string {
  const place = parameter.in;
  const style = parameter.style ?? (place === 'path' || place === 'header' ? simple : form);
  const encode = parameter.encode ?? (place === 'header' ? String : encodeURIComponent);
  const plain = value instanceof Date ? value.toISOString() : value;
  return style(parameter.name, plain, parameter.explode ?? style === form, encode);
}

function writeBody(operation: Operation, input: Input, headers: Headers): RequestBody | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  const value = input[body.member ?? 'body'];
  if (value === undefined) {
    if (body.required === true) throw new TypeError(`${operation.id} needs a body`);
    return undefined;
  }
  if (body.mediaType !== undefined) headers.set('content-type', body.mediaType);
  return body.write(value);
}

/**
 * No value leaves its place in the template: `/` is always encoded, and a segment that comes out as `.` or `..` is
 * refused, since no encoding keeps a URL parser from climbing along it.
 */
function expandPath(operation: Operation, values: ReadonlyMap<string, string>): string {
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (!value) throw new TypeError(`${operation.id} needs a value for "${name}" in its path`);
    return value;
  });
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new TypeError(`${operation.id}: a segment of a path must not be "." or ".."`);
  }
  return path;
}

function withQuery(url: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function setHeaders(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) setHeader(headers, name, value);
}

/** The platform's own message would show the value. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(`the header "${name}" has characters that no header can hold`);
  }
}

function checkedSecret(scheme: SchemeUse, secret: string | undefined): string {
  const sendable = scheme.type === 'basic' ? /^./ : /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
  if (typeof secret === 'string' && sendable.test(secret)) return secret;
  throw new TypeError(
    `the credential "${scheme.name}" is empty or has characters that no header can hold, such as a line break at its end`,
  );
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
