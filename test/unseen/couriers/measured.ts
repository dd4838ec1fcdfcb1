import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { COURIER_FIXTURES } from './fixtures.ts';
import {
  COURIERS,
  COURIERS_SHEET,
  COURIERS_WITH_ROOM,
  COURIERS_WITH_ROOM_SHEET,
  couriersServer,
} from './server.ts';

/** The contract of couriers, and a server for each of its faults. */
export const measuredCouriers = async (): Promise<Measured> => ({
  contract: await own('couriers', COURIERS, COURIERS_SHEET),
  fixtures: COURIER_FIXTURES,
  credential: { header: 'X-Api-Key', value: 'key-of-the-shop' },
  server: couriersServer,
});

/** The same, where the bound of open deliveries is out of reach. */
export const measuredCouriersWithRoom = async (): Promise<Measured> => ({
  ...(await measuredCouriers()),
  contract: await own('couriers', COURIERS_WITH_ROOM, COURIERS_WITH_ROOM_SHEET),
  server: (clock, faults) => couriersServer(clock, faults, 600),
});
