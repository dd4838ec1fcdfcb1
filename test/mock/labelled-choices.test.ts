import { expect, test } from 'vitest';
import { MOCK_JWT } from '../../mock/call/caller.ts';
import { loadOwnContract, type OwnContractName } from '../../contract/index.ts';
import type { Mock } from '../../mock/index.ts';
import { jobsMock } from './apis/jobs/jobs-mock.ts';
import { publication, registryMock, versions } from './apis/registry/registry-mock.ts';

/** What the trail of the last call rests on. */
const becauseOf = (mock: Mock): readonly (string | undefined)[] =>
  (mock.journal.entries().at(-1)?.trail ?? []).map(({ because }) => because);

async function isOpenPoint(api: OwnContractName, id: string): Promise<boolean> {
  const { sheet } = await loadOwnContract(api);
  return sheet?.unspecified.some((point) => point.id === id) === true;
}

test('A-92: a body may name another node than the path, which counts', async () => {
  const { mock, send } = await registryMock();
  const publish = (id: string, version: string) =>
    send(versions, publication({ version }, { node: { id, name: 'Upscaler' } }));
  expect((await publish('acme-upscaler', '1.0.0')).status).toBe(201);
  expect(becauseOf(mock)).not.toContain('A-92');
  const answer = await publish('another', '1.0.1');
  expect([answer.status, answer.body['node_version']]).toStrictEqual([
    201,
    expect.objectContaining({ node_id: 'acme-upscaler' }),
  ]);
  expect(becauseOf(mock)).toContain('A-92');
  expect(await isOpenPoint('registry', 'A-92')).toBe(true);
});

test('A-93: versions that differ in their build numbers alone are two versions', async () => {
  const { mock, publish } = await registryMock();
  expect((await publish('1.0.0+a')).status).toBe(201);
  expect(becauseOf(mock)).not.toContain('A-93');
  expect((await publish('1.0.0+b')).status).toBe(201);
  expect(becauseOf(mock)).toContain('A-93');
  expect(await isOpenPoint('registry', 'A-93')).toBe(true);
});

test('A-94: a JWT opens jobs, and the trail says on what that rests', async () => {
  const { mock, send } = await jobsMock();
  const read = (headers: Readonly<Record<string, string>>) =>
    send('GET', '/api/v2/jobs/none', { as: null, headers });
  expect((await read({ authorization: `Bearer ${MOCK_JWT}` })).status).toBe(404);
  expect(becauseOf(mock)).toContain('A-94');
  expect((await send('GET', '/api/v2/jobs/none')).status).toBe(404);
  expect(becauseOf(mock)).not.toContain('A-94');
  expect(await isOpenPoint('jobs', 'A-94')).toBe(true);
});
