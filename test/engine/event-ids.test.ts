import { expect, test } from 'vitest';
import { outgoing } from '../../engine/answer.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';

const api: ServedApi = { name: 'tickets', errors: { kind: 'plain' }, operations: [] };
const operation: ServedOperation = {
  id: 'follow',
  method: 'GET',
  path: '/tickets/{id}/events',
  responses: {},
};
const events = { status: 'status', progress: 'progress', preview: 'preview' };

async function* numbered() {
  yield await Promise.resolve({ event: 'status', data: { at: 1 }, id: '7' });
}

async function sent(of: ServedOperation): Promise<string> {
  const { body } = await outgoing(api, of, { status: 200, events: numbered() }, 1_000);
  let text = '';
  for await (const piece of body as AsyncIterable<string>) text += piece;
  return text;
}

test('events have the ids that a handler gives them', async () => {
  expect(await sent(operation)).toBe('id: 7\nevent: status\ndata: {"at":1}\n\n');
});

test('jobs.sse.no-id: a stream of the policy event-stream cannot be resumed, so its events have no ids', async () => {
  expect(await sent({ ...operation, stream: { events } })).toBe('event: status\ndata: {"at":1}\n\n');
});
