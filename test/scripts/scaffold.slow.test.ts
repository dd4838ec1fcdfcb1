// @module-tag long
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';
import { run } from '../cli/command.ts';

/** A new rule in a copy of the project: the checks fail until it is filled in, and then they do not. */
const copy = mkdtempSync(join(tmpdir(), 'tallystick-scaffold-'));
const RULE = 'router.list.some-new-rule';
const LEFT_OUT = new Set(['node_modules', 'dist', '.git']);

beforeAll(() => {
  cpSync(packageRoot(), copy, {
    recursive: true,
    filter: (source) =>
      !LEFT_OUT.has(basename(source)) || relative(packageRoot(), source).startsWith('test/fixtures'),
  });
  symlinkSync(join(packageRoot(), 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

const node = (...command: readonly string[]): ReturnType<typeof run> =>
  // The tier of this run is not that of the tests in the copy.
  run(process.execPath, command, { cwd: copy, environment: { TALLYSTICK_TESTS: '' } });
const tsx = (...command: readonly string[]): ReturnType<typeof run> => node('--import', 'tsx', ...command);

/** The titles of the tests that fail in these files. */
async function failing(...files: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await node(
    'node_modules/vitest/vitest.mjs',
    ...['run', '--project', 'sources', '--reporter', 'json', ...files],
  );
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    readonly testResults: readonly {
      readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
    }[];
  };
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.length).toBeGreaterThan(0);
  return results.filter(({ status }) => status === 'failed').map(({ title }) => title);
}

const CHECKS = [
  'test/kill-matrix/coverage.test.ts',
  'test/kill-matrix/rules-document.test.ts',
  'test/lint/filled-in.test.ts',
  'test/specs/citations.test.ts',
];

function fillIn(path: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
  const file = join(copy, path);
  const text = changes.reduce(
    (before, [from, to]) => {
      expect(before).toContain(from);
      return before.replaceAll(from, to);
    },
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
}

test('a scaffolded rule compiles, and fails until it is filled in', async () => {
  const made = await tsx('scripts/scaffold.ts', 'rule', RULE);
  expect([made.code, made.stderr]).toStrictEqual([0, '']);
  expect((await node('node_modules/typescript-7/bin/tsc', '-p', '.', '--noEmit')).stdout).toBe('');
  const style = [
    'specs/router.behaviour.yaml',
    'conformance/apis/router/probes',
    'mock/apis/router/deviations',
  ];
  expect((await node('node_modules/prettier/bin/prettier.cjs', '--check', ...style)).code).toBe(0);
  const failed = (await failing(...CHECKS)).map((title) => title.replace(/ \(npm run docs\)/, ''));
  expect(failed.sort()).toStrictEqual([
    'deviations of router are named after their rule, once each, and give a reason for what falls with it',
    'docs/rules.md is what the sheets, probes and deviations make of it',
    'each place of the contract that a comment or a page names is a section of that document',
    'each source in a sheet is a section of the document that it names',
    'no committed file contains a placeholder of the scaffold',
  ]);
});

test('a rule that is filled in passes the checks, and its deviation turns it red', async () => {
  fillIn('specs/router.behaviour.yaml', [
    "'TODO: the rule in our own words.'",
    'No answer has the header X-Extra.',
  ]);
  fillIn('specs/router.behaviour.yaml', ['section: TODO, item: TODO', 'section: Limits, item: first row']);
  fillIn(
    'conformance/apis/router/probes/list-some-new-rule.ts',
    ['/TODO', '/v1/models'],
    ['TODO: what the contract says there', 'Limits: no header beside the documented ones'],
    ['answer, false', "answer, answer.header('X-Extra') === undefined"],
    ['TODO: what is tried', 'the list of models'],
    ['TODO: what a conforming server does', 'no header X-Extra'],
  );
  fillIn(
    'mock/apis/router/deviations/list-some-new-rule.ts',
    ["~TODO'", "~extra'"],
    ['(answer) => answer', "(answer) => ({ ...answer, headers: [...answer.headers, ['X-Extra', '1']] })"],
  );
  expect((await tsx('scripts/docs.ts', 'rules')).code).toBe(0);
  expect(await failing(...CHECKS)).toStrictEqual([]);
  expect((await tsx('test/kill-matrix/kill-matrix.ts', RULE)).code).toBe(0);
  const stale = await tsx('scripts/docs.ts', '--check', 'kill-matrix');
  expect([stale.code, stale.stderr]).toStrictEqual([1, expect.stringContaining(`${RULE}~extra is missing`)]);
});
