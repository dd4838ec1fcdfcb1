import type { Clock } from '../../../conformance/index.ts';
import { canonical, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './lives.ts';

export type Once = (call: Call, owner: string, run: () => Promise<Answer>) => Promise<Answer>;

interface Recorded {
  readonly body: string;
  readonly at: number;
  readonly answer?: Answer;
}

const day = 24 * 60 * 60 * 1000;

/** Makes a call once for each key, and replays its answer. */
export function recordedKeys(clock: Clock, has: Has): Once {
  const keys = new Map<string, Recorded>();
  return async (call, owner, run) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined || (has('retry-ignores-key') && call.operation === 'retryTranscription'))
      return run();
    const claim = canonical([owner, call.operation, call.path, key]);
    const body = has('mismatch-ignores-source') ? flat(call.body as Thing) : canonical(call.body);
    const stored = keys.get(claim);
    if (stored !== undefined && clock.now() - stored.at < day) {
      if (stored.body !== body) {
        throw new Refusal(422, 'key_mismatch', 'The key was used with another body.');
      }
      if (stored.answer === undefined) {
        throw new Refusal(409, 'key_in_flight', 'The first call still runs.', { 'Retry-After': '1' });
      }
      const { headers = {}, ...rest } = stored.answer;
      const kept = has('replay-without-location') ? {} : headers;
      return { ...rest, headers: { ...kept, 'Idempotency-Replayed': 'true' } };
    }
    keys.set(claim, { body, at: clock.now() });
    try {
      const answer = await run();
      keys.set(claim, { body, at: clock.now(), answer });
      return answer;
    } catch (error) {
      keys.delete(claim);
      throw error;
    }
  };
}

// --- internal ---

/** A body whose members were put together as texts: all objects are the same. */
const flat = (body: Thing): string =>
  Object.entries(body)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('\n');
