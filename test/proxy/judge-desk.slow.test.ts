import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { routeTo } from '../../conformance/http/connection.ts';
import { loadOwnContract, type Contract } from '../../contract/index.ts';
import { guarded } from '../../proxy/guard.ts';
import type { JudgedExchange } from '../../proxy/index.ts';
import { JudgeDesk, type JudgeDeskOptions } from '../../proxy/judging/judge-desk.ts';
import { makeListener } from '../../proxy/listener.ts';
import { LoopMark } from '../../proxy/loops.ts';
import { OpenExchanges, type NumberedExchange } from '../../proxy/open-exchanges.ts';
import { passThrough } from '../../proxy/pass-through.ts';

let router: Contract;
beforeAll(async () => {
  router = await loadOwnContract('router');
});

/** A desk whose judge blocks its own thread, as a pattern does that does not end. */
async function deskOf(options: Partial<JudgeDeskOptions> = {}): Promise<JudgeDesk> {
  const desk = await JudgeDesk.open({
    ...{ contracts: [router], target: new URL('http://127.0.0.1:9'), room: { left: 2 ** 20 } },
    thread: new URL('blocked-judge.js', import.meta.url),
    ...options,
  });
  onTestFinished(() => desk.close());
  return desk;
}

const exchange = (number: number, target: string, bytes = 0): NumberedExchange => ({
  ...{
    number,
    during: [],
    startedAt: 0,
    endedAt: 1,
    method: 'GET',
    target,
    status: 200,
    delivery: 'delivered',
  },
  ...{ requestHeaders: [], responseHeaders: [], informational: [] },
  ...{ requestBody: { body: new Uint8Array() }, responseBody: { body: new Uint8Array(bytes) } },
});

const now = AbortSignal.abort();

test('a judge that does not end delays no caller, and what it did not judge is counted', async () => {
  const server = createServer((_, response) => response.end('answer'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const room = { left: 2 ** 20 };
  const desk = await deskOf({ room });
  const exchanges = new OpenExchanges((each) => desk.add(each));
  const mark = new LoopMark();
  const pass = passThrough({
    ...{ route: routeTo(target, {}), longestCopy: 1000, room, mark },
    onBegin: () => exchanges.begin(),
    ending: new AbortController().signal,
  });
  const listener = makeListener(guarded(pass, { host: '127.0.0.1' }, mark));
  await new Promise<void>((resolve) => listener.server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}`;
  for (const path of ['/slow', ...Array.from({ length: 20 }, () => '/v1/models')])
    expect(await (await fetch(url + path)).text()).toBe('answer');
  await listener.end();
  await exchanges.over();
  const report = await desk.finish(0, now);
  expect(report.requests.sent).toBe(21);
  expect(report.findings.map(({ says }) => says)).toContain(
    '21 exchanges were passed on but not judged: judging took too long',
  );
  expect(report.summary.pass).toBe(0);
});

test('a judge that takes too long is replaced: broken rules stay broken, and the page keeps its address', async () => {
  const seen: JudgedExchange[] = [];
  const room = { left: 2 ** 20 };
  const desk = await deskOf({ room, mostMs: 1, onExchange: (judged) => void seen.push(judged) });
  const place = { host: '127.0.0.1', url: 'http://127.0.0.1:1', port: 7 };
  expect(await desk.serve(place)).toBe('http://127.0.0.1:7');
  desk.add(exchange(1, '/broken'));
  await expect.poll(() => seen.length).toBe(1);
  // What copies a body takes its room.
  room.left -= 100;
  desk.add(exchange(2, '/slow', 100));
  desk.add(exchange(3, '/after'));
  await expect.poll(() => seen.length).toBe(2);
  expect(seen[1]).toMatchObject({ entry: { number: 3 } });
  await expect.poll(() => room.left).toBe(2 ** 20);
  const { rules } = await desk.finish(0);
  expect(rules).toMatchObject([{ rule: 'r', got: 'another' }]);
});

test('what does not fit into the room is left out, and everything is given back', async () => {
  const room = { left: 2_500 };
  const desk = await deskOf({ room });
  // The last two need a kilobyte each beside it, and do not get it.
  for (const [index, target] of ['/slow', '/b', '/c', '/d'].entries()) desk.add(exchange(index + 1, target));
  const report = await desk.finish(0, now);
  expect(report.requests.sent).toBe(4);
  expect(room.left).toBeLessThanOrEqual(2_500);
  expect(report.findings.map(({ says }) => says)).toContain(
    '4 exchanges were passed on but not judged: judging took too long',
  );
});

test('after an exchange that was left out, the judge is asked to conclude nothing from earlier ones', async () => {
  const seen: JudgedExchange[] = [];
  const desk = await deskOf({ room: { left: 2_500 }, onExchange: (judged) => void seen.push(judged) });
  for (const [index, target] of ['/a', `/${'x'.repeat(3_000)}`, '/c', '/d'].entries()) {
    desk.add(exchange(index + 1, target));
    await expect.poll(() => seen.length).toBe(index === 0 ? 1 : index);
  }
  expect(seen).toMatchObject([
    { entry: { number: 1, isAfterGap: false } },
    { entry: { number: 3, isAfterGap: true } },
    { entry: { number: 4, isAfterGap: false } },
  ]);
});

test('a thread that cannot start is the reason why the proxy does not start', async () => {
  await expect(deskOf({ thread: new URL('no-such-judge.js', import.meta.url) })).rejects.toThrow(
    'no-such-judge',
  );
});
