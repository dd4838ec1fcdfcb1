/** One request of the suite and what came back, kept whole for probes and oracles; evidence.ts makes the stored form. */
export interface Exchange {
  /** `x0042`, counted in the order of sending. */
  readonly id: string;
  readonly api: string;
  /** The scenario or resource that sent it. */
  readonly scenario: string;
  readonly request: SentRequest;
  /** What arrived; a body that was cut short counts as no answer, with `failure` set. */
  readonly answer: Answer | undefined;
  /** Why there is no whole answer. */
  readonly failure: string | undefined;
  /** Milliseconds of the suite's clock. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** 0 without an answer. */
  readonly status: number;
  /** The value of a response header, its name in any case. */
  readonly header: (name: string) => string | undefined;
  /** The body read as JSON; `undefined` when it is none. */
  readonly json: unknown;
}

export interface SentRequest {
  readonly method: string;
  /** As it went out, the base URL's own path included. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Whose credential it carried. */
  readonly as: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  readonly informational: readonly number[];
}

export function makeExchange(parts: Omit<Exchange, 'status' | 'header' | 'json'>): Exchange {
  const { answer } = parts;
  let parsed: { readonly value: unknown } | undefined;
  return {
    ...parts,
    status: answer?.status ?? 0,
    header: (name) => headerOf(answer?.headers ?? [], name),
    get json() {
      parsed ??= { value: answer === undefined ? undefined : parseJson(answer.body) };
      return parsed.value;
    },
  };
}

/** Answered with a status of the 200s. */
export function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** The first value of a header, its name in any case. */
export function headerOf(
  headers: readonly (readonly [name: string, value: string])[],
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([candidate]) => candidate.toLowerCase() === wanted)?.[1];
}

/** The value of JSON text; `undefined` when it is none. */
export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    return undefined;
  }
}

/** A member of an object; `undefined` for anything that is no object. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
