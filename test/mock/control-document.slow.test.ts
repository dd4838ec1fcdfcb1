// @module-tag long
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract, ownContractNames, packageRoot, type Contract } from '../../contract/index.ts';
import { startMock, type RunningMock } from '../../mock/index.ts';
import { startProxy, type JudgedExchange } from '../../proxy/index.ts';
import { controlOperations } from '../../scripts/reference/control-operations.ts';
import { someTraffic } from '../inspector/traffic.ts';
import { bookingsContract } from './bookings.ts';

let mock: RunningMock;
let contract: Contract;
let control: string;

beforeAll(async () => {
  const document = join(packageRoot(), 'mock/control/openapi.json');
  const loaded = await loadContract({ document, name: 'control' });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  expect(loaded.warnings).toStrictEqual([]);
  ({ contract } = loaded);
  mock = await startMock({
    controlPort: 0,
    apis: ownContractNames,
    contracts: [await bookingsContract()],
  });
  control = `${mock.controlUrl ?? ''}/control/v1`;
});
afterAll(() => mock.stop());

test('the mock serves the document of its control API', async () => {
  expect(await (await fetch(`${control}/openapi`)).json()).toStrictEqual(contract.document.root);
});

test('the document has the methods that each resource takes, and no others', async () => {
  const { resources } = (await (await fetch(`${control}/state`)).json()) as {
    readonly resources: readonly string[];
  };
  const taken = await Promise.all(
    resources.map(async (resource) => {
      const answer = await fetch(`${control}/${resource}`, { method: 'OPTIONS', headers: json });
      const { error } = (await answer.json()) as { readonly error: string };
      return [resource, (/ Supported: (.*)\.$/.exec(error)?.[1] ?? error).split(', ').sort()] as const;
    }),
  );
  const declared: Record<string, string[]> = {};
  for (const { path, method, id } of controlOperations) {
    const name = method.toUpperCase();
    const methods = id === 'streamEvents' ? undefined : (declared[path.split('/')[1] ?? ''] ??= []);
    if (methods?.includes(name) === false) methods.push(name);
  }
  for (const methods of Object.values(declared)) methods.sort();
  expect(declared).toStrictEqual(Object.fromEntries(taken));
});

const json = { 'Content-Type': 'application/json' };

test('the proxy judges every operation of the control API by the document, and finds nothing', async () => {
  await someTraffic(mock);
  const judged: JudgedExchange[] = [];
  const target = new URL(control);
  const proxy = await startProxy({
    target,
    contracts: [contract],
    controlPort: false,
    onExchange: (each) => void judged.push(each),
  });
  const seen: unknown[] = [];
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
    const answer = await fetch(`${proxy.url}${path}`, { method, ...init });
    const value: unknown = await answer.json();
    seen.push(answer.status === 200 ? undefined : [method, path, value]);
    return value;
  };
  const { keys } = (await call('GET', '/keys')) as { readonly keys: readonly { readonly id: string }[] };
  const { jobs } = (await call('GET', '/jobs')) as { readonly jobs: readonly { readonly id: string }[] };
  const [key, other] = keys.map(({ id }) => encodeURIComponent(id));
  const job = jobs[0]?.id ?? '';
  const reads = [
    'state',
    'journal?since=0&limit=5&search=models',
    'journal/1',
    'pending',
    'clock',
    'scenarios',
    'ledger',
    'callers',
  ];
  reads.push(
    'reference',
    'operations/router/listModels',
    'openapi',
    'openapi/router',
    'dispatches',
    'fixtures',
    'assumptions',
  );
  reads.push(
    'snapshots',
    'namespaces',
    'models',
    'registry',
    'collections',
    'collections/bookings/bookings',
    `jobs/${job}`,
  );
  for (const path of reads) await call('GET', `/${path}`);
  await call('POST', '/journal/1/replay', { key: 'new' });
  await call('POST', '/requests', {
    method: 'GET',
    target: '/v1/models',
    headers: [['X-API-Key', 'service-mock-ok']],
  });
  await call('POST', '/clock', { advance: 'PT1S' });
  await call('POST', '/scenarios', { name: 'slow', times: 1 });
  await call('DELETE', '/scenarios/slow');
  await call('DELETE', '/scenarios');
  await call('POST', `/keys/${key ?? ''}`);
  await call('DELETE', `/keys/${other ?? ''}`);
  await call('POST', '/snapshots', { name: 'a' });
  const file = await call('GET', '/snapshots/a');
  await call('PUT', '/snapshots/b', file);
  await call('POST', '/snapshots/a', { do: 'restore', clock: 'keep' });
  await call('DELETE', '/snapshots/b');
  await call('PUT', '/snapshot', await call('GET', '/snapshot'));
  await call('PUT', '/namespaces/side', { seed: 's' });
  await call('DELETE', '/namespaces/side');
  await call('PUT', '/models/acme/new', { cents: 7 });
  await call('PATCH', '/models/acme/new', { cents: 8 });
  await call('DELETE', '/models/acme/new');
  await call('POST', '/models', { do: 'rebuild' });
  await call('POST', `/jobs/${job}`, { do: 'step' });
  await call('PUT', '/jobs/assets/picture', { owner: 'service-mock-ok' });
  await call('DELETE', '/jobs/keys');
  await call('PUT', '/registry/publishers/acme', { name: 'Acme' });
  await call('PUT', '/collections/bookings/bookings/b1', { item: { id: 'b1' } });
  await call('DELETE', '/collections/bookings/bookings/b1');
  await call('DELETE', '/collections/bookings/bookings');
  await call('DELETE', '/keys');
  await call('DELETE', '/journal');
  await call('PUT', '/journal');
  await call('POST', '/reset');
  await proxy.stop();
  expect(seen.filter((each) => each !== undefined)).toStrictEqual([]);
  expect(
    judged.flatMap(({ entry: { operation, requestFindings, responseFindings }, breaches }) =>
      [...requestFindings, ...responseFindings, ...breaches].map((finding) => [operation, finding]),
    ),
  ).toStrictEqual([]);
  const called = new Set(judged.map(({ entry: { operation } }) => operation));
  // An event stream does not end by itself; an archive and a version need an upload.
  const left = ['streamEvents', 'getArchive', 'changeNode', 'changeNodeVersion'];
  expect(controlOperations.map(({ id }) => id).filter((id) => !called.has(id))).toStrictEqual(left);
});
