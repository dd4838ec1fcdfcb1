import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Clock, Transport } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { busy } from './busy-clock.ts';
import { routerContract } from './servers.ts';

const IN_FLIGHT = 'router.idem.in-flight-409';
const LIMIT = 'router.run.429-bucket';

interface Bound {
  readonly concurrency: { readonly id: string; readonly bound: number };
}

/** Judges a faithful mock over a line on which the call that should meet others comes when they have ended. */
async function verdictOf(rule: string, late: (clock: Clock) => Clock): Promise<string | undefined> {
  const clock = virtualClock();
  const mock = createMock({ apis: ['router'], clock });
  await mock.ready();
  const inner = inProcess(mock.handle);
  const { id, bound } = (mock.fixtures() as unknown as Bound).concurrency;
  const [model, beside] = rule === LIMIT ? [id, bound] : ['mock/slow', 1];
  let runs = 0;
  const transport: Transport = async (request) => {
    const isRun = request.method === 'POST' && request.target.endsWith(model);
    if (isRun && (runs += 1) % (beside + 1) === 0) await clock.sleep(20_000, request.signal);
    return inner(request);
  };
  const read = readFixtures(JSON.stringify(mock.fixtures()), {});
  if (!read.ok) throw new Error('the fixtures do not read');
  const report = await runConformance({
    ...{ contracts: await routerContract(), baseUrl: 'https://mock.example', transport, clock: late(clock) },
    ...{ fixtures: read.fixtures, allow: permissions, rules: [rule], seed: 1 },
  });
  mock.close();
  return report.rules.find((one) => one.id === rule)?.verdict;
}

test.each([IN_FLIGHT, LIMIT])(
  '%s: what comes late from a machine that is busy shows nothing',
  async (rule) => {
    expect(await verdictOf(rule, busy)).toBe('inconclusive');
  },
);

test.each([
  [IN_FLIGHT, 'fail'],
  [LIMIT, 'error'],
])('%s: what comes late from a machine that is not busy is no coincidence: %s', async (rule, verdict) => {
  expect(await verdictOf(rule, (clock) => clock)).toBe(verdict);
});
