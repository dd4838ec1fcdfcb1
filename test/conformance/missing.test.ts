import { expect, test } from 'vitest';
import { permissions, planConformance, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { allContracts } from './servers.ts';

const contracts = await allContracts();
const baseUrl = 'https://api.example.com';

/** What a line of a report cannot give: a credential of a certain kind stands for several lines. */
async function bare(): Promise<Report> {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock });
  await mock.ready();
  try {
    return await runConformance({
      contracts,
      baseUrl,
      transport: inProcess(mock.handle),
      clock,
      credential: { header: 'X-API-Key', value: 'service-mock-ok' },
      allow: permissions,
    });
  } finally {
    mock.close();
  }
}

const report = await bare();
const open = report.rules.filter(({ verdict }) => verdict === 'not-exercised');

test('every rule that was not exercised names the missing fixture or permission', () => {
  expect(open.length).toBeGreaterThan(50);
  expect(open.filter(({ reason }) => reason === undefined || reason === '')).toEqual([]);
  const lines = open.map(({ fixtureLine }) => fixtureLine).filter((line) => line !== undefined);
  expect(lines.length).toBeGreaterThan(50);
  const silent = open.filter(
    ({ fixtureLine, missing }) => missing !== undefined && fixtureLine === undefined,
  );
  expect(silent.map(({ id, missing }) => `${id}: ${missing ?? ''}`)).toEqual([]);
});

test('each line to add is valid as it stands, and meets the need that it was printed for', () => {
  const environment = new Proxy({}, { get: () => 'secret' });
  const plan = planConformance({ contracts, baseUrl, fixtures: {}, allow: permissions });
  expect(plan.missing.filter(({ line }) => line === undefined)).toEqual([]);
  for (const { need, line = '' } of plan.missing) {
    const read = readFixtures(`{ ${line} }`, environment);
    if (!read.ok)
      throw new Error(`${need}: ${line}: ${read.diagnostics.map(({ message }) => message).join()}`);
    const fixtures: Fixtures = read.fixtures;
    const left = planConformance({ contracts, baseUrl, fixtures, allow: permissions }).missing;
    expect(left.map((one) => one.need)).not.toContain(need);
  }
});
