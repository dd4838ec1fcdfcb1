import { fileURLToPath } from 'node:url';
import { areas } from './areas.ts';
import type { Area } from './areas.ts';
import { whyNotCounted } from './classified/index.ts';
import { nameOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';

/** What became of a mutation. */
export interface Fate {
  readonly area: Area;
  readonly mutation: Mutation;
  /** What showed it: broken rules, findings, a dead process. Empty where nothing did. */
  readonly signs: readonly string[];
  /** Rules that have a verdict without the mutation and none with it. */
  readonly lost: readonly string[];
}

/** The figures of one area. */
export interface Score {
  readonly area: Area;
  readonly tried: number;
  readonly noticed: number;
  readonly equal: number;
  readonly open: number;
  /** Mutations that survived and that no reason sets aside. */
  readonly holes: number;
}

export const mutantsFile = fileURLToPath(new URL('../../docs/mutants.md', import.meta.url));

export function scoresOf(fates: readonly Fate[]): readonly Score[] {
  return areas
    .filter((area) => fates.some((fate) => fate.area === area))
    .map((area) => {
      const own = fates.filter((fate) => fate.area === area);
      const survivors = own
        .filter(({ signs }) => signs.length === 0)
        .map(({ mutation }) => whyNotCounted(mutation));
      const setAside = (is: 'equal' | 'open'): number =>
        survivors.filter((reason) => reason?.is === is).length;
      return {
        area,
        tried: own.length,
        noticed: own.length - survivors.length,
        equal: setAside('equal'),
        open: setAside('open'),
        holes: survivors.filter((reason) => reason === undefined).length,
      };
    });
}

/** What became of a mutation that a seed drew. Two seeds may draw the same one. */
export interface DrawnFate extends Fate {
  readonly seed: number;
}

/** The page about a run of `npm run mutants`. */
export function mutantsDocument(fates: readonly DrawnFate[]): string {
  const seeds = [...new Set(fates.map(({ seed }) => seed))];
  const bySeed = seeds.flatMap((seed) =>
    scoresOf(fates.filter((fate) => fate.seed === seed)).map((score) => rowOf(String(seed), score)),
  );
  const scores = scoresOf(fates);
  const hasShared = scores.some(({ area }) => area === 'all');
  const shared = hasShared ? ' The area `all` holds what all APIs of that server share.' : '';
  const together = scores.map((score) => rowOf('each', score));
  const survivors = new Map(
    fates.filter(({ signs }) => signs.length === 0).map(({ mutation }) => [nameOf(mutation), mutation]),
  );
  const listed = [...survivors].map(([name, mutation]) => {
    const reason = whyNotCounted(mutation);
    const why = reason === undefined ? '**hole**' : `${reason.is}: ${reason.because}`;
    return `| ${code(name)} | ${cell(why)} |`;
  });
  return `${[
    '# Mutants',
    '',
    'How many small random faults of a server the suite notices. `npm run mutants` changes the source of the second server',
    '(`test/fixtures/second-server`, written from the contract documents alone) in one place at a time: a comparison, a',
    'condition, a constant, an operator, a pattern, or a statement or member less. Then the whole suite of the API judges the',
    'server. A mutant is noticed if a rule fails or warns, if the run has a finding, or if the server dies.',
    '',
    'The changes are drawn from a seed, not picked by a person. A survivor is set aside only for a reason that is written below:',
    '_equal_, no request can tell the mutant from the server, or _open_, the contract leaves what changed open. The rest are',
    'holes of the suite.',
    '',
    `${fates.length} mutants, drawn with ${seeds.length === 1 ? 'the seed' : 'the seeds'} ${seeds.join(', ')}.${shared}`,
    '',
    '| seed | area | mutants | noticed | equal | open | holes | noticed of those that count | set aside |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...bySeed,
    ...(seeds.length === 1 ? [] : together),
    rowOf(seeds.length === 1 ? String(seeds[0]) : 'each', totalOf(scores)),
    '',
    '## Survivors',
    '',
    '| mutation | why |',
    '| --- | --- |',
    ...listed,
  ].join('\n')}\n`;
}

// --- internal ---

function totalOf(scores: readonly Score[]): Row {
  const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
  return {
    area: '**together**',
    tried: sum(({ tried }) => tried),
    noticed: sum(({ noticed }) => noticed),
    equal: sum(({ equal }) => equal),
    open: sum(({ open }) => open),
    holes: sum(({ holes }) => holes),
  };
}

type Row = Omit<Score, 'area'> & { readonly area: string };

function rowOf(seed: string, { area, tried, noticed, equal, open, holes }: Row): string {
  const shares = [share(noticed, noticed + holes), share(equal + open, tried)];
  return `| ${[seed, area, tried, noticed, equal, open, holes, ...shares].join(' | ')} |`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${Math.round((100 * part) / whole)} %`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function code(text: string): string {
  return `\`\` ${cell(text)} \`\``;
}
