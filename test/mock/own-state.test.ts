import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { KeyList } from '../../mock/control/steering-shape.ts';
import {
  createMock,
  type MockOptions,
  startMock,
  type SteerableMock,
  virtualClock,
} from '../../mock/index.ts';
import { notesContract, ONE_USE } from '../engine/notes.ts';

/** The state that a mock keeps for a contract of a user's own: its keys and the answers recorded for them. */
const contracts = [await notesContract()];

async function started(options: Pick<MockOptions, 'contracts' | 'data'> = {}): Promise<SteerableMock> {
  const mock = createMock({ contracts, clock: virtualClock({ auto: false }), ...options });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  return mock;
}

/** Whether the answer was a replay, and the answer. */
async function add(mock: Pick<SteerableMock, 'fetch' | 'url'>, key: string): Promise<unknown[]> {
  const answer = await mock.fetch(`${mock.url}/notes`, {
    method: 'POST',
    headers: { Authorization: 'Bearer ada', 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: '{"text":"milk"}',
  });
  return [answer.headers.get('Replayed'), await answer.text()];
}

const FRESH = [null, '{"id":"n1"}'];
const REPLAYED = ['yes', '{"id":"n1"}'];

test('a snapshot brings keys and recorded answers back, and what came later is forgotten', async () => {
  const mock = await started();
  await add(mock, 'k1');
  mock.snapshots.save('one-note');
  await add(mock, 'k2');
  mock.snapshots.restore('one-note', { clock: 'restore' });
  expect([await add(mock, 'k1'), await add(mock, 'k2')]).toStrictEqual([REPLAYED, FRESH]);
});

test('a snapshot of another mock of the same contract can be restored', async () => {
  const [one, other] = [await started(), await started()];
  await add(one, 'k1');
  other.restore(one.snapshot());
  expect(await add(other, 'k1')).toStrictEqual(REPLAYED);
});

test('a snapshot with a record of another form is refused with its place, and nothing has changed', async () => {
  const mock = await started();
  await add(mock, 'k1');
  const broken = mock.snapshot().map((change) => ({ ...change, record: { state: 'recorded' } }));
  expect(() => {
    mock.restore(broken);
  }).toThrow(/^changes\/0\/record/);
  expect(await add(mock, 'k1')).toStrictEqual(REPLAYED);
});

test('with a data folder keys outlive the process, their window too, and a reset does not bring them back', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tallystick-own-'));
  onTestFinished(() => {
    rmSync(data, { recursive: true, force: true });
  });
  const first = await started({ data });
  await add(first, 'k1');
  await first.clock.advance('PT30M');
  await add(first, 'k2');
  first.close();
  const second = await started({ data });
  expect([await add(second, 'k1'), await add(second, 'k2')]).toStrictEqual([REPLAYED, REPLAYED]);
  await second.clock.advance('PT31M');
  expect([await add(second, 'k1'), await add(second, 'k2')]).toStrictEqual([FRESH, REPLAYED]);
  second.reset();
  second.close();
  expect(await add(await started({ data }), 'k2')).toStrictEqual(FRESH);
});

test('a key that is good for one use stays used over a restart, and is free again when its window is over', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tallystick-own-'));
  onTestFinished(() => {
    rmSync(data, { recursive: true, force: true });
  });
  const options = { data, contracts: [await notesContract(ONE_USE)] };
  const first = await started(options);
  expect(await add(first, 'k1')).toStrictEqual(FRESH);
  first.close();
  const second = await started(options);
  expect((await add(second, 'k1'))[1]).toContain('used before');
  await second.clock.advance('PT1H');
  expect(await add(second, 'k1')).toStrictEqual(FRESH);
});

test('keys outlive a change of the document, those of a reset do not come back', async () => {
  const mock = await started();
  await add(mock, 'k1');
  mock.reset();
  await add(mock, 'k2');
  await mock.reload(contracts);
  expect([await add(mock, 'k1'), await add(mock, 'k2')]).toStrictEqual([FRESH, REPLAYED]);
});

test('a snapshot of keys that the sheet promises other things for is refused, and nothing has changed', async () => {
  const mock = await started();
  await add(mock, 'k1');
  const changes = mock.snapshot();
  const single = await notesContract(ONE_USE);
  const other = createMock({ contracts: [single], clock: virtualClock({ auto: false }) });
  onTestFinished(() => {
    other.close();
  });
  await other.ready();
  expect(() => {
    other.restore(changes);
  }).toThrow('the key "k1" of addNote was stored for the mode replay, and the sheet now says single-use');
  await mock.reload([single]);
  expect(mock.snapshot()).toStrictEqual([]);
});

test('an answer that was leaving when the process died counts as heard', async () => {
  const data = mkdtempSync(join(tmpdir(), 'tallystick-own-'));
  onTestFinished(() => {
    rmSync(data, { recursive: true, force: true });
  });
  const first = await started({ data });
  const { reply } = await first.handle({
    method: 'POST',
    target: '/notes',
    rawHeaders: [
      ...['Host', 'localhost', 'Authorization', 'Bearer ada'],
      ...['Content-Type', 'application/json', 'Idempotency-Key', 'k1'],
    ],
    body: new TextEncoder().encode('{"text":"milk"}'),
    signal: new AbortController().signal,
  });
  expect(reply.status).toBe(201);
  first.close();
  expect(await add(await started({ data }), 'k1')).toStrictEqual(REPLAYED);
});

test('the control API lists the keys, expires one and forgets one', async () => {
  const mock = await startMock({ contracts, port: 0, controlPort: 0 });
  onTestFinished(() => mock.stop());
  const keys = async (method: string, id = ''): Promise<KeyList['keys']> => {
    const address = `${mock.controlUrl ?? ''}/control/v1/keys${id === '' ? '' : `/${id}`}`;
    return ((await (await fetch(address, { method })).json()) as KeyList).keys;
  };
  await add(mock, 'k1');
  const [key, ...others] = await keys('GET');
  expect([key, others]).toMatchObject([
    { api: 'notes', semantics: 'replay', key: 'k1', state: 'recorded', exchanges: [1] },
    [],
  ]);
  expect(key?.caller).toBe(mock.journal.entry(1)?.caller);
  await keys('POST', key?.id);
  expect(await add(mock, 'k1')).toStrictEqual(FRESH);
  expect(await keys('DELETE', key?.id)).toStrictEqual([]);
  expect(await add(mock, 'k1')).toStrictEqual(FRESH);
});
