import { expect, test } from 'vitest';
import { replayExchange, ReplayError, runConformance, secretsFor } from '../../conformance/index.ts';
import type { Report, Secrets } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { headerIn, routerContract, scripted } from './servers.ts';

const credential = { header: 'X-API-Key', value: 'service-secret-4711' };

async function judged(): Promise<Report> {
  const { transport } = scripted(() => ({ status: 200, body: { data: [], has_more: false, limit: 20 } }));
  return runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    credential,
    transport,
    clock: virtualClock(),
    rules: ['router.list.limit-default'],
  });
}

test('an exchange is sent again as it was, with the secret put back', async () => {
  const report = await judged();
  const { transport, requests } = scripted(() => ({
    status: 200,
    body: { data: [], has_more: false, limit: 50 },
  }));
  const replay = await replayExchange(report, 'x0001', {
    transport,
    secrets: secretsFor(credential, {}),
    clock: virtualClock(),
  });
  expect(requests[0]?.target).toBe('/v1/models');
  expect(headerIn(requests[0] as never, 'X-API-Key')).toBe(credential.value);
  expect(replay.same).toBe(false);
  expect(JSON.stringify(replay)).not.toContain(credential.value);
});

test('an unchanged server answers the same', async () => {
  const report = await judged();
  const { transport } = scripted(() => ({ status: 200, body: { data: [], has_more: false, limit: 20 } }));
  const replay = await replayExchange(report, 'x0001', {
    transport,
    secrets: secretsFor(credential, {}),
    clock: virtualClock(),
  });
  expect(replay.same).toBe(true);
});

test.each<[string, { id: string; secrets: Secrets; message: RegExp }]>([
  ['an unknown exchange', { id: 'x9999', secrets: {}, message: /no exchange x9999/ }],
  ['a missing secret', { id: 'x0001', secrets: {}, message: /needs \$API_KEY/ }],
])('%s is an error with words', async (_, { id, secrets, message }) => {
  const report = await judged();
  const { transport, requests } = scripted(() => ({ status: 200 }));
  await expect(replayExchange(report, id, { transport, secrets })).rejects.toThrow(ReplayError);
  await expect(replayExchange(report, id, { transport, secrets })).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

test('a text that looks like a variable but is not a placeholder is sent unchanged', async () => {
  const report = await judged();
  const [exchange] = report.exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const target = '/jobs/$GITHUB_TOKEN';
  const foreign = { ...report, exchanges: [{ ...exchange, request: { ...exchange.request, target } }] };
  const { transport, requests } = scripted(() => ({ status: 404 }));
  const secrets = secretsFor(credential, { GITHUB_TOKEN: 'never-to-be-sent', API_KEY: 'another' });
  await replayExchange(foreign, exchange.id, { transport, secrets });
  expect(requests[0]?.target).toBe(target);
  expect(headerIn(requests[0] as never, 'X-API-Key')).toBe(credential.value);
});
