import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '../../mock/index.ts';
import { loadOwnContract } from '../../contract/index.ts';

let mock: Mock;
beforeAll(async () => {
  mock = createMock();
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const contracts = await Promise.all((['router', 'registry', 'jobs'] as const).map(loadOwnContract));
const values: Readonly<Record<string, string>> = {
  provider: 'acme',
  model: 'echo-1',
  publisherId: 'acme',
  nodeId: 'acme-upscaler',
};
const operations = contracts.flatMap((contract) =>
  contract.operations.map(({ method, path, responses, id }) => ({
    id,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'none'),
    statuses: responses.map(({ status }) => status).filter((status) => /^\d{3}$/.test(status)),
  })),
);

function ask(
  { method, path }: { readonly method: string; readonly path: string },
  headers: Record<string, string>,
): Promise<Response> {
  return mock.fetch(path, {
    method,
    headers: { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
}

test.each(
  operations.flatMap((operation) =>
    operation.statuses.map((status) => [operation.id, status, operation] as const),
  ),
)(
  '%s answers %s on demand: by a header, a scenario, a key, and when it is forced',
  async (_id, status, operation) => {
    const byCode = await ask(operation, { Prefer: `code=${status}` });
    expect(byCode.status).toBe(Number(status));
    expect(mock.journal.entries().at(-1)?.responseFindings).toStrictEqual([]);
    if (!['500', '503'].includes(status)) return;
    expect((await ask(operation, { Prefer: `scenario=status-${status}` })).status).toBe(Number(status));
    const name = status === '500' ? 'internal-error' : 'unavailable';
    expect((await ask(operation, { Prefer: `scenario=${name}` })).status).toBe(Number(status));
    const key = { Authorization: `Bearer service-mock-${name}` };
    expect((await ask(operation, key)).status).toBe(Number(status));
    mock.scenarios.force({ name });
    expect((await ask(operation, {})).status).toBe(Number(status));
    expect((await ask(operation, {})).status).not.toBe(Number(status));
  },
);

test.each([
  ['code=418', 'listModels declares no 418, but 200, 400, 401, 403, 503'],
  ['code=abc', 'code has to be a status of three digits, not "abc"'],
  ['scenario=no-such-thing', 'there is no scenario no-such-thing'],
  ['scenario=job-fails', 'there is no scenario job-fails here: listModels cannot do it'],
  ['scenario=status-502', 'there is no scenario status-502 here: listModels cannot do it'],
])('what cannot be is said in the answer and in the journal: %s', async (prefer, remark) => {
  const answer = await ask({ method: 'GET', path: '/v1/models' }, { Prefer: prefer });
  expect([answer.status, answer.headers.get('Tallystick-Remark')]).toStrictEqual([200, remark]);
  const trail = mock.journal.entries().at(-1)?.trail ?? [];
  expect(trail).toContainEqual({ step: 'scenario', decision: remark });
});

test('a 503 that every operation of the router answers rests on the open point of its status', async () => {
  for (const path of ['/v1/models', '/v1/models/acme/echo-1', '/v1/models/acme/echo-1/openapi.json']) {
    await ask({ method: 'GET', path }, { Prefer: 'scenario=unavailable' });
    expect(mock.journal.entries().at(-1)?.assumptions, path).toStrictEqual(['A-06']);
  }
});

test('other preferences and plain calls get no remark', async () => {
  for (const headers of [{ Prefer: 'respond-async' }, {}])
    expect((await ask({ method: 'GET', path: '/v1/models' }, headers)).headers.has('Tallystick-Remark')).toBe(
      false,
    );
});
