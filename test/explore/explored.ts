import { explorations } from '../../conformance/apis/index.ts';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report, Transport } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { asFixtures } from '../kill-matrix/matrix.ts';
import { address } from '../kill-matrix/settings.ts';
import type { Setting } from '../kill-matrix/settings.ts';

/** How a mock is explored. */
export interface Exploring {
  readonly explore: number;
  readonly seed?: number;
  readonly deviations?: readonly string[];
  /** What lies between the suite and the mock. */
  readonly line?: (inner: Transport) => Transport;
}

/** A run of the searches alone against a mock in this process; waiting costs nothing. */
export async function exploreMock(
  setting: Setting,
  { explore, seed = 1, deviations = [], line = (inner) => inner }: Exploring,
): Promise<Report> {
  const clock = virtualClock();
  const mock = createMock({ ...setting.mock, apis: setting.apis, clock, deviations });
  try {
    await mock.ready();
    const own = mock.fixtures() as Record<string, unknown>;
    const transport = line(inProcess(mock.handle));
    return await runConformance({
      contracts: await Promise.all(setting.apis.map((api) => loadOwnContract(api))),
      baseUrl: address,
      fixtures: asFixtures(setting.fixtures?.(own) ?? own),
      allow: permissions,
      transport: setting.line?.(transport, clock) ?? transport,
      clock,
      seed,
      explore,
      scenarios: explorations.map(({ id }) => id),
    });
  } finally {
    mock.close();
  }
}

/** Rules that a run found broken, each with what was seen. */
export function brokenIn({ rules }: Report): readonly string[] {
  return rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error')
    .map(({ id, observed, reason }) => `${id}: ${observed ?? reason ?? ''}`);
}
