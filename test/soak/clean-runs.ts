/**
 * Whether the suite blames an innocent: `npx tsx test/soak/clean-runs.ts [RUNS]`, 100 when left out. The whole suite on the
 * faithful mock and on the legal but odd one, in one process and on one clock, over a line with latency of any length in
 * both directions that cuts answers anywhere. Every verdict is to be the one of a run without all that; the rest is
 * printed with its seed, and exit 1. With `--write` the table goes to docs/soak.md.
 */
import type { Transport, WireResponse } from '../../conformance/index.ts';
import type { Clock } from '../../conformance/transport.ts';
import { seededRandom } from '../../conformance/seed.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';
import { jobsOn, surfaces } from '../kill-matrix/settings.ts';
import type { Setting } from '../kill-matrix/settings.ts';
import { writeSection } from './page.ts';

const runs = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 100);

/** Milliseconds, at most: on the way there, on the way back, and between two pieces of an answer. */
const LATENCY_MS = 120;
const PIECE_MS = 20;

const settings: Readonly<Record<string, Setting>> = {
  'router and registry': { apis: ['router', 'registry'] },
  ...Object.fromEntries(surfaces.map((surface) => [`jobs, ${surface}`, jobsOn({ surface })])),
};
const profiles = ['faithful', 'legal-but-odd'] as const;

/** A line that takes its time and cuts answers into pieces. */
function slowLine(inner: Transport, clock: Clock, random: () => number): Transport {
  return async (request) => {
    await clock.sleep(random() * LATENCY_MS, request.signal);
    const response = await inner(request);
    await clock.sleep(random() * LATENCY_MS, request.signal);
    return { ...response, body: inPieces(response.body, clock, random) };
  };
}

async function* inPieces(
  body: WireResponse['body'],
  clock: Clock,
  random: () => number,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    const cut = Math.floor(random() * chunk.length);
    for (const piece of [chunk.subarray(0, cut), chunk.subarray(cut)]) {
      if (piece.length === 0) continue;
      yield piece;
      await clock.sleep(random() * PIECE_MS);
    }
  }
}

const rows: string[][] = [['mock', 'runs', 'rules judged in each', 'verdicts that changed']];
let changed = 0;
for (const [name, setting] of Object.entries(settings)) {
  for (const profile of profiles) {
    const odd = { ...setting, mock: { ...setting.mock, profile } };
    const usual = await judgeMock(odd);
    const expected = new Map(usual.rules.map(({ id, verdict }) => [id, verdict]));
    let here = 0;
    for (let seed = 1; seed <= runs; seed += 1) {
      const random = seededRandom(`line/${seed}`);
      const report = await judgeMock({ ...odd, line: (inner, clock) => slowLine(inner, clock, random) });
      for (const { id, verdict, observed, reason } of report.rules) {
        if (verdict === expected.get(id)) continue;
        here += 1;
        process.stdout.write(
          `${name}, ${profile}, seed ${seed}: ${id} ${verdict}: ${observed ?? reason ?? ''}\n`,
        );
      }
    }
    changed += here;
    rows.push([`${name}, ${profile}`, String(runs), String(usual.rules.length), String(here)]);
  }
}
process.stdout.write(`${writeSection('clean-runs', rows)}\n`);
process.exitCode = changed === 0 ? 0 : 1;
