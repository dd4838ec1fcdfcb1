/**
 * Whether the searches alone raise an alarm on a mock that keeps every rule, and how many deviations they notice:
 * `npm run soak -- explore`. `--rounds N` seeds on each setting (default 5), `--requests N` of each search (default 60),
 * `--every N` tries each Nth deviation (default 10). Exit 1 where there is an alarm.
 */
import { parseArgs } from 'node:util';
import { deviationsOf } from '../kill-matrix/matrix.ts';
import { jobsOn, settingFor, surfaces } from '../kill-matrix/settings.ts';
import type { Setting } from '../kill-matrix/settings.ts';
import { brokenIn, exploreMock } from '../explore/explored.ts';
import { writeSection } from './page.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '60' },
    every: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
});
const explore = Number(values.requests);
const first = Date.now() % 1_000_000;
const settings: readonly Setting[] = [
  { apis: ['router'] },
  { apis: ['registry'] },
  ...surfaces.map((surface) => jobsOn({ surface })),
];
let runs = 0;
const alarms: string[] = [];
for (let seed = first; seed < first + Number(values.rounds); seed += 1)
  for (const setting of settings)
    for (const profile of [undefined, 'legal-but-odd'] as const) {
      const mock = profile === undefined ? setting.mock : { ...setting.mock, profile };
      const report = await exploreMock(mock === undefined ? setting : { ...setting, mock }, {
        explore,
        seed,
      });
      runs += 1;
      for (const broken of brokenIn(report)) alarms.push(`seed ${seed}, ${setting.apis.join()}: ${broken}`);
    }
for (const alarm of alarms) process.stdout.write(`${alarm}\n`);
let [tried, noticed] = [0, 0];
for (const { id, rule } of ['router', 'registry', 'jobs']
  .flatMap((api) => deviationsOf(api))
  .filter((_, index) => index % Number(values.every) === 0)) {
  const report = await exploreMock(settingFor({ id, rule }).setting, {
    explore,
    seed: first,
    deviations: [id],
  });
  tried += 1;
  if (brokenIn(report).length > 0) noticed += 1;
}
const rows = [
  ['searches of mocks that keep every rule', 'alarms', 'deviations', 'noticed by searches alone'],
  [String(runs), String(alarms.length), String(tried), String(noticed)],
];
process.stdout.write(`${writeSection('explore', rows)}\n`);
process.exitCode = alarms.length > 0 ? 1 : 0;
