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

test('what the document of the report made secret is masked in the new answer too, and compares as the same', async () => {
  const secret = 'mark7Qk3fZ9pW5d';
  const shown = { data: [], pin: secret, list: { code: [secret] }, api_key: 'example-key', who: 'ada' };
  const answer = { status: 200, body: shown, headers: { 'X-Own': secret } };
  const report = await judged();
  const hidden = { bytes: 9, encoding: 'text', cut: false } as const;
  const masked = report.exchanges.map((exchange) => ({
    ...exchange,
    answer: {
      status: 200,
      headers: [['X-Own', '…']] as const,
      body: { ...hidden, text: JSON.stringify(shown).replaceAll(secret, '…') },
    },
  }));
  const { transport } = scripted(() => answer);
  const options = { transport, secrets: secretsFor(credential, {}), clock: virtualClock() };
  const replay = await replayExchange({ ...report, exchanges: masked }, 'x0001', options);
  expect(replay.now.answer?.status).toBe(200);
  expect(JSON.stringify(replay)).not.toContain(secret);
  expect(replay.same).toBe(true);
  // The report that masks nothing: the server has changed.
  const { now } = await replayExchange(report, 'x0001', options);
  expect(JSON.stringify(now)).toContain(secret);
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
  [
    'a missing secret',
    { id: 'x0001', secrets: {}, message: /needs the value of \$API_KEY, .*export API_KEY=/ },
  ],
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
