import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ControlState } from '../../mock/control/shape.ts';
import type { PendingList } from '../../mock/control/calls-shape.ts';
import { startMock, virtualClock, type EndedCall, type PendingCall } from '../../mock/index.ts';

/** Calls under way: what came in and has not ended. */
const clock = virtualClock({ auto: false });
const mock = await startMock({ clock });
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

const headers = { 'X-API-Key': 'service-mock-ok+ada', 'Content-Type': 'application/json' };
const run = (model: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${mock.url}/v1/models/${model}`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: '{"prompt":"x"}',
  });
const control = async <Shape>(path: string): Promise<Shape> =>
  (await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`)).json() as Promise<Shape>;

/** The events of calls until one of this kind. */
function until(kind: 'began' | 'ended'): Promise<(PendingCall | EndedCall)[]> {
  return new Promise((resolve) => {
    const seen: (PendingCall | EndedCall)[] = [];
    const forget = mock.pending.watch({
      began: (call) => tell('began', call),
      ended: (call) => tell('ended', call),
    });
    const tell = (what: typeof kind, call: PendingCall | EndedCall): void => {
      seen.push(call);
      if (what !== kind) return;
      forget();
      resolve(seen);
    };
  });
}

test('a call that waits is seen with its caller, its operation and since when, and gone when it has ended', async () => {
  const began = until('began');
  const answer = run('mock/slow', { 'Idempotency-Key': 'order-1' });
  const [told] = await began;
  const { calls } = await control<PendingList>('pending');
  expect(calls).toStrictEqual([JSON.parse(JSON.stringify(told))]);
  expect(calls[0]).toMatchObject({
    state: 'deciding',
    at: clock.now(),
    realAt: expect.any(Number) as number,
    api: 'router',
    operation: 'runModel',
    method: 'POST',
    target: '/v1/models/mock/slow',
    caller: 'key ok+ada',
    key: 'order-1',
    model: 'mock/slow',
  });
  expect((await control<ControlState>('state')).pending).toStrictEqual(calls);

  const ended = until('ended');
  await clock.advance(1_000);
  expect((await answer).status).toBe(200);
  const [end] = await ended;
  expect(mock.journal.entry((end as EndedCall).number)).toMatchObject({ id: calls[0]?.id, status: 200 });
  expect(await control('pending')).toStrictEqual({ calls: [] });
});

test('a call that latency delays is distinguished from the next one', async () => {
  const began = until('began');
  const answer = run('mock/ok', { Prefer: 'scenario=latency;ms=500' });
  expect((await began)[0]).toMatchObject({ scenario: 'latency', state: 'deciding' });
  expect((await run('mock/ok')).status).toBe(200);
  expect(mock.pending.calls()).toHaveLength(1);
  await clock.advance(500);
  await answer;
});

test('a call that waits is shown without its secrets, also where its decisions repeat one', async () => {
  const began = until('began');
  const mark = 'mark7Qk3fZ9pW5d';
  const answer = run('mock/slow?api_key=' + mark, {
    'X-Auth-Token': mark,
    Prefer: `scenario=slow;after=${mark}`,
  });
  const [told] = await began;
  const shown = [JSON.stringify(told), JSON.stringify(await control('pending'))];
  shown.push(JSON.stringify(await control('state')));
  for (const text of shown) {
    expect(text).toContain('after=…');
    expect(text).not.toContain(mark);
  }
  await clock.advance(1_000);
  expect((await answer).status).toBe(200);
});

test('an open stream is answering, with its entry in the journal, until its reader goes away', async () => {
  const bearer = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };
  const graph = { 1: { class_type: 'Wait', inputs: { seconds: 60 } } };
  const submitted = await fetch(`${mock.url}/api/v2/jobs`, {
    method: 'POST',
    headers: bearer,
    body: JSON.stringify(graph),
  });
  const { id } = (await submitted.json()) as { id: string };
  const gone = new AbortController();
  const stream = await fetch(`${mock.url}/api/v2/jobs/${id}/events`, {
    headers: bearer,
    signal: gone.signal,
  });
  expect(stream.status).toBe(200);
  const [call] = mock.pending.calls();
  expect(call).toMatchObject({ state: 'answering', status: 200, number: mock.journal.latest });
  const ended = new Promise<EndedCall>((resolve) => {
    mock.pending.watch({ began: () => undefined, ended: resolve });
    const forget = mock.journal.watch(() => {
      forget();
      resolve({ id: call?.id ?? '', number: call?.number ?? 0 });
    });
  });
  gone.abort();
  expect(await ended).toStrictEqual({ id: call?.id, number: call?.number });
  expect(mock.journal.entry(call?.number ?? 0)?.delivery).toBe('short');
});

test('the one stream of the control API reports both ends, and calls that end at once only by their exchange', async () => {
  const gone = new AbortController();
  const response = await fetch(`${mock.controlUrl ?? ''}/control/v1/stream?since=${mock.journal.latest}`, {
    signal: gone.signal,
  });
  const events: string[] = [];
  let waiting: (() => void) | undefined;
  const reading = (async () => {
    for await (const chunk of response.body ?? []) {
      for (const [, event = ''] of Buffer.from(chunk as Uint8Array)
        .toString()
        .matchAll(/^event: (.*)$/gm))
        events.push(event);
      waiting?.();
    }
  })().catch(() => undefined);
  const seen = async (count: number): Promise<void> => {
    while (events.length < count) await new Promise<void>((resolve) => (waiting = resolve));
  };
  await seen(1);
  await run('mock/ok');
  await seen(2);
  const answer = run('mock/slow');
  await seen(3);
  await clock.advance(1_000);
  await answer;
  await seen(5);
  gone.abort();
  await reading;
  expect(events).toStrictEqual(['state', 'exchange', 'began', 'exchange', 'ended']);
});
