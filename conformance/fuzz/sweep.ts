import * as fc from 'fast-check';
import { NotExercised } from '../scenarios/scenario.ts';
import type { Check, Session } from '../scenarios/scenario.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { NoNegative, sitesOf, type FuzzedBody, type Site } from './negative-arbitrary.ts';
import { fuzz, type FuzzResult } from './refused.ts';

/** A body with one violation, and its place. */
export interface Negative extends FuzzedBody {
  readonly pointer: string;
  readonly keyword: string;
}

export interface Sweep {
  readonly document: unknown;
  readonly schema: unknown;
  /** The body from which negatives are made. */
  readonly valid: unknown;
  /** The fixture that contains it. */
  readonly needs: string;
  /** Whether a rule covers this place; places without a rule are left alone. */
  readonly isAbout?: (site: Pick<Site, 'pointer' | 'keyword'>) => boolean;
  readonly send: (negative: Negative) => Promise<Exchange>;
  readonly judge: (answer: Exchange, negative: Negative) => Check;
}

/**
 * Violates every place and keyword of a schema once, then random ones, within the budget of the session. A
 * body that is not refused is shrunk.
 *
 * @throws {NotExercised} if nothing of the schema can be violated
 */
export async function* sweep(
  session: Pick<Session, 'fuzz' | 'random'>,
  parts: Sweep,
): AsyncGenerator<Check, void> {
  const series = sitesOf(parts.document, parts.schema, parts.valid)
    .filter((site) => parts.isAbout?.(site) ?? true)
    .map(({ pointer, keyword, bodies }) => bodies.map((one): Negative => ({ ...one, pointer, keyword })));
  if (series.length === 0)
    throw new NotExercised(parts.needs, `needs ${parts.needs} with a schema that refuses something`);
  const seed = Math.floor(session.random() * 0x7fffffff);
  const told = new Map<Negative, Check>();
  let last: Negative | undefined;
  const isRefused = async (negative: Negative): Promise<boolean> => {
    const verdict = parts.judge(await parts.send(negative), negative);
    told.set(negative, verdict);
    last = negative;
    return verdict.outcome !== 'fail';
  };
  let left = session.fuzz;
  const runs = [
    ...series.map((negatives) => ({ negatives, runs: 1, shrinks: SHRINKS })),
    { negatives: fc.oneof(...series), runs: undefined, shrinks: Number.POSITIVE_INFINITY },
  ];
  for (const { negatives, runs: times, shrinks } of runs) {
    if (left === 0) return;
    const most = Math.min(left, 1 + shrinks);
    let found: FuzzResult<Negative>;
    try {
      found = await fuzz(negatives, isRefused, { seed, most, runs: times ?? most });
    } catch (error) {
      if (error instanceof NoNegative) continue;
      throw error;
    }
    const { tried, accepted, path } = found;
    left -= tried;
    const shown = accepted ?? last;
    const verdict = shown === undefined ? undefined : told.get(shown);
    if (shown === undefined || verdict === undefined) continue;
    yield { ...verdict, got: `${verdict.got} for ${shown.says}${replay(path, seed)}` };
  }
}

/** The data for reproducing an example, for the end of a sentence. */
export function replay(path: string | undefined, seed: number): string {
  return path === undefined ? '' : ` (seed ${seed}, path ${path})`;
}

// --- internal ---

/** The limit of requests for shrinking an example. */
const SHRINKS = 12;
