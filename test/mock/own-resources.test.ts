import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMock, startMock, type SteerableMock, virtualClock } from '../../mock/index.ts';
import { bookingsContract } from './bookings.ts';

/** Collections of a contract of a user's own: what requests do with the things in them. */
const contracts = [await bookingsContract()];

interface Booking {
  readonly id: string;
  readonly guest_name: string;
  readonly status: string;
}

const usual = createMock({ contracts, clock: virtualClock({ auto: false }) });
let mock: SteerableMock;

beforeEach(async () => {
  await usual.ready();
  usual.reset();
  mock = usual;
});
afterAll(() => {
  usual.close();
});

async function started(
  options: { readonly data?: string; readonly seed?: string } = {},
): Promise<SteerableMock> {
  const { seed, ...others } = options;
  const made = createMock({
    contracts,
    clock: virtualClock({ auto: false }),
    ...(seed === undefined ? {} : { answers: { defaults: { seed } } }),
    ...others,
  });
  onTestFinished(() => {
    made.close();
  });
  await made.ready();
  return made;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const isPatch = method === 'PATCH';
  const answer = await mock.fetch(`${mock.url}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': `application/${isPatch ? 'merge-patch+' : ''}json` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

const NEW = { guest_name: 'Ada', starts_on: '2030-05-01', status: 'requested', card_token: 't' };

async function create(given: object = {}): Promise<{ booking: Booking; etag: string }> {
  const made = await call('POST', '/bookings', { ...NEW, ...given });
  expect(made.status).toBe(201);
  return { booking: made.body as Booking, etag: made.headers.get('ETag') ?? '' };
}

const violations = (): unknown[] => mock.journal.entries({}).flatMap((entry) => entry.responseFindings);

test('what was created is read again as the schema shows it, at the address that Location gives', async () => {
  const made = await call('POST', '/bookings', NEW);
  expect(made.body).toMatchObject({ id: 'bk_26', guest_name: 'Ada', status: 'requested' });
  expect(made.body).not.toHaveProperty('card_token');
  const read = await call('GET', made.headers.get('Location') ?? '');
  expect(read.body).toStrictEqual(made.body);
  expect(read.headers.get('ETag')).toBe(made.headers.get('ETag'));
  expect(violations()).toStrictEqual([]);
});

test('the moment of its creation is the mock clock', async () => {
  const { booking } = await create();
  expect(booking).toMatchObject({ created_at: new Date(mock.clock.now()).toISOString() });
});

test('a list has the new thing in its place, in pages with Link and total', async () => {
  const { booking } = await create();
  const seen: string[] = [];
  let next: string | undefined = '/bookings';
  let pages = 0;
  while (next !== undefined) {
    const page = await call('GET', next);
    const { bookings, total } = page.body as { bookings: Booking[]; total: number };
    expect(total).toBe(26);
    seen.push(...bookings.map(({ id }) => id));
    next = /<([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
    pages += 1;
  }
  expect([pages, seen.length, seen.at(-1)]).toStrictEqual([3, 26, booking.id]);
  expect(violations()).toStrictEqual([]);
});

test('a declared parameter with the name of a plain member filters', async () => {
  await create({ status: 'cancelled' });
  const { body } = await call('GET', '/bookings?status=cancelled&per_page=20');
  const { bookings } = body as { bookings: Booking[] };
  expect(bookings.length).toBeGreaterThan(0);
  expect(new Set(bookings.map(({ status }) => status))).toStrictEqual(new Set(['cancelled']));
});

test('replace keeps what the server made, and drops what is left out', async () => {
  const { booking, etag } = await create({ email: 'ada@example.com', nights: 3 });
  const changed = { guest_name: 'Bob', starts_on: '2030-06-01', status: 'confirmed' };
  const answer = await call('PUT', `/bookings/${booking.id}`, changed, { 'If-Match': etag });
  expect(answer.body).toMatchObject({ ...changed, id: booking.id });
  expect(answer.body).not.toHaveProperty('email');
  expect(answer.headers.get('ETag')).not.toBe(etag);
});

test('a merge patch changes what it names, and null removes', async () => {
  const { booking, etag } = await create({ email: 'ada@example.com', nights: 3 });
  const answer = await call(
    'PATCH',
    `/bookings/${booking.id}`,
    { nights: 4, email: null },
    { 'If-Match': etag },
  );
  expect(answer.body).toMatchObject({ nights: 4, guest_name: 'Ada' });
  expect(answer.body).not.toHaveProperty('email');
});

test('a merge patch that leaves no valid thing is refused, and nothing has changed', async () => {
  const { booking, etag } = await create();
  const patch = { guest_name: null };
  expect((await call('PATCH', `/bookings/${booking.id}`, patch, { 'If-Match': etag })).status).toBe(400);
  expect((await call('GET', `/bookings/${booking.id}`)).body).toStrictEqual(booking);
});

test('a deleted thing is missing afterwards', async () => {
  const { booking, etag } = await create();
  const path = `/bookings/${booking.id}`;
  expect((await call('DELETE', path, undefined, { 'If-Match': etag })).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);
  expect((await call('DELETE', path, undefined, { 'If-Match': etag })).status).toBe(404);
});

test.each([
  ['another version', { 'If-Match': '"other"' }, 412, 'stale'],
  ['a weak tag', { 'If-Match': 'W/"x"' }, 412, 'stale'],
  ['no version', {}, 428, 'if_match_needed'],
])(
  'a change to %s is refused as the sheet says, in the shape of the document',
  async (_what, headers, status, code) => {
    const { booking } = await create();
    const refused = await call('PATCH', `/bookings/${booking.id}`, { nights: 2 }, headers);
    expect([refused.status, refused.headers.get('Content-Type')]).toStrictEqual([
      status,
      'application/problem+json',
    ]);
    expect(refused.body).toMatchObject({ status, code });
    expect(violations()).toStrictEqual([]);
  },
);

test('a conditional read of the current version has no body', async () => {
  const { booking, etag } = await create();
  const again = await call('GET', `/bookings/${booking.id}`, undefined, { 'If-None-Match': etag });
  expect([again.status, again.body]).toStrictEqual([304, undefined]);
});

test('a nested collection exists as long as its parent', async () => {
  const { booking, etag } = await create();
  const path = `/bookings/${booking.id}/guests`;
  expect((await call('GET', path)).body).toStrictEqual([]);
  const added = await call('POST', path, { name: 'Eve' });
  expect(added.body).toStrictEqual({ id: 1, name: 'Eve', bookingId: booking.id });
  expect((await call('GET', path)).body).toStrictEqual([added.body]);
  expect((await call('GET', '/bookings/bk_1/guests')).body).toStrictEqual([]);
  await call('DELETE', `/bookings/${booking.id}`, undefined, { 'If-Match': etag });
  const gone = await call('GET', path);
  expect([gone.status, gone.body]).toMatchObject([404, { code: 'no_such_booking' }]);
});

test('a request may ask for an answer of the document instead', async () => {
  const answer = await call('GET', '/bookings/none', undefined, { Prefer: 'code=412' });
  expect(answer.status).toBe(412);
});

test('the initial things are realistic, valid, and equal for equal seeds', async () => {
  const list = async (): Promise<unknown> => (await call('GET', '/bookings?per_page=20')).body;
  const before = (await list()) as { bookings: Booking[] };
  expect(violations()).toStrictEqual([]);
  for (const { guest_name } of before.bookings)
    expect(guest_name).toMatch(/^\p{L}[\p{L}.' -]+ [\p{L}.' -]+$/u);
  mock = await started();
  expect(await list()).toStrictEqual(before);
  mock = await started({ seed: '7' });
  expect(await list()).not.toStrictEqual(before);
});

test('a snapshot and a reset restore things', async () => {
  const { booking, etag } = await create();
  mock.snapshots.save('one');
  await call('DELETE', `/bookings/${booking.id}`, undefined, { 'If-Match': etag });
  mock.snapshots.restore('one', { clock: 'restore' });
  expect((await call('GET', `/bookings/${booking.id}`)).body).toStrictEqual(booking);
  mock.reset();
  expect((await call('GET', `/bookings/${booking.id}`)).status).toBe(404);
  expect((await create()).booking.id).toBe('bk_26');
});

test('things outlive the process in a data folder, deleted ones stay deleted', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tallystick-own-'));
  onTestFinished(() => {
    rmSync(data, { recursive: true, force: true });
  });
  mock = await started({ data });
  const { booking } = await create();
  const first = await call('GET', '/bookings/bk_1');
  await call('DELETE', '/bookings/bk_1', undefined, { 'If-Match': first.headers.get('ETag') ?? '' });
  mock.close();
  mock = await started({ data });
  expect((await call('GET', `/bookings/${booking.id}`)).body).toStrictEqual(booking);
  expect((await call('GET', '/bookings/bk_1')).status).toBe(404);
  expect((await create()).booking.id).toBe('bk_27');
});

test('things outlive a change of the document', async () => {
  const { booking } = await create();
  await mock.reload([await bookingsContract()]);
  expect((await call('GET', `/bookings/${booking.id}`)).body).toStrictEqual(booking);
});

test('the journal says what was done to which thing', async () => {
  await create();
  expect(mock.journal.entries({}).at(-1)?.trail).toMatchObject([
    { step: 'resource', decision: 'created bk_26' },
  ]);
});

test('the control API shows collections, puts things into them and empties them', async () => {
  const running = await startMock({ contracts, port: 0, controlPort: 0 });
  onTestFinished(() => running.stop());
  const steer = async (method: string, path = '', body?: object): Promise<unknown> => {
    const address = `${running.controlUrl ?? ''}/control/v1/collections${path}`;
    const answer = await fetch(address, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const { collections } = (await steer('GET')) as { collections: object[] };
  expect(collections).toMatchObject([
    { api: 'bookings', collection: 'bookings', size: 25 },
    { collection: 'guests', size: 0 },
  ]);
  await steer('PUT', '/bookings/bookings/bk_x', { item: { id: 'bk_x', guest_name: 'Put' } });
  const read = await fetch(`${running.url}/bookings/bk_x`);
  expect(await read.json()).toMatchObject({ id: 'bk_x', guest_name: 'Put' });
  const secret = { item: { id: 'bk_y', guest_name: 'Put', api_key: 'mark7Qk3fZ9pW5d' } };
  expect(await steer('PUT', '/bookings/bookings/bk_y', secret)).toMatchObject({
    things: expect.arrayContaining([
      expect.objectContaining({ item: { ...secret.item, api_key: '…' } }),
    ]) as object[],
  });
  expect(await steer('DELETE', '/bookings/bookings')).toMatchObject({ size: 0, things: [] });
  expect(await steer('GET', '/bookings/rooms')).toMatchObject({
    error: expect.stringContaining('bookings/guests') as string,
  });
  expect(await steer('PUT', '/bookings/bookings/x', { item: 1 })).toMatchObject({
    error: expect.stringContaining('/item') as string,
  });
});
