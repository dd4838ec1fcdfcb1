/**
 * `npm run faults`: puts each fault that somebody thought of into the second server and says whether the suite notices.
 *
 * `--api router,jobs`, `--only TEXT` (what the fault says), `--lanes N` (default 2). A fault that nothing shows is exit 1.
 */
import { parseArgs } from 'node:util';
import { Trials, inLanes } from '../trials.ts';
import { changedBy, settingsFor } from './fault.ts';
import { faults } from './index.ts';

const { values } = parseArgs({
  options: {
    api: { type: 'string', default: 'router,registry,jobs' },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
  },
});
const apis = values.api.split(',');
const wanted = faults.filter(({ api, says }) => apis.includes(api) && says.includes(values.only));
const trials = new Trials();
const noticed = await inLanes(wanted, Number(values.lanes), async (fault) => {
  const { signs } = await trials.of(settingsFor(fault), changedBy(fault));
  const word = signs.length > 0 ? 'noticed' : 'MISSED ';
  console.log(`${word} ${fault.api.padEnd(8)} ${fault.says}  ${signs.slice(0, 3).join(' ').slice(0, 160)}`);
  return signs.length > 0;
}).finally(() => trials.close());
for (const api of apis) {
  const own = wanted.flatMap((fault, index) => (fault.api === api ? [noticed[index] === true] : []));
  console.log(`${api.padEnd(8)} ${own.filter(Boolean).length} of ${own.length} noticed`);
}
process.exitCode = noticed.every(Boolean) ? 0 : 1;
