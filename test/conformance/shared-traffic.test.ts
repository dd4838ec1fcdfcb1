import { expect, test } from 'vitest';
import { TrafficJudge, type PassedExchange } from '../../conformance/traffic/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { desks } from '../engine/shared-caches.ts';

/** Traffic shows as a run does which answers a shared cache could give to other callers. */

type Lines = PassedExchange['request']['headers'];

const passed = (number: number, parts: { api: string; operation: string; got: Lines }): PassedExchange => ({
  ...{ number, startedAt: number, endedAt: number, during: [], caller: 'one', isInvalid: false },
  ...{ api: parts.api, operation: parts.operation, method: 'GET', target: '/header', status: 200 },
  ...{ informational: [], delivery: 'delivered' },
  request: { headers: [['X-API-Key', '…']], body: new Uint8Array() },
  response: { headers: parts.got, body: new Uint8Array() },
});

async function doubts(api: string, operation: string, got: Lines): Promise<readonly string[]> {
  const contracts = [await desks(), await loadOwnContract('router')];
  const judge = new TrafficJudge({ contracts, baseUrl: 'http://server.test' });
  for (const number of [1, 2, 3]) await judge.see(passed(number, { api, operation, got }));
  const { findings } = await judge.report();
  return findings
    .filter(({ kind, says }) => kind === 'doubt' && says.includes('shared cache'))
    .map(({ says, exchanges }) => `${says} (${exchanges.join()})`);
}

test('three answers without a word about caches are one doubt', async () => {
  expect(await doubts('desks', 'header', [])).toStrictEqual([
    '3 of 3 reads of desks with a credential in X-API-Key got an answer that a shared cache may give to other callers: no Cache-Control (x0001,x0002,x0003)',
  ]);
});

test.each<[string, string, string, Lines]>([
  ['private', 'desks', 'header', [['Cache-Control', 'private']]],
  ['no-store', 'desks', 'header', [['cache-control', 'no-store']]],
  ['Vary by the header', 'desks', 'header', [['Vary', 'X-API-Key']]],
  ['what a built-in contract leaves to the server', 'router', 'listModels', [['Cache-Control', 'public']]],
])('no doubt about %s', async (_, api, operation, got) => {
  expect(await doubts(api, operation, got)).toStrictEqual([]);
});
