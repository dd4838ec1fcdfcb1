import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, Transport } from '../../conformance/index.ts';
import { createMock, listDeviations, virtualClock, type SteerableMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { hallsContract } from '../mock/halls.ts';
import { scripted, type Scripted } from './servers.ts';

const contract = await hallsContract();
const clock = virtualClock({ startAt: 0 });
let mock: SteerableMock;
beforeAll(async () => {
  mock = createMock({ contracts: [contract], clock });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const judge = (transport: Transport): Promise<Report> =>
  runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    rules: ['lifecycle.*'],
    transport,
    clock,
  });

/** A server of another hand. */
function halls({ held = 'held', pending = 'pending', isMixedUp = false } = {}): Transport {
  const stored = new Map<string, { readonly id: string; readonly guest?: string; state: string }>();
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return scripted(({ method, target }) => {
    const [, kind = '', id = '', action] = target.split('/');
    if (id === '' && method === 'GET')
      return json(
        200,
        [...stored.values()].filter(({ guest }) => guest === undefined),
      );
    if (id === '') {
      const own = { id: `${kind}-${String(stored.size)}` };
      const made = kind === 'holds' ? { ...own, guest: 'Ada', state: held } : { ...own, state: pending };
      stored.set(own.id, made);
      return json(kind === 'holds' ? 201 : 202, made);
    }
    const found = stored.get(id);
    if (found === undefined || !id.startsWith(`${kind}-`)) return { status: 404 };
    if (action === 'confirm') {
      if (found.state !== 'held') return { status: 409 };
      found.state = 'confirmed';
      if (isMixedUp) for (const one of stored.values()) if (one.state === 'held') one.state = 'confirmed';
    }
    const shown = json(200, { ...found });
    if (kind === 'exports' && found.state !== 'done')
      found.state = found.state === 'pending' ? 'running' : 'done';
    return shown;
  }).transport;
}

test('the mock keeps both lifecycles', async () => {
  const { rules } = await judge(inProcess(mock.handle));
  expect(rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
});

test.each<[string, Parameters<typeof halls>[0], readonly string[]]>([
  ['honest states', {}, []],
  ['another first state of holds', { held: 'confirmed' }, ['lifecycle.Hold.initial']],
  ['calls that change another hold', { isMixedUp: true }, ['lifecycle.Hold.transitions']],
  ['another first state of exports', { pending: 'running' }, ['lifecycle.Export.initial']],
])('a server with %s', async (_, ways, broken) => {
  const { rules } = await judge(halls(ways));
  expect(rules.filter(isBroken).map(({ id }) => id)).toEqual(broken);
});

test('each lifecycle has deviations of its own rules', () => {
  const ids = listDeviations([contract]).map(({ id }) => id);
  expect(ids).toContain('lifecycle.Hold.initial~later');
  expect(ids).toContain('lifecycle.Export.initial~later');
  expect(new Set(ids).size).toBe(ids.length);
});
