import assert from 'node:assert/strict';
import { answer, DAY_MS, fenceOf, LEASE_MS, stateOf, type StoreTests } from './bench.ts';

/** The values that every store accepts or refuses. */
export const values: StoreTests = {
  async 'times with a fraction are taken, and times that are none are refused'({ any, scope }) {
    const claim = await any().claim(scope, 'a', 'h', 60_000.5);
    assert.ok(claim.state === 'new');
    assert.equal(await any().renew(claim.fence, 60_000.5), true);
    assert.equal(await any().prepare(claim.fence, answer, 60_000.5, 2_000.25), true);
    assert.equal(await any().record(claim.fence, answer, 60_000.5), true);
    const entry = await any().enter(scope, 0, {}, 60_000.5);
    assert.ok(entry.admitted && (await any().stay(entry.ticket, 60_000.5)));
    const fence = await fenceOf(any(), scope, 'b');
    for (const ms of [0, -1, NaN, Infinity, 1e13]) {
      await assert.rejects(any().claim(scope, 'c', 'h', ms), RangeError);
      await assert.rejects(any().renew(fence, ms), RangeError);
      await assert.rejects(any().prepare(fence, answer, ms), RangeError);
      await assert.rejects(any().prepare(fence, answer, DAY_MS, ms), RangeError);
      await assert.rejects(any().record(fence, answer, ms), RangeError);
      await assert.rejects(any().consume(fence, ms), RangeError);
      await assert.rejects(any().park(fence, ms), RangeError);
      await assert.rejects(any().enter(scope, 0, {}, ms), RangeError);
      await assert.rejects(any().stay(entry.ticket, ms), RangeError);
    }
    assert.equal(await stateOf(any(), scope, 'b'), 'inFlight');
    assert.equal(await stateOf(any(), scope, 'c'), 'new');
  },

  async 'headers that HTTP cannot carry are refused, and change nothing'({ any, scope }) {
    const fence = await fenceOf(any(), scope, 'a');
    for (const text of ['a\u0000', 'a\r\nb', '\ud800'])
      for (const header of [
        [text, 'a'],
        ['a', text],
      ] as const) {
        await assert.rejects(any().prepare(fence, { ...answer, headers: [header] }, DAY_MS), TypeError);
        await assert.rejects(any().record(fence, { ...answer, headers: [header] }, DAY_MS), TypeError);
      }
    assert.equal(await stateOf(any(), scope, 'a'), 'inFlight');
    assert.equal(await any().record(fence, answer, DAY_MS), true);
  },

  async 'costs and bounds that are no numbers are refused, and hold nothing'({ any, scope }) {
    for (const cents of [-1, NaN, Infinity])
      await assert.rejects(any().enter(scope, cents, {}, LEASE_MS), RangeError);
    await assert.rejects(any().enter(scope, 1, { calls: NaN }, LEASE_MS), RangeError);
    await assert.rejects(any().enter(scope, 1, { cents: NaN }, LEASE_MS), RangeError);
    assert.equal((await any().enter(scope, 1, { calls: 1, cents: Infinity }, LEASE_MS)).admitted, true);
  },
};
