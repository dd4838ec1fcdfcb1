import type { RuleResult } from '../../conformance/index.ts';
import { seededRandom } from '../../conformance/schemas/seed.ts';
import { isExercised } from '../../conformance/verdicts/verdict.ts';
import { loadOwnContract, ownContractNames, overridesOf, turnsOf } from '../../contract/index.ts';
import type { OwnContractName, Turn } from '../../contract/index.ts';
import { judgeMock } from './matrix.ts';
import { address, jobsOn, type Setting } from './settings.ts';

/** A turn, and the contract whose point it turns. */
export interface OwnTurn extends Turn {
  readonly api: OwnContractName;
}

/** Every open point of our own contracts, turned to each of its other legal values. */
export async function ownTurns(): Promise<readonly OwnTurn[]> {
  const contracts = await Promise.all(
    ownContractNames.map(async (api) => ({ api, contract: await loadOwnContract(api) })),
  );
  return contracts.flatMap(({ api, contract }) =>
    (contract.sheet?.unspecified ?? []).flatMap(turnsOf).map((turn) => ({ ...turn, api })),
  );
}

export function turnName({ point, path, value }: Turn): string {
  return `${point} ${path.join('.')} = ${JSON.stringify(value)}`;
}

/** For each member of each point one of its legal values, the usual one among them, chosen by the seed. */
export function combinationOf(turns: readonly OwnTurn[], seed: number): readonly OwnTurn[] {
  const random = seededRandom(`open points ${String(seed)}`);
  return byMember(turns).flatMap((ways) => ways[Math.floor(random() * (ways.length + 1))] ?? []);
}

/** As few combinations as it takes to have every value once, with no member of any point as usual. */
export function allTurned(turns: readonly OwnTurn[]): readonly (readonly OwnTurn[])[] {
  const members = byMember(turns);
  const most = Math.max(...members.map((ways) => ways.length));
  return Array.from({ length: most }, (_, index) =>
    members.flatMap((ways) => ways[index % ways.length] ?? []),
  );
}

/** The mocks on which turns can show. */
export function settingsOf(turns: readonly OwnTurn[]): readonly Setting[] {
  const apis = new Set(turns.map(({ api }) => api));
  const surfaceTurned = turns.some(({ point, path }) => point === 'A-86' && path[0] === 'surface');
  const jobs: readonly Setting[] = surfaceTurned
    ? [{ apis: ['jobs'], mock: { publicUrl: address } }]
    : [jobsOn({ surface: 'cloud' }), jobsOn({ surface: 'serverless' })];
  const others = (['router', 'registry'] as const).filter((api) => apis.has(api));
  return [...(others.length === 0 ? [] : [{ apis: others }]), ...(apis.has('jobs') ? jobs : [])];
}

/**
 * What the whole suite holds against a mock with these turns: nothing, as they are all legal. A rule that the suite can
 * no longer exercise is named too, for a run that sees nothing raises no alarm either.
 */
export async function alarmsOf(
  setting: Setting,
  turns: readonly Turn[],
): Promise<{ readonly alarms: readonly string[]; readonly unseen: readonly string[] }> {
  const report = await judgeMock({ ...setting, mock: { ...setting.mock, assumptions: overridesOf(turns) } });
  const isAlarm = ({ verdict }: RuleResult): boolean => ['fail', 'warn', 'error'].includes(verdict);
  return {
    alarms: [
      ...report.findings.map(({ kind }) => kind),
      ...report.rules
        .filter(isAlarm)
        .map(({ id, verdict, observed, reason }) => `${id} ${verdict}: ${observed ?? reason ?? ''}`),
    ],
    unseen: report.rules.filter((rule) => !isExercised(rule)).map(({ id }) => id),
  };
}

// --- internal ---

function byMember(turns: readonly OwnTurn[]): readonly (readonly OwnTurn[])[] {
  const members = new Map<string, OwnTurn[]>();
  for (const turn of turns) {
    const member = `${turn.point} ${turn.path.join('.')}`;
    members.set(member, [...(members.get(member) ?? []), turn]);
  }
  return [...members.values()];
}
