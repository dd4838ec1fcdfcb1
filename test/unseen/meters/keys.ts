import type { Clock } from '../../../conformance/index.ts';
import { type Answer, type Call, canonical, digest, Refusal, type Thing } from '../wire.ts';
import type { Has } from './things.ts';

export interface KeyOptions {
  readonly clock: Clock;
  readonly has: Has;
  readonly accountOf: (call: Call) => string;
  /** A device as it is now, by its id. */
  readonly present: (device: string) => Thing | undefined;
}

type Once = (
  call: Call,
  run: () => Promise<{ readonly answer: Answer; readonly device?: string }>,
) => Promise<Answer>;

interface Recorded {
  readonly hash: string;
  readonly name: unknown;
  readonly at: number;
  readonly device?: string;
  readonly answer?: Answer;
}

/** How long a key is stored: 24 hours. */
const window = 24 * 3_600_000;

/** Runs a call once for each key, and replays its answer. */
export function recordedKeys(options: KeyOptions): Once {
  const { clock, has } = options;
  const keys = new Map<string, Recorded>();
  return async (call, run) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return (await run()).answer;
    const account = options.accountOf(call);
    const place = has('keys-across-callers')
      ? `${call.operation} ${key}`
      : `${account} ${call.operation} ${key}`;
    const hash = digest(canonical(call.body));
    const name = (call.body as Thing | null)?.['name'];
    const stored = keys.get(place);
    const known = stored !== undefined && clock.now() - stored.at > window ? undefined : stored;
    if (known !== undefined) {
      const isSame =
        has('mismatch-by-name') && name !== undefined ? known.name === name : known.hash === hash;
      if (!isSame) throw new Refusal(422, 'key_reused', 'The key was used with another body.');
      if (known.answer === undefined)
        throw new Refusal(409, 'in_progress', 'The first call still runs.', { 'Retry-After': '1' });
      const present = has('replay-shows-present') ? options.present(known.device ?? '') : undefined;
      const answer = present === undefined ? known.answer : { ...known.answer, json: present };
      return { ...answer, headers: { ...answer.headers, 'Idempotent-Replay': 'true' } };
    }
    const record: Recorded = { hash, name, at: clock.now() };
    if (!has('keys-race')) keys.set(place, record);
    try {
      const { answer, device } = await run();
      keys.set(place, { ...record, at: clock.now(), answer, ...(device === undefined ? {} : { device }) });
      return answer;
    } catch (error) {
      const isKept = has('refusal-keeps-key') && error instanceof Refusal && error.status === 400;
      if (isKept) keys.set(place, record);
      else keys.delete(place);
      throw error;
    }
  };
}
