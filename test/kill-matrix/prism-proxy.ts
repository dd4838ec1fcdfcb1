import { createLogger } from '@stoplight/prism-core';
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { right } from 'fp-ts/lib/TaskEither.js';
import type { Contract } from '../../contract/index.ts';
import { pairsOf } from '../../proxy/end-to-end-headers.ts';
import type { ForwardedExchange } from '../../proxy/pass-through.ts';

/** Prism's own proxy, whose way to the server is the traffic that passed. */
export interface PrismProxy {
  readonly see: (passed: ForwardedExchange) => Promise<void>;
  /** What it found wrong with answers, each once. */
  readonly found: ReadonlySet<string>;
}

export async function prismProxy(contracts: readonly Contract[]): Promise<PrismProxy> {
  const operations = (await Promise.all(contracts.map(operationsOf))).flat();
  const found = new Set<string>();
  let answer: ForwardedExchange | undefined;
  const prism = createInstance(
    {
      ...{
        isProxy: true,
        upstream: new URL('http://upstream.invalid'),
        upstreamProxy: undefined,
        errors: false,
      },
      ...{ checkSecurity: true, validateRequest: true, validateResponse: true, mock: { dynamic: false } },
    },
    {
      logger: createLogger('prism', { enabled: false }),
      forward: () => () => right(responseOf(answer)),
    },
  );
  return {
    found,
    see: async (passed) => {
      if (passed.status === 0) return;
      answer = passed;
      const result = await prism.request(requestOf(passed), operations)();
      if (result._tag === 'Left') return;
      for (const { path = [], message } of result.right.validations.output)
        found.add(`${passed.method} ${String(passed.status)} ${path.join('.')}: ${message}`);
    },
  };
}

// --- internal ---

/** By the name of a contract: Prism compiles the schemas of an operation once. */
const read = new Map<string, ReturnType<typeof getHttpOperationsFromSpec>>();

function operationsOf({ name, document }: Contract): ReturnType<typeof getHttpOperationsFromSpec> {
  const known = read.get(name) ?? getHttpOperationsFromSpec(structuredClone(document.root) as object);
  read.set(name, known);
  return known;
}

function requestOf({ method, target, requestHeaders, requestBody }: ForwardedExchange): IHttpRequest {
  const url = new URL(target, 'http://proxy.invalid');
  const headers = headersOf(requestHeaders);
  return {
    method: method.toLowerCase() as IHttpRequest['method'],
    url: { path: url.pathname, query: Object.fromEntries(url.searchParams) },
    headers,
    body: bodyOf(headers, requestBody.body),
  };
}

function responseOf(passed: ForwardedExchange | undefined): {
  statusCode: number;
  headers: Record<string, string>;
  body: unknown;
} {
  if (passed === undefined) throw new Error('nothing has passed');
  const headers = headersOf(passed.responseHeaders);
  return { statusCode: passed.status, headers, body: bodyOf(headers, passed.responseBody.body) };
}

function headersOf(raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairsOf(raw).map(([name, value]) => [name.toLowerCase(), value]));
}

/** JSON where it is JSON, and text else, as Prism's proxy reads what it forwards. */
function bodyOf(headers: Readonly<Record<string, string>>, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (!/[/+]json\b/.test(headers['content-type'] ?? '')) return text === '' ? undefined : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
