/**
 * Guards of random schemas, judged by a plain reading of JSON Schema 2020-12, and ajv beside them: `npm run soak --
 * random-schemas`. Schemas: 20,000, or `--schemas N`; each is asked about 20 values. Exit 1 where a guard is wrong, or where
 * ajv is and no known fault of ajv's explains it.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { randomVerdicts } from '../schema-suite/random-verdicts.ts';
import { writeSection } from './page.ts';

const { values: options } = parseArgs({
  options: { schemas: { type: 'string', default: '20000' }, seed: { type: 'string' } },
  strict: false,
});
const seed = Number(options.seed ?? randomInt(2 ** 30));
const verdicts = await randomVerdicts({ schemas: Number(options.schemas), valuesEach: 20, seed });
const { values, right, telling, guardFaults, unexplained, ajvFaults } = verdicts;
for (const text of [...guardFaults, ...unexplained].slice(0, 10)) process.stdout.write(`✖ ${text}\n`);
const rows = [
  ['schemas', 'values', 'right values', 'schemas with right and wrong values', 'guards wrong', 'ajv wrong'],
  [Number(options.schemas), values, right, telling, guardFaults.length, sum([...ajvFaults.values()])].map(
    String,
  ),
];
const faults = [
  ['what ajv does', 'values'],
  ...[...ajvFaults].map(([name, count]) => [name, String(count)]),
  ...(unexplained.length === 0 ? [] : [['unexplained', String(unexplained.length)]]),
];
process.stdout.write(`${writeSection('random-schemas', rows)}\n\n${writeSection('ajv-faults', faults)}\n`);
process.exitCode = guardFaults.length + unexplained.length > 0 ? 1 : 0;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
