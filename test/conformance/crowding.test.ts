import { expect, test } from 'vitest';
import { mustNotMeet } from '../../conformance/scenarios/crowding.ts';
import { scenario } from '../../conformance/scenarios/scenario.ts';
import type { Identity, Scenario } from '../../conformance/scenarios/scenario.ts';
import { schedule } from '../../conformance/scenarios/schedule.ts';
import { virtualClock } from '../../mock/index.ts';

const target = {
  credentials: {
    valid: { header: 'X-API-Key', value: 'one' },
    jwt: { header: 'Authorization', value: 'Bearer one' },
    concurrency: { header: 'X-API-Key', value: 'two' },
  },
};

function of(as: Identity, parts: Partial<Pick<Scenario, 'lock' | 'fillsCapacity' | 'api'>> = {}): Scenario {
  const requests = { run: { method: 'POST', target: '/', as, times: 1 } };
  const empty = { id: 'x', api: 'router', title: '', judges: [], ...parts };
  return scenario({ ...empty, requests, run: async function* () {} });
}

test.each([
  ['with its own key', of('valid', { fillsCapacity: true }), of('valid'), true],
  ['with the same secret under another name', of('valid', { fillsCapacity: true }), of('jwt'), true],
  ['the other way round', of('jwt'), of('valid', { fillsCapacity: true }), true],
  ['with the key of another account', of('concurrency', { fillsCapacity: true }), of('valid'), false],
  ['without a credential', of('valid', { fillsCapacity: true }), of('none'), false],
  ['of another API', of('valid', { fillsCapacity: true }), of('valid', { api: 'jobs' }), false],
  ['where none fills the capacity', of('valid'), of('valid'), false],
  ['with the same lock', of('valid', { lock: 'a' }), of('none', { lock: 'a' }), true],
])('what fills the capacity of an account runs beside no call %s', (_, one, other, apart) => {
  expect(mustNotMeet(one, other, target)).toBe(apart);
});

test('jobs that must not meet never run at the same time, and all of them run', async () => {
  const clock = virtualClock();
  const running = new Set<string>();
  const met: string[] = [];
  const done: string[] = [];
  await schedule(['a1', 'b1', 'a2', 'b2', 'a3'], {
    concurrency: 3,
    mustNotMeet: (one, other) => one[0] === other[0],
    stopped: () => false,
    run: async (job) => {
      met.push(...[...running].filter((other) => other[0] === job[0]));
      running.add(job);
      // Until everything waits: all that may begin has begun.
      await clock.sleep(1);
      running.delete(job);
      done.push(job);
    },
  });
  expect(met).toEqual([]);
  expect(done.sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
});
