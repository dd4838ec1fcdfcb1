import { NotExercised } from '../scenario.ts';
import type { Check, Session } from '../scenario.ts';
import type { Exchange } from '../exchange.ts';
import type { FuzzedBody, Site } from './negative-arbitrary.ts';
import type { FuzzResult } from './refused.ts';

/** A body that breaks one place, and what it breaks there. */
export interface Negative extends FuzzedBody {
  readonly pointer: string;
  readonly keyword: string;
}

export interface Sweep {
  readonly document: unknown;
  readonly schema: unknown;
  /** The body that negatives are made of. */
  readonly valid: unknown;
  /** The fixture that it comes from. */
  readonly needs: string;
  /** Whether a rule is about this place; what none is about is left as it is. */
  readonly isAbout?: (site: Pick<Site, 'pointer' | 'keyword'>) => boolean;
  readonly send: (negative: Negative) => Promise<Exchange>;
  readonly judge: (answer: Exchange, negative: Negative) => Check;
}

/**
 * Breaks every place and keyword of a schema once, then random ones, within the budget of the session. What is not
 * refused is made smaller.
 *
 * @throws {NotExercised} where nothing of the schema can be broken
 */
export async function* sweep(
  session: Pick<Session, 'fuzz' | 'random'>,
  parts: Sweep,
): AsyncGenerator<Check, void> {
  // The generator of random values is loaded by those who fuzz.
  const [fc, { fuzz }, { NoNegative, sitesOf }] = await Promise.all([
    import('fast-check'),
    import('./refused.ts'),
    import('./negative-arbitrary.ts'),
  ]);
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

/** What finds an example again, for the end of a sentence. */
export function replay(path: string | undefined, seed: number): string {
  return path === undefined ? '' : ` (seed ${seed}, path ${path})`;
}

// --- internal ---

/** Requests that are worth a smaller example. */
const SHRINKS = 12;
