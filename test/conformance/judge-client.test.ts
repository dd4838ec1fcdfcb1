import { expect, test } from 'vitest';
import { clientRules, judgeClient, renderReport, reportFormats } from '../../conformance/index.ts';
import type { ClientExchange, Report } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import {
  followJob,
  loseAnAnswer,
  meetItself,
  retry,
  walk,
  withoutCredits,
} from '../fixtures/judged-clients/client.ts';
import type { Fault, Way } from '../fixtures/judged-clients/client.ts';
import { allContracts } from './servers.ts';

const contracts = await allContracts();
const baseUrl = 'http://mock.test';

/** A client with at most one fault, and a mock with short pages and links to another path. */
async function judged(fault?: Fault): Promise<Report> {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock, profile: 'legal-but-odd', jobs: { mountPrefix: '/deployment/d-42' } });
  await mock.ready();
  const seen: ClientExchange[] = [];
  // Without a socket every answer arrives, so the lost one is reported as lost.
  mock.journal.watch((entry) => {
    const lost = entry.model === 'mock/unreplayable' && entry.status === 200;
    seen.push(lost ? { ...entry, delivery: 'short' } : entry);
  });
  const way: Way = { fetch: (request) => mock.fetch(request), sleep: (ms) => clock.sleep(ms), fault };
  for (const part of [walk, retry, meetItself, loseAnAnswer, withoutCredits, followJob]) await part(way);
  mock.close();
  return judgeClient(seen, { contracts, baseUrl });
}

test('a conforming client passes every rule that a server can observe', async () => {
  const report = await judged();
  const verdicts = report.rules.map(({ id, verdict, observed }) => `${id} ${verdict} ${observed ?? ''}`);
  expect(verdicts.filter((line) => !/ pass /.test(line))).toEqual([]);
  expect(report.rules.map(({ id }) => id).sort()).toEqual([...clientRules].sort());
});

test.each(clientRules)('%s: a client that breaks it fails it, and no other rule', async (rule) => {
  const report = await judged(rule as Fault);
  expect(report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([rule]);
  const broken = report.rules.find(({ id }) => id === rule);
  expect(broken?.exchanges.length).toBeGreaterThan(0);
  expect(broken?.observed).not.toBe(broken?.expected);
});

test('a rule that no request of a client concerns is not exercised, and the report prints in every format', () => {
  const report = judgeClient([], { contracts, baseUrl });
  expect(new Set(report.rules.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']));
  for (const format of reportFormats.filter((one) => one !== 'github'))
    expect(renderReport(report, format)).not.toBe('');
});
