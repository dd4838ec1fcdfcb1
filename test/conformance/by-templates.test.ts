import { expect, onTestFinished, test } from 'vitest';
import { suites as modules } from '../../conformance/apis/index.ts';
import { permissions, runConformance } from '../../conformance/index.ts';
import { repeatRule } from '../../conformance/replay/replay-rule.ts';
import { suitesOf } from '../../conformance/suites.ts';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import type { Rule } from '../../contract/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { asFixtures } from '../kill-matrix/matrix.ts';
import { address } from '../kill-matrix/settings.ts';

/** The cases of policies that templates judge for the built-in contracts. The list only gets longer. */
const CELLS: Readonly<Record<string, readonly string[]>> = {
  router: [
    ...[
      ...['first-use', 'replayed', 'mismatch', 'not-overwritten', 'no-key'],
      ...['in-flight', 'retry-after', 'consumed', 'released', 'window'],
    ].map((name) => `idempotency.${name}`),
    'credentials',
    'conditional-get',
    ...[
      ...['limit-default', 'limit', 'page-size', 'shown-limit', 'limit-clamped', 'huge-limit'],
      ...['zero-limit', 'negative-limit', 'two-walks'],
      ...['empty-cursor', 'made-up-cursor', 'long-cursor', 'cut-cursor', 'cursor-error', 'cursor-fallback'],
    ].map((name) => `pagination.${name}`),
  ],
  registry: [],
  jobs: ['no-key', 'window', 'released'].map((name) => `idempotency.${name}`),
};

test('templates judge these cases of the built-in contracts', () => {
  expect(Object.fromEntries(modules.map(({ api, byTemplates = [] }) => [api, byTemplates]))).toEqual(CELLS);
});

/** Scenarios of modules that judge more than their own rule, with the reason. */
const BESIDE: Readonly<Record<string, string>> = {
  'router.idem.repeated-deadline':
    'a key after the deadline of its call: no template waits for one with a key',
  'router.idem.dropped-connection': 'the record of another caller under the key of a call that was dropped',
  'router.run.concurrency-bound': 'only the module knows how to reach the bound of what runs at once',
  'router.run.spend-bound': 'only the module knows how to reach the bound of what is spent',
  'jobs.idem.released-editor-format': 'a body in the format of the editor is an idea of this API',
  'router.list.expired-cursor': 'only the fixtures know an expired cursor',
  'router.list.walk': 'pageRules judges each page wholly',
  'router.list.small-pages':
    'the order of the entries is open, so that only the module knows what comes next',
};

/** The rules of a contract that are about cases which templates judge. */
async function takenRules(api: (typeof ownContractNames)[number]): Promise<readonly Rule[]> {
  const { sheet } = await loadOwnContract(api);
  const isTaken = ({ policy, case: named }: Rule): boolean =>
    [named ?? []]
      .flat()
      .some((name) => [policy ?? '', `${policy ?? ''}.${name}`].some((cell) => CELLS[api]?.includes(cell)));
  return (sheet?.rules ?? []).filter(isTaken);
}

test.each(ownContractNames)('of %s, no scenario of the module decides what templates judge', async (api) => {
  const contract = await loadOwnContract(api);
  const module = modules.find((one) => one.api === api);
  const own = new Set(module?.scenarios);
  const made = suitesOf([contract])
    .flatMap(({ scenarios }) => scenarios)
    .filter((scenario) => !own.has(scenario));
  const rules = (await takenRules(api)).map(({ id }) => id);
  const others = (module?.scenarios ?? []).filter(({ id }) => !(id in BESIDE));
  const decided = new Set(
    others.flatMap(({ judges, searches }) => judges.filter((id) => !searches.includes(id))),
  );
  expect(rules.filter((id) => decided.has(id))).toEqual([]);
  const byTemplates = new Set(made.flatMap(({ judges }) => judges));
  expect(rules.filter((id) => !byTemplates.has(id))).toEqual([]);
});

test('a rule that a template of a built-in contract found broken is repeated by the same scenario', async () => {
  const mock = createMock({
    apis: ['router'],
    clock: virtualClock(),
    deviations: ['router.schema.inm-star~no-star'],
  });
  onTestFinished(() => mock.close());
  await mock.ready();
  const options = {
    baseUrl: address,
    fixtures: asFixtures(mock.fixtures()),
    allow: permissions,
    transport: inProcess(mock.handle),
    explore: 0,
  };
  const report = await runConformance({
    ...options,
    clock: virtualClock(),
    rules: ['router.schema.inm-star'],
  });
  const broken = report.rules.find(({ id }) => id === 'router.schema.inm-star');
  expect(broken?.repeat?.replay).toContain('--allow ');
  const again = await repeatRule(report, 'router.schema.inm-star', { ...options, clock: virtualClock() });
  expect([again.before.verdict, again.now.verdict]).toEqual(['fail', 'fail']);
  const sent = new Set(
    again.report.exchanges.map(({ scenario }) => scenario.split('.').slice(0, 2).join('.')),
  );
  expect([...sent].filter((name) => !name.startsWith('router.preflight'))).toEqual([
    'document.read',
    'conditional-get.getModelInputSchema',
  ]);
});
