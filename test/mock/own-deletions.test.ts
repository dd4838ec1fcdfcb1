import { expect, onTestFinished, test } from 'vitest';
import { createMock, virtualClock } from '../../mock/index.ts';
import { papersContract } from './papers.ts';

type Headers = Readonly<Record<string, string>>;

async function started() {
  const clock = virtualClock();
  const mock = createMock({ contracts: [await papersContract()], clock });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const ask = async (call: string, body?: unknown, headers: Headers = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await mock.fetch(`${mock.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as unknown,
    };
  };
  return { mock, clock, ask };
}

test('a replacement that creates needs no If-Match, and every other one does', async () => {
  const { ask } = await started();
  const paper = { title: 'One' };
  expect((await ask('PUT /papers/one', paper)).status).toBe(201);
  expect((await ask('PUT /papers/one', paper)).status).toBe(428);
  expect((await ask('PUT /papers/two', paper, { 'If-Match': '*' })).status).toBe(412);
});

test('a deleted thing is told from one that never existed, and comes back as it was', async () => {
  const { ask } = await started();
  await ask('PUT /papers/one', { title: 'One', shelf: 'a' });
  expect((await ask('POST /papers/one/restore')).status).toBe(409);
  expect((await ask('DELETE /papers/one', undefined, { 'If-Match': '*' })).status).toBe(204);
  for (const call of ['GET /papers/one', 'DELETE /papers/one', 'POST /papers/one/prints'])
    expect([call, (await ask(call)).status]).toEqual([call, 410]);
  expect((await ask('PUT /papers/one', { title: 'Two' })).status).toBe(410);
  expect((await ask('GET /papers/none')).status).toBe(404);
  expect((await ask('POST /papers/none/restore')).status).toBe(404);
  expect((await ask('GET /papers?shelf=a')).body).toEqual([]);
  expect((await ask('POST /papers/one/restore')).body).toEqual({ name: 'one', title: 'One', shelf: 'a' });
  expect((await ask('GET /papers/one')).body).toMatchObject({ title: 'One' });
  expect((await ask('GET /papers?shelf=a')).body).toHaveLength(1);
});

test('a list is in the order that its parameter names, over its pages', async () => {
  const { ask } = await started();
  for (const [name, title] of ['b M', 'c A', 'a Z'].map((one) => one.split(' ')))
    await ask(`PUT /papers/${name ?? ''}`, { title, shelf: 'own' });
  const titles = async (query: string): Promise<readonly unknown[]> =>
    ((await ask(`GET /papers?shelf=own&${query}`)).body as { title: string }[]).map(({ title }) => title);
  expect(await titles('sort=title')).toEqual(['A', 'M', 'Z']);
  expect(await titles('sort=-title')).toEqual(['Z', 'M', 'A']);
  expect(await titles('sort=-name&limit=2&offset=1')).toEqual(['M', 'Z']);
  expect(await titles('')).toEqual(['M', 'A', 'Z']);
});

test('a snapshot keeps what was deleted', async () => {
  const { mock, ask } = await started();
  await ask('PUT /papers/one', { title: 'One' });
  await ask('DELETE /papers/one', undefined, { 'If-Match': '*' });
  const saved = mock.snapshot();
  await ask('POST /papers/one/restore');
  mock.restore(saved);
  expect((await ask('GET /papers/one')).status).toBe(410);
  expect((await ask('POST /papers/one/restore')).status).toBe(200);
});

test('a thing that is created with 202 continues by itself, although a call can end it', async () => {
  const { clock, ask } = await started();
  await ask('PUT /papers/one', { title: 'One' });
  const made = await ask('POST /papers/one/prints');
  expect([made.status, (made.body as { state: string }).state]).toEqual([202, 'waiting']);
  const address = made.headers.get('location') ?? '';
  const states: unknown[] = [];
  for (let look = 0; look < 3; look += 1) {
    states.push(((await ask(`GET ${address}`)).body as { state: string }).state);
    await clock.sleep(1_000);
  }
  expect(states).toEqual(['waiting', 'printing', 'done']);
  expect((await ask(`POST ${address}/cancel`)).status).toBe(409);
  const { headers } = await ask('POST /papers/one/prints');
  expect((await ask(`POST ${headers.get('location') ?? ''}/cancel`)).body).toMatchObject({
    state: 'canceled',
  });
});
