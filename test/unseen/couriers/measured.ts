import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { COURIER_FIXTURES } from './fixtures.ts';
import { COURIERS, COURIERS_SHEET, couriersServer } from './server.ts';

/** The contract of couriers, and a server for each of its faults. */
export const measuredCouriers = async (): Promise<Measured> => ({
  contract: await own('couriers', COURIERS, COURIERS_SHEET),
  fixtures: COURIER_FIXTURES,
  credential: { header: 'X-Api-Key', value: 'key-of-the-shop' },
  server: couriersServer,
});
