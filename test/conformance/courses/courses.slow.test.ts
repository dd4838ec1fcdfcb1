import { expect, test } from 'vitest';
import { inProcess } from '../../../cli/mock/in-process.ts';
import { permissions, readFixtures, runConformance } from '../../../conformance/index.ts';
import type { Fixtures } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { createMock, virtualClock } from '../../../mock/index.ts';
import { bookingsContract } from '../../mock/bookings.ts';
import { clubsContract } from '../../mock/clubs.ts';
import { codedRooms } from '../../mock/coded-rooms.ts';
import { hallsContract } from '../../mock/halls.ts';
import { helpDeskContract } from '../../mock/help-desk.ts';
import { invoicesContract } from '../../mock/invoices.ts';
import { papersContract } from '../../mock/papers.ts';
import { printsContract } from '../../mock/prints.ts';
import { shelvesContract } from '../../mock/shelves.ts';
import { stockContract } from '../../mock/stock.ts';
import { vehiclesContract } from '../../mock/vehicles.ts';
import type { Measured } from '../../unseen/measure.ts';
import { measuredMeters } from '../../unseen/meters/measured.ts';
import { measuredPolls } from '../../unseen/polls/measured.ts';
import { everyKind } from '../every-kind.ts';
import { desk, deskContract } from './desk.ts';
import { RACES } from './races.ts';
import { brokenIn, idsOfSearches, searched } from './searched.ts';

const SEEDS = [1, 2, 3];
const TWENTY = Array.from({ length: 20 }, (_, index) => index + 1);

test.each(RACES)(
  '%s is found in 20 of 20 runs at the usual number of requests',
  async (fault, unsaid, finding) => {
    const contract = await deskContract(unsaid);
    for (const seed of TWENTY) {
      const report = await searched(contract, (clock) => desk(clock, fault), { seed });
      expect(brokenIn(report), `seed ${String(seed)}`).toEqual(
        expect.arrayContaining([expect.stringMatching(finding)]),
      );
    }
  },
);

test('an honest desk has no alarm in 20 runs', async () => {
  const contract = await deskContract();
  for (const seed of TWENTY) expect(brokenIn(await searched(contract, desk, { seed }))).toEqual([]);
});

test.each<[string, () => Promise<Contract>]>([
  ['every kind of policy', everyKind],
  ['bookings', bookingsContract],
  ['clubs', clubsContract],
  ['rooms with codes', codedRooms],
  ['halls', hallsContract],
  ['a help desk', helpDeskContract],
  ['invoices', invoicesContract],
  ['papers', papersContract],
  ['prints', printsContract],
  ['shelves', shelvesContract],
  ['stock', stockContract],
  ['vehicles', vehiclesContract],
])('the mock of %s is explored without an alarm', async (_, contractOf) => {
  const contract = await contractOf();
  for (const profile of ['faithful', 'legal-but-odd'] as const)
    for (const seed of SEEDS) {
      const clock = virtualClock();
      const slow = { name: 'slow-work', ms: 3, times: null };
      const mock = createMock({ contracts: [contract], profile, clock, scenarios: [slow] });
      await mock.ready();
      const report = await runConformance({
        contracts: [contract],
        baseUrl: 'http://mock.localhost',
        allow: permissions,
        fixtures: fixturesOf({
          server: '*',
          writes: contract.operations.map(({ id }) => id),
          cred: { apiKey: 'mock-key', jwt: 'mock-token' },
        }),
        transport: inProcess(mock.handle),
        clock,
        seed,
        explore: 100,
        scenarios: idsOfSearches(contract),
      });
      mock.close();
      expect(brokenIn(report), `${profile}, seed ${String(seed)}`).toEqual([]);
      expect(report.exchanges.length).toBeGreaterThan(20);
    }
});

test.each<[string, () => Promise<Measured>]>([
  ['meters', measuredMeters],
  ['polls', measuredPolls],
])('an honest server of %s is explored without an alarm', async (_, measuredOf) => {
  const { contract, credential, fixtures, server } = await measuredOf();
  for (const seed of SEEDS) {
    const report = await searched(contract, (clock) => server(clock, []), {
      seed,
      more: { credential, fixtures: fixturesOf(fixtures) },
    });
    expect(brokenIn(report), `seed ${String(seed)}`).toEqual([]);
  }
});

// --- internal ---

function fixturesOf(given: object): Fixtures {
  const read = readFixtures(JSON.stringify(given), {});
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return read.fixtures;
}
