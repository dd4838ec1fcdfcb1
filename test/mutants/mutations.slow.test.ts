// @module-tag long
import { expect, test } from 'vitest';
import { transformSync } from 'esbuild';
import { areas, filesOf } from './areas.ts';
import { mutantsDocument, scoresOf } from './document.ts';
import { changedBy } from './faults/fault.ts';
import { faults } from './faults/index.ts';
import { mutated, mutationsOf, nameOf } from './mutations.ts';
import { sourceOf } from './runner.ts';
import { sample } from './sample.ts';

function changesOf(source: string): readonly string[] {
  return mutationsOf('x.ts', source).map((mutation) => mutated(source, mutation));
}

test.each([
  ['a === b', 'a !== b'],
  ['a < b', 'a <= b'],
  ['a < b', 'a >= b'],
  ['a && b', 'a || b'],
  ['a && b', 'a'],
  ['a ?? b', 'b'],
  ['a + b', 'a - b'],
  ['if (a) f();', 'if (true) f();'],
  ['if (a) f();', 'if (false) f();'],
  ['if (a) f();', 'if (a) ;'],
  ['x = a ? b : c', 'x = true ? b : c'],
  ['x = !a', 'x = a'],
  ['x = 20', 'x = 21'],
  ['x = true', 'x = false'],
  ["x = 'yes'", "x = ''"],
  ['x = /^a$/.test(b)', 'x = /a$/.test(b)'],
  ['x = { a: 1, b }', 'x = { b }'],
  ['x = list.every(f)', 'x = list.some(f)'],
  ["switch (x) { case 'GET events': f(); }", "switch (x) { case '': f(); }"],
  ["switch (x) { case 'GET events': f(); }", "switch (x) { case 'GET events': ; }"],
])('%s becomes %s', (source, change) => {
  expect(changesOf(source)).toContain(change);
});

test.each([
  "if (broken.has('a')) return 1;",
  "type A = 'a' | 'b';",
  "import { a } from 'b';",
  "x = 'a text for people'",
])('%s is left as it is', (source) => {
  expect(changesOf(source)).not.toContainEqual(expect.stringMatching(/^(?!x = ;|;)/));
});

test('of two branches that a known fault chooses between only the honest one is changed', () => {
  const source = "const status = broken.has('a') ? 200 : 201;";
  expect(changesOf(source)).toEqual(["const status = broken.has('a') ? 200 : 202;"]);
});

test.each([
  ['both operands of a choice', "if (broken.has('a') && b) f(1); else g();", 'g();'],
  ['what a constant holds', "const dead = broken.has('a'); if (dead) f(1); else g();", 'g();'],
  ['a condition that holds without it', "if (a || !broken.has('b')) g(); else f(1);", 'g();'],
])('%s of a known fault is left as it is', (_, source, live) => {
  const changes = changesOf(source);
  expect(changes).toEqual([source.replace(live, ';')]);
});

test('what only the tests of the second server ask for is left as it is', () => {
  expect(changesOf('counts.set(1, 2);')).toEqual([]);
  expect(changesOf('x = { dispatches: 1, b: 2 }')).not.toContainEqual(
    expect.stringMatching(/dispatches: 2|\{ b/),
  );
});

test('each mutation of the second server can still be parsed, and has a place in its file', () => {
  for (const file of areas.flatMap((area) => filesOf[area])) {
    const source = sourceOf(file);
    const lines = source.split('\n');
    for (const mutation of mutationsOf(file, source)) {
      const transform = (): unknown =>
        transformSync(mutated(source, mutation), { loader: 'ts', logLevel: 'silent' });
      expect(transform, nameOf(mutation)).not.toThrow();
      expect(lines[mutation.line - 1]?.length).toBeGreaterThanOrEqual(mutation.column);
    }
  }
});

test('a seed draws the same mutations each time, and another one draws others', () => {
  const names = (seed: number): readonly string[] => sample('jobs', 20, seed).map(nameOf);
  expect(names(1)).toEqual(names(1));
  expect(names(1)).not.toEqual(names(2));
});

test('a survivor without a reason is reported and named on the page', () => {
  const [first, second] = sample('registry', 2, 1);
  if (first === undefined || second === undefined) throw new Error('there are no mutations');
  const fates = [
    { seed: 7, area: 'registry', mutation: { ...first, from: 'a | b', to: 'c' }, signs: [], lost: [] },
    { seed: 7, area: 'registry', mutation: second, signs: ['registry.publish.201'], lost: [] },
  ] as const;
  expect(scoresOf(fates)).toEqual([{ area: 'registry', tried: 2, noticed: 1, equal: 0, open: 0, holes: 1 }]);
  const page = mutantsDocument(fates);
  expect(page).toContain('| 7 | registry | 2 | 1 | 0 | 0 | 1 | 50 % | 0 % |');
  expect(page).toContain(`\`\` ${first.file}: a \\| b → c \`\` | **hole** |`);
});

test('the page has a row for each seed and area, and names a survivor of two seeds once', () => {
  const [mutation] = sample('jobs', 1, 1);
  if (mutation === undefined) throw new Error('there are no mutations');
  const odd = { ...mutation, from: 'a', to: 'b' };
  const page = mutantsDocument([
    { seed: 7, area: 'jobs', mutation: odd, signs: [], lost: [] },
    { seed: 8, area: 'jobs', mutation: odd, signs: [], lost: [] },
    { seed: 8, area: 'jobs', mutation, signs: ['jobs.submit.201'], lost: [] },
  ]);
  expect(page).toContain('| 7 | jobs | 1 | 0 | 0 | 0 | 1 | 0 % | 0 % |');
  expect(page).toContain('| 8 | jobs | 2 | 1 | 0 | 0 | 1 | 50 % | 0 % |');
  expect(page).toContain('| each | jobs | 3 | 1 | 0 | 0 | 2 | 33 % | 0 % |');
  expect(page.split('**hole**')).toHaveLength(2);
});

test('each fault still finds its place in the second server, is said once, and can be parsed', () => {
  const said = faults.map(({ api, says }) => `${api}: ${says}`);
  expect(new Set(said).size).toBe(said.length);
  for (const fault of faults)
    for (const [file, contents] of changedBy(fault)) {
      expect(contents, fault.says).not.toBe(sourceOf(file));
      expect(() => transformSync(contents, { loader: 'ts', logLevel: 'silent' }), fault.says).not.toThrow();
    }
});
