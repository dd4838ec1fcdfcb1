import { permissions, readFixtures, runConformance } from '../../../conformance/index.ts';
import type { ConformanceOptions, Report } from '../../../conformance/index.ts';
import { loadOwnContract, ownContractNames } from '../../../contract/index.ts';
import type { SickServer } from './front.ts';

/** How a run on a sick server is set up. */
export type JudgeOptions = Partial<Omit<ConformanceOptions, 'fixtures' | 'baseUrl'>> & {
  /** Members of the fixtures of the mock that are other here. */
  readonly fixtures?: Readonly<Record<string, unknown>>;
};

/** All but what waits for deadlines or hours. */
export const quickPermissions = permissions.filter((one) => one !== 'slow' && one !== 'long');

/** Judges a sick server by all contracts, on real sockets and in real time. */
export async function judgeSick(server: SickServer, { fixtures, ...options }: JudgeOptions): Promise<Report> {
  const read = readFixtures(JSON.stringify({ ...server.fixtures, ...fixtures }), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: await Promise.all(ownContractNames.map((name) => loadOwnContract(name))),
    baseUrl: server.url,
    fixtures: read.fixtures,
    seed: 1,
    ...options,
  });
}
