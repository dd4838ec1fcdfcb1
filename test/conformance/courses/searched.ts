import { permissions, runConformance } from '../../../conformance/index.ts';
import type { Clock, ConformanceOptions, Report, Transport } from '../../../conformance/index.ts';
import { ownSuite } from '../../../conformance/probes/own-suite.ts';
import type { Contract } from '../../../contract/index.ts';
import { virtualClock } from '../../../mock/index.ts';

/** What the searches of a contract alone say of a server. */
export function searched(
  contract: Contract,
  server: (clock: Clock) => Transport,
  {
    seed,
    explore = 100,
    more = {},
  }: {
    readonly seed: number;
    readonly explore?: number;
    readonly more?: Pick<ConformanceOptions, 'credential' | 'fixtures'>;
  },
): Promise<Report> {
  const clock = virtualClock();
  return runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: permissions,
    transport: server(clock),
    clock,
    seed,
    explore,
    scenarios: idsOfSearches(contract),
    ...more,
  });
}

export function idsOfSearches(contract: Contract): readonly string[] {
  return (ownSuite(contract).suite.explorations ?? []).map(({ id }) => id);
}

/** The rules that a report holds against the server, with what was seen. */
export function brokenIn({ rules, findings }: Report): readonly string[] {
  return [
    ...rules
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id, observed }) => `${id}: ${observed ?? ''}`),
    ...findings.filter(({ kind }) => kind === 'harness').map(({ says }) => says),
  ];
}
