import assert from 'node:assert/strict';
import { LEASE_MS, type StoreTests } from './bench.ts';

/** The capacity that callers use. */
export const capacity: StoreTests = {
  async 'callers hold no more calls than they may, however many come at once'({ any, scope }) {
    const entries = await Promise.all(
      Array.from({ length: 40 }, () => any().enter(scope, 0, { calls: 3 }, LEASE_MS)),
    );
    const admitted = entries.filter((entry) => entry.admitted);
    assert.equal(admitted.length, 3);
    for (const entry of entries) if (!entry.admitted) assert.deepEqual(entry.held, { calls: 3, cents: 0 });
    const [one] = admitted;
    assert.ok(one?.admitted === true);
    await any().leave(one.ticket);
    await any().leave(one.ticket);
    assert.equal((await any().enter(scope, 0, { calls: 3 }, LEASE_MS)).admitted, true);
    assert.equal((await any().enter(scope, 0, { calls: 3 }, LEASE_MS)).admitted, false);
    assert.equal((await any().enter(`${scope} other`, 0, { calls: 3 }, LEASE_MS)).admitted, true);
  },

  async 'callers commit no more cents than they may, up to the last one'({ any, scope }) {
    assert.equal((await any().enter(scope, 60, { cents: 100 }, LEASE_MS)).admitted, true);
    assert.deepEqual(await any().enter(scope, 41, { cents: 100 }, LEASE_MS), {
      ...{ admitted: false, held: { calls: 1, cents: 60 } },
    });
    assert.equal((await any().enter(scope, 40, { cents: 100 }, LEASE_MS)).admitted, true);
    assert.equal((await any().enter(scope, 1_000, {}, LEASE_MS)).admitted, true);
  },

  async 'of many who commit cents at once, no more than the bound are admitted'({ any, scope }) {
    const entries = await Promise.all(
      Array.from({ length: 40 }, () => any().enter(scope, 60, { calls: 20, cents: 500 }, LEASE_MS)),
    );
    assert.equal(entries.filter(({ admitted }) => admitted).length, 8);
    for (const entry of entries) if (!entry.admitted) assert.deepEqual(entry.held, { calls: 8, cents: 480 });
  },

  async 'crash of a holder: what it held comes back when its lease ends, and not while it is renewed'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    const dead = await any().enter(scope, 10, { calls: 2 }, shortMs);
    const alive = await any().enter(scope, 10, { calls: 2 }, shortMs);
    assert.ok(dead.admitted && alive.admitted);
    assert.equal(await any().stay(alive.ticket, LEASE_MS), true);
    assert.equal((await any().enter(scope, 10, { calls: 2 }, LEASE_MS)).admitted, false);
    await wait(shortMs * 1.2);
    assert.equal(await any().stay(dead.ticket, LEASE_MS), false);
    assert.equal((await any().enter(scope, 10, { calls: 2 }, LEASE_MS)).admitted, true);
    const full = await any().enter(scope, 10, { calls: 2 }, LEASE_MS);
    assert.deepEqual(full, { admitted: false, held: { calls: 2, cents: 20 } });
  },
};
