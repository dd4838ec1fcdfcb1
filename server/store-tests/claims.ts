import assert from 'node:assert/strict';
import { answer, DAY_MS, fenceOf, LEASE_MS, stateOf, type StoreTests } from './bench.ts';

/** The ownership of a key, and the results for others. */
export const claims: StoreTests = {
  async 'a free key is claimed once, and is in flight for everybody else'({ any, scope }) {
    await fenceOf(any(), scope, 'a');
    const second = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.equal(second.state, 'inFlight');
    assert.ok(second.state === 'inFlight' && second.retryAfterMs > 0 && second.retryAfterMs <= LEASE_MS);
  },

  async 'a recorded answer comes back byte for byte'({ any, scope }) {
    await any().record(await fenceOf(any(), scope, 'a'), answer, DAY_MS);
    const claim = await any().claim(scope, 'a', 'h', LEASE_MS);
    assert.ok(claim.state === 'recorded');
    assert.equal(claim.response.status, answer.status);
    assert.deepEqual(
      [...claim.response.headers].map((pair) => [...pair]),
      answer.headers.map((pair) => [...pair]),
    );
    assert.deepEqual([...claim.response.body], [...answer.body]);
  },

  async 'an empty answer and one of a megabyte are kept alike'({ any, scope }) {
    for (const length of [0, 1_048_576]) {
      const body = new Uint8Array(length).fill(7);
      await any().record(await fenceOf(any(), scope, String(length)), { ...answer, body }, DAY_MS);
      const claim = await any().claim(scope, String(length), 'h', LEASE_MS);
      assert.ok(claim.state === 'recorded' && claim.response.body.length === length);
    }
  },

  async 'another body under the same key is told apart in every state, and changes nothing'({ any, scope }) {
    const fence = await fenceOf(any(), scope, 'a');
    assert.equal(await stateOf(any(), scope, 'a', 'other'), 'mismatch');
    await any().record(fence, answer, DAY_MS);
    assert.equal(await stateOf(any(), scope, 'a', 'other'), 'mismatch');
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
    await any().park(await fenceOf(any(), scope, 'b'), DAY_MS);
    assert.equal(await stateOf(any(), scope, 'b', 'other'), 'mismatch');
    await any().consume(await fenceOf(any(), scope, 'c'), DAY_MS);
    assert.equal(await stateOf(any(), scope, 'c', 'other'), 'mismatch');
    await fenceOf(any(), scope, 'd', 'a\u0000\ud800');
    assert.equal(await stateOf(any(), scope, 'd', 'a\u0000\ud801'), 'mismatch');
    assert.equal(await stateOf(any(), scope, 'd', 'a\u0000\ud800'), 'inFlight');
  },

  async 'a consumed key stays consumed'({ any, scope }) {
    await any().consume(await fenceOf(any(), scope, 'a'), DAY_MS);
    assert.equal(await stateOf(any(), scope, 'a'), 'consumed');
    assert.equal(await stateOf(any(), scope, 'a'), 'consumed');
  },

  async 'a released key is free, and is nothing to be collected'({ any, scope }) {
    await any().release(await fenceOf(any(), scope, 'a'));
    const claim = await any().claim(scope, 'a', 'other', LEASE_MS);
    assert.ok(claim.state === 'new' && claim.collecting !== true);
  },

  async 'a parked key is collected by one, and is in flight meanwhile'({ any, scope }) {
    await any().park(await fenceOf(any(), scope, 'a'), DAY_MS);
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => any().claim(scope, 'a', 'h', LEASE_MS)),
    );
    const won = claims.filter((claim) => claim.state === 'new');
    assert.equal(won.length, 1);
    assert.ok(won[0]?.state === 'new' && won[0].collecting === true);
    assert.equal(claims.filter(({ state }) => state === 'inFlight').length, 9);
  },

  async 'scopes and keys are told apart however they are cut, long and strange ones too'({ any, scope }) {
    const pairs: [string, string][] = [
      ['ab', 'c'],
      ['a', 'bc'],
      ['', 'abc'],
      ['a:b', 'c'],
      ['a', 'b:c'],
      ['ü', '\u0000'],
      ['u', '\ud83d\ude00'.repeat(500)],
      // Half a surrogate pair has no encoding in UTF-8.
      ['s', '\ud800'],
      ['s', '\ud801'],
      ['s', '\ufffd'],
      ['s\udc00', ''],
      ['s\udc01', ''],
      ['{a}', "'; --"],
    ];
    for (const [more, key] of pairs) await fenceOf(any(), scope + more, key);
    for (const [more, key] of pairs) assert.equal(await stateOf(any(), scope + more, key), 'inFlight');
  },

  async 'of many who claim at once one wins'({ any, scope }) {
    const claims = await Promise.all(
      Array.from({ length: 60 }, () => any().claim(scope, 'a', 'h', LEASE_MS)),
    );
    assert.equal(claims.filter(({ state }) => state === 'new').length, 1);
    assert.equal(claims.filter(({ state }) => state === 'inFlight').length, 59);
  },

  async 'however claims and ends cross, a key has one owner at a time, and no end is lost'({ any, scope }) {
    let owners = 0;
    let ends = 0;
    const worker = async (): Promise<void> => {
      for (let round = 0; round < 15; round += 1) {
        const claim = await any().claim(scope, 'a', 'h', LEASE_MS);
        if (claim.state !== 'new') continue;
        owners += 1;
        assert.equal(owners, 1);
        await any().renew(claim.fence, LEASE_MS);
        owners -= 1;
        ends += 1;
        await any().release(claim.fence);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    assert.ok(ends > 0);
    assert.equal(await stateOf(any(), scope, 'a'), 'new');
  },

  async 'of one record and many claims, each claim sees the call in flight or its answer'({ any, scope }) {
    const fence = await fenceOf(any(), scope, 'a');
    const [, ...claims] = await Promise.all([
      any().record(fence, answer, DAY_MS),
      ...Array.from({ length: 30 }, () => any().claim(scope, 'a', 'h', LEASE_MS)),
    ]);
    for (const { state } of claims) assert.ok(state === 'inFlight' || state === 'recorded', state);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
  },
};
