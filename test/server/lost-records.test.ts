import { expect, test } from 'vitest';
import { losingMemory } from './losing-stores.ts';
import { type Course, replicasOn } from './lost-records.ts';

const call: Extract<Course[number], { kind: 'call' }> = {
  ...({ kind: 'call', effect: 'result', replica: 0, pause: undefined, delivery: 'delivered' } as const),
};

const nothing = (): { charged: number; replayed: number; usedUp: number; keyLost: number } => ({
  ...{ charged: 0, replayed: 0, usedUp: 0, keyLost: 0 },
});

test.each<[string, Course, Partial<ReturnType<typeof nothing>>]>([
  ['its record is lost after its answer', [call, { kind: 'lose' }, call, call], { charged: 1, usedUp: 1 }],
  [
    'its process pauses after the charge for longer than its lease',
    [{ ...call, pause: 'after charge' }, { kind: 'expire' }, call, { kind: 'resume' }, call],
    { charged: 1, keyLost: 1 },
  ],
  [
    'its record is lost while it runs',
    [{ ...call, pause: 'after charge' }, { kind: 'lose' }, call, { kind: 'resume' }, call],
    { charged: 1, usedUp: 1, keyLost: 1 },
  ],
  [
    'the record of a run that was not charged again is lost',
    [{ ...call, effect: 'charged-failure' }, call, { kind: 'lose' }, call],
    { charged: 1, usedUp: 1 },
  ],
  [
    'another caller has its answer, its own caller has not, and its record is lost',
    [
      { ...call, pause: 'before delivery', delivery: 'dropped' },
      ...([{ kind: 'expire' }, call, { kind: 'lose' }, { kind: 'resume' }, call] as const),
    ],
    { charged: 1, replayed: 1, usedUp: 1 },
  ],
  [
    'calls that were charged fail, and leave their key to the next one',
    [...Array.from({ length: 12 }, () => ({ ...call, effect: 'charged-failure' as const })), call, call],
    { charged: 1, usedUp: 0, replayed: 1 },
  ],
])('a charged key is never charged again and has one answer, though %s', async (_what, course, want) => {
  const seen = nothing();
  expect(await replicasOn(losingMemory())('a', course, seen)).toStrictEqual([]);
  expect(seen).toMatchObject(want);
});
