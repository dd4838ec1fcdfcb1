import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { FLAG_FIXTURES } from './fixtures.ts';
import { FLAGS, FLAGS_SHEET, flagsServer } from './server.ts';

/** The contract of flags, and a server for each of its faults. */
export const measuredFlags = async (): Promise<Measured> => ({
  contract: await own('flags', FLAGS, FLAGS_SHEET),
  fixtures: FLAG_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer token-of-red' },
  server: flagsServer,
});
