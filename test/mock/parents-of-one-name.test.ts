import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { clubsContract } from './clubs.ts';

const contract = await clubsContract();

/** Sends a request to a fresh mock of the clubs. */
function caller(): (method: string, path: string, body?: object) => Promise<readonly [number, unknown]> {
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => {
    mock.close();
  });
  return async (method, path, body) => {
    const answer = await mock.fetch(`http://localhost${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await answer.text();
    return [answer.status, text === '' ? undefined : JSON.parse(text)];
  };
}

test('a member has an id of its own, and names the team of its path', async () => {
  const call = caller();
  const [, team] = (await call('POST', '/teams', { name: 'Larks' })) as [number, { id: string }];
  const [made, member] = (await call('POST', `/teams/${team.id}/members`, { name: 'Ada' })) as [
    number,
    { id: string },
  ];
  expect([made, member]).toMatchObject([201, { name: 'Ada', teamId: team.id }]);
  expect(member.id).not.toBe(team.id);
  const [second] = await call('POST', `/teams/${team.id}/members`, { name: 'Ben' });
  expect(second).toBe(201);
  expect(await call('GET', `/members/${member.id}`)).toEqual([200, member]);
  expect(await call('PUT', `/members/${member.id}`, { name: 'Eve' })).toEqual([
    200,
    { ...member, name: 'Eve' },
  ]);
});

test('an id is looked for among the things of its own path', async () => {
  const call = caller();
  const [, team] = (await call('POST', '/teams', { name: 'Larks' })) as [number, { id: string }];
  const [, other] = (await call('POST', '/teams', { name: 'Owls' })) as [number, { id: string }];
  const [, member] = (await call('POST', `/teams/${team.id}/members`, { name: 'Ada' })) as [
    number,
    { id: string },
  ];
  expect(await call('GET', `/teams/${team.id}/members`)).toEqual([200, [member]]);
  expect(await call('GET', `/teams/${other.id}/members`)).toEqual([200, []]);
  const missing = [`/members/${team.id}`, `/teams/${member.id}`, `/teams/${member.id}/members`];
  expect(await Promise.all(missing.map(async (path) => (await call('GET', path))[0]))).toEqual([
    404, 404, 404,
  ]);
  expect((await call('DELETE', `/members/${member.id}`))[0]).toBe(204);
  expect((await call('GET', `/teams/${team.id}`))[0]).toBe(200);
});
