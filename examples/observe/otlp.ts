import type { Attributes } from './conventions.ts';
import { instruments, keyValues, nanoseconds, type Record } from './instruments.ts';

/** One span, in the format of OTLP. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly kind: 'server' | 'client';
  readonly attributes: Attributes;
  readonly isError: boolean;
}

/** Accepts spans. */
export type Export = (span: Span) => void;

/** The payload for a collector. */
export interface Otlp {
  readonly send: Export;
  readonly record: Record;
  /** Sends everything that has not been sent yet. */
  readonly flush: () => Promise<void>;
}

/**
 * Sends spans and metrics to a collector as OTLP over HTTP in JSON. If you use the SDK of OpenTelemetry, pass
 * them to that instead.
 *
 * @param endpoint such as `http://localhost:4318`
 * @param service the name of the service, as traces show it
 * @param everyMs the interval of sending
 */
export function otlp(endpoint: string, service: string, everyMs = 5_000): Otlp {
  const resource = { attributes: keyValues({ 'service.name': service }) };
  const scope = { name: 'tallystick' };
  const { record, collected } = instruments();
  let spans: object[] = [];
  const post = (path: string, payload: object): Promise<unknown> =>
    fetch(`${endpoint}/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(10_000),
    }).then(
      (answer) => answer.text(),
      // An unavailable collector does not affect calls.
      () => undefined,
    );
  const flush = async (): Promise<void> => {
    const [sent, metrics] = [spans, collected()];
    spans = [];
    await Promise.all([
      sent.length > 0 &&
        post('traces', { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: sent }] }] }),
      metrics.length > 0 &&
        post('metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }),
    ]);
  };
  // The timer does not keep the process alive: call `flush` before it ends.
  setInterval(() => void flush(), everyMs).unref();
  return {
    record,
    flush,
    send: (span) => {
      // A collector that is slow must not fill the memory.
      if (spans.length < MOST_SPANS) spans.push(payloadOf(span));
    },
  };
}

/** An id with this many bytes, in hexadecimal. */
export function randomId(bytes: 8 | 16): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}

// --- internal ---

const MOST_SPANS = 10_000;

function payloadOf({ attributes, kind, startedAt, endedAt, isError, ...rest }: Span): object {
  return {
    ...rest,
    kind: kind === 'server' ? 2 : 3,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: keyValues(attributes),
    status: isError ? { code: 2 } : {},
  };
}
