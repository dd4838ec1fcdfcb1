import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { FLAG_FIXTURES, FLAG_FIXTURES_LARGER } from './fixtures.ts';
import { FLAGS, FLAGS_SHEET, FLAGS_SHEET_FREE, flagsServer } from './server.ts';

/** The contract of flags, and a server for each of its faults. */
export const measuredFlags = async (): Promise<Measured> => ({
  contract: await own('flags', FLAGS, FLAGS_SHEET),
  fixtures: FLAG_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer token-of-red' },
  server: flagsServer,
});

/** The same, where archiving needs no If-Match, with fixtures that say more. */
export const measuredFlagsFree = async (): Promise<Measured> => ({
  ...(await measuredFlags()),
  contract: await own('flags', FLAGS, FLAGS_SHEET_FREE),
  fixtures: FLAG_FIXTURES_LARGER,
  server: (clock, faults) => flagsServer(clock, faults, false),
});
