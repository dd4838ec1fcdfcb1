import { expect, test } from 'vitest';
import { mayTakeBack } from '../../../../conformance/index.ts';
import { jobsOn } from '../../../kill-matrix/settings.ts';
import { judge } from './law.ts';

test.each([
  ['registry', { apis: ['registry'] }],
  ['jobs', jobsOn({ surface: 'cloud' })],
] as const)(
  '%s: what was there before a run is as before, and what it made is taken back or listed',
  async (_, setting) => {
    let most = 0;
    const { report, made, breaches } = await judge(setting, 1, {
      ...{ fuzz: 1, explore: 20 },
      onEvent: (event) => {
        if (event.event === 'planned') most = event.plan.requestsAtMost;
      },
    });
    expect(report.status).toBe('judged');
    expect(breaches).toEqual([]);
    expect(made.length).toBeGreaterThan(30);
    // The plan names also the requests that take something back.
    expect(report.requests.sent).toBeLessThanOrEqual(most);
  },
  120_000,
);

test('an interrupted run lists its jobs, each with the request that cancels it', async () => {
  const stop = new AbortController();
  const { report, breaches } = await judge(jobsOn({ surface: 'cloud' }), 1, {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.event === 'check' && event.rule === 'jobs.submit.201') stop.abort();
    },
  });
  expect(report.status).toBe('interrupted');
  expect(breaches).toEqual([]);
  // No answer shows what a submission made that was open when the run was interrupted: it is listed by its exchange.
  const known = report.left?.filter(({ address }) => address !== undefined) ?? [];
  expect(known.length).toBeGreaterThan(0);
  for (const { api, address = '', removal } of known) {
    expect(removal).toMatchObject({ method: 'POST', target: `${address}/cancel` });
    expect(removal !== undefined && mayTakeBack(api, removal)).toBe(true);
  }
});

test('a report of a stranger cannot make a clean-up send anything else', () => {
  const removal = { method: 'POST', target: '/prefix/api/v2/jobs/17/cancel' };
  expect(mayTakeBack('jobs', removal)).toBe(true);
  expect(mayTakeBack('jobs', { ...removal, method: 'DELETE' })).toBe(false);
  expect(mayTakeBack('jobs', { ...removal, target: '/api/v2/jobs' })).toBe(false);
  expect(mayTakeBack('jobs', { ...removal, target: '/api/v2/jobs/17/cancel?all=yes' })).toBe(false);
  expect(mayTakeBack('registry', { method: 'DELETE', target: '/publishers/acme' })).toBe(false);
  expect(mayTakeBack('pets', { method: 'DELETE', target: '/pets/17' })).toBe(true);
  expect(mayTakeBack('pets', { method: 'POST', target: '/pets/17/cancel' })).toBe(false);
});
