import type { RunningMock } from '../../mock/index.ts';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly body?: unknown;
}

/** A call as a client makes it; the status, or 0 when the connection was cut. */
export async function call(mock: Pick<RunningMock, 'url'>, sent: Sent): Promise<number> {
  const { path, key = 'service-mock-ok', idempotencyKey, body } = sent;
  const response = await fetch(`${mock.url}${path}`, {
    method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(path.startsWith('/v1') ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}` }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  await response?.text();
  return response?.status ?? 0;
}

export function run(
  mock: Pick<RunningMock, 'url'>,
  model: string,
  sent: Partial<Sent> = {},
): Promise<number> {
  return call(mock, { path: `/v1/models/${model}`, body: { prompt: 'a notched stick' }, ...sent });
}

export const smallGraph = {
  workflow: { '1': { class_type: 'WriteText', inputs: { text: 'a tally stick' } } },
};

/** Something of everything that a journal can hold. */
export async function someTraffic(mock: Pick<RunningMock, 'url'>): Promise<void> {
  await call(mock, { path: '/v1/models?limit=3' });
  await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
  await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
  await run(mock, 'mock/ok', { idempotencyKey: 'order-1', body: { prompt: 'another' } });
  await run(mock, 'mock/ok', { body: { prompt: 7 } });
  await run(mock, 'mock/provider-timeout', { idempotencyKey: 'order-2' });
  await run(mock, 'mock/policy-refused-unknown', { key: 'service-mock-ok+alice' });
  await run(mock, 'mock/drops-connection', { idempotencyKey: 'order-3' });
  await run(mock, 'mock/ok', { key: 'service-mock-no-credits' });
  await call(mock, { path: '/v1/models?limit=abc' });
  await call(mock, { path: '/publishers/acme/nodes/stick/versions', body: { node: { tags: 'x' } } });
  await call(mock, { path: '/api/v2/jobs', idempotencyKey: 'job-1', body: smallGraph });
  await call(mock, { path: '/api/v2/jobs', idempotencyKey: 'job-1', body: smallGraph });
}
