/**
 * Generated clients call generated servers of random documents: `npm run soak -- random-documents`. Documents: 100, or
 * `--documents N`; each has 40 operations that are called 10 times. Exit 1 where a value arrives differently at the
 * handler or at the caller, where one that the document describes is refused, or where a guard does not accept it.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { randomExchanges } from '../generator/random/exchanges.ts';
import { writeSection } from './page.ts';

const { values: options } = parseArgs({
  options: { documents: { type: 'string', default: '100' }, seed: { type: 'string' } },
  strict: false,
});
const documents = Number(options.documents);
const seed = Number(options.seed ?? randomInt(2 ** 30));
const found = { calls: 0, errors: 0, faults: 0 };
for (let index = 0; index < documents; index += 1) {
  // Operations take the seeds that follow that of their document.
  const own = seed + index * 100;
  const { calls, errors, faults } = await randomExchanges({ operations: 40, callsEach: 10, seed: own });
  found.calls += calls;
  found.errors += errors;
  found.faults += faults.length;
  for (const fault of faults.slice(0, 3)) process.stdout.write(`✖ seed ${String(own)} ${fault}\n`);
}
const rows = [
  ['documents', 'operations', 'calls', 'answered with an error that the document describes', 'faults'],
  [documents, documents * 40, found.calls, found.errors, found.faults].map(String),
];
process.stdout.write(`${writeSection('random-documents', rows)}\n`);
if (found.faults > 0) process.exitCode = 1;
