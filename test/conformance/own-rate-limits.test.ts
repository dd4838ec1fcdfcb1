import { expect, test } from 'vitest';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report, Transport } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { printsContract } from '../mock/prints.ts';

/** A server in front of which a gateway lets a number of requests through each second. */
async function judged(perSecond: number): Promise<{ readonly report: Report; readonly refused: number }> {
  const contract = await printsContract();
  const clock = virtualClock();
  const mock = createMock({ contracts: [contract], clock });
  await mock.ready();
  const server = inProcess(mock.handle);
  let [second, count, refused] = [0, 0, 0];
  const transport: Transport = async (request) => {
    const now = Math.floor(clock.now() / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    if (count <= perSecond) return server(request);
    refused += 1;
    const text = { 'Content-Type': 'text/plain', 'Retry-After': '1' };
    return {
      status: 429,
      headers: Object.entries(text),
      body: new Blob(['slow down']).stream(),
      informational: [],
    };
  };
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'https://prints.example',
    fixtures: { cred: { apiKey: 'k' } },
    allow: permissions,
    transport,
    clock,
    explore: 0,
  });
  mock.close();
  return { report, refused };
}

test('a rate limit that the document does not declare is waited for, also by calls that change something', async () => {
  const [free, limited] = [await judged(Number.POSITIVE_INFINITY), await judged(5)];
  expect(free.refused).toBe(0);
  expect(limited.refused).toBeGreaterThan(10);
  expect(limited.report.findings.filter(({ kind }) => kind === 'disturbed')).toEqual([]);
  const verdicts = ({ rules }: Report): readonly string[] =>
    rules.map(({ id, verdict }) => `${id} ${verdict}`);
  expect(verdicts(limited.report)).toEqual(verdicts(free.report));
});
