import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { readScenario, runScenario } from './scenario-file.ts';

const root = join(import.meta.dirname, '..', 'scenarios');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort();
const stories = files.map((file) => ({ file, story: readScenario(readFileSync(join(root, file), 'utf8')) }));

test.each(stories.map(({ file, story }) => [`${story.title} (${file})`, story] as const))(
  '%s',
  async (_name, story) => {
    await runScenario(story);
  },
);

test('a scenario file with a wrong expectation fails and names the step', async () => {
  const story = readScenario(
    '{ title: t, rules: [], steps: [{ send: GET /v1/models, expect: { status: 404 } }] }',
  );
  await expect(runScenario(story)).rejects.toThrow(/step 1: GET \/v1\/models: status/);
});

test('the rules that scenarios name are rules of the sheets', async () => {
  const contracts = await Promise.all(ownContractNames.map(loadOwnContract));
  const known = new Set(contracts.flatMap(({ sheet }) => sheet?.rules ?? []).map(({ id }) => id));
  const unknown = stories.flatMap(({ file, story }) =>
    story.rules.filter((rule) => !known.has(rule)).map((rule) => `${file}: ${rule}`),
  );
  expect(unknown).toStrictEqual([]);
});
