import type { CallFacts, Finding } from '../../generated/router/server.ts';
import { errorType, failureOf, methodOf } from './conventions.ts';
import { type Export, randomId } from './otlp.ts';

/**
 * A span for each call of a server, named by the semantic conventions for HTTP, and part of the caller's
 * trace: `createServer(handlers, { onFinding: serverSpans(send) })`.
 *
 * @param scheme the scheme of the callers' URLs; `https` also if a proxy terminates TLS
 */
export function serverSpans(send: Export, scheme: 'http' | 'https' = 'http'): (finding: Finding) => void {
  const startedAt = new WeakMap<CallFacts, number>();
  const faults = new WeakMap<CallFacts, unknown>();
  return (finding) => {
    const { call, kind } = finding;
    if (kind === 'started') startedAt.set(call, Date.now());
    if (kind === 'handler' || kind === 'stream') faults.set(call, finding.error);
    if (kind !== 'ended') return;
    const { status, delivery, ms } = finding;
    const started = startedAt.get(call) ?? Date.now() - ms;
    const fault = faults.get(call);
    const [, traceId = randomId(16), parentSpanId] = call.traceparent?.split('-') ?? [];
    const method = methodOf(call.method);
    const word = method === '_OTHER' ? 'HTTP' : method;
    send({
      ...{ kind: 'server', traceId, spanId: randomId(8) },
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      ...(call.tracestate === undefined ? {} : { traceState: call.tracestate }),
      // Without a route, the path would create a separate name for each id.
      name: call.route === undefined ? word : `${word} ${call.route}`,
      startedAt: started,
      endedAt: started + ms,
      isError: status >= 500 || fault !== undefined,
      attributes: {
        'http.request.method': method,
        ...(method === '_OTHER' ? { 'http.request.method_original': call.method } : {}),
        'url.scheme': scheme,
        'url.path': call.path,
        'http.response.status_code': status,
        ...(call.route === undefined ? {} : { 'http.route': call.route }),
        ...(call.caller === undefined ? {} : { 'enduser.id': call.caller }),
        ...(fault === undefined ? failureOf(status, 'server') : errorType(fault)),
        'tallystick.request_id': call.requestId,
        'tallystick.delivery': delivery,
      },
    });
  };
}
