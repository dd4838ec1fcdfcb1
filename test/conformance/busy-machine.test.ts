import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Clock, Transport } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { routerContract } from './servers.ts';

const RULE = 'router.idem.in-flight-409';

/** Judges a faithful mock over a line on which each second run of its slow model comes when the first one has ended. */
async function verdictOn(late: (clock: Clock) => Clock): Promise<string | undefined> {
  const clock = virtualClock();
  const mock = createMock({ apis: ['router'], clock });
  await mock.ready();
  const inner = inProcess(mock.handle);
  let runs = 0;
  const transport: Transport = async (request) => {
    if (request.method === 'POST' && request.target.endsWith('/mock/slow') && (runs += 1) % 2 === 0)
      await clock.sleep(2_500, request.signal);
    return inner(request);
  };
  const read = readFixtures(JSON.stringify(mock.fixtures()), {});
  if (!read.ok) throw new Error('the fixtures do not read');
  const report = await runConformance({
    ...{ contracts: await routerContract(), baseUrl: 'https://mock.example', transport, clock: late(clock) },
    ...{ fixtures: read.fixtures, allow: permissions, rules: [RULE], seed: 1 },
  });
  mock.close();
  return report.rules.find(({ id }) => id === RULE)?.verdict;
}

test(`${RULE}: what comes late from a machine that is busy shows nothing`, async () => {
  const busy = (clock: Clock): Clock => ({
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms < 100 ? ms + 700 : ms, signal),
  });
  expect(await verdictOn(busy)).toBe('inconclusive');
});

test(`${RULE}: what comes late every time from a machine that is not busy is no coincidence`, async () => {
  expect(await verdictOn((clock) => clock)).toBe('fail');
});
