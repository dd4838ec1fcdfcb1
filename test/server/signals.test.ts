import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createServer, type JobsHandlers } from '../../generated/jobs/server.ts';

type Call = Parameters<JobsHandlers['streamJobEvents']>[1];

/** A server with one stream of two events, and the call that it has. */
function streaming(): {
  readonly stream: () => Promise<{ readonly request: Request; readonly answer: Response }>;
  readonly call: () => Call;
} {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  let last: Call | undefined;
  const server = createServer(
    {
      ...{ submitJob: unused, getJob: unused, cancelJob: unused },
      streamJobEvents: (_input, call) => {
        last = call;
        return { status: 200, events: events(call.signal) };
      },
    },
    { authenticate: () => ({ id: 'ada' }), onFinding: () => undefined },
  );
  return {
    async stream() {
      const url = 'http://x/api/v2/jobs/9b2f0a52-6b0a-4b3e-9d0a-0d2f4c6a8e10/events';
      const request = new Request(url, { headers: { 'X-API-Key': 'service-x' } });
      return { request, answer: await server(request) };
    },
    call() {
      if (last === undefined) throw new Error('no call yet');
      return last;
    },
  };
}

async function* events(signal: AbortSignal): AsyncGenerator<{ event: 'status'; data: unknown }> {
  signal.addEventListener('abort', () => undefined);
  yield { event: 'status', data: { status: 'running' } };
  yield { event: 'status', data: { status: 'succeeded' } };
}

test('a call that has ended leaves nothing on the signal of its request, which may live on', async () => {
  const { request, answer } = await streaming().stream();
  const listening = (): number => getEventListeners(request.signal, 'abort').length;
  expect(listening()).toBeGreaterThan(0);
  expect(await answer.text()).toContain('succeeded');
  expect(listening()).toBe(0);
});

test('a caller who reads no further has gone away, also where the signal of the request says nothing', async () => {
  const { stream, call } = streaming();
  const { request, answer } = await stream();
  await answer.body?.cancel();
  await expect.poll(() => call().signal.aborted).toBe(true);
  expect(request.signal.aborted).toBe(false);
});
