import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { METER_FIXTURES } from './fixtures.ts';
import { METERS, metersServer, METERS_SHEET } from './server.ts';

/** The contract of meters, and a server for each of its faults. */
export const measuredMeters = async (): Promise<Measured> => ({
  contract: await own('meters', METERS, METERS_SHEET),
  fixtures: METER_FIXTURES,
  credential: { header: 'X-Key', value: 'key-of-the-owner' },
  server: metersServer,
});
