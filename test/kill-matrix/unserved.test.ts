import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from './in-process.ts';
import { address } from './settings.ts';

test.each([
  ['router', ['jobs']],
  ['registry', ['router', 'jobs']],
] as const)(
  'a server that has the %s alone is told which others it has not, and breaks none of their rules',
  async (api, unserved) => {
    const clock = virtualClock();
    const mock = createMock({ apis: [api], clock });
    await mock.ready();
    const { cred } = mock.fixtures() as { cred: { valid: { header: string; value: string } } };
    const report = await runConformance({
      contracts: await Promise.all(ownContractNames.map((name) => loadOwnContract(name))),
      baseUrl: address,
      credential: cred.valid,
      transport: inProcess(mock.handle),
      clock,
    });
    mock.close();
    const told = report.findings.filter(({ kind }) => kind === 'not-served').map(({ says }) => says);
    expect(told).toHaveLength(unserved.length);
    const bad = report.rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
    expect(bad.map(({ id, observed }) => `${id}: ${observed ?? ''}`)).toEqual([]);
    const judged = report.rules.filter(({ verdict }) => verdict === 'pass').map((rule) => rule.api);
    expect([...new Set(judged)].filter((name) => unserved.some((one) => one === name))).toEqual([]);
  },
);
