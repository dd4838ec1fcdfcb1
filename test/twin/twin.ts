/**
 * `npm run twin`: what the templates of policies and the probes of documents notice alone. The built-in contracts are handed
 * in as a user's own, and each deviation of their mocks is tried. Writes docs/twin.md.
 *
 * `--sample N` tries N deviations of each API only (default: all), `--api router` only those of this API,
 * `--only TEXT` those whose ids contain the text; these two without the page.
 */
import { writeFileSync } from 'node:fs';
import { ownContractNames } from '../../contract/index.ts';
import { commandLine, mistaken } from '../command-line.ts';
import { noticedIn, twinDocument, twinFile } from './document.ts';
import { floor } from './floor.ts';
import { knownAlarms } from './known-alarms.ts';
import { tryTwins } from './trials.ts';

const { values } = commandLine(import.meta.url, {
  options: { sample: { type: 'string' }, api: { type: 'string' }, only: { type: 'string' } },
});
const sample = values.sample === undefined ? undefined : Number(values.sample);
if (sample !== undefined && !(Number.isInteger(sample) && sample > 0))
  mistaken(import.meta.url, `--sample ${values.sample ?? ''}: expected a number of deviations`);
const apis = ownContractNames.filter((api) => values.api === undefined || api === values.api);
if (apis.length === 0)
  mistaken(import.meta.url, `--api ${values.api ?? ''}: expected ${ownContractNames.join(', ')}`);

const trial = await tryTwins({
  sample,
  apis,
  only: values.only,
  tell: ({ deviation, noticedBy, miss }) => {
    console.log(
      miss === undefined
        ? `noticed  ${deviation.id}  ${noticedBy.join(' ')}`
        : `missed   ${deviation.id}  ${miss}`,
    );
  },
});
const { fates, alarms, all } = trial;
const noticed = noticedIn(fates);
for (const { setting, rule, seen } of alarms) console.log(`alarm    ${setting}: ${rule} ${seen}`);
console.log(`${noticed} of ${fates.length} deviations noticed`);
const isPart = values.api !== undefined || values.only !== undefined;
if (!isPart) {
  writeFileSync(twinFile, twinDocument(trial));
  console.log(`written: ${twinFile}`);
}
const isLower = !isPart && fates.length === all && noticed < floor.all;
if (isLower) console.log(`✖ at least ${floor.all} were noticed before`);
process.exitCode = isLower || alarms.some(({ rule }) => knownAlarms[rule] === undefined) ? 1 : 0;
