import type { Clock } from '../../../conformance/index.ts';
import { canonical, digest, Refusal, type Answer, type Call } from '../wire.ts';
import type { Has } from './things.ts';

/** Makes a call, or repeats the answer that its key has. */
export type Once = (call: Call, target: string, owner: string, run: () => Promise<Answer>) => Promise<Answer>;

interface Recorded {
  readonly hash: string;
  readonly at: number;
  /** Undefined while the call runs. */
  readonly answer?: Answer;
}

const day = 24 * 3_600_000;

/** The keys of all firms, each with the answer to its call. */
export function recordedKeys(clock: Clock, has: Has, onReplay: (call: Call, owner: string) => void): Once {
  const keys = new Map<string, Recorded>();
  return async (call, target, owner, run) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return run();
    const place = JSON.stringify([owner, target, key]);
    const hash = digest(canonical(call.body));
    const known = keys.get(place);
    if (known !== undefined && (known.answer === undefined || clock.now() - known.at < day)) {
      const answer = replayed(known, hash, has);
      if (has('third-use-runs')) keys.delete(place);
      onReplay(call, owner);
      return answer;
    }
    keys.set(place, { hash, at: clock.now() });
    try {
      const answer = await run();
      keys.set(place, { hash, at: clock.now(), answer });
      return answer;
    } catch (error) {
      const isFailure = !(error instanceof Refusal) || error.status >= 500;
      if (!(isFailure && has('failure-holds-key'))) keys.delete(place);
      throw error;
    }
  };
}

// --- internal ---

function replayed({ hash, answer }: Recorded, wanted: string, has: Has): Answer {
  if (hash !== wanted) throw new Refusal(422, 'key_reused', 'The key was used with another body.');
  if (answer === undefined) {
    throw new Refusal(409, 'key_in_use', 'The first call with the key still runs.', { 'Retry-After': '1' });
  }
  const { Location, ...others } = answer.headers ?? {};
  const kept = Location === undefined || has('replay-without-location') ? {} : { Location };
  return { ...answer, headers: { ...others, ...kept, 'Idempotency-Replayed': 'true' } };
}
