import type { CallFacts, Finding } from '../../generated/router/server.ts';
import { type Export, randomId } from './otlp.ts';

/**
 * A span for each call of a server, named as the semantic conventions for HTTP ask for, and part of the caller's trace:
 * `createServer(handlers, { onFinding: serverSpans(send) })`.
 */
export function serverSpans(send: Export): (finding: Finding) => void {
  const startedAt = new WeakMap<CallFacts, number>();
  const faults = new WeakMap<CallFacts, unknown>();
  return (finding) => {
    const { call, kind } = finding;
    if (kind === 'started') startedAt.set(call, Date.now());
    if (kind === 'handler' || kind === 'stream') faults.set(call, finding.error);
    if (kind !== 'ended') return;
    const { status, delivery } = finding;
    const fault = faults.get(call);
    const [, traceId = randomId(16), parentSpanId] = call.traceparent?.split('-') ?? [];
    const path = call.target.split('?', 1)[0] ?? '/';
    send({
      ...{ kind: 'server', traceId, spanId: randomId(8) },
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      ...(call.tracestate === undefined ? {} : { traceState: call.tracestate }),
      // Without a route its path would make a name of its own for each id.
      name: call.route === undefined ? call.method : `${call.method} ${call.route}`,
      startedAt: startedAt.get(call) ?? Date.now(),
      endedAt: Date.now(),
      isError: status >= 500 || fault !== undefined,
      attributes: {
        'http.request.method': call.method,
        'url.path': path,
        'http.response.status_code': status,
        ...(call.route === undefined ? {} : { 'http.route': call.route }),
        ...(call.caller === undefined ? {} : { 'enduser.id': call.caller }),
        ...(fault === undefined
          ? status >= 500
            ? { 'error.type': String(status) }
            : {}
          : { 'error.type': fault instanceof Error ? fault.name : 'error' }),
        'tallystick.request_id': call.requestId,
        'tallystick.delivery': delivery,
      },
    });
  };
}
