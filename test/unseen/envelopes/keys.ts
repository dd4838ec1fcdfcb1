import { canonical, Refusal, type Answer, type Call } from '../wire.ts';
import type { Store } from './store.ts';

/** Makes a call once for each key. */
export type Keyed = (call: Call, owner: string, run: () => Promise<Answer>) => Promise<Answer>;

interface Use {
  readonly body: string;
  /** Missing while the first call runs. */
  answer?: Answer;
  answeredAt?: number;
}

const window = 2 * 60 * 1000;

/** The keys of all accounts. */
export function keysOf({ clock, has }: Store, requestId: () => string): Keyed {
  const uses = new Map<string, Use>();
  const released = new Set<string>();

  return async (call, owner, run) => {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return run();
    const claim = `${call.operation} ${owner} ${key}`;
    const body = textOf(call.body, has);
    const use = uses.get(claim);
    if (use !== undefined && isKnown(use, clock.now())) {
      const { answer } = use;
      if (answer === undefined) throw inFlight(has('in-flight-without-retry-after'));
      if (use.body !== body) {
        throw new Refusal(422, 'key_of_other_body', 'The key was used with another body.');
      }
      if (has('replay-renews-window')) use.answeredAt = clock.now();
      return { ...answer, headers: { ...answer.headers, ...marked } };
    }
    const first: Use = { body };
    uses.set(claim, first);
    try {
      const answer = await run();
      const headers = has('replay-repeats-request-id') ? { 'X-Request-Id': requestId() } : {};
      const recorded = { ...answer, headers: { ...answer.headers, ...headers } };
      first.answer = recorded;
      first.answeredAt = clock.now();
      const isMarked = has('released-key-marked') && released.has(claim);
      return isMarked ? { ...recorded, headers: { ...recorded.headers, ...marked } } : recorded;
    } catch (error) {
      const isKept = has('refused-key-stays-claimed') && (error as Refusal).code !== 'invalid_body';
      if (!isKept) uses.delete(claim);
      released.add(claim);
      throw error;
    }
  };
}

// --- internal ---

const marked = { 'Idempotent-Replay': 'true' };

const isKnown = ({ answeredAt }: Use, now: number): boolean =>
  answeredAt === undefined || now - answeredAt < window;

function inFlight(isShort: boolean): Refusal {
  const headers = isShort ? {} : { 'Retry-After': '1' };
  return new Refusal(
    409,
    'key_in_use',
    'The first call with this key still runs.',
    headers as Record<string, string>,
  );
}

function textOf(body: unknown, has: (fault: string) => boolean): string {
  const isThing = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (has('mismatch-ignores-nested') && isThing) return JSON.stringify(body, Object.keys(body).toSorted());
  return canonical(body);
}
