import type { Clock } from '../../../conformance/index.ts';
import { canonical, digest, Refusal, type Answer, type Call } from '../wire.ts';
import type { Has } from './things.ts';

/** Makes a call, or repeats the answer that its key has. */
export type Once = (call: Call, target: string, owner: string, run: () => Promise<Answer>) => Promise<Answer>;

interface Recorded {
  readonly hash: string;
  readonly at: number;
  readonly end?: Answer | Refusal;
}

const day = 24 * 3_600_000;

/** The keys of all theatres, each with the answer to its call. */
export function recordedKeys(clock: Clock, has: Has): Once {
  const keys = new Map<string, Recorded>();
  return async (call, target, owner, run) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return run();
    const place = JSON.stringify([owner, target, key]);
    const hash = digest(has('replay-by-text') ? JSON.stringify(call.body) : canonical(call.body));
    const known = keys.get(place);
    if (known !== undefined && (known.end === undefined || clock.now() - known.at < day)) {
      return replayed(known, hash);
    }
    keys.set(place, { hash, at: clock.now() });
    try {
      const end = await run();
      keys.set(place, { hash, at: clock.now(), end });
      return end;
    } catch (error) {
      const isKept = has('conflict-recorded') && error instanceof Refusal && error.status === 409;
      if (isKept) keys.set(place, { hash, at: clock.now(), end: error });
      else keys.delete(place);
      throw error;
    }
  };
}

// --- internal ---

function replayed({ hash, end }: Recorded, wanted: string): Answer {
  if (hash !== wanted) throw new Refusal(422, 'key_reused', 'The key was used with another body.');
  if (end === undefined) {
    throw new Refusal(409, 'key_in_use', 'The first call with the key still runs.', { 'Retry-After': '1' });
  }
  if (end instanceof Refusal) throw end;
  return { ...end, headers: { ...end.headers, 'Idempotent-Replayed': 'true' } };
}
