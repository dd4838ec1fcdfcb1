import { permissions, runConformance } from '../../../../conformance/index.ts';
import type { ConformanceOptions, Report, WireRequest } from '../../../../conformance/index.ts';
import { loadOwnContract } from '../../../../contract/index.ts';
import { virtualClock } from '../../../../mock/index.ts';
import { address } from '../../../kill-matrix/settings.ts';
import type { Setting } from '../../../kill-matrix/settings.ts';
import { prepared } from './prepared.ts';
import { seeing } from './seen.ts';
import { State } from './state.ts';

/** What a run did to a server of the three contracts. */
export interface Outcome {
  readonly report: Report;
  /** What is wrong with the promise, a sentence for each; empty if it was kept. */
  readonly breaches: readonly string[];
  /** Places of things that the run made. */
  readonly made: readonly string[];
}

/** One run with every permission, with `--fuzz` and `--explore`. */
export async function judge(
  setting: Setting,
  seed: number,
  {
    deviations = [],
    ...more
  }: Partial<ConformanceOptions> & { readonly deviations?: readonly string[] } = {},
): Promise<Outcome> {
  const clock = virtualClock();
  const { mock, fixtures, transport, before } = await prepared(setting, clock, deviations);
  const touched = new Map<string, string>();
  const made = new Set<string>();
  const look = ({ method, target }: Pick<WireRequest, 'method' | 'target'>): void => {
    const now = new State(mock.snapshot());
    for (const place of before.newIn(now)) made.add(place);
    for (const place of before.touchedIn(now))
      if (!touched.has(place)) touched.set(place, `${method} ${target}`);
  };
  // A mock forgets jobs that have expired.
  const seen = seeing(transport, (request) => {
    if (request.method !== 'GET' && setting.apis.includes('jobs')) look(request);
  });
  try {
    const report = await runConformance({
      contracts: await Promise.all(setting.apis.map((api) => loadOwnContract(api))),
      ...{
        baseUrl: address,
        fixtures,
        allow: permissions,
        clock,
        seed,
        ...{ fuzz: 5, explore: 60 },
        ...more,
      },
      transport: seen.transport,
    });
    look({ method: 'the end', target: 'of the run' });
    const { left = [] } = report;
    const listed = new Set(left.map(({ address: place }) => place));
    // An answer may show no id: then its exchange is listed.
    const idless = left.filter(({ address: place }) => place === undefined).map(({ operation }) => operation);
    const isShown = (place: string): boolean => {
      const at = idless.indexOf(makerOf(place));
      return at >= 0 && idless.splice(at, 1).length > 0;
    };
    const isTakenBack = (place: string): boolean => place.startsWith('job ') && seen.over.has(place.slice(4));
    const isListed = (place: string): boolean => listed.has(place.replace(/^job /, '/api/v2/jobs/'));
    const named = JSON.stringify(fixtures);
    return {
      report,
      made: [...made],
      breaches: [
        ...[...touched]
          .filter(([place]) => !isNamed(place, fixtures))
          .map(([place, request]) => `${place} is not as before since ${request}`),
        ...[...made]
          .filter((place) => !isTakenBack(place) && !isListed(place) && !isShown(place))
          .map((place) => `${place} is neither taken back nor listed`),
        ...left.flatMap(({ operation, address: place, exchange }) =>
          place === undefined || [...made].some((one) => one.replace(/^job /, '/api/v2/jobs/') === place)
            ? []
            : [`${operation} lists ${place} (${exchange}), which it did not make`],
        ),
        ...Object.keys(mock.dispatches())
          .filter((model) => !named.includes(JSON.stringify(model)))
          .map((model) => `the model ${model} was run, which the fixtures do not name`),
      ],
    };
  } finally {
    mock.close();
  }
}

// --- internal ---

/** The operation that makes what is at a place. */
function makerOf(place: string): string {
  if (place.startsWith('job ')) return 'submitJob';
  return place.startsWith('/proxy/') ? 'startSkinEnhancement' : 'publishNodeVersion';
}

/** Whether the fixtures name a node for publications: then its own facts may change, but no version of before. */
function isNamed(place: string, { publish }: Awaited<ReturnType<typeof prepared>>['fixtures']): boolean {
  const named = [publish, publish?.second, publish?.foreign];
  return named.some(
    (one) => one !== undefined && place === `/publishers/${one.publisherId}/nodes/${one.nodeId}`,
  );
}
