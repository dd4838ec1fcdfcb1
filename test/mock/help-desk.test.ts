import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { helpDeskContract } from './help-desk.ts';

interface Ticket {
  readonly id: string;
  readonly status: string;
  readonly subject: string;
  readonly assignee_id: string | null;
  readonly labels: readonly string[];
  readonly label_count: number;
  readonly comment_count: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly solved_at: string | null;
  readonly closed_at: string | null;
  readonly resolution: string | null;
}

async function started() {
  const mock = createMock({ contracts: [await helpDeskContract()] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return async (call: string, body?: unknown, type = 'application/json'): Promise<unknown> => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await mock.fetch(`${mock.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
    });
    const text = await answer.text();
    return answer.ok ? (text === '' ? undefined : (JSON.parse(text) as unknown)) : answer.status;
  };
}

const opened = async (ask: Awaited<ReturnType<typeof started>>) =>
  (await ask('POST /tickets', { subject: 'Printer' })) as Ticket;

test('nothing has happened yet to a new thing', async () => {
  const ask = await started();
  expect(await opened(ask)).toMatchObject({
    status: 'open',
    assignee_id: null,
    solved_at: null,
    closed_at: null,
    resolution: null,
    label_count: 0,
    comment_count: 0,
  });
});

test('an action sets the time of its state and what its body gives; a way back takes them away', async () => {
  const ask = await started();
  const { id } = await opened(ask);
  const solved = (await ask(`POST /tickets/${id}/actions/solve`, {
    resolution: 'duplicate',
    note: 'x',
  })) as Ticket;
  expect(solved).toMatchObject({ id, status: 'solved', resolution: 'duplicate', closed_at: null });
  expect(solved.solved_at).toBe(solved.updated_at);
  expect(solved).not.toHaveProperty('note');
  expect(await ask(`GET /tickets/${id}`)).toEqual(solved);
  expect(await ask(`POST /tickets/${id}/actions/reopen`)).toMatchObject({
    status: 'open',
    solved_at: null,
    resolution: null,
  });
  const closed = (await ask(`POST /tickets/${id}/actions/close`)) as Ticket;
  expect(closed).toMatchObject({ status: 'closed', solved_at: null });
  expect(closed.closed_at).toBe(closed.updated_at);
});

test('the times of the initial things fit their states, and are in order and in the past', async () => {
  const ask = await started();
  const tickets = (await ask('GET /tickets')) as readonly Ticket[];
  expect(new Set(tickets.map(({ status }) => status)).size).toBe(3);
  for (const ticket of tickets) {
    const { status, created_at, updated_at, solved_at, closed_at, resolution } = ticket;
    expect(closed_at === null).toBe(status !== 'closed');
    if (status === 'open') expect([solved_at, resolution]).toEqual([null, null]);
    if (status === 'solved') expect(resolution).not.toBeNull();
    const times = [created_at, solved_at, closed_at, updated_at].flatMap((time) => time ?? []);
    expect(times).toEqual(times.toSorted());
    expect(Date.parse(updated_at)).toBeLessThan(Date.UTC(2026, 0, 1));
  }
});

test('counters agree with what they count', async () => {
  const ask = await started();
  const [first] = (await ask('GET /tickets')) as readonly Ticket[];
  expect(first).toMatchObject({ comment_count: 0, label_count: first?.labels.length });
  const { id } = (await ask('POST /tickets', { subject: 'Screen', labels: ['a', 'b'] })) as Ticket;
  const count = async (): Promise<unknown> => ((await ask(`GET /tickets/${id}`)) as Ticket).comment_count;
  const { id: comment } = (await ask(`POST /tickets/${id}/comments`, { text: 'one' })) as Ticket;
  await ask(`POST /tickets/${id}/comments`, { text: 'two' });
  expect(await count()).toBe(2);
  await ask(`DELETE /tickets/${id}/comments/${comment}`);
  expect(await count()).toBe(1);
  expect(await ask(`GET /tickets/${id}`)).toMatchObject({ label_count: 2 });
});

test('references lead to things that exist, and agents have the names of people', async () => {
  const ask = await started();
  const agents = (await ask('GET /agents')) as readonly { readonly id: string; readonly name: string }[];
  const ids = new Set(agents.map(({ id }) => id));
  for (const { assignee_id } of (await ask('GET /tickets')) as readonly Ticket[])
    expect(assignee_id === null || ids.has(assignee_id)).toBe(true);
  for (const { name } of agents) expect(name).not.toMatch(/Table|Chair|Bacon|Shirt|Cheese|Pizza|Car$/);
});

test('a refused thing of a list has the error of its own status', async () => {
  const ask = await started();
  const results = await ask('POST /tickets/bulk', [{ subject: 'Printer' }, { subject: '' }]);
  expect(results).toMatchObject([
    { status: 201 },
    {
      status: 400,
      error: { type: 'about:blank', status: 400, detail: expect.stringContaining('/1/subject') as string },
    },
  ]);
});

test('a JSON Patch changes the thing, or is refused as a whole', async () => {
  const ask = await started();
  const { id } = await opened(ask);
  const patch = (...steps: readonly unknown[]): Promise<unknown> =>
    ask(`PATCH /tickets/${id}`, steps, 'application/json-patch+json');
  const changed = await patch(
    { op: 'replace', path: '/subject', value: 'Plotter' },
    { op: 'add', path: '/labels/-', value: 'new' },
    { op: 'replace', path: '/comment_count', value: 99 },
  );
  expect(changed).toMatchObject({ subject: 'Plotter', labels: ['new'], label_count: 1, comment_count: 0 });
  expect(await patch({ op: 'remove', path: '/labels/0' }, { op: 'test', path: '/subject', value: 'x' })).toBe(
    409,
  );
  expect(await patch({ op: 'remove', path: '/nothing/here' })).toBe(409);
  expect(await ask(`GET /tickets/${id}`)).toEqual(changed);
});
