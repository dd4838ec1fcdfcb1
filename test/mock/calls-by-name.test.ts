import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { callsByName } from './calls-by-name.ts';

async function started() {
  const mock = createMock({ contracts: [await callsByName()] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return async (call: string, body?: unknown): Promise<readonly [status: number, value: unknown]> => {
    const [method, path] = call.split(' ');
    const answer = await mock.fetch(`${mock.url}${path}`, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      method: method ?? 'GET',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ada' },
    });
    const text = await answer.text();
    return [answer.status, text === '' ? undefined : JSON.parse(text)];
  };
}

test('a thing that a query or a body names is read, changed, moved, removed and brought back', async () => {
  const ask = await started();
  const [, made] = await ask('POST /addTicket', { title: 'Lamp' });
  const { ticket_id } = made as { readonly ticket_id: number };
  const read = `GET /getTicket?ticket_id=${ticket_id}`;
  expect(await ask(read)).toEqual([200, made]);
  expect(await ask('POST /editTicket', { ticket_id, queue: 'east' })).toMatchObject([200, { title: 'Lamp' }]);
  expect(await ask(read)).toMatchObject([200, { title: 'Lamp', queue: 'east', state: 'open' }]);
  expect(await ask('POST /closeTicket', { ticket_id })).toMatchObject([200, { ticket_id, state: 'closed' }]);
  expect(await ask('POST /closeTicket', { ticket_id })).toMatchObject([409, {}]);
  // What stays after the end.
  expect(await ask('POST /editTicket', { ticket_id, title: 'Late' })).toMatchObject([200, { title: 'Lamp' }]);
  expect(await ask('POST /dropTicket', { ticket_id })).toEqual([204, undefined]);
  expect(await ask(read)).toMatchObject([410, {}]);
  expect(await ask('POST /bringBackTicket', { ticket_id })).toMatchObject([200, { queue: 'east' }]);
  expect(await ask(read)).toMatchObject([200, { ticket_id, state: 'closed' }]);
  expect(await ask('POST /editTicket', { ticket_id: 987_654, queue: 'east' })).toMatchObject([404, {}]);
});

test('a role whose calls have no id anywhere contradicts the document', async () => {
  const optional = callsByName((document) => document.replace('in: query, required: true', 'in: query'));
  await expect(optional).rejects.toThrow(/getTicket has no path parameter ticket_id for the id/);
});
