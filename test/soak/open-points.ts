/**
 * Whether the suite blames a server for a choice that is its own: `npm run soak -- open-points`, with `--runs N` for another
 * number of combinations than 200. The whole suite on mocks that make legal choices at random where the contract makes
 * none. What it fails or warns of is printed with the seed, and exit 1. With `--write` the table goes to docs/soak.md.
 */
import { parseArgs } from 'node:util';
import { alarmsOf, combinationOf, ownTurns, settingsOf } from '../kill-matrix/turned-points.ts';
import { writeSection } from './page.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '200' } }, strict: false });
const runs = Number(values.runs);
const turns = await ownTurns();
const points = new Set(turns.map(({ point }) => point));
let turned = 0;
let alarmed = 0;
for (let seed = 1; seed <= runs; seed += 1) {
  const chosen = combinationOf(turns, seed);
  turned += chosen.length;
  for (const setting of settingsOf(chosen)) {
    const { alarms } = await alarmsOf(setting, chosen);
    alarmed += alarms.length;
    for (const alarm of alarms)
      process.stdout.write(`seed ${String(seed)}, ${setting.apis.join(' and ')}: ${alarm}\n`);
  }
}
const table = writeSection('open-points', [
  ['open points', 'their other legal values', 'combinations', 'turned in each, on average', 'alarms'],
  [points.size, turns.length, runs, Math.round(turned / runs), alarmed].map(String),
]);
process.stdout.write(`\n${table}\n`);
if (alarmed > 0) process.exitCode = 1;
