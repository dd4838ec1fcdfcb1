// @module-tag long
import { afterEach, expect, test, vi } from 'vitest';
import { scenarios } from './suites.ts';
import { judgeMock } from './matrix.ts';
import { jobsOn, surfaces } from './settings.ts';
import type { Setting } from './settings.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Rules of which each judgement is a whole one, however many there are. */
const wholeEachTime: Readonly<Record<string, readonly string[]>> = {
  'router.idem.race': ['router.idem.race-one-winner', 'router.idem.409-error-type'],
  'router.idem.consumed-key': ['router.idem.409-error-type'],
  'registry.publish.race': ['registry.publish.version-unique-race'],
  'jobs.idem.race': ['jobs.idem.concurrent-one-201'],
  'jobs.life.success': ['jobs.read.ok', 'jobs.read.same-id'],
  'jobs.life.cancellation': ['jobs.state.legal-path'],
};

const settings: readonly Setting[] = [
  { apis: ['router', 'registry'] },
  ...surfaces.map((surface) => jobsOn({ surface })),
];

test('a rule that a scenario judges by several exchanges is declared so: a 429 between them leaves it open', async () => {
  /** `<scenario> <rule>` to the last exchanges of its judgements. */
  const judged = new Map<string, Set<string>>();
  for (const scenario of scenarios) {
    const run = scenario.run.bind(scenario);
    vi.spyOn(scenario, 'run').mockImplementation(async function* (session) {
      for await (const item of run(session)) {
        const pair = `${scenario.id} ${item.kind === 'check' ? item.rule : ''}`;
        if (item.kind === 'check')
          judged.set(pair, (judged.get(pair) ?? new Set()).add(item.exchanges[0] ?? ''));
        yield item;
      }
    });
  }
  const several = new Set<string>();
  for (const setting of settings) {
    judged.clear();
    await judgeMock(setting);
    for (const [pair, exchanges] of judged) if (exchanges.size > 1) several.add(pair);
  }
  const declared = new Set(
    scenarios.flatMap(({ id, severalCases, searches }) =>
      // What a scenario only searches for it never leaves open.
      [...severalCases, ...searches, ...(wholeEachTime[id] ?? [])].map((rule) => `${id} ${rule}`),
    ),
  );
  expect(several.size).toBeGreaterThan(50);
  expect([...several].filter((pair) => !declared.has(pair))).toEqual([]);
});

test('what a scenario judges by several exchanges is among what it judges', () => {
  for (const { id, judges, severalCases } of scenarios)
    expect(
      severalCases.filter((rule) => !judges.includes(rule)),
      id,
    ).toEqual([]);
});
