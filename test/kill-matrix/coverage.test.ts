import { expect, test } from 'vitest';
import { oracles, scenarios } from './suites.ts';
import { whyNotJudged } from '../../conformance/rule-set.ts';
import { loadOwnContract } from '../../contract/index.ts';
import type { Rule } from '../../contract/index.ts';
import { deviationsOf } from './matrix.ts';

const apis = ['router', 'registry', 'jobs'] as const;

async function rulesOf(api: (typeof apis)[number]): Promise<readonly Rule[]> {
  return (await loadOwnContract(api)).sheet?.rules ?? [];
}

function probed(api: string): ReadonlySet<string> {
  return new Set(
    [...scenarios, ...oracles].filter((probe) => probe.api === api).flatMap(({ judges }) => judges),
  );
}

test.each(apis)('every rule of %s has a probe, or a reason why none is possible', async (api) => {
  const rules = await rulesOf(api);
  const judges = probed(api);
  expect(
    rules.filter((rule) => whyNotJudged(rule) === undefined && !judges.has(rule.id)).map(({ id }) => id),
  ).toEqual([]);
});

test.each(apis)('every informative rule of %s is recorded by a probe, or cannot be observed', async (api) => {
  const judges = probed(api);
  const rules = (await rulesOf(api)).filter(
    ({ level, unobservable }) => level === 'info' && unobservable === undefined,
  );
  expect(rules.filter(({ id }) => !judges.has(id)).map(({ id }) => id)).toEqual([]);
});

test.each(apis)('every rule of %s that carries a verdict has a deviation that breaks it', async (api) => {
  const broken = new Set(deviationsOf(api).map(({ rule }) => rule));
  const rules = (await rulesOf(api)).filter((rule) => whyNotJudged(rule) === undefined);
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test.each(apis)('probes and deviations of %s name rules of its sheet only', async (api) => {
  // A rule of the router is about a route of the other API.
  const known = new Set((await Promise.all(apis.map(rulesOf))).flat().map(({ id }) => id));
  const named = [
    ...probed(api),
    ...deviationsOf(api).flatMap(({ rule, alsoFails }) => [rule, ...alsoFails.map((along) => along.rule)]),
  ];
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

test.each(apis)(
  'deviations of %s are named after their rule, once each, and give a reason for what falls with it',
  (api) => {
    const deviations = deviationsOf(api);
    expect(new Set(deviations.map(({ id }) => id)).size).toBe(deviations.length);
    for (const { id, rule, alsoFails } of deviations) {
      expect(id).toMatch(/^[a-z0-9.-]+~[a-z0-9-]+$/);
      expect(id.split('~')[0]).toBe(rule);
      for (const { why } of alsoFails) expect(why).not.toBe('');
    }
  },
);

test('scenarios have ids of their own, declare what they send, and bear a permission for every POST with a credential', () => {
  expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  for (const { id, requests, permissions } of scenarios) {
    const posts = Object.values(requests).filter(
      ({ method, as }) => method === 'POST' && as !== 'none' && as !== 'unusable',
    );
    expect(posts.length === 0 || permissions.length > 0, id).toBe(true);
  }
});
