import { expect, test } from 'vitest';
import { isBroken, selfTest } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { readFixtures } from '../../conformance/target/read-fixtures.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { listDeviations, virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Ovens, version: '1' }
paths:
  /bakes:
    post:
      operationId: startBake
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [dough], properties: { dough: { type: string } } }, example: { dough: rye } } } }
      responses: { '201': &bake { description: The bake., content: { application/json: { schema: { $ref: '#/components/schemas/Bake' } } } } }
  /bakes/{id}:
    get: { operationId: getBake, parameters: &id [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': *bake, '404': { description: None. } } }
  /bakes/{id}/stop:
    post: { operationId: stopBake, parameters: *id, responses: { '200': *bake, '404': { description: None. } } }
components:
  schemas:
    Bake:
      type: object
      required: [id, state, fault, loaves]
      properties:
        id: { type: string }
        state: { enum: [waiting, baking, baked, burnt, stopping, stopped] }
        made: { type: string, format: date-time }
        begun: { type: [string, 'null'], format: date-time }
        fault: { type: [string, 'null'] }
        loaves: { type: array, items: { type: string } }
        kept_until: { type: string, format: date-time }
`;

const SHEET = `
api: ovens
contract: '1'
document: 1
policies:
  - { kind: resource, collection: bakes, id: { member: id }, operations: { create: startBake, read: getBake } }
  - kind: lifecycle
    schema: Bake
    property: state
    states: [waiting, baking, baked, burnt, stopping, stopped]
    initial: waiting
    terminal: [baked, burnt, stopped]
    transitions:
      - { from: waiting, to: baking, on: start }
      - { from: baking, to: baked, on: success }
      - { from: baking, to: burnt, on: failure }
      - { from: baking, to: stopping, on: stop }
      - { from: stopping, to: stopped, on: rest }
    members: { begun: { in: [baking, baked, burnt], notIn: [waiting] }, fault: { in: [burnt], notIn: [baked] } }
    times: { order: [made, begun], expiry: kept_until }
    frozen: [loaves, fault]
rules: []
unspecified: []
`;

type Bake = Readonly<Record<string, unknown>> & { readonly state: string };

/** What a server of another hand may do otherwise. */
interface Ways {
  /** The bake as a read shows it, so many milliseconds after it was put in. */
  readonly shown?: (bake: Bake, ageMs: number, reads: number) => Bake;
  /** The status of a read, if it is no success. */
  readonly fails?: (bake: Bake, ageMs: number) => number | undefined;
  readonly stop?: 'answers before it stops' | 'does nothing' | 'ends first';
}

async function judge({ shown = (bake) => bake, fails, stop }: Ways): Promise<Report> {
  const clock = virtualClock({ startAt: Date.parse('2026-01-01T00:00:00Z') });
  const made = new Map<
    string,
    { readonly at: number; readonly dough: string; stoppedAt?: number; endedAt?: number; reads: number }
  >();
  const at = (time: number): string => new Date(time).toISOString();
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const { transport } = scripted(({ method, target, body }) => {
    const now = clock.now();
    const [, , id = '', action] = target.split('/');
    if (method === 'POST' && action === undefined) {
      const own = `bake-${String(made.size)}`;
      made.set(own, {
        at: now,
        reads: 0,
        ...(JSON.parse(Buffer.from(body ?? []).toString()) as { dough: string }),
      });
      return json(201, bakeOf(own));
    }
    const bake = made.get(id);
    if (bake === undefined) return { status: 404 };
    if (action === 'stop') {
      const { state } = bakeOf(id);
      const before = bakeOf(id);
      if (state === 'baking' && stop === 'ends first') bake.endedAt ??= now;
      else if (state === 'baking' && stop !== 'does nothing') bake.stoppedAt ??= now;
      return json(200, stop === 'answers before it stops' ? before : bakeOf(id));
    }
    bake.reads += 1;
    const status = fails?.(bakeOf(id), now - bake.at);
    if (status !== undefined) return { status };
    return json(200, shown(bakeOf(id), now - bake.at, bake.reads));

    function bakeOf(name: string): Bake {
      const found = made.get(name);
      if (found === undefined) throw new Error(name);
      const age = now - found.at;
      const long = found.endedAt === undefined ? (found.dough === 'sourdough' ? 4000 : 700) : 0;
      const until = found.stoppedAt ?? Number.POSITIVE_INFINITY;
      const end = found.dough === 'burning' ? 'burnt' : 'baked';
      const state =
        now >= until + 300
          ? 'stopped'
          : now >= until
            ? 'stopping'
            : age < 300
              ? 'waiting'
              : age < long
                ? 'baking'
                : end;
      return {
        id: name,
        state,
        made: at(found.at),
        begun: state === 'waiting' ? null : at(found.at + 300),
        fault: state === 'burnt' ? 'too hot' : null,
        loaves: state === 'baked' ? ['one'] : [],
        kept_until: at(found.at + 3_600_000),
      };
    }
  });
  const read = readFixtures(
    JSON.stringify({
      occasions: {
        startBake: {
          slow: { body: { dough: 'sourdough' }, minMs: 3000 },
          ending: { body: { dough: 'burning' }, ends: 'burnt' },
        },
      },
    }),
    {},
  );
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return runConformance({
    contracts: [await own('ovens', DOCUMENT, SHEET)],
    baseUrl: 'http://localhost',
    allow: ['writes', 'long'],
    rules: ['lifecycle.*'],
    ...{ transport, clock, fixtures: read.fixtures },
  });
}

const isOver = ({ state }: Bake): boolean => ['baked', 'burnt', 'stopped'].includes(state);

test.each<[string, Ways, readonly string[]]>([
  ['keeps its contract', {}, []],
  [
    'stores times with fewer digits, and sorts its loaves anew',
    {
      shown: (bake, _, reads) =>
        reads % 2 === 0 ? { ...bake, made: String(bake['made']).replace(/\.\d+/, '') } : bake,
    },
    [],
  ],
  [
    'writes the same time in another zone',
    { shown: (bake) => ({ ...bake, made: String(bake['made']).replace('Z', '+00:00') }) },
    [],
  ],
  ['forgets bakes after their time', { fails: (_, ageMs) => (ageMs > 3_600_000 ? 404 : undefined) }, []],
  [
    'forgets bakes before their time',
    { fails: (_, ageMs) => (ageMs > 1_800_000 ? 404 : undefined) },
    ['times'],
  ],
  [
    'fails to show what is burnt',
    { fails: ({ state }) => (state === 'burnt' ? 500 : undefined) },
    ['states'],
  ],
  ['answers before it stops', { stop: 'answers before it stops' }, []],
  ['does not stop', { stop: 'does nothing' }, ['transitions']],
  [
    'has begun before it is made',
    { shown: (bake) => ({ ...bake, begun: '2025-12-31T00:00:00Z' }) },
    ['members', 'times'],
  ],
  [
    'begins in the future',
    { shown: (bake) => (bake['begun'] === null ? bake : { ...bake, begun: '2026-01-01T09:00:00Z' }) },
    ['times'],
  ],
  [
    'forgets when it was made',
    { shown: (bake, ageMs) => (ageMs > 2000 ? { ...bake, made: '2026-01-01T01:00:00Z' } : bake) },
    ['times'],
  ],
  ['expires as it is made', { shown: (bake) => ({ ...bake, kept_until: bake['made'] }) }, ['times']],
  // The answer to a call shows the true values.
  ['shows no begin', { shown: (bake) => ({ ...bake, begun: null }) }, ['members', 'times']],
  [
    'shows a fault of what is baked',
    { shown: (bake) => (bake.state === 'baked' ? { ...bake, fault: 'left over' } : bake) },
    ['members', 'frozen'],
  ],
  [
    'shows no fault of what is burnt',
    { shown: (bake) => (bake.state === 'burnt' ? { ...bake, fault: null } : bake) },
    ['members', 'frozen'],
  ],
  [
    'loses its loaves after the end',
    { shown: (bake, ageMs) => (isOver(bake) && ageMs > 1500 ? { ...bake, loaves: [] } : bake) },
    ['frozen'],
  ],
])('a server that %s', async (_, ways, broken) => {
  const report = await judge(ways);
  expect(report.rules.filter(isBroken).map(({ id }) => id.split('.').at(-1))).toEqual(broken);
  // All others are judged.
  const open = report.rules.filter((rule) => !isBroken(rule) && rule.verdict !== 'pass');
  expect(open.map(({ id, reason }) => [id, reason])).toEqual([]);
});

test('its mock keeps the rules, and each of them can be broken on purpose', async () => {
  // What is accepted goes on by itself.
  const contract = await own('ovens', DOCUMENT.replace("'201'", "'202'"), SHEET);
  const chosen = listDeviations([contract]).filter(({ id }) => /\.(?:members|times|frozen)~/.test(id));
  expect(chosen).toHaveLength(3);
  const { kills } = await selfTest(chosen, judgeOf(contract, undefined));
  expect(kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 120_000);

test('a resource that ends by itself before a call says nothing about the call', async () => {
  const { rules } = await judge({ stop: 'ends first' });
  const open = rules.filter(({ verdict }) => verdict !== 'pass');
  expect(open.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
    [
      'lifecycle.Bake.transitions',
      'inconclusive',
      expect.stringContaining('it became baked before stopBake'),
    ],
  ]);
});
