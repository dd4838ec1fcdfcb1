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

/**
 * What each way of a call takes, in milliseconds. With 0, calls after one another are in the same millisecond, and the
 * suite then takes what a stream said before a change for what it said after it.
 */
const latency = Number(process.env['TALLYSTICK_LATENCY'] ?? 1);

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
    transport: delayed(measured.server(clock, faults), clock),
    clock,
    seed: 1,
  });
}

type Alarm = readonly [verdict: string, rule: string, why: string];

/** The rules of a report that say something against the server, and findings that are more than doubts. */
export function alarmsOf(report: Report): readonly Alarm[] {
  const rules = report.rules
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ verdict, id, observed, reason }): Alarm => [verdict, id, String(observed ?? reason ?? '')]);
  const findings = report.findings
    .filter(({ kind }) => kind !== 'doubt')
    .map(({ kind, says }): Alarm => ['finding', kind, says]);
  return [...rules, ...findings];
}

// --- internal ---

function delayed(inner: Transport, clock: Clock): Transport {
  return async (request) => {
    if (latency === 0) return inner(request);
    await clock.sleep(latency);
    const answer = await inner(request);
    await clock.sleep(latency);
    return answer;
  };
}
