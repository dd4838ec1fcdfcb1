/**
 * `npm run faults`: puts each listed fault into the second server and says whether the suite notices.
 *
 * `--list blind` (default all), `--api router,jobs`, `--only 'TEXT|TEXT'` (what the fault says), `--rules 'router.idem.*'`
 * (default all), `--lanes N` (default 2). A fault that nothing shows is exit 1, unless its entry says why.
 */
import { commandLine } from '../../command-line.ts';
import { Trials, inLanes } from '../trials.ts';
import type { Setting } from '../judged.ts';
import { changedBy, settingsFor } from './fault.ts';
import type { Fault } from './fault.ts';
import { lists } from './index.ts';

const { values } = commandLine(import.meta.url, {
  options: {
    api: { type: 'string', default: 'router,registry,jobs' },
    list: { type: 'string', default: Object.keys(lists).join(',') },
    only: { type: 'string', default: '' },
    rules: { type: 'string' },
    lanes: { type: 'string', default: '2' },
  },
});
const apis = values.api.split(',');
const faults = Object.entries(lists).flatMap(([name, list]) =>
  values.list.split(',').includes(name) ? list : [],
);
const wanted = faults.filter(
  ({ api, says }) => apis.includes(api) && values.only.split('|').some((text) => says.includes(text)),
);
const { rules } = values;
const settings = (fault: Fault): readonly Setting[] =>
  settingsFor(fault).map((setting) =>
    rules === undefined ? setting : { ...setting, rules: rules.split(',') },
  );
const trials = new Trials();
const noticed = await inLanes(wanted, Number(values.lanes), async (fault) => {
  const { signs } = await trials.of(settings(fault), changedBy(fault));
  const missed = fault.unseen === undefined ? 'MISSED  ' : 'unseen  ';
  const word = signs.length > 0 ? 'noticed ' : fault.open === undefined ? missed : 'open    ';
  console.log(`${word} ${fault.api.padEnd(8)} ${fault.says}  ${signs.slice(0, 3).join(' ').slice(0, 160)}`);
  return signs.length > 0;
}).finally(() => trials.close());
for (const api of apis) {
  const own = wanted.map((fault, index) => ({ fault, isNoticed: noticed[index] === true }));
  const counted = own.filter(({ fault }) => fault.api === api && fault.open === undefined);
  const aside = own.filter(({ fault }) => fault.api === api && fault.open !== undefined);
  console.log(
    `${api.padEnd(8)} ${counted.filter(({ isNoticed }) => isNoticed).length} of ${counted.length} noticed; open: ${aside.length}, of which noticed: ${aside.filter(({ isNoticed }) => isNoticed).length}`,
  );
}
// What is open and noticed is a false alarm.
const isAsKnown = ({ open, unseen }: Fault, index: number): boolean =>
  noticed[index] === (open === undefined) || (open === undefined && unseen !== undefined);
process.exitCode = wanted.every(isAsKnown) ? 0 : 1;
