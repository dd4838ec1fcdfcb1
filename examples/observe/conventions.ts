/** Attributes that spans and metrics share, by the semantic conventions of OpenTelemetry for HTTP. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'];

/**
 * The method of a request. Callers can send any word, and as an attribute each would create a separate time
 * series.
 */
export function methodOf(method: string): string {
  return METHODS.includes(method) ? method : '_OTHER';
}

/** The reason for a failure. For a client, 4xx is a failure too. */
export function failureOf(status: number, kind: 'client' | 'server'): Attributes {
  return status >= (kind === 'client' ? 400 : 500) ? { 'error.type': String(status) } : {};
}

/** The class of a thrown value: messages differ from call to call. */
export function errorType(error: unknown): Attributes {
  return { 'error.type': error instanceof Error ? error.name : 'error' };
}

/** The host that a client calls. */
export function serverOf(url: string): Attributes & { readonly 'url.scheme': string } {
  const { hostname, port, protocol } = new URL(url);
  return {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'url.scheme': protocol.slice(0, -1),
  };
}
