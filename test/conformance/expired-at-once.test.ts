import { expect, test } from 'vitest';
import { readFixtures, runConformance } from '../../conformance/index.ts';
import type { Transport } from '../../conformance/index.ts';
import { seededRandom } from '../../conformance/schemas/seed.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { headerIn, routerContract } from './servers.ts';

const headers: readonly (readonly [string, string])[] = [
  ['Content-Type', 'application/json'],
  ['X-Service-Request-Id', 'r'],
  ['X-Service-Error-Type', 'unauthorized'],
];

async function* refusal(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('{"error_type":"unauthorized","detail":"no"}'));
}

test.each([20, 60, 100])(
  'a credential that expires under many requests at once, after %i of them, makes no rule fail',
  async (lasts) => {
    const clock = virtualClock();
    const mock = createMock({ apis: ['router'], clock });
    await mock.ready();
    const inner = inProcess(mock.handle);
    let [accepted, refused] = [0, 0];
    const random = seededRandom(`expires after ${String(lasts)}`);
    const transport: Transport = async (request) => {
      await clock.sleep(random() * 20);
      if (headerIn(request, 'x-api-key') !== 'service-mock-ok' || (accepted += 1) <= lasts)
        return inner(request);
      // The reads that find out take long, and others are refused meanwhile.
      if ((refused += 1) > 4) await clock.sleep(100);
      return { status: 401, headers, body: refusal() };
    };
    const read = readFixtures(JSON.stringify(mock.fixtures()), {});
    if (!read.ok) throw new Error('the fixtures do not read');
    const report = await runConformance({
      ...{ contracts: await routerContract(), baseUrl: 'https://mock.example', transport, clock },
      ...{ fixtures: read.fixtures, allow: ['negatives'], concurrency: 10, seed: lasts },
    });
    mock.close();
    expect(refused).toBeGreaterThan(4);
    expect(report.findings).toContainEqual(expect.objectContaining({ kind: 'disturbed' }));
    expect(report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toStrictEqual([]);
  },
);
