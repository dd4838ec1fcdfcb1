import type { Clock } from '../../../conformance/index.ts';
import { canonical, Refusal, type Answer, type Call } from '../wire.ts';
import type { Has } from './store.ts';

type Run = () => Promise<Answer> | Answer;

/** Runs a call once for its key. */
export type ByKey = (call: Call, owner: string, run: Run) => Promise<Answer>;

interface Kept {
  readonly body: string;
  /** What the call was answered with, once it has ended. */
  answer?: Answer;
  refusal?: Refusal;
  at: number;
}

const day = 24 * 60 * 60 * 1000;

/** Keys whose answers are recorded, and given again. */
export function replayingKeys(clock: Clock, has: Has): ByKey {
  const all = new Map<string, Kept>();
  let first = 0;

  return async (call, owner, run) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return run();
    const name = `${owner} ${key}`;
    const body = canonical(call.body);
    const known = all.get(name);
    const isRunning = known !== undefined && known.answer === undefined && known.refusal === undefined;
    if (isRunning && has('running-key-other-body') && known.body !== body) return run();
    if (isRunning) {
      throw new Refusal(409, 'key_in_use', 'The first call with the key still runs.', { 'Retry-After': '1' });
    }
    if (known !== undefined && clock.now() - known.at < day) {
      if (known.body !== body) throw new Refusal(422, 'key_reused', 'The key came with another body before.');
      if (known.answer === undefined) throw known.refusal;
      return replayOf(known.answer, has);
    }
    const kept: Kept = { body, at: clock.now() };
    all.set(name, kept);
    try {
      const answer = await run();
      first += 1;
      const own = has('replay-repeats-request-id') ? { 'X-Request-Id': `keyed-${String(first)}` } : {};
      kept.answer = { ...answer, headers: { ...answer.headers, ...own } };
      kept.at = clock.now();
      return kept.answer;
    } catch (error) {
      if (has('name-taken-spends-key') && error instanceof Refusal && error.code === 'name_taken') {
        kept.refusal = error;
      } else {
        all.delete(name);
      }
      throw error;
    }
  };
}

/** Keys that can be used for one call each. */
export function singleKeys(clock: Clock, has: Has): ByKey {
  const used = new Map<string, number>();

  return async (call, owner, run) => {
    const sent = call.header('Change-Key');
    if (sent === undefined) return run();
    const name = `${owner} ${has('change-key-any-case') ? sent.toLowerCase() : sent}`;
    const since = used.get(name);
    if (since !== undefined && clock.now() - since < day)
      throw new Refusal(409, 'key_used', 'The key was used for another change.');
    used.set(name, clock.now());
    try {
      return await run();
    } catch (error) {
      used.delete(name);
      throw error;
    }
  };
}

// --- internal ---

function replayOf(answer: Answer, has: Has): Answer {
  const headers: Record<string, string> = { ...answer.headers, 'Idempotent-Replayed': 'true' };
  if (has('replay-forgets-location')) delete headers['Location'];
  return { ...answer, headers };
}
