import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createMock,
  listScenarios,
  type SteerableClock,
  type SteerableMock,
  type TrailStep,
  virtualClock,
} from '../../mock/index.ts';
import { notesContract } from '../engine/notes.ts';
import { own } from './own-document.ts';
import { pause, until } from '../until.ts';

/** Outcomes on demand, and bounds, of contracts of a user's own. */
let mock: SteerableMock;
beforeAll(async () => {
  mock = createMock({
    contracts: [
      await notesContract(),
      await own('rooms', ROOMS, ROOMS_SHEET),
      await own('desks', DESKS, DESKS_SHEET),
      await own('plain', PLAIN),
    ],
    clock: virtualClock({ auto: false }),
  });
  await mock.ready();
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => {
  mock.close();
});

const ROOMS = `
openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /bookings:
    post:
      operationId: book
      responses:
        '201': { description: Booked., content: { application/json: { example: { id: b1 } } } }
        '503':
          description: Closed.
          content: { application/json: { example: { code: closed, text: Come back later. } } }
`;
const ROOMS_SHEET = `
api: rooms
contract: '1'
document: 1
policies:
  - { kind: capacity, operations: [book], status: 429, calls: 2 }
  - { kind: deadline, operations: [book], default: PT10S, status: 504 }
rules: []
unspecified: []
`;
/** Errors with codes, and a code of its own for each refusal. */
const DESKS = ROOMS.replace('Rooms', 'Desks').replace('/bookings', '/desks').replace('book', 'takeDesk');
const DESKS_SHEET = `
api: desks
contract: '1'
document: 1
policies:
  - kind: error-codes
    code: error.code
    message: error.text
    codes:
      - { name: invalid, status: 400 }
      - { name: key_taken, status: 409 }
      - { name: key_busy, status: 409 }
      - { name: slow_down, status: 429 }
      - { name: too_many_at_once, status: 429 }
      - { name: other_body, status: 422 }
      - { name: gave_up, status: 504 }
    roles: { badInput: invalid }
  - { kind: capacity, operations: [takeDesk], status: 429, calls: 2, bucket: too_many_at_once }
  - { kind: deadline, operations: [takeDesk], default: PT10S, status: 504, bucket: gave_up }
  - kind: idempotency
    mode: replay
    operations: [takeDesk]
    requestHeader: Idempotency-Key
    replayHeader: { name: Replayed, value: 'yes' }
    window: PT1H
    release: []
    inFlight: { status: 409, retryAfter: true, bucket: key_busy }
    mismatch: { status: 422 }
rules: []
unspecified: []
`;
const PLAIN = `
openapi: 3.1.0
info: { title: Plain, version: '1' }
paths:
  /plain:
    get:
      operationId: readPlain
      responses:
        '200': { description: Fine., content: { application/json: { example: { fine: true } } } }
        '404': { description: Gone., content: { application/json: { example: { gone: true } } } }
`;

const call = (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  mock.fetch(path, {
    method,
    headers: { Authorization: 'Bearer ada', 'Content-Type': 'application/json', ...headers },
    ...(path === '/notes' ? { body: '{"text":"milk"}' } : {}),
  });
const statuses = async (calls: readonly Promise<Response>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);
/** Resolves when so many calls own their keys. */
const claimed = (times: number): Promise<void> =>
  until(
    `${String(times)} calls own their keys`,
    () => mock.pending.calls().filter(({ trail }) => trail.some(owns)).length === times,
  );
const owns = ({ step, decision }: TrailStep): boolean => step === 'idempotency' && decision === 'first use';
/** Resolves when a call waits for the end of its work. */
const atWork = (clock: SteerableClock): Promise<void> =>
  until('a call is at work', () => clock.nextWake() !== undefined);

test('status-503: a declared status is answered as the document declares it, twice, and then all is well', async () => {
  const prefer = { Prefer: 'scenario=status-503;times=2' };
  const answers = [];
  for (let n = 0; n < 3; n += 1) answers.push(await call('POST', '/bookings', prefer));
  expect(answers.map(({ status }) => status)).toStrictEqual([503, 503, 201]);
  expect(await answers[0]?.json()).toStrictEqual({ code: 'closed', text: 'Come back later.' });
});

test('status-502: an undeclared status has the shape of the errors of the API', async () => {
  const answer = await call('POST', '/bookings', { Prefer: 'scenario=status-502' });
  expect([answer.status, await answer.json()]).toMatchObject([502, { error: 'status_502' }]);
});

test('a fault frees the key as the sheet says, and a refusal keeps it', async () => {
  const key = { 'Idempotency-Key': 'k1' };
  expect((await call('POST', '/notes', { ...key, Prefer: 'scenario=status-500' })).status).toBe(500);
  const again = await call('POST', '/notes', key);
  expect([again.status, again.headers.get('Replayed')]).toStrictEqual([201, null]);
  const other = { 'Idempotency-Key': 'k2' };
  expect((await call('POST', '/notes', { ...other, Prefer: 'scenario=status-404' })).status).toBe(404);
  const kept = await call('POST', '/notes', other);
  expect([kept.status, kept.headers.get('Replayed')]).toStrictEqual([404, 'yes']);
});

test('a scenario that is forced works for one caller, counted by calls', async () => {
  await call('GET', '/notes/n1');
  const caller = mock.journal.entries()[0]?.caller ?? '';
  mock.scenarios.force({ name: 'status-500', caller, after: 1, times: 1 });
  const bob = await call('GET', '/notes/n1', { Authorization: 'Bearer bob' });
  const ada = await statuses([call('GET', '/notes/n1')]);
  const second = await statuses([call('GET', '/notes/n1')]);
  expect([bob.status, ada, second]).toStrictEqual([200, [200], [500]]);
});

test('slow-work: meanwhile the key is in flight', async () => {
  const headers = { 'Idempotency-Key': 'k1', Prefer: 'scenario=slow-work;ms=5000' };
  const first = call('POST', '/notes', headers);
  await claimed(1);
  const second = await call('POST', '/notes', { 'Idempotency-Key': 'k1' });
  expect([second.status, second.headers.has('Retry-After')]).toStrictEqual([409, true]);
  await mock.clock.advance(5_000);
  expect((await first).status).toBe(201);
});

test('slow-work: on a clock that moves by itself, two calls with one key meet, also on a busy machine', async () => {
  const { subtle } = crypto;
  const digest = subtle.digest.bind(subtle);
  let late = 0;
  const busy = vi
    .spyOn(subtle, 'digest')
    .mockImplementation((...given) => pause((late += 50)).then(() => digest(...given)));
  const quick = createMock({ contracts: [await notesContract()], clock: virtualClock() });
  const add = (prefer: Record<string, string>): Promise<Response> =>
    quick.fetch('/notes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1', ...prefer },
      body: '{"text":"milk"}',
    });
  try {
    const first = add({ Authorization: 'Bearer ada', Prefer: 'scenario=slow-work;ms=5000' });
    const second = add({ Authorization: 'Bearer ada' });
    expect(await statuses([first, second])).toStrictEqual([201, 409]);
  } finally {
    busy.mockRestore();
    quick.close();
  }
});

test('slow-work: a call that takes longer than the deadline of the sheet is ended by it', async () => {
  const late = call('POST', '/bookings', { Prefer: 'scenario=slow-work;ms=60000' });
  await atWork(mock.clock);
  await mock.clock.advance('PT11S');
  expect((await late).status).toBe(504);
});

test('the number of simultaneous calls in the sheet is enforced', async () => {
  const slow = { Prefer: 'scenario=slow-work' };
  const first = [call('POST', '/bookings', slow), call('POST', '/bookings', slow)];
  await expect.poll(async () => (await call('POST', '/bookings')).status).toBe(429);
  await mock.clock.advance(1_000);
  expect(await statuses(first)).toStrictEqual([201, 201]);
  expect((await call('POST', '/bookings')).status).toBe(201);
});

test('each refusal has the code that its policy gives, and else that of its status', async () => {
  const ask = async (key: string, prefer = '', query = ''): Promise<unknown[]> => {
    const answer = await call('POST', `/desks${query}`, { 'Idempotency-Key': key, Prefer: prefer });
    return [answer.status, ((await answer.json()) as { error?: { code?: string } }).error?.code];
  };
  expect(await ask('k0')).toStrictEqual([201, undefined]);
  expect(await ask('k0', '', '?other=1')).toStrictEqual([422, 'other_body']);
  const late = [ask('k1', 'scenario=slow-work;ms=60000'), ask('k2', 'scenario=slow-work;ms=60000')];
  await claimed(2);
  expect(await ask('k1')).toStrictEqual([409, 'key_busy']);
  expect(await ask('k3')).toStrictEqual([429, 'too_many_at_once']);
  await mock.clock.advance('PT11S');
  expect(await Promise.all(late)).toStrictEqual([
    [504, 'gave_up'],
    [504, 'gave_up'],
  ]);
});

test('callsInFlight: the option wins over the sheet', async () => {
  const contracts = [await own('rooms', ROOMS, ROOMS_SHEET)];
  const tight = createMock({ contracts, clock: virtualClock({ auto: false }), callsInFlight: 1 });
  try {
    const first = tight.fetch('/bookings', { method: 'POST', headers: { Prefer: 'scenario=slow-work' } });
    await atWork(tight.clock);
    expect((await tight.fetch('/bookings', { method: 'POST' })).status).toBe(429);
    await tight.clock.advance(1_000);
    expect((await first).status).toBe(201);
  } finally {
    tight.close();
  }
});

test.each([
  ['scenario=status-404', 404, { gone: true }],
  ['code=404', 404, { gone: true }],
  ['scenario=status-503', 503, { status: 503 }],
  ['code=418', 404, { status: 404 }],
  ['respond-async', 200, { fine: true }],
])('a document without a sheet answers Prefer: %s with %i', async (prefer, status, body) => {
  const answer = await call('GET', '/plain', { Prefer: prefer });
  expect([answer.status, await answer.json()]).toMatchObject([status, body]);
});

test('a scenario without effect is reported in the journal', async () => {
  await call('GET', '/plain', { Prefer: 'scenario=queue-full' });
  expect(mock.journal.entries()[0]?.trail).toContainEqual(
    expect.objectContaining({
      step: 'scenario',
      decision: 'there is no scenario queue-full here: readPlain cannot do it',
    }),
  );
});

test('scenarios are listed for what is served: none of the built-in contracts for a document of a user', async () => {
  const names = new Set((await listScenarios(['own'])).map(({ api }) => api));
  expect([...names].sort()).toStrictEqual(['any', 'own']);
  expect((await listScenarios(['own'])).some(({ key, model }) => key ?? model)).toBe(false);
  expect((await listScenarios(['router'])).some(({ api }) => api === 'own')).toBe(false);
});
