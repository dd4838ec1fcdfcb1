import type { Report, Verdict } from '../../conformance/index.ts';
import { seededRandom } from '../../conformance/schemas/seed.ts';
import { judged } from '../../conformance/suites.ts';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import type { OwnContractName, Rule } from '../../contract/index.ts';
import type { PolicyKind } from '../../contract/policies/policy.ts';
import { wholeCaseOf } from '../../contract/sheet/policy-cases.ts';
import type { DeviationListing } from '../../mock/index.ts';
import { deviationsOf, judgeMock, killAll } from '../kill-matrix/matrix.ts';
import type { Kill } from '../kill-matrix/matrix.ts';
import { readTwins, twinSetting } from './contracts.ts';

/** Why the templates and the document probes do not notice a deviation, the first that applies. */
export const misses = {
  'no policy': 'the rule belongs to no policy of the sheet, and no probe of the document notices it',
  'no template': 'no usual rule is about the policy and the case',
  'no case': 'the rule names no case of its policy, and the usual cases do not show it',
  'not exercised': 'the faithful mock does not exercise the usual rule of the case',
  'not seen': 'the usual rule of the case is judged, and passes',
} as const;
export type Miss = keyof typeof misses;

/** What became of a deviation. */
export interface Fate {
  readonly api: OwnContractName;
  readonly deviation: DeviationListing;
  /** The policy and the cases of its rule, as the sheet states them. */
  readonly policy: string | undefined;
  readonly cases: readonly string[];
  /** The rules of the twin that noticed it. */
  readonly noticedBy: readonly string[];
  /** Absent if it was noticed. */
  readonly miss: Miss | undefined;
}

/** A rule that fails on the faithful mock. */
export interface Alarm {
  readonly setting: string;
  readonly rule: string;
  readonly seen: string;
}

export interface Trial {
  readonly fates: readonly Fate[];
  readonly alarms: readonly Alarm[];
  /** How many deviations there are. */
  readonly all: number;
}

/**
 * Tries the deviations of the built-in APIs' mocks, judged by the twins of their contracts.
 *
 * @param sample so many of each API, the same ones each time; default: all
 * @param tell called for each deviation as soon as its fate is known
 */
export async function tryTwins({
  sample,
  apis = ownContractNames,
  only = '',
  tell = () => undefined,
}: {
  readonly sample?: number | undefined;
  readonly apis?: readonly OwnContractName[];
  /** Only deviations whose ids contain this. */
  readonly only?: string | undefined;
  readonly tell?: (fate: Fate) => void;
} = {}): Promise<Trial> {
  const settingOf = twinSetting(await readTwins());
  const faithful = new Map<string, { readonly report: Report; readonly rules: readonly Rule[] }>();
  const fates: Fate[] = [];
  for (const api of apis) {
    const { sheet } = await loadOwnContract(api);
    const chosen = sampled(
      deviationsOf(api).filter(({ id }) => id.includes(only)),
      sample,
    );
    for (const deviation of chosen) {
      const { name, setting } = settingOf(deviation);
      if (faithful.has(name)) continue;
      const rules = (setting.by ?? []).flatMap((twin) => judged(twin).sheet?.rules ?? []);
      faithful.set(name, { report: await judgeMock(setting), rules });
    }
    for await (const kill of killAll(chosen, 'full', { settingOf })) {
      const rule = sheet?.rules.find(({ id }) => id === kill.deviation.rule);
      const fate = fateOf(api, kill, rule, faithful.get(kill.setting));
      fates.push(fate);
      tell(fate);
    }
  }
  const alarms = [...faithful].flatMap(([setting, { report }]) =>
    report.rules
      .filter(({ verdict }) => isAlarm(verdict))
      .map(({ id, observed, reason }) => ({ setting, rule: id, seen: observed ?? reason ?? '' })),
  );
  return { fates, alarms, all: apis.flatMap((api) => deviationsOf(api)).length };
}

/**
 * So many of the deviations, each with its own place in a random order: a new one displaces at most one other. All of
 * them if no number is given.
 */
export function sampled(
  deviations: readonly DeviationListing[],
  count: number | undefined,
): readonly DeviationListing[] {
  if (count === undefined) return deviations;
  const chosen = deviations
    .map(({ id }) => ({ id, place: seededRandom(`twin/${id}`)() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, count);
  const ids = new Set(chosen.map(({ id }) => id));
  return deviations.filter(({ id }) => ids.has(id));
}

// --- internal ---

function isAlarm(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error';
}

function fateOf(
  api: OwnContractName,
  { deviation, strays }: Kill,
  rule: Rule | undefined,
  faithful: { readonly report: Report; readonly rules: readonly Rule[] } | undefined,
): Fate {
  const noticedBy = strays
    .filter(({ from, to }) => !isAlarm(from) && (to === 'fail' || to === 'warn'))
    .map((stray) => stray.rule);
  const policy = rule?.policy;
  const cases = [rule?.case ?? []].flat();
  const miss = noticedBy.length > 0 ? undefined : missOf({ policy, cases }, faithful);
  return { api, deviation, policy, cases, noticedBy, miss };
}

function missOf(
  { policy, cases }: Pick<Fate, 'policy' | 'cases'>,
  faithful: { readonly report: Report; readonly rules: readonly Rule[] } | undefined,
): Miss {
  if (policy === undefined) return 'no policy';
  const ofPolicy = (faithful?.rules ?? []).filter((rule) => rule.policy === policy);
  if (ofPolicy.length === 0) return 'no template';
  if (cases.length === 0) return 'no case';
  // The usual rules are about whole cases.
  const wholes = cases.map((name) => wholeCaseOf(policy as PolicyKind, name) ?? name);
  const ids = ofPolicy
    .filter((rule) => [rule.case ?? []].flat().some((one) => wholes.includes(one)))
    .map(({ id }) => id);
  if (ids.length === 0) return 'no template';
  const isShown = faithful?.report.rules.some(({ id, verdict }) => ids.includes(id) && verdict === 'pass');
  return isShown === true ? 'not seen' : 'not exercised';
}
