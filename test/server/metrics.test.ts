import { metrics, type Attributes, type Meter, type MeterProvider } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '../../examples/reference-server/accounts.ts';
import { meter } from '../../examples/reference-server/metrics.ts';
import { startReplica } from '../../examples/reference-server/replica.ts';

test('a server reports its calls and replays to OpenTelemetry', async () => {
  const seen: [name: string, attributes: Attributes | undefined][] = [];
  const instrument = (name: string) => {
    const take = (_value: number, attributes?: Attributes): void => void seen.push([name, attributes]);
    return { add: take, record: take };
  };
  const provider = {
    getMeter: () => ({ createHistogram: instrument, createCounter: instrument }) as unknown as Meter,
  } satisfies MeterProvider;
  metrics.setGlobalMeterProvider(provider);
  onTestFinished(() => {
    metrics.disable();
  });
  const replica = await startReplica({ onFinding: meter() });
  onTestFinished(() => replica.stop());
  const run = (): Promise<Response> =>
    fetch(`${replica.url}/v1/models/acme/picture-2.1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': keys.main, 'Idempotency-Key': 'a' },
      body: '{"prompt":"x"}',
    });
  expect((await run()).status).toBe(200);
  await expect.poll(async () => (await run()).headers.get('idempotent-replayed')).toBe('true');
  const attributes = {
    ...{ 'http.request.method': 'POST', 'url.scheme': 'http', 'http.response.status_code': 200 },
    'http.route': '/v1/models/{provider}/{model}',
  };
  await expect.poll(() => seen).toContainEqual(['http.server.request.duration', attributes]);
  expect(seen).toContainEqual(['server.replays', { operation: 'runModel' }]);
});
