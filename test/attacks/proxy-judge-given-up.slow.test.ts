// @module-tag attack
import { expect, onTestFinished, test } from 'vitest';
import { renderReport, type Report } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { JudgeDesk } from '../../proxy/judging/judge-desk.ts';
import type { NumberedExchange } from '../../proxy/open-exchanges.ts';
import '../cli/command.ts';

/** What was judged before the judge of the proxy was given up is in the report and in the record. */

const bytes = (text: string): Uint8Array => Uint8Array.from(new TextEncoder().encode(text));
const models = '{"data":[],"has_more":false,"limit":20}';

const exchange = (number: number, body = models): NumberedExchange => ({
  ...{ number, during: [], startedAt: Date.now(), endedAt: Date.now(), method: 'GET', target: '/v1/models' },
  ...{ status: 200, informational: [], delivery: 'delivered', requestHeaders: ['X-API-Key', 'k'] },
  responseHeaders: ['Content-Type', 'application/json', 'X-Service-Request-Id', `r${number}`],
  ...{ requestBody: { body: new Uint8Array() }, responseBody: { body: bytes(body) } },
});

async function deskWith(heard: number[]): Promise<JudgeDesk> {
  const desk = await JudgeDesk.open({
    ...{ contracts: [await loadOwnContract('router')], target: new URL('http://127.0.0.1:9') },
    ...{ room: { left: 2 ** 22 }, mostMs: 1_000, thread: new URL('endless-judge.js', import.meta.url) },
    onExchange: ({ entry }) => void heard.push(entry.number),
  });
  onTestFinished(() => desk.close());
  return desk;
}

const passes = ({ rules }: Report): number =>
  rules.find(({ id }) => id === 'router.list.shape')?.checks ??
  Math.max(...rules.map(({ checks }) => checks));

const recorded = (report: Report): number =>
  (JSON.parse(renderReport(report, 'har')) as { log: { entries: unknown[] } }).log.entries.length;

test('passes and exchanges of a judge that was replaced are kept, and the others are counted', async () => {
  const heard: number[] = [];
  const desk = await deskWith(heard);
  for (let number = 1; number <= 5; number += 1) desk.add(exchange(number));
  await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(5);
  desk.add(exchange(6, '{"never ends":1}'));
  for (let number = 7; number <= 9; number += 1) desk.add(exchange(number));
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(8);
  const report = await desk.finish(0);
  expect(report.requests.sent).toBe(9);
  expect(report.exchanges.map(({ id }) => id)).toStrictEqual(
    [1, 2, 3, 4, 5, 7, 8, 9].map((number) => `x000${number}`),
  );
  expect(recorded(report)).toBe(8);
  expect(passes(report)).toBe(8);
  expect(report.findings.map(({ says }) => says)).toEqual(
    expect.arrayContaining([
      '1 exchange was passed on but not judged: judging took too long',
      'judging one exchange took too long, once: exchanges before and after it were not compared with each other',
    ]),
  );
});

test('a judge that does not end at the end leaves what it judged before', async () => {
  const heard: number[] = [];
  const desk = await deskWith(heard);
  for (let number = 1; number <= 5; number += 1) desk.add(exchange(number));
  await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(5);
  for (let number = 6; number <= 8; number += 1) desk.add(exchange(number, '{"never ends":1}'));
  const report = await desk.finish(0, AbortSignal.abort());
  expect(report.requests.sent).toBe(8);
  expect(recorded(report)).toBe(5);
  expect(passes(report)).toBe(5);
  expect(report.findings.map(({ says }) => says)).toContain(
    '3 exchanges were passed on but not judged: judging took too long',
  );
});
