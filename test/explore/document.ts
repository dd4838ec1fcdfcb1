import { fileURLToPath } from 'node:url';

/** What became of a deviation of the mock. */
export interface DeviationFate {
  readonly api: string;
  readonly id: string;
  /** By its own rule, by one that the deviation says falls with it, or not at all. */
  readonly how: 'rule' | 'companion' | 'missed';
  /** Rules that were found broken and are not declared. */
  readonly strays: readonly string[];
}

/** What became of a random fault of the second server. */
export interface MutantFate {
  readonly area: string;
  readonly name: string;
  /** Empty where nothing showed it. */
  readonly signs: readonly string[];
  /** Why a survivor does not count. */
  readonly excuse: string | undefined;
}

export interface Explored {
  readonly deviations: readonly DeviationFate[];
  readonly mutants: readonly MutantFate[];
  /** Requests of each search at most. */
  readonly explore: number;
  readonly seed: number;
}

export const exploredFile = fileURLToPath(new URL('../../docs/explored.md', import.meta.url));

/** The page about a run of `npm run explored`. */
export function exploredDocument({ deviations, mutants, explore, seed }: Explored): string {
  const apis = [...new Set(deviations.map(({ api }) => api))];
  const rows = apis.map((api) => {
    const own = deviations.filter((one) => one.api === api);
    const count = (how: DeviationFate['how']): number => own.filter((one) => one.how === how).length;
    const noticed = count('rule') + count('companion');
    return `| ${api} | ${own.length} | ${count('rule')} | ${count('companion')} | ${count('missed')} | ${share(noticed, own.length)} |`;
  });
  const faults = [...new Set(mutants.map(({ area }) => area))].map((area) => {
    const own = mutants.filter((one) => one.area === area);
    const noticed = own.filter(({ signs }) => signs.length > 0).length;
    const aside = own.filter(({ signs, excuse }) => signs.length === 0 && excuse !== undefined).length;
    return `| ${area} | ${own.length} | ${noticed} | ${aside} | ${share(noticed, own.length - aside)} |`;
  });
  const missed = deviations.filter(({ how }) => how === 'missed').map(({ id }) => `- \`${id}\``);
  return [
    '# What exploring notices alone',
    '',
    `Written by \`npm run explored -- --write\`. All scenarios that somebody wrote for a rule are switched off: only the searches of`,
    `\`conform --explore ${explore}\` send requests, with seed ${seed}. What they miss, the list of scenarios has to find;`,
    '[the kill matrix](kill-matrix.md) shows that it does.',
    '',
    'Deviations of the mock. "Companion": a rule that the deviation says falls with its own.',
    '',
    '| API | deviations | by their rule | by a companion | missed | noticed |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    ...(faults.length === 0
      ? ['This run tried no random fault of the second server.', '']
      : [
          'Random faults in the second server, which nobody chose ([how](mutants.md)). "Set aside": survivors that no request can tell,',
          'or that the contract leaves open.',
          '',
          '| area | tried | noticed | set aside | noticed of the rest |',
          '| --- | ---: | ---: | ---: | ---: |',
          ...faults,
          '',
        ]),
    '## Deviations that exploring alone does not notice',
    '',
    ...missed,
    '',
  ].join('\n');
}

// --- internal ---

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}
