import { join } from 'node:path';
import { ownContractNames, packageRoot } from '../../contract/index.ts';
import { knownAlarms } from './known-alarms.ts';
import { reasonOf, reasons } from './kinds.ts';
import { misses } from './trials.ts';
import type { Fate, Miss, Trial } from './trials.ts';

export const twinFile = join(packageRoot(), 'docs', 'twin.md');

/** The page about a run of `npm run twin`. */
export function twinDocument({ fates, alarms, all }: Trial): string {
  const isWhole = fates.length === all;
  return [
    '# The twins of our contracts',
    '',
    `Written by \`npm run twin\`. Each built-in contract was handed in as a user's own: the same document and the same`,
    'sheet under another name, without its rules and without the module that only the built-in contract has. The fixtures',
    'name credentials, values of parameters, one valid body for each operation, and occasions. Then the mock of the built-in',
    'contract broke its rules, one at a time ([the kill matrix](kill-matrix.md) has them all), and only the probes of',
    'the document and the templates of the policies judged it. A deviation is noticed if a rule fails, or warns, that',
    'does not on the faithful mock.',
    '',
    isWhole
      ? `All ${all} deviations were tried.`
      : `${fates.length} of ${all} deviations were tried, a sample of each API.`,
    'A deviation is *general* if it could be one of any contract, and *own* if it needs an idea of this API.',
    '',
    ...table(
      ['contract', 'tried', 'noticed', 'general', 'noticed', 'own', 'noticed', 'rules', 'proved'],
      [
        ...ownContractNames.map((api) =>
          countsOf(
            api,
            fates.filter((one) => one.api === api),
          ),
        ),
        countsOf('together', fates),
      ],
    ),
    '',
    '"Rules": those that the tried deviations break. "Proved": those of which at least one deviation is noticed.',
    '',
    '## False alarms on the faithful mock',
    '',
    ...(alarms.length === 0
      ? ['None.']
      : table(
          ['mock', 'rule', 'seen', 'because'],
          alarms.map(({ setting, rule, seen }) => [
            setting,
            `\`${rule}\``,
            `\`${seen.replaceAll('`', "'").slice(0, LONGEST)}\``,
            knownAlarms[rule] ?? 'not known yet',
          ]),
        )),
    '',
    '## By policy and case',
    '',
    'As the rule names them that a deviation breaks.',
    '',
    ...table(
      ['policy', 'case', 'tried', 'noticed', 'general', 'noticed'],
      [...grouped(fates, placeOf)]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, group]) => {
          const [policy, names] = placeOf(group[0] as Fate).split(' / ');
          const general = group.filter(isGeneral);
          return [policy ?? '', names ?? '', ...noticedOf(group), ...noticedOf(general)];
        }),
    ),
    '',
    '## General and own',
    '',
    ...table(
      ['is', 'because', 'tried', 'noticed'],
      reasons.map((reason) => {
        const group = fates.filter(({ deviation }) => reasonOf(deviation) === reason);
        return [reason.is, reason.because, ...noticedOf(group)];
      }),
    ),
    '',
    '## What is missed',
    '',
    ...table(
      ['reason', 'means', 'general', 'own'],
      (Object.keys(misses) as Miss[]).map((miss) => {
        const group = fates.filter((one) => one.miss === miss);
        const general = group.filter(isGeneral).length;
        return [miss, misses[miss], `${general}`, `${group.length - general}`];
      }),
    ),
    '',
    ...table(
      ['deviation', 'is', 'policy', 'case', 'reason'],
      fates.flatMap((fate) =>
        fate.miss === undefined
          ? []
          : [
              [
                `\`${fate.deviation.id}\``,
                reasonOf(fate.deviation).is,
                ...placeOf(fate).split(' / '),
                fate.miss,
              ],
            ],
      ),
    ),
    '',
  ].join('\n');
}

/** Whether a deviation could be one of any contract. */
export function isGeneral({ deviation }: Pick<Fate, 'deviation'>): boolean {
  return reasonOf(deviation).is === 'general';
}

/** How many of them were noticed. */
export function noticedIn(fates: readonly Fate[]): number {
  return fates.filter(({ miss }) => miss === undefined).length;
}

// --- internal ---

/** Of what was seen, in characters. */
const LONGEST = 120;

function countsOf(name: string, fates: readonly Fate[]): readonly string[] {
  const general = fates.filter(isGeneral);
  const own = fates.filter((one) => !isGeneral(one));
  const rules = grouped(fates, ({ deviation }) => deviation.rule);
  const proved = [...rules.values()].filter((group) => noticedIn(group) > 0);
  return [
    name,
    ...noticedOf(fates),
    ...noticedOf(general),
    ...noticedOf(own),
    `${rules.size}`,
    share(proved.length, rules.size),
  ];
}

function noticedOf(fates: readonly Fate[]): readonly string[] {
  return [`${fates.length}`, share(noticedIn(fates), fates.length)];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${part} = ${Math.round((100 * part) / whole)} %`;
}

function placeOf({ policy, cases }: Fate): string {
  return `${policy ?? 'no policy'} / ${cases.join(', ') || 'no case'}`;
}

function grouped(
  fates: readonly Fate[],
  keyOf: (fate: Fate) => string,
): ReadonlyMap<string, readonly Fate[]> {
  const groups = new Map<string, Fate[]>();
  for (const fate of fates) groups.set(keyOf(fate), [...(groups.get(keyOf(fate)) ?? []), fate]);
  return groups;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
