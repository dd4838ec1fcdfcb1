import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ownContractNames, packageRoot } from '../../contract/index.ts';
import { scaffoldRule } from '../../scripts/scaffold-rule.ts';

const read = (path: string): string | undefined => {
  const file = join(packageRoot(), path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};
const plan = (id: string): ReturnType<typeof scaffoldRule> => scaffoldRule(id, ownContractNames, read);

interface Sheet {
  readonly rules: readonly { readonly id: string }[];
  readonly unspecified: readonly object[];
}

test.each([
  ['router.list.some-new-rule', 'router'],
  ['proxy.skin.some-new-rule', 'registry'],
  ['jobs.brand-new.rule', 'jobs'],
])('%s goes into the sheet of %s behind the rules of its area, and changes no other line', (id, api) => {
  const path = `specs/${api}.behaviour.yaml`;
  const [before, after] = [read(path) ?? '', plan(id).files.get(path) ?? ''];
  const [old, sheet] = [parse(before) as Sheet, parse(after) as Sheet];
  const ids = sheet.rules.map((rule) => rule.id);
  const place = ids.indexOf(id);
  expect(ids.filter((each) => each !== id)).toStrictEqual(old.rules.map((rule) => rule.id));
  expect(sheet.unspecified).toStrictEqual(old.unspecified);
  const area = id.slice(0, id.lastIndexOf('.') + 1);
  expect(ids.slice(place + 1).filter((each) => each.startsWith(area))).toStrictEqual([]);
  expect(isOneInsertion(before, after)).toBe(true);
});

function isOneInsertion(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  return after.endsWith(before.slice(start));
}

test('scenario and deviation are files of their own, named in the lists beside them', () => {
  const { files } = plan('router.list.some-new-rule');
  const index = files.get('conformance/apis/router/probes/index.ts') ?? '';
  expect(index).toContain("import { listSomeNewRule } from './list-some-new-rule.ts';");
  expect(index).toMatch(/routerScenarios: readonly Scenario\[\] = \[[^\]]*\n {2}listSomeNewRule,\n\];/);
  expect(files.get('mock/apis/router/deviations/index.ts')).toMatch(
    /\n {2}\.\.\.listSomeNewRuleDeviations,\n\];/,
  );
  expect(files.get('conformance/apis/router/probes/list-some-new-rule.ts')).toContain(
    "judges: ['router.list.some-new-rule']",
  );
});

test.each([
  ['router.list', 'is not the id of a rule'],
  ['Router.list.rule', 'is not the id of a rule'],
  ['router.list.limit-zero', 'exists already, in specs/router.behaviour.yaml'],
  ['notes.list.rule', 'No sheet has rules of notes: known are router, registry, proxy, jobs'],
])('%s is refused', (id, words) => {
  expect(() => plan(id)).toThrow(words);
});

test('existing files are never overwritten', () => {
  const path = 'conformance/apis/router/probes/list-some-new-rule.ts';
  expect(() =>
    scaffoldRule('router.list.some-new-rule', ownContractNames, (each) => (each === path ? '' : read(each))),
  ).toThrow(`${path} exists already`);
});
