import { expect, onTestFinished, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { vehiclesContract } from './vehicles.ts';

const contract = await vehiclesContract();

async function started() {
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return mock;
}

test('a thing has the members of the alternative that its discriminator names, and keeps them in lists', async () => {
  const mock = await started();
  const put = await mock.fetch(`${mock.url}/vehicles/t1`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'truck', plate: 'B 1' }),
  });
  expect(put.status).toBe(201);
  const truck = (await put.json()) as Record<string, unknown>;
  expect(truck).toEqual({ id: 't1', kind: 'truck', plate: 'B 1', axles: expect.any(Number) as number });
  const listed = await mock.fetch(`${mock.url}/vehicles`);
  expect(listed.headers.get('Sl-Violations')).toBeNull();
  expect(await listed.json()).toContainEqual(truck);
});

test('a body that is not JSON creates a thing that can be read', async () => {
  const mock = await started();
  const begun = await mock.fetch(`${mock.url}/imports`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: 'plate',
  });
  const { id, status } = (await begun.json()) as { readonly id: string; readonly status: string };
  expect([begun.status, status]).toEqual([202, 'queued']);
  expect(await (await mock.fetch(`${mock.url}/imports/${id}`)).json()).toMatchObject({ id });
});

test('nothing is judged that a patch does not name', async () => {
  const mock = await started();
  const { rules } = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    transport: inProcess(mock.handle),
  });
  expect(rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
  const verdictOf = (wanted: string) => rules.find(({ id }) => id === wanted)?.verdict;
  expect(verdictOf('resource.vehicles.patched')).toBe('pass');
  // The document has an example of the file.
  expect(verdictOf('resource.imports.created')).toBe('pass');
});

test('what is below something that no request can create has initial things, each tenant its own', async () => {
  const mock = await started();
  const drivers = async (tenant: string) =>
    (await (await mock.fetch(`${mock.url}/tenants/${tenant}/drivers`)).json()) as readonly Record<
      string,
      string
    >[];
  const [acme, other] = [await drivers('acme'), await drivers('other')];
  expect([acme.length, other.length]).toEqual([25, 25]);
  expect(new Set(acme.map(({ tenantId }) => tenantId))).toEqual(new Set(['acme']));
  expect(await drivers('acme')).toEqual(acme);
  expect(new Set([...acme, ...other].map(({ id }) => id)).size).toBe(50);
  const [first] = acme;
  const read = async (tenant: string) =>
    mock.fetch(`${mock.url}/tenants/${tenant}/drivers/${first?.['id'] ?? ''}`);
  expect(await (await read('acme')).json()).toEqual(first);
  expect((await read('other')).status).toBe(404);
});

test.each([
  ['application/xml', 'application/xml', /^<xml>.*<id>\w+<\/id>/],
  ['application/json, application/xml', 'application/json', /^\{/],
  ['*/*', 'application/json', /^\{/],
])('a thing is shown as %s accepts it', async (accept, type, shown) => {
  const mock = await started();
  const [first] = (await (await mock.fetch(`${mock.url}/vehicles`)).json()) as readonly {
    readonly id: string;
  }[];
  const read = await mock.fetch(`${mock.url}/vehicles/${first?.id ?? ''}`, { headers: { Accept: accept } });
  expect([read.status, read.headers.get('Content-Type')]).toEqual([200, type]);
  expect(await read.text()).toMatch(shown);
});

test('things of one tenant refer to others of the same one, and what is nullable in OpenAPI 3.0 begins as null', async () => {
  const mock = await started();
  const listed = async (what: string) =>
    (await (await mock.fetch(`${mock.url}/tenants/acme/${what}`)).json()) as readonly Record<
      string,
      string
    >[];
  const trips = await listed('trips');
  const drivers = new Set((await listed('drivers')).map(({ id }) => id));
  expect(trips.filter(({ driverId }) => !drivers.has(driverId))).toEqual([]);
  const planned = await mock.fetch(`${mock.url}/tenants/acme/trips`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ driverId: 'd1' }),
  });
  expect(await planned.json()).toMatchObject({ driverId: 'd1', startedAt: null });
});

test('generated things of several kinds have the members of their own kind only', async () => {
  const mock = await started();
  const all = (await (await mock.fetch(`${mock.url}/vehicles`)).json()) as readonly Record<string, unknown>[];
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['van', 'truck']));
  for (const { kind, ...members } of all)
    expect([kind, 'axles' in members, 'volume' in members]).toEqual([kind, kind === 'truck', kind === 'van']);
});
