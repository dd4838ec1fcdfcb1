import { expect, onTestFinished, test } from 'vitest';
import { createMock, virtualClock, type SteerableMock } from '../../mock/index.ts';
import { printsContract } from './prints.ts';

async function started(): Promise<SteerableMock> {
  const mock = createMock({ contracts: [await printsContract()], clock: virtualClock() });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return mock;
}

const KEY = { 'X-Key': 'k' };

async function added(mock: SteerableMock): Promise<{ readonly id: string; readonly copies?: number }> {
  const answer = await mock.fetch(`${mock.url}/prints`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'A poster' }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string };
}

/** The states in the events of a stream that has ended. */
async function statesOf(mock: SteerableMock, id: string): Promise<readonly unknown[]> {
  const answer = await mock.fetch(`${mock.url}/prints/${id}/events`, { headers: KEY });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const text = await answer.text();
  return [...text.matchAll(/^event: state\ndata: (.*)$/gm)].map(([, data = '']) => {
    const item = JSON.parse(data) as Readonly<Record<string, unknown>>;
    expect(item).toMatchObject({ id, title: 'A poster' });
    return item['state'];
  });
}

test('a stream shows a thing from its present state to the terminal one, and ends', async () => {
  const mock = await started();
  const { id } = await added(mock);
  expect(await statesOf(mock, id)).toEqual(['queued', 'printing', 'done']);
  const read = await mock.fetch(`${mock.url}/prints/${id}`, { headers: KEY });
  expect(await read.json()).toMatchObject({ id, state: 'done' });
  expect(await statesOf(mock, id)).toEqual(['done']);
});

test('two streams of a thing show the same states', async () => {
  const mock = await started();
  const { id } = await added(mock);
  const [one, other] = await Promise.all([statesOf(mock, id), statesOf(mock, id)]);
  expect(one).toEqual(['queued', 'printing', 'done']);
  expect(other).toEqual(one);
});

test('the stream of a thing that does not exist is refused', async () => {
  const mock = await started();
  const answer = await mock.fetch(`${mock.url}/prints/nothing/events`, { headers: KEY });
  expect(answer.status).toBe(404);
});

test('a new thing has the defaults of the request body', async () => {
  expect(await added(await started())).toMatchObject({ copies: 3 });
});

test.each([
  ['k', 200],
  ['tallystick-refused', 401],
  ['mine-tallystick-refused-7', 401],
])('the credential %s is answered with %d', async (key, status) => {
  const mock = await started();
  const { id } = await added(mock);
  const answer = await mock.fetch(`${mock.url}/prints/${id}`, { headers: { 'X-Key': key } });
  expect(answer.status).toBe(status);
});
