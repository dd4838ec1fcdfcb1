/**
 * `npm run mutants`: puts small random faults into the second server, one at a time, and counts those that the suite notices.
 * Nobody chose the faults, so nobody can flatter the count.
 *
 * `--count N` (default 300, shared by the areas), `--seed N` (default 1), `--area router,jobs`, `--only TEXT` (name of a
 * mutation), `--write` writes docs/mutants.md. `--state FILE` keeps what became of each mutation: a run that is stopped is
 * continued, and after the suite has changed only the survivors are tried again, so that a large sample can be spread over
 * several runs.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { areas, settingsOf } from './areas.ts';
import type { Area } from './areas.ts';
import { whyNotCounted } from './classified.ts';
import { mutantsDocument, mutantsFile } from './document.ts';
import type { Fate } from './document.ts';
import type { Judged, Setting } from './judged.ts';
import { nameOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';
import { Runner } from './runner.ts';
import type { Outcome } from './runner.ts';
import { sample } from './sample.ts';
import { keptFates } from './state.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string', default: areas.join(',') },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    state: { type: 'string' },
  },
});
const chosen = areas.filter((area) => values.area.split(',').includes(area));
const runner = new Runner();
const clean = new Map<string, Judged>();
const fates: Fate[] = [];
const kept = keptFates(values.state);

async function honest(setting: Setting): Promise<Judged> {
  const key = JSON.stringify(setting);
  const known = clean.get(key);
  if (known !== undefined) return known;
  const outcome = await runner.judge(setting);
  if (signsOf(outcome).length > 0 || 'failed' in outcome)
    throw new Error(`the second server without a mutation does not pass: ${JSON.stringify(outcome)}`);
  clean.set(key, outcome);
  return outcome;
}

/** What shows that a server is not as it was; empty where nothing does. */
function signsOf(outcome: Outcome): readonly string[] {
  if ('failed' in outcome) return [outcome.failed];
  if (outcome.broken.length > 0) return outcome.broken;
  return outcome.findings.length > 0 ? outcome.findings : outcome.exitCode === 0 ? [] : ['exit code'];
}

async function fateOf(area: Area, mutation: Mutation): Promise<Fate> {
  let lost: readonly string[] = [];
  for (const setting of settingsOf(area)) {
    const before = await honest(setting);
    const outcome = await runner.judge(setting, mutation);
    let signs = signsOf(outcome);
    // A single sign may be the doing of a busy machine: it has to show a second time.
    if (signs.length === 1) {
      const again = signsOf(await runner.judge(setting, mutation));
      if (again.length === 0) signs = [];
    }
    if (signs.length > 0) return { area, mutation, signs, lost: [] };
    if (!('failed' in outcome))
      lost = [...lost, ...before.decided.filter((rule) => !outcome.decided.includes(rule))];
  }
  return { area, mutation, signs: [], lost };
}

try {
  for (const area of chosen) {
    const share = Math.ceil(Number(values.count) / chosen.length);
    const wanted =
      values.only === undefined
        ? sample(area, share, Number(values.seed))
        : sample(area, Number.POSITIVE_INFINITY, 1).filter((one) => nameOf(one).includes(values.only ?? ''));
    for (const mutation of wanted) {
      const known = kept.noticed(area, mutation);
      const fate = known ?? (await fateOf(area, mutation));
      if (known === undefined) kept.keep(fate);
      fates.push(fate);
      const why = whyNotCounted(mutation);
      const word = fate.signs.length > 0 ? 'noticed ' : why === undefined ? 'SURVIVED' : why.is.padEnd(8);
      const tail =
        fate.signs.slice(0, 3).join(' ') || (fate.lost.length > 0 ? `lost: ${fate.lost.join(' ')}` : '');
      console.log(`${word} ${mutation.line}:${mutation.column} ${nameOf(mutation)}  ${tail.slice(0, 160)}`);
    }
  }
} finally {
  runner.close();
}
for (const area of chosen) {
  const own = fates.filter((fate) => fate.area === area);
  const counted = own.filter(
    ({ signs, mutation }) => signs.length > 0 || whyNotCounted(mutation) === undefined,
  );
  const noticed = own.filter(({ signs }) => signs.length > 0).length;
  console.log(
    `${area.padEnd(9)} ${noticed} of ${counted.length} noticed; ${own.length - counted.length} set aside of ${own.length}`,
  );
}
if (values.write) {
  writeFileSync(mutantsFile, mutantsDocument(fates, Number(values.seed)));
  console.log(`written: ${mutantsFile}`);
}
process.exitCode = fates.some(
  ({ signs, mutation }) => signs.length === 0 && whyNotCounted(mutation) === undefined,
)
  ? 1
  : 0;
