import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { SEAT_FIXTURES } from './fixtures.ts';
import { SEATS, SEATS_SHEET, seatsServer } from './server.ts';

/** The contract of seats, and a server for each of its faults. */
export const measuredSeats = async (): Promise<Measured> => ({
  contract: await own('seats', SEATS, SEATS_SHEET),
  fixtures: SEAT_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer token-of-the-opera' },
  server: seatsServer,
});
