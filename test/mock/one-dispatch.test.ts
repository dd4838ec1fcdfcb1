import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import { requestBytes, Wire } from './wire.ts';
import { until } from '../until.ts';

// The clock is stopped: slow calls stay in flight until a test advances it.
const clock = virtualClock({ auto: false });
let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ apis: ['router'], clock, controlPort: false, journalSize: 1_000 });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

const CALLS = 200;
const MODEL = 'mock/slow';

const bytes = requestBytes('POST', `/v1/models/${MODEL}`, {
  body: '{}',
  headers: { 'Idempotency-Key': 'one for all' },
});

/** Numbers from 0 inclusive to 1 exclusive, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const dispatches = (): number => mock.dispatches()[MODEL] ?? 0;

/** Calls that reached the model and whose caller went away in the meantime: each of them freed the key. */
function releases(): number {
  return mock.journal
    .entries()
    .filter(({ delivery, status, replayed }) => delivery === 'dropped' && status !== 409 && !replayed).length;
}

test.each([1, 2, 3, 5, 8, 13])(
  'router.idem.race-one-winner, router.idem.release-on-drop: of 200 calls with one key and random drops, one at a time reaches the model (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const wires = await Promise.all(Array.from({ length: CALLS }, () => Wire.open(mock.url)));
    const kept: Wire[] = [];
    const leaving = new Map<number, Wire[]>();
    for (const [index, wire] of wires.entries()) {
      const sent = random() < 0.3 ? Math.floor(random() * bytes.length) : bytes.length;
      wire.write(bytes.slice(0, sent));
      // What was not sent whole is always dropped, the rest now and then: at once, or when others have sent theirs.
      if (sent < bytes.length || random() < 0.4) {
        const at = index + Math.floor(random() * 4);
        leaving.set(at, [...(leaving.get(at) ?? []), wire]);
      } else kept.push(wire);
      if (random() < 0.8) await wire.flushed();
      for (const one of leaving.get(index) ?? []) one.drop();
      leaving.delete(index);
    }
    for (const wire of [...leaving.values()].flat()) wire.drop();
    const heard = kept.map((wire) => wire.answer());
    let open = kept.length;
    for (const answer of heard) void answer.then(() => (open -= 1));
    await until('each caller that stays has its answer, and no call is open', async () => {
      await clock.advance(1_000);
      return open === 0 && mock.pending.calls().length === 0;
    });
    const answers = await Promise.all(heard);
    const ran = answers.filter((answer) => answer?.status === 200);
    expect(
      ran.filter((answer) => !/idempotent-replayed/i.test(answer?.head ?? '')).length,
    ).toBeLessThanOrEqual(1);
    expect(answers.filter((answer) => answer?.status !== 200 && answer?.status !== 409)).toStrictEqual([]);
    expect(dispatches()).toBeGreaterThan(0);
    expect(dispatches()).toBeLessThanOrEqual(1 + releases());
    for (const wire of kept) wire.drop();
  },
);
