import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, test } from 'vitest';
import {
  ApiError,
  committedSpend,
  createRouter,
  creditsUsed,
  isCollectable,
  isReplay,
  isStillRunning,
  settle,
  type ConnectionOptions,
  type RouterClient,
} from '../../generated/router/index.ts';
import { runModelFailure } from '../../generated/router/failures.ts';
import { errorOf, mockModel, world, type World } from './in-process.ts';

let here: World;
beforeAll(async () => {
  here = world({ apis: ['router'] });
  await here.mock.ready();
});
beforeEach(() => {
  here.mock.reset();
  here.sent.length = 0;
});
afterAll(() => here.mock.close());

const client = (key = 'service-mock-ok', options: Partial<ConnectionOptions> = {}): RouterClient =>
  createRouter({ ...here.connection, credentials: { ApiKeyAuth: key }, ...options });

const statuses = (): number[] => here.sent.map(({ status }) => status);

test('the headers of a result are known by name, and others can be asked for', async () => {
  const { headers } = await client().runModel(mockModel('ok', { prompt: 'a lighthouse' }));
  expectTypeOf(headers.get('X-Service-Request-Id')).toEqualTypeOf<string>();
  expectTypeOf(headers.get('Idempotent-Replayed')).toEqualTypeOf<string | null>();
  expectTypeOf(headers.get('x-other')).toEqualTypeOf<string | null>();
  expect(headers.get('X-Service-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('Idempotent-Replayed')).toBeNull();
});

test('the entries of a 422 are typed: positions in lists are numbers, and additions of a partner are kept', async () => {
  const input = { image: 'no picture', layers: [{ opacity: 0.5 }, { opacity: 7 }] };
  const error = await errorOf(client().runModel(mockModel('invalid-image', input)));
  const refused = runModelFailure(error, 422);
  expectTypeOf(refused?.headers.get('X-Service-Error-Type')).toEqualTypeOf<string | undefined>();
  const entry = refused?.body.detail.find(({ loc }) => loc.includes(1));
  expectTypeOf(entry?.type).toEqualTypeOf<string | undefined>();
  expect(entry).toMatchObject({
    loc: ['layers', 1, 'opacity'],
    msg: expect.any(String) as string,
    type: expect.any(String) as string,
    ctx: expect.any(Object) as object,
    input: 7,
  });
});

test.each([
  ['another status', 404, {}],
  ['another body', 422, { body: '<h1>Bad gateway</h1>' }],
  ['another operation', 422, { operation: 'listModels' }],
] as const)('an answer of %s is not treated as a 422 of a run', async (_what, status, changes) => {
  const error = await errorOf(client().runModel(mockModel('invalid-image', { image: 'no picture' })));
  expect(runModelFailure(error, 422)).toBe(error);
  expect(runModelFailure(Object.assign(error, { status, ...changes }), 422)).toBeUndefined();
});

test('router.run.429-bucket: a refusal for money says by its headers how much is committed', async () => {
  const { runModel } = client('service-mock-spend-100', { retries: 0 });
  const first = runModel(mockModel('slow'));
  const second = runModel(mockModel('slow'));
  const outcomes = await Promise.all([first, second].map((call) => settle(call)));
  const refused = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  const error = refused.find((each) => each instanceof ApiError);
  const spend = error && committedSpend(error);
  expect(spend?.limit).toBe(100);
  expect(spend && spend.limit - spend.current).toBe(spend?.remaining);
  expect(
    committedSpend(await errorOf(client().getModel({ provider: 'mock', model: 'none' }))),
  ).toBeUndefined();
});

test('what a billed answer used is read from a header that only some answers have', async () => {
  const { runModel } = client();
  expect(creditsUsed(await runModel(mockModel('credits-header')))).toMatch(/^\d/);
  expect(creditsUsed(await runModel(mockModel('ok', { prompt: 'x' })))).toBeUndefined();
});

test('router.schema.inm-304: the body of a current document is not sent again, and 304 is a value', async () => {
  const { getModelInputSchema } = client();
  const input = { provider: 'mock', model: 'ok' };
  const first = await getModelInputSchema.refresh(undefined, input);
  const second = await getModelInputSchema.refresh(first.held, input);
  expect([first.changed, second.changed]).toStrictEqual([true, false]);
  expect(second.data).toBe(first.data);
  expect(statuses()).toStrictEqual([200, 304]);
  const answer = await getModelInputSchema({ ...input, ifNoneMatch: first.held?.etag });
  expect([answer.status, answer.data]).toStrictEqual([304, undefined]);
});

test('router.idem.in-flight-retry-after: the client waits for a running call and gets its only result', async () => {
  const { runModel } = client('service-mock-ok', { retries: 0 });
  // Both at once: time moves by itself while a test waits for the first one to run.
  const [first, second] = await Promise.all(
    [1, 2].map(() => runModel(mockModel('slow'), { idempotencyKey: 'k' })),
  );
  expect(second?.data).toStrictEqual(first?.data);
  expect(second?.replayed).toBe(true);
  expect(second !== undefined && isReplay(second)).toBe(true);
  expect(here.mock.dispatches()['mock/slow']).toBe(1);
  expect(statuses().filter((status) => status === 409).length).toBeGreaterThan(0);
});

test('router.idem.mismatch-409: a key that is sent with another body is an error at once', async () => {
  const { runModel } = client();
  await runModel(mockModel('ok', { prompt: 'one' }), { idempotencyKey: 'k' });
  const error = await errorOf(runModel(mockModel('ok', { prompt: 'two' }), { idempotencyKey: 'k' }));
  expect([error.status, error.attempts, isStillRunning(error)]).toStrictEqual([409, 1, false]);
});

test('router.idem.consumed-409: a key without a copy to replay is an error at once', async () => {
  const { runModel } = client();
  await runModel(mockModel('unreplayable'), { idempotencyKey: 'k' });
  const error = await errorOf(runModel(mockModel('unreplayable'), { idempotencyKey: 'k' }));
  expect([error.status, error.attempts, isStillRunning(error)]).toStrictEqual([409, 1, false]);
});

test('router.idem.replay: a refusal that is replayed under its key is marked as a replay', async () => {
  const { runModel } = client();
  const refused = (): Promise<ApiError> =>
    errorOf(runModel(mockModel('invalid-image', { image: 'no picture' }), { idempotencyKey: 'k' }));
  expect([isReplay(await refused()), isReplay(await refused())]).toStrictEqual([false, true]);
});

test('router.idem.release-5xx: a server error is sent again under the same key, and runs again', async () => {
  const error = await errorOf(client().runModel(mockModel('unavailable')));
  expect([error.status, error.attempts]).toStrictEqual([503, 3]);
  expect(new Set(here.sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('router.run.504-bucket: the two timeouts are distinguished, and only the one with Retry-After is sent again', async () => {
  const silent = await errorOf(client().runModel(mockModel('provider-timeout')));
  const late = await errorOf(client().runModel(mockModel('deadline-exceeded')));
  expect([silent, late].map(({ status, name }) => [status, name])).toStrictEqual([
    [504, 'ProviderTimeoutError'],
    [504, 'DeadlineExceededError'],
  ]);
  expect([silent, late].map((error) => isCollectable(error))).toStrictEqual([false, false]);
  expect(statuses()).toStrictEqual([504, 504]);
});

test('a generation that still runs after a timeout is collected under the same key', async () => {
  const answer = await client().runModel(mockModel('provider-timeout-collectable'));
  expect(answer.status).toBe(200);
  expect(statuses()[0]).toBe(504);
  expect(here.mock.dispatches()['mock/provider-timeout-collectable']).toBe(1);
});

test('router.list.limit-clamped, limit-zero, limit-negative: the answer has the limit that was used', async () => {
  const served = [500, 0, -3].map(async (limit) => (await client().listModels({ limit })).data.limit);
  expect(await Promise.all(served)).toStrictEqual([100, 20, 20]);
});
