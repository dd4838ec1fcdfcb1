import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { REPAIR_FIXTURES } from './fixtures.ts';
import { REPAIRS, REPAIRS_SHEET, repairsServer } from './server.ts';

/** The contract of repairs, and a server for each of its faults. */
export const measuredRepairs = async (): Promise<Measured> => ({
  contract: await own('repairs', REPAIRS, REPAIRS_SHEET),
  fixtures: REPAIR_FIXTURES,
  credential: { header: 'X-Shop-Key', value: 'sk_north_4711' },
  server: repairsServer,
});
