import { expect, onTestFinished, test } from 'vitest';
import { createMock, virtualClock } from '../../mock/index.ts';
import { hallsContract } from './halls.ts';

interface Thing {
  readonly id: string;
  readonly state: string;
}

async function started() {
  const clock = virtualClock();
  const mock = createMock({ contracts: [await hallsContract()], clock });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await mock.fetch(`${mock.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json' },
    });
    return answer.json();
  };
  return { mock, clock, ask };
}

test('a thing moves on by itself where no call leads on, one state after each second', async () => {
  const { clock, ask } = await started();
  const { id, state } = (await ask('/exports', {})) as Thing;
  expect(state).toBe('pending');
  const states: unknown[] = [];
  for (let look = 0; look < 4; look += 1) {
    states.push(((await ask(`/exports/${id}`)) as Thing).state);
    await clock.sleep(1_000);
  }
  expect(states).toEqual(['pending', 'running', 'done', 'done']);
});

test('a list shows the same states as a read', async () => {
  const { clock, ask } = await started();
  const { id } = (await ask('/exports', {})) as Thing;
  await clock.sleep(60_000);
  const all = (await ask('/exports')) as readonly Thing[];
  expect(all.find((one) => one.id === id)?.state).toBe('done');
});

test('a thing stays in a state that a call can leave, also while it is watched', async () => {
  const { mock, clock, ask } = await started();
  const { id, state } = (await ask('/holds', { guest: 'Ada' })) as Thing;
  expect(state).toBe('held');
  const watching = mock.fetch(`${mock.url}/holds/${id}/events`).then((answer) => answer.text());
  await clock.sleep(60_000);
  expect(await ask(`/holds/${id}`)).toMatchObject({ state: 'held' });
  expect(await ask(`/holds/${id}/confirm`, {})).toMatchObject({ state: 'confirmed' });
  const states = [...(await watching).matchAll(/"state":"(\w+)"/g)].map(([, name]) => name);
  expect(states).toEqual(['held', 'confirmed']);
});
