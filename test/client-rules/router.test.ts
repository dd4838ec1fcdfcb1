import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadOwnContract } from '../../contract/index.ts';
import {
  ApiError,
  chargesOnPolicyRejectionIsPossible,
  createRouter,
  InternalError,
  readChargesOnPolicyRejection,
  settle,
  TimeoutError,
  type ConnectionOptions,
  type RouterClient,
} from '../../generated/router/index.ts';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import * as deviating from '../fixtures/deviating-clients/router.ts';
import { chargeFaults, keyFaults, shortPages, walkFaults } from './checks.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { until } from '../until.ts';

const KEY = 'service-mock-ok';

// The test advances the time of servers and clients.
const clock = virtualClock({ auto: false });
let faithful: RunningMock;
let odd: RunningMock;
const recorders: Recorder[] = [];

beforeAll(async () => {
  faithful = await startMock({ apis: ['router'], clock, controlPort: false });
  odd = await startMock({ apis: ['router'], profile: 'legal-but-odd', controlPort: false });
});
beforeEach(() => {
  faithful.reset();
  odd.reset();
});
afterEach(async () => {
  await Promise.all(recorders.splice(0).map((recorder) => recorder.stop()));
});
afterAll(() => Promise.all([faithful.stop(), odd.stop()]));

async function record({ url }: RunningMock, rewrite?: (answer: string) => string): Promise<Recorder> {
  const recorder = await startRecorder(url, rewrite);
  recorders.push(recorder);
  return recorder;
}

/** Pauses between attempts take no time; patience never ends. */
const hurried: ConnectionOptions['clock'] = {
  now: () => 0,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (milliseconds < 60_000) resolve();
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
};

function client(recorder: Recorder, options: Partial<ConnectionOptions> = {}): RouterClient {
  return createRouter({
    baseUrl: recorder.url,
    credentials: { ApiKeyAuth: KEY },
    clock: hurried,
    ...options,
  });
}

const named = (id: string): { provider: string; model: string } => {
  const [provider = '', model = ''] = id.split('/');
  return { provider, model };
};

async function walked(recorder: Recorder, limit: number): Promise<number> {
  let count = 0;
  for await (const _ of client(recorder).listModels.items({ limit })) count += 1;
  return count;
}

/** The error of a run that is not sent again. */
async function failed(recorder: Recorder, id: string): Promise<ApiError> {
  const result = await settle(client(recorder, { retries: 0 }).runModel({ ...named(id), body: {} }));
  if (result.ok || !(result.error instanceof ApiError)) throw new Error('the server answered no error');
  return result.error;
}

/** Resolves when a run has reached its model. */
async function dispatched(id: string, times = 1): Promise<void> {
  await until(`${id} is reached`, () => (faithful.dispatches()[id] ?? 0) >= times);
}

async function details(mock: RunningMock, ids: readonly string[]) {
  const { getModel } = client(await record(mock));
  return Promise.all(ids.map(async (id) => (await getModel(named(id))).data));
}

/** The entries of a 422 as a partner may send them tomorrow. */
function withNewType(answer: string): string {
  return answer.replaceAll(/"type":"[^"]*"/g, '"type":"brand new!"');
}

interface Proof {
  readonly outcome: string;
  readonly prove: () => Promise<void>;
  /** A client that breaks the rule is found out by the same check. */
  readonly catches: () => Promise<void>;
}

const proofs: Readonly<Record<string, Proof>> = {
  'router.cursor.opaque': {
    outcome: 'the cursor goes back as it came',
    async prove() {
      const recorder = await record(odd);
      await walked(recorder, 5);
      expect(recorder.exchanges.length).toBeGreaterThan(5);
      expect(walkFaults.cursor(recorder.exchanges)).toStrictEqual([]);
    },
    async catches() {
      const recorder = await record(odd);
      await deviating.walkWithTidiedCursor({ url: recorder.url, key: KEY }, 5);
      expect(walkFaults.cursor(recorder.exchanges)).not.toStrictEqual([]);
    },
  },
  'router.list.limit-echo-drives-walk': {
    outcome: 'from the second page on the limit is that of the answer',
    async prove() {
      const recorder = await record(odd);
      await walked(recorder, 0);
      expect(recorder.exchanges.length).toBeGreaterThan(1);
      expect(walkFaults.limit(recorder.exchanges)).toStrictEqual([]);
    },
    async catches() {
      const recorder = await record(odd);
      await deviating.walkWithOwnLimit({ url: recorder.url, key: KEY }, 0);
      expect(walkFaults.limit(recorder.exchanges)).not.toStrictEqual([]);
    },
  },
  'router.list.short-page-legal': {
    outcome: 'short pages do not end the walk',
    async prove() {
      const recorder = await record(odd);
      const count = await walked(recorder, 5);
      expect(shortPages(recorder.exchanges)).not.toStrictEqual([]);
      expect(walkFaults.end(recorder.exchanges)).toStrictEqual([]);
      expect(count).toBe(await walked(await record(odd), 100));
    },
    async catches() {
      const recorder = await record(odd);
      await deviating.walkToShortPage({ url: recorder.url, key: KEY }, 5);
      expect(walkFaults.end(recorder.exchanges)).not.toStrictEqual([]);
    },
  },
  'router.detail.policy-charge-open': {
    outcome: 'a value of a later version reads as unknown',
    async prove() {
      const [detail] = await details(odd, ['acme/upscale_4x']);
      expect(detail?.billing.charges_on_policy_rejection).toBe('partial');
      expect(detail && readChargesOnPolicyRejection(detail)).toBe('unknown');
    },
    async catches() {
      expect(chargeFaults(deviating.mightBeChargedIfYes, ['partial'])).toStrictEqual(['partial']);
      await Promise.resolve();
    },
  },
  'router.detail.policy-charge-truthiness': {
    outcome: 'no means no, although the text is true in a condition',
    async prove() {
      const read = await details(faithful, ['acme/easel-2.1', 'aurora-labs/sketch-1']);
      expect(read.map(({ billing }) => billing.charges_on_policy_rejection)).toStrictEqual(['no', 'yes']);
      expect(read.map(chargesOnPolicyRejectionIsPossible)).toStrictEqual([false, true]);
    },
    async catches() {
      expect(chargeFaults(deviating.mightBeChargedByTruthiness, ['no', 'yes'])).toStrictEqual(['no']);
      await Promise.resolve();
    },
  },
  'router.detail.unknown-might-charge': {
    outcome: 'unknown leaves a charge possible, and so does a value that is not known',
    async prove() {
      const [unknown] = await details(faithful, ['acme/upscale_4x']);
      const [later] = await details(odd, ['acme/upscale_4x']);
      expect(unknown?.billing.charges_on_policy_rejection).toBe('unknown');
      expect(unknown && chargesOnPolicyRejectionIsPossible(unknown)).toBe(true);
      expect(later && chargesOnPolicyRejectionIsPossible(later)).toBe(true);
    },
    async catches() {
      expect(chargeFaults(deviating.mightBeChargedIfYes, ['yes', 'unknown'])).toStrictEqual(['unknown']);
      await Promise.resolve();
    },
  },
  'router.run.422-type-open': {
    outcome: 'an entry of a type that nobody has heard of reaches the caller as it came',
    async prove() {
      const recorder = await record(faithful, withNewType);
      const { status, body } = await failed(recorder, 'mock/invalid-image');
      expect(status).toBe(422);
      expect(recorder.exchanges[0]?.answer).toContain('brand new!');
      expect(body).toStrictEqual(JSON.parse(recorder.exchanges[0]?.answer ?? ''));
    },
    async catches() {
      const target = { url: (await record(faithful, withNewType)).url, key: KEY };
      await expect(deviating.typesOfKnownOnes(target, 'mock/invalid-image')).rejects.toThrow('brand new!');
    },
  },
  'router.run.branch-on-bucket': {
    outcome: 'two causes of one status are told apart by the header, whatever the body says',
    async prove() {
      const rewrite = (answer: string): string =>
        answer.replace(/"error_type":"[^"]*"/, '"error_type":"provider_error"');
      const recorder = await record(faithful, rewrite);
      const silent = await failed(recorder, 'mock/provider-timeout');
      const late = failed(recorder, 'mock/deadline-exceeded');
      await dispatched('mock/deadline-exceeded');
      await clock.advance(600_000);
      const errors = [silent, await late];
      expect(errors.map(({ status }) => status)).toStrictEqual([504, 504]);
      expect(errors.map(({ bucket }) => bucket)).toStrictEqual(['provider_timeout', 'deadline_exceeded']);
      expect(errors.map(({ name }) => name)).toStrictEqual(['ProviderTimeoutError', 'DeadlineExceededError']);
    },
    async catches() {
      const target = { url: (await record(faithful)).url, key: KEY };
      const silent = await deviating.causeByStatus(target, 'mock/provider-timeout');
      const late = deviating.causeByStatus(target, 'mock/deadline-exceeded');
      await dispatched('mock/deadline-exceeded');
      await clock.advance(600_000);
      expect(await late).toBe(silent);
    },
  },
  'router.idem.recommended': {
    outcome: 'one key for all attempts of a call, and another for the next call',
    async prove() {
      const recorder = await record(faithful);
      const router = client(recorder, { retries: 2 });
      await settle(router.runModel({ ...named('mock/unavailable'), body: {} }));
      const first = recorder.exchanges.splice(0);
      await settle(router.runModel({ ...named('mock/unavailable'), body: {} }));
      expect(first).toHaveLength(3);
      expect(keyFaults(first)).toStrictEqual([]);
      expect(keyFaults(recorder.exchanges)).toStrictEqual([]);
      expect(keyFaults([...first, ...recorder.exchanges])).not.toStrictEqual([]);
    },
    async catches() {
      const recorder = await record(faithful);
      await deviating.runWithKeyPerAttempt({ url: recorder.url, key: KEY }, 'mock/unavailable');
      expect(keyFaults(recorder.exchanges)).toStrictEqual(['another key on another attempt']);
    },
  },
  'router.errors.unknown-fallback': {
    outcome: 'a bucket of a later version is an internal error',
    async prove() {
      const recorder = await record(odd);
      const error = await failed(recorder, 'mock/unknown-bucket');
      expect(recorder.exchanges[0]?.answerHeaders['x-service-error-type']).toBe('brand_new');
      expect(error).toBeInstanceOf(InternalError);
    },
    async catches() {
      const target = { url: (await record(odd)).url, key: KEY };
      await expect(deviating.causeOfKnownBuckets(target, 'mock/unknown-bucket')).rejects.toThrow('brand_new');
    },
  },
  'router.client.timeout-exceeds-deadline': {
    outcome: 'the client waits until the server says that its time is up',
    async prove() {
      expect(await errorAtDeadline({})).toMatchObject({ status: 504, bucket: 'deadline_exceeded' });
    },
    async catches() {
      expect(await errorAtDeadline({ timeoutMs: 300_000 })).toBeInstanceOf(TimeoutError);
    },
  },
};

/** What a caller hears of a run that does not end, when time moves on to the server's deadline. */
async function errorAtDeadline(options: { timeoutMs?: number }): Promise<unknown> {
  const { runModel } = client(await record(faithful), { retries: 0, clock });
  const call = settle(runModel({ ...named('mock/deadline-exceeded'), body: {} }, options));
  await dispatched('mock/deadline-exceeded');
  await clock.advance(600_000);
  const result = await call;
  return result.ok ? undefined : result.error;
}

for (const [rule, { outcome, prove, catches }] of Object.entries(proofs)) {
  test(`${rule}: ${outcome}`, prove);
  test(`${rule}: a client that breaks the rule is detected`, catches);
}

test('this file proves every rule for clients of the model router', async () => {
  const { sheet } = await loadOwnContract('router');
  const rules = sheet?.rules.filter(({ audience }) => audience === 'client').map(({ id }) => id) ?? [];
  expect(rules).not.toStrictEqual([]);
  expect(Object.keys(proofs).sort()).toStrictEqual(rules.sort());
});
