import type { Attempt, Middleware } from '../../generated/router/index.ts';
import { type Attributes, errorType, failureOf, methodOf, serverOf } from './conventions.ts';
import { type Export, randomId } from './otlp.ts';

/** The trace that a call belongs to. */
export interface Trace {
  readonly traceId: string;
  readonly parentSpanId?: string;
}

/**
 * A span for each attempt of a client's calls, which is propagated to the server: `createRouter({ baseUrl,
 * fetch: withMiddleware([clientSpans(send)]) })`.
 *
 * @param current the trace of the caller; without one, each attempt starts a new trace
 */
export function clientSpans(send: Export, current: () => Trace | undefined = () => undefined): Middleware {
  const begun = new WeakMap<Attempt, Trace & { readonly spanId: string; readonly startedAt: number }>();
  const end = (attempt: Attempt, attributes: Attributes): void => {
    const span = begun.get(attempt);
    if (span === undefined) return;
    const method = methodOf(attempt.method);
    send({
      ...span,
      kind: 'client',
      name: `${method === '_OTHER' ? 'HTTP' : method} ${attempt.path}`,
      endedAt: Date.now(),
      isError: 'error.type' in attributes,
      attributes: {
        'http.request.method': method,
        'url.full': attempt.url,
        'url.template': attempt.path,
        ...serverOf(attempt.url),
        ...(attempt.attempts > 1 ? { 'http.request.resend_count': attempt.attempts - 1 } : {}),
        ...attributes,
      },
    });
  };
  return {
    onRequest(attempt) {
      const trace = current() ?? { traceId: randomId(16) };
      const spanId = randomId(8);
      begun.set(attempt, { ...trace, spanId, startedAt: Date.now() });
      attempt.headers.set('traceparent', `00-${trace.traceId}-${spanId}-01`);
    },
    onResponse({ status }, attempt) {
      end(attempt, { 'http.response.status_code': status, ...failureOf(status, 'client') });
    },
    onError(error, attempt) {
      end(attempt, errorType(error));
    },
  };
}
