/**
 * Whether the suite blames a server for a choice that is its own: `npm run soak -- open-points`, with `--runs N` for another
 * number of combinations than 200. The whole suite on mocks that make one other legal choice where the contract makes none,
 * each of them in turn, and then on mocks that make many at random. What it fails or warns of is printed with the choice or the seed, and exit 1. With `--write` the table goes to docs/soak.md.
 */
import { parseArgs } from 'node:util';
import {
  alarmsOf,
  combinationOf,
  type OwnTurn,
  ownTurns,
  settingsOf,
  turnName,
} from '../kill-matrix/turned-points.ts';
import { writeSection } from './page.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '200' } }, strict: false });
const runs = Number(values.runs);
const turns = await ownTurns();
const combinations = Array.from({ length: runs }, (_, index) => combinationOf(turns, index + 1));
const points = new Set(turns.map(({ point }) => point));
let turned = 0;
let alarmed = 0;
const judge = async (name: string, chosen: readonly OwnTurn[]): Promise<void> => {
  for (const setting of settingsOf(chosen)) {
    const { alarms } = await alarmsOf(setting, chosen);
    alarmed += alarms.length;
    for (const alarm of alarms) process.stdout.write(`${name}, ${setting.apis.join(' and ')}: ${alarm}\n`);
  }
};
for (const turn of turns) await judge(turnName(turn), [turn]);
for (const [index, chosen] of combinations.entries()) {
  turned += chosen.length;
  await judge(`seed ${String(index + 1)}`, chosen);
}
const table = writeSection('open-points', [
  ['open points', 'their other legal values', 'combinations', 'turned in each, on average', 'alarms'],
  [points.size, turns.length, runs, Math.round(turned / runs), alarmed].map(String),
]);
process.stdout.write(`\n${table}\n`);
if (alarmed > 0) process.exitCode = 1;
