import type { Clock } from '../../../conformance/index.ts';
import { canonical, Refusal, type Answer, type Call } from '../wire.ts';
import type { Has } from './lives.ts';

export type Once = (
  call: Call,
  owner: string,
  run: () => Promise<Answer> | Answer,
  /** Whether what a recorded answer shows was deleted. */
  isDeleted?: (recorded: Answer) => boolean,
) => Promise<Answer>;

interface Recorded {
  readonly body: string;
  readonly at: number;
  readonly answer?: Answer;
}

const halfADay = 12 * 60 * 60 * 1000;

/** Makes a call once for each key, and replays its answer. */
export function recordedKeys(clock: Clock, has: Has): Once {
  const keys = new Map<string, Recorded>();
  return async (call, owner, run, isDeleted) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return run();
    const claim = canonical([owner, call.operation, call.path, key]);
    const whole = canonical(call.body);
    const body = has('mismatch-of-long-bodies') ? whole.slice(0, 256) : whole;
    const stored = keys.get(claim);
    const answer = stored?.answer;
    const isFree = has('key-free-after-delete') && answer !== undefined && isDeleted?.(answer) === true;
    if (stored !== undefined && clock.now() - stored.at < halfADay && !isFree) {
      if (stored.body !== body) {
        throw new Refusal(422, 'key_mismatch', 'The key was used with another body.');
      }
      if (answer === undefined) {
        throw new Refusal(409, 'key_in_flight', 'The first call still runs.', { 'Retry-After': '1' });
      }
      return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
    }
    keys.set(claim, { body, at: clock.now() });
    try {
      const made = await run();
      keys.set(claim, { body, at: clock.now(), answer: made });
      return made;
    } catch (error) {
      keys.delete(claim);
      throw error;
    }
  };
}
