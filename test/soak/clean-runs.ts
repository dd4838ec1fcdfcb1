/**
 * Whether the suite blames an innocent: `npx tsx test/soak/clean-runs.ts [SEEDS]`, 20 when left out. The whole suite with
 * each seed on the faithful mock and on the legal but odd one, in one process and on one clock, over a line with latency of
 * any length in both directions that cuts answers anywhere. No rule may fail, and every verdict is to be the one of a run
 * without all that; the rest is printed with its seed, and exit 1. With `--write` the table goes to docs/soak.md.
 */
import { alarmsIn, innocents, judgeInnocent, told } from '../kill-matrix/innocent-runs.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';
import { writeSection } from './page.ts';

const seeds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 20);

const rows: string[][] = [['mock', 'seeds', 'rules judged in each', 'alarms', 'verdicts that changed']];
let isGood = true;
for (const { name, setting } of innocents) {
  const usual = await judgeMock(setting);
  const expected = new Map(usual.rules.map(({ id, verdict }) => [id, verdict]));
  let [alarmed, changed] = [0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const report = await judgeInnocent(setting, seed);
    const alarms = alarmsIn(report);
    const others = report.rules.filter(({ id, verdict }) => verdict !== expected.get(id)).map(told);
    alarmed += alarms.length;
    changed += others.length;
    for (const line of new Set([...alarms, ...others]))
      process.stdout.write(`${name}, seed ${seed}: ${line}\n`);
  }
  if (alarmed + changed > 0) isGood = false;
  rows.push([name, String(seeds), String(usual.rules.length), String(alarmed), String(changed)]);
}
process.stdout.write(`${writeSection('clean-runs', rows)}\n`);
process.exitCode = isGood ? 0 : 1;
