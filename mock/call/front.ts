import type { RawRequest } from './exchange.ts';

/**
 * A parsed request, without any normalisation. Its faults are findings that the pipeline answers at the right
 * step, after credentials and key. The front itself never answers and never throws.
 */
export interface FrontRequest {
  readonly raw: RawRequest;
  /** As sent. */
  readonly method: string;
  /** The effective method: a HEAD is served as GET without its body (open point A-25). */
  readonly effectiveMethod: string;
  /** The raw path of the target, without scheme and authority. */
  readonly path: string;
  /** Raw path segments; empty ones are kept. */
  readonly segments: readonly string[];
  /** The raw query with its question mark; empty if there is none. */
  readonly search: string;
  /** Decoded pairs in their order. */
  readonly query: readonly QueryPair[];
  /** By lower-case name; lines of the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  /** The body as JSON; parsed on first use. */
  readonly body: () => Body;
}

interface QueryPair {
  readonly name: string;
  readonly value: string;
}

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | {
      readonly kind: 'malformed';
      /** A sentence for the caller. */
      readonly sentence: string;
      readonly why: string;
    }
  | { readonly kind: 'oversize'; readonly limit: number };

/** Parses a raw request. `maximumBody` is in bytes. */
export function readRequest(raw: RawRequest, maximumBody: number): FrontRequest {
  const target = withoutAuthority(raw.target);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 ? '' : target.slice(mark);
  const headers = readHeaders(raw.rawHeaders);
  const method = raw.method.toUpperCase();
  let body: Body | undefined;
  return {
    raw,
    method,
    effectiveMethod: method === 'HEAD' ? 'GET' : method,
    path,
    segments: path.split('/').slice(1),
    search,
    query: readQuery(search.slice(1)),
    headers,
    header: (name) => headers[name],
    body: () => (body ??= readBody(raw.body, maximumBody, headers['content-encoding'])),
  };
}

/** Decodes percent-encoding; undecodable text stays unchanged. */
export function decodeTolerantly(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the percent-encoding in the text can be decoded. */
export function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

// --- internal ---

/** Proxies send `http://host/path`; any other target stays unchanged. */
function withoutAuthority(target: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function readHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = (rawHeaders[i + 1] ?? '').trim();
    headers[name] = name in headers ? `${headers[name] ?? ''}, ${value}` : value;
  }
  return headers;
}

function readQuery(query: string): QueryPair[] {
  if (query === '') return [];
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return { name: decodeParameter(name), value: decodeParameter(rest.join('=')) };
    });
}

function decodeParameter(text: string): string {
  return decodeTolerantly(text.replaceAll('+', ' '));
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function readBody(bytes: Uint8Array, maximum: number, encoding = 'identity'): Body {
  if (bytes.length === 0) return { kind: 'none' };
  if (bytes.length > maximum) return { kind: 'oversize', limit: maximum };
  try {
    const text = decoder.decode(bytes);
    return { kind: 'json', value: JSON.parse(text) as unknown, text };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON';
    // Nothing is decoded, because no contract says that a server does.
    const isEncoded = !/^identity$/i.test(encoding);
    const sentence = isEncoded
      ? `The body is not JSON, but encoded as ${encoding}.`
      : 'The body is not JSON.';
    return { kind: 'malformed', sentence, why: isEncoded ? `its Content-Encoding is ${encoding}` : why };
  }
}
