import type { ConformanceOptions, Fixtures, Report } from '../../conformance/index.ts';
import { credentialIn } from '../../conformance/target/credential.ts';
import { isAbout, mainSchemeOf, placeOfScheme, usualRules } from '../../contract/index.ts';
import type { Contract, Rule } from '../../contract/index.ts';
import type { MockOptions } from '../../mock/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import type { OwnModule } from '../config.ts';
import { inProcess } from '../mock/in-process.ts';
import { suiteParts } from '../contracts/own-module.ts';
import { type Kill, type SelfTest, isBroken, selfTest, selfTestCode } from './kills.ts';

/**
 * Runs the suite against the mock of a contract, first unchanged, then with each deviation, and prints which
 * deviations it detects.
 */
export async function conformSelfTest(
  contract: Contract,
  options: {
    readonly fixtures: Fixtures | undefined;
    readonly module: OwnModule | undefined;
    readonly json: boolean;
  },
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const { listDeviations } = await import('../../mock/index.ts');
  const { fixtures, module } = options;
  const deviations = listDeviations([contract], { [contract.name]: module ?? {} });
  if (deviations.length === 0)
    throw new CommandFailure(
      2,
      `${contract.name} has no policies to break: a self-test needs a behaviour sheet`,
      ['name one after the document: --contract my.yaml,my.behaviour.yaml'],
    );
  const tell = (kill: Kill): void => {
    if (!options.json) terminal.result(lineOf(kill, context));
  };
  const result = await selfTest(deviations, judgeOf(contract, fixtures, module), tell);
  const code = selfTestCode(result);
  if (options.json) terminal.result(JSON.stringify(asJson(result, code), undefined, 2));
  else for (const line of summary(result, code, context)) terminal.result(line);
  context.exit(code);
}

/**
 * Judges the mock of a contract in this process. All permissions are given, because only the mock is called.
 *
 * @param by the contract to judge by: that of the mock, or one that says less
 */
export function judgeOf(
  contract: Contract,
  given: Fixtures | undefined,
  module?: OwnModule,
  by: Contract = contract,
): (deviations: readonly string[]) => Promise<Report> {
  const late = rulesOf(contract, ({ policy }) => policy === 'deadline');
  const lasting = rulesOf(contract, (rule) => isAbout(rule, { policy: 'idempotency', case: 'window' }));
  return async (deviations) => {
    const { createMock, listDeviations, virtualClock } = await import('../../mock/index.ts');
    const { permissions, runConformance, slowBodies } = await import('../../conformance/index.ts');
    const { probes, fixtures } = suiteParts(module, given);
    const modules = { [contract.name]: module ?? {} };
    const judged = async (
      mockOptions: Pick<MockOptions, 'clock' | 'scenarios'>,
      options: Pick<ConformanceOptions, 'clock' | 'fixtures' | 'rules' | 'timeoutMs' | 'allow'>,
    ): Promise<Report> => {
      const mock = createMock({ contracts: [contract], modules, deviations, ...mockOptions });
      try {
        await mock.ready();
        return await runConformance({
          contracts: [by],
          baseUrl: 'http://mock.localhost',
          probes,
          allow: permissions.filter((permission) => permission !== 'long'),
          transport: inProcess(mock.handle),
          // A deviation is for the scenario of its rule to notice, and not for a search, which finds by chance.
          ...(deviations.length === 0 ? {} : { explore: 0 }),
          ...options,
          ...credentialsFor(contract, options.fixtures),
        });
      } finally {
        mock.close();
      }
    };
    const report = await judged({ scenarios: slowCalls(contract) }, { fixtures });
    const broken = listDeviations([contract], modules).filter(({ id }) => deviations.includes(id));
    const isAsked = (rules: readonly string[]): boolean =>
      rules.length > 0 && (deviations.length === 0 || broken.some(({ rule }) => rules.includes(rule)));
    // On clocks that jump, each group of rules alone.
    const apart: Report[] = [];
    if (isAsked(lasting)) {
      const clock = virtualClock();
      apart.push(await judged({ clock }, { clock, fixtures, rules: lasting, allow: permissions }));
    }
    if (isAsked(late)) {
      // Every call takes an hour here.
      const clock = virtualClock();
      const bodies = { ...slowBodies(contract), ...fixtures?.bodies };
      const slow = { ...fixtures, bodies, deadlineMs: 2 * HOUR_MS };
      apart.push(
        await judged(
          { clock, scenarios: [{ name: 'slow-work', ms: HOUR_MS, times: null }] },
          { clock, rules: late, timeoutMs: 2 * HOUR_MS, fixtures: slow },
        ),
      );
    }
    const other = apart.flatMap(({ rules }) => rules);
    return { ...report, rules: report.rules.map((rule) => other.find(({ id }) => id === rule.id) ?? rule) };
  };
}

// --- internal ---

const HOUR_MS = 3_600_000;

/** Rules that only a clock of their own can show: of calls beyond a deadline, and of what is kept for hours. */
function rulesOf(contract: Contract, isOne: (rule: Rule) => boolean): readonly string[] {
  const rules = [...(contract.sheet?.rules ?? []), ...usualRules(contract)];
  return rules.filter(isOne).map(({ id }) => id);
}

/** The mock accepts any credential of the declared form. */
function credentialsFor(
  contract: Contract,
  fixtures: Fixtures | undefined,
): Pick<ConformanceOptions, 'credential' | 'fixtures'> {
  const scheme = mainSchemeOf(contract);
  const place = scheme && placeOfScheme(scheme);
  const isBasic = scheme?.scheme?.toLowerCase() === 'basic';
  const value = isBasic
    ? `Basic ${btoa('mock:mock')}`
    : scheme?.type === 'apiKey'
      ? 'mock-key'
      : 'Bearer mock-token';
  return {
    ...(place === undefined ? {} : { credential: credentialIn(place, value) }),
    fixtures: {
      ...fixtures,
      // The mock serves all servers of the document, and what is lost there is lost to no one.
      server: '*',
      writes: contract.operations.map(({ id }) => id),
      cred: {
        ...{ apiKey: 'mock-key', jwt: 'mock-token' },
        secondOwner: 'another',
        secondAccount: isBasic ? `Basic ${btoa('another:mock')}` : 'another',
        ...fixtures?.cred,
      },
    },
  };
}

/** Calls take a moment if some of them have to be in flight at the same time. */
function slowCalls({
  sheet,
}: Contract): { readonly name: string; readonly ms: number; readonly times: null }[] {
  const meet = sheet?.policies.some(({ kind }) => kind === 'idempotency' || kind === 'capacity');
  return meet === true ? [{ name: 'slow-work', ms: 20, times: null }] : [];
}

function lineOf({ deviation, outcome, why, strays }: Kill, { terminal }: Context): string {
  const { sign } = terminal;
  const mark =
    outcome === 'open' ? sign.info : outcome === 'caught' && strays.length === 0 ? sign.good : sign.bad;
  const also = strays.length === 0 ? '' : `; breaks ${strays.join(', ')} as well`;
  const said =
    outcome === 'caught'
      ? 'caught'
      : outcome === 'open'
        ? `open: ${why}`
        : `survived: the verdict of the rule is ${why}`;
  return `${mark} ${deviation.id}  ${said}${also}`;
}

function summary(
  { clean, kills, untried }: SelfTest,
  code: number,
  { terminal }: Context,
): readonly string[] {
  const count = (outcome: Kill['outcome']): number => kills.filter((kill) => kill.outcome === outcome).length;
  const broken = clean.rules.filter(isBroken);
  return [
    ...broken.map(({ id, verdict, reason, expected, observed }) =>
      verdict === 'error'
        ? `${terminal.sign.bad} ${id}: ${reason ?? 'could not be judged'}`
        : `${terminal.sign.bad} ${id} fails against the unchanged mock: expected ${expected ?? 'otherwise'}, got ${observed ?? 'nothing'}`,
    ),
    ...clean.findings.flatMap(({ kind, help }) =>
      kind === 'unjudgeable' || kind === 'harness' ? [`  ${help ?? ''}`] : [],
    ),
    ...(untried.length === 0 ? [] : [`${terminal.sign.info} no deviation breaks ${untried.join(', ')}`]),
    `${kills.length} deviations: ${count('caught')} caught, ${count('survived')} survived, ${count('open')} open; exit ${code}`,
  ];
}

function asJson({ clean, kills, untried }: SelfTest, exitCode: number): unknown {
  return {
    schemaVersion: 1,
    exitCode,
    broken: clean.rules.filter(isBroken).map(({ id }) => id),
    untried,
    deviations: kills.map(({ deviation: { id, rule, alsoFails }, ...kill }) => ({
      id,
      rule,
      alsoFails,
      ...kill,
    })),
  };
}
