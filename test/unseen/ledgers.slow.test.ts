// @module-tag long
import { LEDGER_FAULTS } from './ledgers/faults.ts';
import { measuredLedgers } from './ledgers/measured.ts';
import { measureSet } from './measured-set.ts';

measureSet('ledgers', measuredLedgers, LEDGER_FAULTS, []);
