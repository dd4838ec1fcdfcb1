import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findPolicy, loadOwnContract, packageRoot, policyFor } from '../../contract/index.ts';

test('the router has its four operations, with parameters of path and operation', async () => {
  const router = await loadOwnContract('router');
  expect(router.operations.map(({ id, method, path }) => [id, method, path])).toStrictEqual([
    ['listModels', 'get', '/v1/models'],
    ['getModel', 'get', '/v1/models/{provider}/{model}'],
    ['runModel', 'post', '/v1/models/{provider}/{model}'],
    ['getModelInputSchema', 'get', '/v1/models/{provider}/{model}/openapi.json'],
  ]);
  expect(
    router.operations.map(({ parameters }) =>
      parameters.map((parameter) => `${parameter.in}.${parameter.name}`),
    ),
  ).toStrictEqual([
    ['query.cursor', 'query.limit'],
    ['path.provider', 'path.model'],
    ['path.provider', 'path.model'],
    ['path.provider', 'path.model', 'header.If-None-Match'],
  ]);
});

test('a policy is found in the sheet, and for the operations that it names only', async () => {
  const router = await loadOwnContract('router');
  expect(findPolicy(router, 'pagination')?.maximumLimit).toBe(100);
  const byId = new Map(router.operations.map((operation) => [operation.id, operation]));
  const [list, run] = [byId.get('listModels'), byId.get('runModel')];
  expect(list && policyFor(list, 'pagination')?.kind).toBe('pagination');
  expect(run && policyFor(run, 'pagination')).toBeUndefined();
  expect(run && policyFor(run, 'credentials')?.kind).toBe('credentials');
});

test('a packaged contract is read once per process', async () => {
  expect(await loadOwnContract('router')).toBe(await loadOwnContract('router'));
});

test('reading a packaged contract loads neither the validator nor the judge of documents', () => {
  const script = `
    const { createRequire } = await import('node:module');
    const { loadOwnContract, ownContractNames } = await import('./contract/index.ts');
    for (const name of ownContractNames) await loadOwnContract(name);
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify(loaded.filter((file) => /node_modules.(?:@apidevtools|ajv)/.test(file))));`;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  expect([run.status, run.stdout.trim()]).toStrictEqual([0, '[]']);
});
