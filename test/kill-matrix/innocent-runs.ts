import type { Report, RuleResult, Transport, WireResponse } from '../../conformance/index.ts';
import { seededRandom } from '../../conformance/schemas/seed.ts';
import type { Clock } from '../../conformance/http/transport.ts';
import { judgeMock } from './matrix.ts';
import { jobsOn, surfaces } from './settings.ts';
import type { Setting } from './settings.ts';

/** Servers that break no rule, over any kind of connection. */
export const innocents: readonly { readonly name: string; readonly setting: Setting }[] =
  Object.entries<Setting>({
    'router and registry': { apis: ['router', 'registry'] },
    ...Object.fromEntries(surfaces.map((surface) => [`jobs, ${surface}`, jobsOn({ surface })])),
    'jobs, self-hosted with a token': jobsOn({ surface: 'self-hosted', staticToken: 'token-of-this-one' }),
  }).flatMap(([name, setting]) =>
    (['faithful', 'legal-but-odd'] as const).map((profile) => ({
      name: `${name}, ${profile}`,
      setting: { ...setting, mock: { ...setting.mock, profile } },
    })),
  );

/** A run with this seed, over a line with latency that cuts answers into pieces. */
export function judgeInnocent(setting: Setting, seed: number): Promise<Report> {
  const random = seededRandom(`line/${seed}`);
  return judgeMock({ ...setting, seed, line: (inner, clock) => slowLine(inner, clock, random) });
}

/** What a run holds against an innocent server. */
export function alarmsIn({ rules, findings }: Report): readonly string[] {
  return [
    ...findings.map(({ kind, says }) => `${kind}: ${says}`),
    ...rules.filter(({ verdict }) => ALARMS.includes(verdict)).map(told),
  ];
}

export function told({ id, verdict, observed, reason }: RuleResult): string {
  return `${id} ${verdict}: ${observed ?? reason ?? ''}`;
}

// --- internal ---

const ALARMS: readonly RuleResult['verdict'][] = ['fail', 'warn', 'error'];

/** Milliseconds, at most: on the way there, on the way back, and between two pieces of an answer. */
const LATENCY_MS = 120;
const PIECE_MS = 20;

/** A line that takes its time and cuts answers into pieces. */
function slowLine(inner: Transport, clock: Clock, random: () => number): Transport {
  return async (request) => {
    await clock.sleep(random() * LATENCY_MS, request.signal);
    const response = await inner(request);
    await clock.sleep(random() * LATENCY_MS, request.signal);
    return { ...response, body: inPieces(response.body, clock, random) };
  };
}

async function* inPieces(
  body: WireResponse['body'],
  clock: Clock,
  random: () => number,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    const cut = Math.floor(random() * chunk.length);
    for (const piece of [chunk.subarray(0, cut), chunk.subarray(cut)]) {
      if (piece.length === 0) continue;
      yield piece;
      await clock.sleep(random() * PIECE_MS);
    }
  }
}
