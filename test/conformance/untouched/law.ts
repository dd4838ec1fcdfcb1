import { permissions, runConformance } from '../../../conformance/index.ts';
import type { Report } from '../../../conformance/index.ts';
import { draftText, proposalsOf } from '../../../contract/draft/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { virtualClock } from '../../../mock/index.ts';
import { own } from '../../mock/own-document.ts';
import { documentOf } from './sample.ts';
import type { Sample } from './sample.ts';
import { TOKENS, pathPattern, serve, validityOf } from './server.ts';
import type { Deed, Manner, Validity } from './server.ts';
import type { Newcomer } from './world.ts';

/** A sample, read as a user's document: without a sheet, and with the one that a draft proposes. */
export interface Case {
  readonly sample: Sample;
  readonly plain: Contract;
  readonly drafted: Contract;
  readonly isValid: Validity;
}

export async function caseOf(sample: Sample): Promise<Case> {
  const text = JSON.stringify(documentOf(sample));
  const plain = await own(sample.name, text);
  const drafted = await own(sample.name, text, draftText(plain, proposalsOf(plain), 'sheet.json'));
  return { sample, plain, drafted, isValid: validityOf(sample) };
}

/** What a run did. */
export interface Outcome {
  readonly deeds: readonly Deed[];
  /** What is wrong with the promise, a sentence for each; empty if it was kept. */
  readonly breaches: readonly string[];
  /** Operations that made something which is gone again. */
  readonly takenBack: readonly string[];
  readonly report: Report;
}

/** The manners of a server and the sheet take turns: eight seeds have all of them. */
export async function judge(
  { sample, plain, drafted, isValid }: Case,
  seed: number,
  writes: readonly string[] = [],
): Promise<Outcome> {
  const manner: Manner = { isStrict: (seed & 1) === 0, isOpen: (seed & 4) !== 0 };
  const { transport, world, deeds, about } = serve(sample, manner, isValid);
  const report = await runConformance({
    contracts: [(seed & 2) === 0 ? plain : drafted],
    baseUrl: `http://localhost${sample.base ?? ''}`,
    fixtures: {
      cred: {
        valid: { header: 'Authorization', value: `Bearer ${TOKENS.me}` },
        secondAccount: TOKENS.second,
      },
      writes,
    },
    allow: permissions,
    transport,
    seed,
    fuzz: 2,
    explore: 5,
    clock: virtualClock({ startAt: 0 }),
  });
  const there = world.newcomers();
  const listed = listedIn(report, there, about, sample);
  return {
    deeds,
    report,
    takenBack: deeds
      .filter(({ made }) => made.some((place) => there.every((newcomer) => newcomer.place !== place)))
      .map(({ row }) => row.id),
    breaches: [
      ...deeds.flatMap(({ row, request, status, touched }) =>
        touched.map((place) => `${row.id}: ${request} → ${String(status)} touched ${place}`),
      ),
      ...there.flatMap(({ place, operation }) =>
        listed.some((one) => one.place === place) ? [] : [`${operation} left ${place}, which is not listed`],
      ),
      ...listed.flatMap(({ place, says }) => (place === undefined ? [says] : [])),
    ],
  };
}

// --- internal ---

interface Listed {
  /** The thing that an entry of `report.left` means. */
  readonly place: string | undefined;
  readonly says: string;
}

/**
 * An entry means the thing at its address. Without an address, it means the thing that its exchange is about; that is right
 * only if the document has no path for the thing, or the answer no id.
 */
function listedIn(
  { left = [], exchanges }: Report,
  there: readonly Newcomer[],
  about: ReadonlyMap<string, string>,
  { rows }: Sample,
): readonly Listed[] {
  const hasPath = (address: string): boolean => rows.some(({ path }) => pathPattern(path).test(address));
  return left.map(({ operation, address, exchange }) => {
    if (address !== undefined)
      return {
        place: there.find((newcomer) => newcomer.address === address)?.place,
        says: `${operation}: ${address} is listed, where nothing of the run is`,
      };
    const headers = exchanges.find(({ id }) => id === exchange)?.answer?.headers ?? [];
    const number = headers.find(([name]) => name === 'X-Request-Id')?.[1] ?? '';
    const meant = there.find(({ place }) => place === about.get(number));
    const isLost = meant?.address !== undefined && hasPath(meant.address);
    return {
      place: isLost ? undefined : meant?.place,
      says: `${operation}: ${exchange} is listed without an address, about ${meant?.place ?? about.get(number) ?? 'nothing'}`,
    };
  });
}
