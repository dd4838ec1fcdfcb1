import { expect, test } from 'vitest';
import type { Transport } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { courierTrials } from './couriers/trials.ts';
import { meterTrials } from './meters/trials.ts';
import { pollTrials } from './polls/trials.ts';
import { ENVELOPE_FAULTS } from './envelopes/faults.ts';
import { envelopesServer } from './envelopes/server.ts';
import { envelopeTrials } from './envelopes/trials.ts';
import { COURIER_FAULTS } from './couriers/faults.ts';
import { METER_FAULTS } from './meters/faults.ts';
import { POLL_FAULTS } from './polls/faults.ts';
import { couriersServer } from './couriers/server.ts';
import { flagTrials } from './flags/trials.ts';
import { FLAG_FAULTS } from './flags/faults.ts';
import { flagsServer } from './flags/server.ts';
import { LEDGER_FAULTS } from './ledgers/faults.ts';
import { ledgersServer } from './ledgers/server.ts';
import { ledgerTrials } from './ledgers/trials.ts';
import { metersServer } from './meters/server.ts';
import { pollsServer } from './polls/server.ts';
import { REPAIR_FAULTS } from './repairs/faults.ts';
import { repairsServer } from './repairs/server.ts';
import { repairTrials } from './repairs/trials.ts';
import { SEAT_FAULTS } from './seats/faults.ts';
import { seatsServer } from './seats/server.ts';
import { seatTrials } from './seats/trials.ts';
import { TRANSCRIPTION_FAULTS } from './transcriptions/faults.ts';
import { transcriptionsServer } from './transcriptions/server.ts';
import { transcriptionTrials } from './transcriptions/trials.ts';
import { caller, type Trial } from './trial.ts';
import { ZONE_FAULTS } from './zones/faults.ts';
import { zonesServer } from './zones/server.ts';
import { zoneTrials } from './zones/trials.ts';

/** A trial of a few dozen requests says the same of an honest server each time, and something else of one with the fault. */
const sets: readonly (readonly [
  string,
  Readonly<Record<string, Trial>>,
  typeof metersServer,
  Readonly<Record<string, string>>,
])[] = [
  ['flags', flagTrials, flagsServer, { Authorization: 'Bearer token-of-red' }],
  ['ledgers', ledgerTrials, ledgersServer, { Authorization: 'Bearer token-of-the-mill' }],
  ['meters', meterTrials, metersServer, { 'X-Key': 'key-of-the-owner' }],
  ['polls', pollTrials, pollsServer, { Authorization: 'Bearer token-of-the-office' }],
  ['couriers', courierTrials, couriersServer, { 'X-Api-Key': 'key-of-the-shop' }],
  ['envelopes', envelopeTrials, envelopesServer, { Authorization: 'Bearer token-of-the-harbour' }],
  ['repairs', repairTrials, repairsServer, { 'X-Shop-Key': 'sk_north_4711' }],
  ['seats', seatTrials, seatsServer, { Authorization: 'Bearer token-of-the-opera' }],
  [
    'transcriptions',
    transcriptionTrials,
    transcriptionsServer,
    { Authorization: 'Bearer editor-of-the-harbour' },
  ],
  ['zones', zoneTrials, zonesServer, { 'X-Api-Key': 'dns_north_5150' }],
];
const cases = sets.flatMap(([name, trials, server, credential]) =>
  Object.entries(trials).map(([fault, trial]) => ({ name, fault, trial, server, credential })),
);

const most = 48;

test.each(cases)(
  '$name: $fault can be decided by a few dozen requests',
  async ({ fault, trial, server, credential }) => {
    const seen = async (faults: readonly string[]): Promise<unknown> => {
      const clock = virtualClock();
      let count = 0;
      const inner = server(clock, faults);
      const counted: Transport = (request) => {
        count += 1;
        return inner(request);
      };
      const found = await trial(caller(counted, credential));
      expect(count).toBeLessThanOrEqual(most);
      return found;
    };
    const honest = await seen([]);
    expect(honest).toBe(true);
    expect(await seen([fault])).toBe(false);
  },
);

test('every trial is of a fault', () => {
  const all = [
    ...[...COURIER_FAULTS, ...FLAG_FAULTS, ...METER_FAULTS, ...POLL_FAULTS],
    ...ENVELOPE_FAULTS,
    ...[...LEDGER_FAULTS, ...REPAIR_FAULTS, ...SEAT_FAULTS, ...TRANSCRIPTION_FAULTS],
    ...ZONE_FAULTS,
  ];
  const names = all.map(({ name }) => name);
  expect(cases.map(({ fault }) => fault).filter((fault) => !names.includes(fault))).toEqual([]);
});
