import { prepareBody } from '../../../generator/runtime/bodies.ts';
import { connect } from '../../../generator/runtime/connection.ts';
import type { Connection, ConnectionOptions } from '../../../generator/runtime/connection.ts';
import { ApiError } from '../../../generator/runtime/errors.ts';
import type { Operation } from '../../../generator/runtime/operation.ts';
import { form, simple } from '../../../generator/runtime/parameters.ts';
import { bearer, keyInHeader } from '../../../generator/runtime/secrets.ts';
import { randomKey } from '../../../generator/runtime/keys.ts';
import { TestClock } from './test-clock.ts';

export interface SeenRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly init: RequestInit;
}

/** What the fake `fetch` does with one request: answer, fail, or never come back. */
export type Step = Response | Error | 'hangs' | ((request: SeenRequest) => Response | Promise<Response>);

export interface FakeServer {
  readonly connection: Connection;
  readonly clock: TestClock;
  readonly seen: SeenRequest[];
}

/** A connection whose requests meet the given steps, one after the other. One request too many is an error. */
export function fakeServer(steps: readonly Step[], options: Partial<ConnectionOptions> = {}): FakeServer {
  const clock = new TestClock();
  const seen: SeenRequest[] = [];
  const pending = [...steps];
  let keys = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted();
    const request = {
      url,
      method: init.method ?? '',
      headers: new Headers(init.headers),
      body: init.body,
      init,
    };
    seen.push(request);
    const step = pending.shift();
    if (step === undefined) throw new Error(`nobody expected request ${seen.length}`);
    if (step === 'hangs') return await new Promise<Response>(() => undefined);
    if (step instanceof Error) throw step;
    return typeof step === 'function' ? await step(request) : step;
  };
  const connection = connect({
    baseUrl: 'https://api.example.com',
    fetch,
    clock,
    random: () => 0,
    createKey: () => `key-${(keys += 1)}`,
    ...options,
  });
  return { connection, clock, seen };
}

export function jsonAnswer(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const noBody = status === 204 || status === 304;
  return new Response(noBody ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  });
}

/** An error as this test's API sends it. */
export function problem(status: number, bucket: string, headers: Record<string, string> = {}): Response {
  return jsonAnswer({ error_type: bucket, detail: `it is ${bucket}` }, status, {
    'x-error-type': bucket,
    ...headers,
  });
}

const api: Operation['api'] = {
  name: 'test',
  requestIdHeader: 'X-Request-Id',
  failure: (answer) => new ApiError(answer, answer.headers.get('x-error-type') ?? 'internal_error'),
};

const security: Operation['security'] = [
  [{ name: 'Token', write: bearer }],
  [{ name: 'Key', write: keyInHeader, parameter: 'X-API-Key' }],
];

export const readThing: Operation = {
  api,
  id: 'readThing',
  method: 'GET',
  path: '/v1/things/{id}',
  parameters: [
    { name: 'id', in: 'path', style: simple },
    { name: 'part', in: 'query', style: form },
    { name: 'If-None-Match', in: 'header', style: simple, member: 'ifNoneMatch' },
  ],
  security,
  results: [304],
  retry: { resend: [408, 425, 429, '5xx'], unanswered: 'resend' },
};

export const runThing: Operation = {
  api,
  id: 'runThing',
  method: 'POST',
  path: '/v1/things/{id}',
  parameters: [{ name: 'id', in: 'path', style: simple }],
  body: {
    prepare: prepareBody,
    write: (value) => JSON.stringify(value),
    mediaType: 'application/json',
    required: true,
  },
  security,
  key: { header: 'Idempotency-Key', create: randomKey, replayed: { name: 'X-Replayed', value: 'true' } },
  retry: {
    resend: [408, 425, 429, '5xx'],
    resendWhenTold: [409, 504],
    finalBuckets: ['refused'],
    unanswered: 'resend-with-key',
  },
  timeoutMs: 630_000,
};
