import type { Attempt, Middleware } from '../../generated/router/index.ts';
import type { CallFacts, Finding } from '../../generated/router/server.ts';
import { type Attributes, errorType, failureOf, methodOf, serverOf } from './conventions.ts';
import type { Record } from './instruments.ts';

/**
 * Metrics of a server: `http.server.request.duration` and `http.server.active_requests`, and the number of
 * replayed answers. Use it as `createServer(handlers, { onFinding: serverMetrics(record) })`.
 *
 * @param scheme the scheme of the callers' URLs; `https` also if a proxy terminates TLS
 */
export function serverMetrics(record: Record, scheme: 'http' | 'https' = 'http'): (finding: Finding) => void {
  const faults = new WeakMap<CallFacts, unknown>();
  return (finding) => {
    const { call, kind } = finding;
    const attributes = { 'http.request.method': methodOf(call.method), 'url.scheme': scheme };
    switch (kind) {
      case 'started':
        record('http.server.active_requests', 1, attributes);
        break;
      case 'handler':
      case 'stream':
        faults.set(call, finding.error);
        break;
      case 'answered':
        if (finding.replayed) record('tallystick.server.replays', 1, routeOf(call));
        break;
      case 'ended':
        record('http.server.active_requests', -1, attributes);
        record('http.server.request.duration', finding.ms / 1_000, {
          ...attributes,
          ...routeOf(call),
          'http.response.status_code': finding.status,
          ...(faults.has(call) ? errorType(faults.get(call)) : failureOf(finding.status, 'server')),
        });
        break;
      case 'response':
      case 'store':
      case 'lost':
      // These findings are for logs: they do not concern the duration of a call.
    }
  };
}

/**
 * `http.client.request.duration` of each attempt, until its headers arrive:
 * `createRouter({ baseUrl, fetch: withMiddleware([clientMetrics(record)]) })`.
 */
export function clientMetrics(record: Record): Middleware {
  const begun = new WeakMap<Attempt, number>();
  const end = (attempt: Attempt, attributes: Attributes): void => {
    const startedAt = begun.get(attempt);
    if (startedAt === undefined) return;
    record('http.client.request.duration', (performance.now() - startedAt) / 1_000, {
      'http.request.method': methodOf(attempt.method),
      'url.template': attempt.path,
      ...serverOf(attempt.url),
      ...attributes,
    });
  };
  return {
    onRequest: (attempt) => void begun.set(attempt, performance.now()),
    onResponse: ({ status }, attempt) => {
      end(attempt, { 'http.response.status_code': status, ...failureOf(status, 'client') });
    },
    onError: (error, attempt) => {
      end(attempt, errorType(error));
    },
  };
}

// --- internal ---

/** Paths contain ids, and each would create a separate time series. */
function routeOf({ route }: CallFacts): Attributes {
  return route === undefined ? {} : { 'http.route': route };
}
