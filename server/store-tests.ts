import assert from 'node:assert/strict';
import type { Store, StoredResponse } from '../generator/server-runtime/store.ts';

export interface StoreUnderTest {
  /** The same store as several processes see it, each with a connection of its own; one will do. */
  readonly replicas: readonly [Store, ...Store[]];
  /** Lets this much time pass on the store's clock, in milliseconds. */
  wait(ms: number): Promise<void>;
  /**
   * How long a short lease is, in milliseconds; default: 250. What follows on a claim has to be done within it: give more
   * to a distant engine, and where many tests run at once.
   */
  readonly shortMs?: number;
}

export interface StoreTest {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/**
 * What every store has to hold to, races and crashes among it. Made for any runner:
 * `for (const { name, run } of storeTests(open)) test(name, run)`. Every test works with names of its own, so that one
 * engine serves all of them.
 *
 * @param open gives the store; called once for each test
 */
export function storeTests(open: () => StoreUnderTest | Promise<StoreUnderTest>): readonly StoreTest[] {
  return Object.entries(tests).map(([name, run]) => ({
    name,
    run: async () => {
      const under = await open();
      let turn = 0;
      await run({
        ...under,
        shortMs: under.shortMs ?? SHORT_MS,
        scope: `scope ${String(Math.random())}`,
        any: () => under.replicas[(turn += 1) % under.replicas.length] ?? under.replicas[0],
        first: under.replicas[0],
      });
    },
  }));
}

// --- internal ---

interface Bench extends StoreUnderTest {
  readonly shortMs: number;
  readonly scope: string;
  readonly first: Store;
  /** One replica after the other. */
  readonly any: () => Store;
}

const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Long enough for a claim and what follows it on a busy machine, short enough to wait for. */
const SHORT_MS = 250;

const answer: StoredResponse = {
  status: 201,
  headers: [
    ['content-type', 'application/octet-stream'],
    ['x-odd', 'ü "quoted" \\ '],
  ],
  body: new Uint8Array([0, 255, 13, 10, 34, 92, 128]),
};

async function fenceOf(
  store: Store,
  scope: string,
  key: string,
  hash = 'h',
  leaseMs = LEASE_MS,
): Promise<string> {
  const claim = await store.claim(scope, key, hash, leaseMs);
  assert.equal(claim.state, 'new');
  return claim.state === 'new' ? claim.fence : '';
}

async function stateOf(store: Store, scope: string, key: string, hash = 'h'): Promise<string> {
  return (await store.claim(scope, key, hash, LEASE_MS)).state;
}

const tests: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
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
    // Who comes back too late changes nothing any more.
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

  async 'a lease that is renewed does not end'({ any, scope, wait, shortMs }) {
    const fence = await fenceOf(any(), scope, 'a', 'h', shortMs);
    assert.equal(await any().renew(fence, LEASE_MS), true);
    await wait(shortMs * 1.2);
    assert.equal(await stateOf(any(), scope, 'a'), 'inFlight');
    await any().record(fence, answer, DAY_MS);
    assert.equal(await stateOf(any(), scope, 'a'), 'recorded');
  },

  async 'a slow owner that lost its key changes nothing any more'({ any, scope, wait, shortMs }) {
    const losing = async (end: 'record' | 'consume' | 'park' | 'release'): Promise<void> => {
      const late = await fenceOf(any(), scope, end, 'h', shortMs);
      await wait(shortMs * 1.2);
      const fence = await fenceOf(any(), scope, end);
      assert.equal(await any().renew(late, LEASE_MS), false);
      if (end === 'record') await any().record(late, answer, DAY_MS);
      else if (end === 'release') await any().release(late);
      else await any()[end](late, DAY_MS);
      assert.equal(await stateOf(any(), scope, end), 'inFlight', end);
      await any().consume(fence, DAY_MS);
      assert.equal(await stateOf(any(), scope, end), 'consumed', end);
    };
    await Promise.all((['record', 'consume', 'park', 'release'] as const).map(losing));
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
