import assert from 'node:assert/strict';
import { answer, DAY_MS, endBy, everyEnd, fenceOf, LEASE_MS, stateOf, type StoreTests } from './bench.ts';

/** The results that an owner gets for ending its claim. */
export const ends: StoreTests = {
  async 'what was prepared ends as its owner says, and with its time'({ any, scope, wait, shortMs }) {
    const fences = await Promise.all(['a', 'b', 'c', 'd'].map((key) => fenceOf(any(), scope, key)));
    for (const fence of fences) await any().prepare(fence, answer, DAY_MS);
    const [a = '', b = '', c = '', d = ''] = fences;
    assert.equal(await any().renew(a, LEASE_MS), true);
    await any().record(a, answer, DAY_MS);
    await any().consume(b, DAY_MS);
    await any().release(c);
    await any().park(d, DAY_MS);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
    assert.equal(await stateOf(any(), scope, 'b'), 'consumed');
    assert.equal(await stateOf(any(), scope, 'c'), 'new');
    const collected = await any().claim(scope, 'd', 'h', LEASE_MS);
    assert.ok(collected.state === 'new' && collected.collecting === true);
    await any().prepare(await fenceOf(any(), scope, 'e', 'h', shortMs), answer, shortMs);
    await wait(shortMs * 1.4);
    const late = await any().claim(scope, 'e', 'other', LEASE_MS);
    assert.ok(late.state === 'new' && late.collecting !== true);
  },

  async 'an owner is told that its end was kept, also when it says it again, and that another one was not'({
    any,
    scope,
  }) {
    for (const end of everyEnd) {
      const fence = await fenceOf(any(), scope, end);
      assert.equal(await any().prepare(fence, answer, DAY_MS), true);
      assert.equal(await any().prepare(fence, answer, DAY_MS), true);
      for (let times = 0; times < 2; times += 1) assert.equal(await endBy[end](any(), fence), true, end);
      for (const other of everyEnd)
        if (other !== end) assert.equal(await endBy[other](any(), fence), false, `${other} after ${end}`);
      assert.equal(await any().renew(fence, LEASE_MS), false);
    }
    assert.equal(await stateOf(any(), scope, 'record'), 'recorded');
    assert.equal(await stateOf(any(), scope, 'consume'), 'consumed');
    assert.equal(await stateOf(any(), scope, 'release', 'other'), 'new');
    const parked = await any().claim(scope, 'park', 'h', LEASE_MS);
    assert.ok(parked.state === 'new' && parked.collecting === true);
  },

  async 'crash after an end whose answer got lost: saying it again changes nothing'({ any, scope }) {
    const fence = await fenceOf(any(), scope, 'a');
    await any().record(fence, answer, DAY_MS);
    await any().record(fence, { ...answer, status: 500 }, DAY_MS);
    await any().consume(fence, DAY_MS);
    await any().release(fence);
    const claim = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(claim.state === 'recorded' && claim.response.status === answer.status);
    const released = await fenceOf(any(), scope, 'b');
    await any().release(released);
    const next = await fenceOf(any(), scope, 'b');
    await any().release(released);
    assert.equal(await stateOf(any(), scope, 'b'), 'inFlight');
    await any().release(next);
  },
};
