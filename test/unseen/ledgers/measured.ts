import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { LEDGER_FIXTURES } from './fixtures.ts';
import { LEDGERS, LEDGERS_SHEET, ledgersServer } from './server.ts';

/** The contract of ledgers, and a server for each of its faults. */
export const measuredLedgers = async (): Promise<Measured> => ({
  contract: await own('ledgers', LEDGERS, LEDGERS_SHEET),
  fixtures: LEDGER_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer token-of-the-mill' },
  server: ledgersServer,
});
