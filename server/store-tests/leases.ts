import assert from 'node:assert/strict';
import {
  answer,
  DAY_MS,
  type End,
  endBy,
  everyEnd,
  fenceOf,
  LEASE_MS,
  stateOf,
  type StoreTests,
} from './bench.ts';

/** The key of an owner that is slow or dies. */
export const leases: StoreTests = {
  async 'crash after the claim: the key becomes free when the lease ends, and not before'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    await fenceOf(any(), scope, 'a', 'h', shortMs);
    assert.equal(await stateOf(any(), scope, 'a'), 'inFlight');
    await wait(shortMs * 1.2);
    assert.equal(await stateOf(any(), scope, 'a', 'other'), 'new');
  },

  async 'crash while a parked key is collected: the next one collects it'({ any, scope, wait, shortMs }) {
    await any().park(await fenceOf(any(), scope, 'a'), DAY_MS);
    const lost = await fenceOf(any(), scope, 'a', 'h', shortMs);
    const busy = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(busy.state === 'inFlight' && busy.delivering !== true);
    await wait(shortMs * 1.2);
    assert.equal(await any().renew(lost, LEASE_MS), false);
    assert.equal(await stateOf(any(), scope, 'a', 'other'), 'mismatch');
    const claim = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(claim.state === 'new' && claim.collecting === true);
    await any().release(claim.fence);
    const next = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(next.state === 'new' && next.collecting !== true);
  },

  async 'crash while the answer leaves: it may have arrived, so it is replayed when the lease ends, and not before'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    const replayable = await fenceOf(any(), scope, 'a', 'h', shortMs);
    const other = await fenceOf(any(), scope, 'b', 'h', shortMs);
    await any().prepare(replayable, answer, DAY_MS);
    await any().prepare(other, undefined, DAY_MS);
    for (const key of ['a', 'b']) {
      assert.equal(await stateOf(any(), scope, key), 'inFlight');
      assert.equal(await stateOf(any(), scope, key, 'other'), 'mismatch');
    }
    await wait(shortMs * 1.2);
    assert.equal(await stateOf(any(), scope, 'a', 'other'), 'mismatch');
    const claim = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(claim.state === 'recorded');
    assert.deepEqual([...claim.response.body], [...answer.body]);
    assert.equal(await stateOf(any(), scope, 'b'), 'consumed');
    // An owner that returns too late no longer changes anything.
    assert.equal(await any().renew(replayable, LEASE_MS), false);
    await any().release(replayable);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
  },

  async 'crash while the answer leaves: the lease can be made as short as that takes, and tells that it is on its way'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    const fence = await fenceOf(any(), scope, 'a');
    const before = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(before.state === 'inFlight' && before.delivering !== true);
    await any().prepare(fence, answer, DAY_MS, shortMs);
    const claim = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(claim.state === 'inFlight' && claim.delivering === true && claim.retryAfterMs <= shortMs);
    await wait(shortMs * 1.2);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
    const alive = await fenceOf(any(), scope, 'b');
    await any().prepare(alive, answer, DAY_MS, shortMs);
    assert.equal(await any().renew(alive, LEASE_MS), true);
    await wait(shortMs * 1.2);
    assert.equal(await stateOf(any(), scope, 'b'), 'inFlight');
    await any().release(alive);
    assert.equal(await stateOf(any(), scope, 'b'), 'new');
  },

  async 'a lease that is renewed does not end'({ any, scope, wait, shortMs }) {
    const fence = await fenceOf(any(), scope, 'a', 'h', shortMs);
    assert.equal(await any().renew(fence, LEASE_MS), true);
    await wait(shortMs * 1.2);
    assert.equal(await stateOf(any(), scope, 'a'), 'inFlight');
    await any().record(fence, answer, DAY_MS);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
  },

  async 'a slow owner that lost its key is told so, and changes nothing any more'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    const losing = async (end: End): Promise<void> => {
      const late = await fenceOf(any(), scope, end, 'h', shortMs);
      await wait(shortMs * 1.2);
      const fence = await fenceOf(any(), scope, end);
      assert.equal(await any().renew(late, LEASE_MS), false);
      assert.equal(await any().prepare(late, answer, DAY_MS), false);
      assert.equal(await endBy[end](any(), late), false);
      assert.equal(await stateOf(any(), scope, end), 'inFlight', end);
      assert.equal(await any().consume(fence, DAY_MS), true);
      assert.equal(await endBy[end](any(), late), false);
      assert.equal(await stateOf(any(), scope, end), 'consumed', end);
    };
    await Promise.all(everyEnd.map(losing));
  },

  async 'an owner whose lease ended is told so, also when nobody claimed its key since'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    const losing = async (end: End): Promise<void> => {
      const late = await fenceOf(any(), scope, end, 'h', shortMs);
      await wait(shortMs * 1.2);
      assert.equal(await any().prepare(late, answer, DAY_MS), false);
      assert.equal(await endBy[end](any(), late), false, end);
      assert.equal(await stateOf(any(), scope, end, 'other'), 'new', end);
    };
    await Promise.all(everyEnd.map(losing));
  },

  async 'what was prepared counts as kept when the lease ends: its owner is told so'({
    any,
    scope,
    wait,
    shortMs,
  }) {
    const recorded = await fenceOf(any(), scope, 'a', 'h', shortMs);
    const consumed = await fenceOf(any(), scope, 'b', 'h', shortMs);
    await any().prepare(recorded, answer, DAY_MS);
    await any().prepare(consumed, undefined, DAY_MS);
    await wait(shortMs * 1.2);
    assert.equal(await any().consume(recorded, DAY_MS), false);
    assert.equal(await any().record(consumed, answer, DAY_MS), false);
    assert.equal(await any().record(recorded, answer, DAY_MS), true);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
    assert.equal(await any().record(recorded, answer, DAY_MS), true);
    assert.equal(await any().consume(consumed, DAY_MS), true);
    assert.equal(await stateOf(any(), scope, 'b'), 'consumed');
  },

  async 'records, consumed and parked keys end with their time'({ any, scope, wait, shortMs }) {
    await any().record(await fenceOf(any(), scope, 'a'), answer, shortMs);
    await any().consume(await fenceOf(any(), scope, 'b'), shortMs);
    await any().park(await fenceOf(any(), scope, 'c'), shortMs);
    await wait(shortMs * 1.2);
    for (const key of ['a', 'b', 'c']) {
      const claim = await any().claim(scope, key, 'other', LEASE_MS);
      assert.ok(claim.state === 'new' && claim.collecting !== true, key);
    }
  },
};
