/**
 * `npm run mutants`: puts small random faults into the second server, one at a time, and counts those that the suite notices.
 * The faults are random, so the count is not biased by their choice.
 *
 * `--count N` (default 100 for each seed, shared by the areas), `--seed N,N` (default 1), `--area router,jobs`, `--only TEXT`
 * (name of a mutation), `--write` writes docs/mutants.md. `--state FILE` keeps what became of each mutation: a run that is stopped is
 * continued, and after the suite has changed only the survivors without a reason are tried again, so that a large sample can be spread over
 * several runs. `--lanes N` (default 2): servers that are tried at the same time.
 */
import { writeFileSync } from 'node:fs';
import { commandLine } from '../command-line.ts';
import { areas, settingsOf } from './areas.ts';
import type { Area } from './areas.ts';
import { whyNotCounted } from './classified/index.ts';
import { mutantsDocument, mutantsFile, scoresOf } from './document.ts';
import type { Fate } from './document.ts';
import { mutated, nameOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { sourceOf } from './runner.ts';
import { sample } from './sample.ts';
import { keptFates } from './state.ts';
import { Trials, inLanes } from './trials.ts';

const { values } = commandLine(import.meta.url, {
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string', default: areas.join(',') },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    state: { type: 'string' },
    lanes: { type: 'string', default: '2' },
  },
});
const chosen = areas.filter((area) => values.area.split(',').includes(area));
const trials = new Trials();
const kept = keptFates(values.state);

async function fateOf(area: Area, mutation: Mutation): Promise<Fate> {
  const changed = new Map([[mutation.file, mutated(sourceOf(mutation.file), mutation)]]);
  const known = kept.settled(area, mutation);
  const fate = known ?? { area, mutation, ...(await trials.of(settingsOf(area), changed)) };
  if (known === undefined) kept.keep(fate);
  const why = whyNotCounted(mutation);
  const word = fate.signs.length > 0 ? 'noticed ' : why === undefined ? 'SURVIVED' : why.is.padEnd(8);
  const tail =
    fate.signs.slice(0, 3).join(' ') || (fate.lost.length > 0 ? `lost: ${fate.lost.join(' ')}` : '');
  console.log(`${word} ${mutation.line}:${mutation.column} ${nameOf(mutation)}  ${tail.slice(0, 160)}`);
  return fate;
}

const share = Math.ceil(Number(values.count) / chosen.length);
const { only } = values;
const seeds = only === undefined ? values.seed.split(',').map(Number) : [1];
const wanted = seeds.flatMap((seed) =>
  chosen.flatMap((area) => {
    const drawn =
      only === undefined
        ? sample(area, share, seed)
        : sample(area, Number.POSITIVE_INFINITY, seed).filter((one) => nameOf(one).includes(only));
    return drawn.map((mutation) => ({ seed, area, mutation }));
  }),
);
const fates = await inLanes(wanted, Number(values.lanes), async ({ seed, area, mutation }) => ({
  seed,
  ...(await fateOf(area, mutation)),
})).finally(() => trials.close());
for (const { area, tried, noticed, holes } of scoresOf(fates))
  console.log(
    `${area.padEnd(9)} ${noticed} of ${noticed + holes} noticed; ${tried - noticed - holes} set aside of ${tried}`,
  );
if (values.write) {
  writeFileSync(mutantsFile, mutantsDocument(fates));
  console.log(`written: ${mutantsFile}`);
}
process.exitCode = fates.some(
  ({ signs, mutation }) => signs.length === 0 && whyNotCounted(mutation) === undefined,
)
  ? 1
  : 0;
