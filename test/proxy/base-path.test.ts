import { expect, onTestFinished, test } from 'vitest';
import { loadOwnContract } from '../../contract/index.ts';
import { startMock } from '../../mock/index.ts';
import { belowBasePath } from '../../proxy/base-path.ts';
import { startProxy, type JudgedExchange } from '../../proxy/index.ts';

test.each([
  ['/v1/models', '', '/v1/models'],
  ['/v1/models?limit=1', '/gateway', '/v1/models?limit=1'],
  ['/gateway/v1/models?limit=1', '/gateway', '/v1/models?limit=1'],
  ['/gateways/v1', '/gateway', '/gateways/v1'],
  ['/gateway', '/gateway', '/gateway'],
  // A path that an operation has is below the base path, though it begins like it.
  ['/v1/models', '/v1', '/v1/models'],
])('the target %s at a server at "%s" is %s there', (target, basePath, want) => {
  expect(belowBasePath(target, basePath, (path) => path.startsWith('/v1/'))).toBe(want);
});

test('a client that follows the links of a server with a path reaches it through the proxy, and is judged', async () => {
  const mock = await startMock({
    apis: ['jobs'],
    jobs: { surface: 'serverless', mountPrefix: '/deployment/d-42' },
    port: 0,
    controlPort: false,
  });
  onTestFinished(() => mock.stop());
  const seen: JudgedExchange[] = [];
  const proxy = await startProxy({
    target: new URL(`${mock.url}/deployment/d-42`),
    contracts: [await loadOwnContract('jobs')],
    controlPort: false,
    onExchange: (judged) => void seen.push(judged),
  });
  const headers = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };
  const body = '{"workflow":{"1":{"class_type":"WriteText","inputs":{"text":"a tally stick"}}}}';
  const submitted = await fetch(`${proxy.url}/api/v2/jobs`, { method: 'POST', headers, body });
  const job = (await submitted.json()) as { readonly id: string; readonly urls: { readonly self: string } };
  expect(job.urls.self).toBe(`/deployment/d-42/api/v2/jobs/${job.id}`);
  const read = await fetch(new URL(job.urls.self, proxy.url), { headers });
  expect(await read.json()).toMatchObject({ id: job.id });
  const { rules } = await proxy.stop();
  expect(seen.map(({ entry }) => entry.operation)).toStrictEqual(['submitJob', 'getJob']);
  expect(rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toStrictEqual([]);
  const followed = rules.find(({ id }) => id === 'jobs.urls.follow-not-build');
  expect(followed?.verdict).toBe('pass');
});
