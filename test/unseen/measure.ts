import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Clock, Report, Transport } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';

/** A server of a contract, by the faults that it has. */
export interface Measured {
  readonly contract: Contract;
  readonly fixtures: object;
  readonly credential: { readonly header: string; readonly value: string };
  readonly server: (clock: Clock, faults: readonly string[]) => Transport;
}

/** What the suite says of a server with these faults, with all permissions. */
export async function judged(measured: Measured, faults: readonly string[]): Promise<Report> {
  const read = readFixtures(JSON.stringify(measured.fixtures), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const clock = virtualClock();
  return runConformance({
    contracts: [measured.contract],
    baseUrl: 'http://localhost',
    credential: measured.credential,
    allow: permissions,
    fixtures: read.fixtures,
    transport: measured.server(clock, faults),
    clock,
    seed: 1,
  });
}

/** The rules of a report that say something against the server. */
export function alarmsOf(report: Report): readonly (readonly [verdict: string, rule: string, why: string])[] {
  return report.rules
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ verdict, id, observed, reason }) => [verdict, id, String(observed ?? reason ?? '')]);
}
