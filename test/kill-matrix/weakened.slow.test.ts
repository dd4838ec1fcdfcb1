// @module-tag long
import { afterEach, expect, test, vi } from 'vitest';
import { oracles, scenarios } from './suites.ts';
import type { Look } from '../../conformance/oracle.ts';
import type { Check, Observation } from '../../conformance/scenarios/scenario.ts';
import { deviationsOf, isSound, killAll } from './matrix.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a probe says, but for one rule, which it is always content with. */
function content(item: Check | Observation, rule: string): Check | Observation {
  return item.kind === 'check' && item.rule === rule ? { ...item, outcome: 'pass' } : item;
}

function weaken(rule: string): void {
  for (const scenario of scenarios.filter(({ judges }) => judges.includes(rule))) {
    const run = scenario.run.bind(scenario);
    vi.spyOn(scenario, 'run').mockImplementation(async function* (session) {
      for await (const item of run(session)) yield content(item, rule);
    });
  }
  for (const oracle of oracles.filter(({ judges }) => judges.includes(rule))) {
    const { look, follow } = oracle;
    const weakened = (one: Look): Look =>
      function* (exchange) {
        for (const item of one(exchange)) yield content(item, rule);
      };
    if (look !== undefined) vi.spyOn(oracle, 'look').mockImplementation(weakened(look));
    if (follow !== undefined) vi.spyOn(oracle, 'follow').mockImplementation(() => weakened(follow()));
  }
}

async function survivors(id: string): Promise<readonly string[]> {
  const [deviation] = [
    ...deviationsOf('router'),
    ...deviationsOf('registry'),
    ...deviationsOf('jobs'),
  ].filter((one) => one.id === id);
  if (deviation === undefined) throw new Error(`no deviation ${id}`);
  const unsound: string[] = [];
  for await (const kill of killAll([deviation], 'quick')) if (!isSound(kill)) unsound.push(kill.deviation.id);
  return unsound;
}

// One of each API that a scenario judges, and one that an oracle does.
test.each([
  'router.list.cursor-omitted-not-null~null',
  'registry.publish.version-unique-per-node~everywhere',
  'jobs.sse.connect-terminal~stays-open',
  'jobs.job.date-times~epoch',
])('%s survives if its rule is no longer checked', async (id) => {
  expect(await survivors(id)).toEqual([]);
  weaken(id.split('~')[0] ?? '');
  expect(await survivors(id)).toEqual([id]);
});
