/**
 * `npm run explored`: what the searches notice by themselves, without any probe that was written for a rule: deviations of
 * the mock, and random faults in the second server.
 *
 * `--requests N` of each search (default 200), `--mutants N` per area (default 20), `--seed N` (default 1), `--api router`,
 * `--every N` tries each Nth deviation only (default 1), `--write` writes docs/explored.md.
 */
import { writeFileSync } from 'node:fs';
import { commandLine } from '../command-line.ts';
import { deviationsOf } from '../kill-matrix/matrix.ts';
import { settingFor } from '../kill-matrix/settings.ts';
import { areas, settingsOf } from '../mutants/areas.ts';
import { whyNotCounted } from '../mutants/classified/index.ts';
import { mutated, nameOf } from '../mutants/mutations.ts';
import { Runner, sourceOf } from '../mutants/runner.ts';
import { sample } from '../mutants/sample.ts';
import { exploredDocument, exploredFile } from './document.ts';
import type { DeviationFate, MutantFate } from './document.ts';
import { exploreMock } from './explored.ts';

const { values } = commandLine(import.meta.url, {
  options: {
    requests: { type: 'string', default: '200' },
    mutants: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
    api: { type: 'string', default: 'router,registry,jobs' },
    write: { type: 'boolean', default: false },
  },
});
const [explore, perArea, seed, every] = [values.requests, values.mutants, values.seed, values.every].map(
  Number,
) as [number, number, number, number];
if (values.write && every !== 1) throw new Error('--write needs all deviations; leave out --every');
const apis = values.api.split(',');
const deviations: DeviationFate[] = [];
for (const api of apis)
  for (const { id, rule, alsoFails } of deviationsOf(api).filter((_, index) => index % every === 0)) {
    const { setting } = settingFor({ id, rule });
    const report = await exploreMock(setting, { explore, seed, deviations: [id] });
    const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    const declared = new Set([rule, ...alsoFails.map((along) => along.rule)]);
    const strays = broken.map((one) => one.id).filter((one) => !declared.has(one));
    const how = broken.some((one) => one.id === rule) ? 'rule' : broken.length > 0 ? 'companion' : 'missed';
    deviations.push({ api, id, how, strays });
    if (strays.length > 0) console.log(`STRAY    ${id}: ${strays.join(' ')}`);
  }
const mutants: MutantFate[] = [];
const runner = new Runner();
try {
  for (const area of areas.filter(
    (one) => perArea > 0 && settingsOf(one)[0]?.apis.some((api) => apis.includes(api)),
  ))
    for (const mutation of sample(area, perArea, seed)) {
      const changed = new Map([[mutation.file, mutated(sourceOf(mutation.file), mutation)]]);
      let signs: readonly string[] = [];
      for (const setting of settingsOf(area)) {
        const outcome = await runner.judge({ ...setting, exploreOnly: explore }, changed);
        signs =
          'failed' in outcome
            ? [outcome.failed]
            : [...outcome.broken, ...outcome.findings, ...(outcome.exitCode === 3 ? ['exit code 3'] : [])];
        if (signs.length > 0) break;
      }
      mutants.push({ area, name: nameOf(mutation), signs, excuse: whyNotCounted(mutation)?.is });
      console.log(
        `${signs.length > 0 ? 'noticed ' : 'survived'} ${area} ${nameOf(mutation)} ${signs[0] ?? ''}`,
      );
    }
} finally {
  runner.close();
}
const page = exploredDocument({ deviations, mutants, explore, seed });
if (values.write) writeFileSync(exploredFile, page);
console.log(
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(0, 12)
    .join('\n'),
);
process.exitCode = deviations.some(({ strays }) => strays.length > 0) ? 1 : 0;
