import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createServer, memoryStore, type Finding, type Store } from '../../generated/router/server.ts';
import { keepLease, shortestLeaseMs } from '../../generated/server-runtime/lease.ts';

describe('a lease that is kept', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** What happened, each with its time. */
  const keep = (renew: () => Promise<boolean>, ageMs = 0) => {
    const seen: [at: number, what: string][] = [];
    const sentAt = performance.now() - ageMs;
    const at = (what: string): void => void seen.push([Math.round(performance.now() - sentAt), what]);
    const stop = keepLease({
      ...{ leaseMs: 30_000, storeTimeoutMs: 5_000, sentAt },
      renew: () => {
        at('renewal');
        return renew();
      },
      onFailure: () => {
        at('failure');
      },
      onLost: (error) => {
        at(error === undefined ? 'lost' : 'lost, the store was away');
      },
    });
    return { seen, stop };
  };
  const slow = (ms: number) => () =>
    // eslint-disable-next-line no-restricted-syntax -- these timers are advanced by the test
    new Promise<boolean>((resolve) => setTimeout(resolve, ms, true) as unknown);

  test('a renewal counts from when it was sent, however late its answer arrives', async () => {
    const { seen, stop } = keep(slow(4_900), 4_900);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(seen.map(([at]) => at)).toStrictEqual([10_000, 20_000, 30_000]);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toHaveLength(3);
  });

  test('is lost at once when there is nothing to renew', async () => {
    const { seen } = keep(() => Promise.resolve(false));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toStrictEqual([
      [10_000, 'renewal'],
      [10_000, 'lost'],
    ]);
  });

  test('a lease survives a short outage of the store', async () => {
    let isAway = true;
    const { seen } = keep(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(true)));
    await vi.advanceTimersByTimeAsync(15_000);
    isAway = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(seen.map(([, what]) => what)).not.toContain('lost, the store was away');
    expect(seen.at(-1)?.[1]).toBe('renewal');
  });

  test.each([
    ['away', () => Promise.reject(new Error('away'))],
    ['silent', () => new Promise<boolean>(() => undefined)],
  ])('is lost before it ends in the store, when that stays %s', async (_how, renew) => {
    const { seen } = keep(renew);
    await vi.advanceTimersByTimeAsync(60_000);
    const [at = 0, what] = seen.at(-1) ?? [];
    expect(what).toBe('lost, the store was away');
    // The clock of timers knows whole milliseconds only.
    expect(at >= 29_000 && at < 29_010).toBe(true);
    expect(seen.filter(([, what]) => what.startsWith('lost'))).toHaveLength(1);
  });

  test('a lease is lost if the process was busy for longer', async () => {
    const { seen } = keep(() => Promise.resolve(true), 29_500);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.map(([, what]) => what)).toStrictEqual(['lost']);
  });
});

test.each([
  [1_000, 5_000, 10_000],
  [600_000, 5_000, 609_000],
  [0, 0, 1_500],
])(
  'a renewal of the shortest lease is decided before it ends: deadline %s, store %s',
  (deadline, store, ms) => {
    const lease = shortestLeaseMs(deadline, store);
    expect(lease).toBe(ms);
    expect(lease / 3 + store).toBeLessThanOrEqual(lease - 1_000);
  },
);

interface Running {
  readonly run: (key: string) => Promise<Response>;
  readonly findings: Finding[];
  readonly signals: AbortSignal[];
  /** Lets the oldest run end. */
  readonly finish: () => void;
}

const unused = (): never => {
  throw new Error('not part of this test');
};

function running(store: Store, leaseMs = 4_000): Running {
  const findings: Finding[] = [];
  const signals: AbortSignal[] = [];
  const ends: (() => void)[] = [];
  let runs = 0;
  const server = createServer(
    {
      ...{ listModels: unused, getModel: unused, getModelInputSchema: unused },
      async runModel(_input, { signal }) {
        runs += 1;
        const body = { run: runs };
        signals.push(signal);
        await new Promise<void>((resolve) => ends.push(resolve));
        return { status: 200, body };
      },
    },
    {
      authenticate: () => ({ id: 'caller' }),
      ...{ store, leaseMs, storeTimeoutMs: 100, deadlineMs: 2_000 },
      capacity: { bounds: () => ({ calls: 5 }) },
      onFinding: (finding) => findings.push(finding),
    },
  );
  return {
    ...{ findings, signals },
    finish: () => ends.shift()?.(),
    run: (key) =>
      server(
        new Request('http://localhost/v1/models/acme/echo', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-API-Key': 'service-x', 'Idempotency-Key': key },
          body: '{}',
        }),
      ),
  };
}

/** A store whose owner has lost its key to another one from some operation on. */
function losing(from: keyof Store): Store {
  const store = memoryStore();
  const lost = () => Promise.resolve(false);
  return from === 'renew'
    ? { ...store, renew: lost, prepare: lost, record: lost, consume: lost, release: lost }
    : { ...store, [from]: lost };
}

const isLoss = ({ kind }: Finding): boolean => kind === 'lost';

describe('a call that loses its key', () => {
  const loss = { kind: 'lost', operation: 'runModel', what: 'key', caller: 'caller', key: 'a' };

  test('is aborted, answered with 503, and told of with its caller, operation and key', async () => {
    const { run, findings, signals, finish } = running(losing('renew'));
    const answer = await run('a');
    expect([answer.status, answer.headers.get('x-service-error-type')]).toStrictEqual([
      ...[503, 'service_unavailable'],
    ]);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true]);
    expect(findings.filter(isLoss)).toMatchObject([loss]);
    finish();
  });

  test('before its answer leaves: the answer does not leave, since another call may give another one', async () => {
    const { run, findings, finish, signals } = running(losing('prepare'));
    const answering = run('a');
    await expect.poll(() => signals.length).toBe(1);
    finish();
    const answer = await answering;
    expect([answer.status, await answer.text()]).toStrictEqual([
      503,
      expect.stringContaining('lost its claim'),
    ]);
    expect(findings.filter(isLoss)).toMatchObject([loss]);
  });

  test('before its record: that is reported, and the answer does not count as kept', async () => {
    const { run, findings, finish, signals } = running(losing('record'));
    const answering = run('a');
    await expect.poll(() => signals.length).toBe(1);
    finish();
    const answer = await answering;
    expect(answer.status).toBe(200);
    await answer.text();
    await expect.poll(() => findings.filter(isLoss)).toMatchObject([loss]);
  });

  test('lets the one that has it now give the answer: two callers never both get 200 of their own', async () => {
    const store = memoryStore();
    const claims: string[] = [];
    const seen: Store = {
      ...store,
      async claim(...given) {
        const claim = await store.claim(...given);
        if (claim.state === 'new') claims.push(claim.fence);
        return claim;
      },
    };
    const [first, second] = [running(seen), running(seen)];
    const one = first.run('a');
    await expect.poll(() => first.signals.length).toBe(1);
    // The store forgets the claim, as a failover does.
    await store.release(claims[0] ?? '');
    const other = second.run('a');
    await expect.poll(() => second.signals.length).toBe(1);
    first.finish();
    expect((await one).status).toBe(503);
    second.finish();
    const answer = await other;
    const text = await answer.text();
    expect(answer.status).toBe(200);
    await expect.poll(async () => (await first.run('a')).headers.get('idempotent-replayed')).toBe('true');
    expect(await (await first.run('a')).text()).toBe(text);
  });
});

test('a place in the capacity of a caller that is lost is reported, and the call continues', async () => {
  const { run, findings, finish } = running({ ...memoryStore(), stay: () => Promise.resolve(false) });
  const answering = run('a');
  await expect
    .poll(() => findings.filter(isLoss))
    .toMatchObject([{ kind: 'lost', operation: 'runModel', what: 'capacity', caller: 'caller', key: 'a' }]);
  finish();
  expect((await answering).status).toBe(200);
});

test.each([
  ['with the default of the store', { deadlineMs: 2_000, leaseMs: 4_000 }, 11_000],
  ['with a fast store', { deadlineMs: 2_000, leaseMs: 4_000, storeTimeoutMs: 1_000 }, 5_000],
  ['that is no number', { deadlineMs: 2_000, leaseMs: NaN }, 11_000],
  ['that no store takes', { deadlineMs: 2_000, leaseMs: Infinity }, 11_000],
])('a lease %s that a slow store could outlast is refused', (_what, options, shortest) => {
  const create = (leaseMs: number) =>
    createServer(
      { listModels: unused, getModel: unused, getModelInputSchema: unused, runModel: unused },
      { authenticate: () => undefined, ...options, leaseMs },
    );
  expect(() => create(options.leaseMs)).toThrow(RangeError);
  expect(() => create(options.leaseMs)).toThrow(`runModel needs ${String(shortest)} to`);
  expect(() => create(shortest)).not.toThrow();
});

test('the default lease suits any time that the store may take', () => {
  const create = (storeTimeoutMs: number) =>
    createServer(
      { listModels: unused, getModel: unused, getModelInputSchema: unused, runModel: unused },
      { authenticate: () => undefined, storeTimeoutMs },
    );
  expect(() => create(600_000)).not.toThrow();
});
