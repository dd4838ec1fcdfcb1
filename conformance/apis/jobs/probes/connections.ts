import type { StreamEvent } from '../../../http/event-stream.ts';
import type { Session, Watched } from '../../../scenarios/scenario.ts';
import { LIFE_MS, endGrace, isOver } from './job.ts';
import type { EventNames } from './job.ts';
import { BESIDE_MS } from './snapshot.ts';

/** A value, if it comes in time. */
export async function within<Value>(
  { clock }: Pick<Session, 'clock'>,
  milliseconds: number,
  coming: Promise<Value>,
): Promise<Value | undefined> {
  const settled = new AbortController();
  const late = clock.sleep(milliseconds, settled.signal).catch(() => undefined);
  try {
    return await Promise.race([coming, late.then(() => undefined)]);
  } finally {
    settled.abort();
  }
}

/** A stream that stays open until its end, or until the suite hangs up. */
export interface Followed {
  /** Whether the wanted events arrived. */
  readonly moving: Promise<boolean>;
  readonly whole: Promise<Watched>;
  readonly hangUp: () => void;
}

/** A stream from beginning to end, and whether it contained these events. */
export function followed(
  session: Session<'events'>,
  id: string,
  names: EventNames,
  wanted: readonly string[],
): Followed {
  const leaving = new AbortController();
  let tell: (moving: boolean) => void = () => undefined;
  const moving = new Promise<boolean>((resolve) => (tell = resolve));
  const whole = session.watch('events', {
    fill: { id },
    timeoutMs: LIFE_MS,
    until: (seen) => {
      if (hasAll(seen, wanted)) tell(true);
      return false;
    },
    grace: endGrace(names),
    signal: leaving.signal,
  });
  whole.then(
    () => tell(false),
    () => tell(false),
  );
  return { moving, whole, hangUp: () => leaving.abort(new Error('the suite has seen enough')) };
}

/** Opens streams one after the other, without waiting for their events. */
export function connect(
  session: Session<'events'>,
  id: string,
  options: {
    readonly names: EventNames;
    readonly wanted: readonly string[];
    /** Those of each stream. */
    readonly headers: readonly (readonly (readonly [name: string, value: string])[])[];
  },
): Promise<readonly Watched[]> {
  const { names, wanted, headers } = options;
  return Promise.all(
    headers.map(async (own, index) => {
      // Not immediately after the expected event.
      await session.clock.sleep(2 * BESIDE_MS + index * PAUSE_MS);
      return session.watch('events', {
        fill: { id },
        headers: own,
        timeoutMs: SNAPSHOT_MS,
        until: (seen) => isOver(seen, names) || hasAll(seen, wanted),
      });
    }),
  );
}

function hasAll(seen: readonly StreamEvent[], wanted: readonly string[]): boolean {
  return [...new Set(wanted)].every(
    (name) =>
      seen.filter((event) => event.name === name).length >= wanted.filter((one) => one === name).length,
  );
}

// --- internal ---

const PAUSE_MS = 200;

/** The time limit for a snapshot, in milliseconds. */
const SNAPSHOT_MS = 5000;
