/** One span, as OTLP has it. */
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
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly isError: boolean;
}

/** Where spans go. */
export type Export = (span: Span) => void;

/**
 * Sends spans to a collector as OTLP over HTTP in JSON. Whoever has the SDK of OpenTelemetry hands them to that instead.
 *
 * @param endpoint such as `http://localhost:4318`
 * @param service the name of the service, as traces show it
 */
export function otlp(
  endpoint: string,
  service: string,
): { readonly send: Export; readonly flush: () => Promise<void> } {
  const sending = new Set<Promise<unknown>>();
  const send: Export = (span) => {
    const posted = fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(payloadOf(span, service)),
    }).then(
      (answer) => answer.text(),
      // A collector that is away disturbs no call.
      () => undefined,
    );
    sending.add(posted);
    void posted.then(() => sending.delete(posted));
  };
  return { send, flush: async () => void (await Promise.all(sending)) };
}

/** An id of so many bytes, in hexadecimal. */
export function randomId(bytes: 8 | 16): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
}

// --- internal ---

function payloadOf(span: Span, service: string): object {
  const { attributes, kind, startedAt, endedAt, isError, ...rest } = span;
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': service }) },
        scopeSpans: [
          {
            scope: { name: 'tallystick' },
            spans: [
              {
                ...rest,
                kind: kind === 'server' ? 2 : 3,
                startTimeUnixNano: nanoseconds(startedAt),
                endTimeUnixNano: nanoseconds(endedAt),
                attributes: attributesOf(attributes),
                status: isError ? { code: 2 } : {},
              },
            ],
          },
        ],
      },
    ],
  };
}

function attributesOf(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { stringValue: value },
  }));
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds)) * 1_000_000n);
}
