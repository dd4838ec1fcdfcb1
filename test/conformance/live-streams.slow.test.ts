import { expect, test } from 'vitest';
import { isBroken, selfTest } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, Transport } from '../../conformance/index.ts';
import { listDeviations, virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Ovens, version: '1' }
paths:
  /bakes:
    post:
      operationId: startBake
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [dough], properties: { dough: { type: string } } }, example: { dough: rye } } } }
      responses: { '202': &bake { description: The bake., content: { application/json: { schema: { $ref: '#/components/schemas/Bake' } } } } }
  /bakes/{id}:
    get: { operationId: getBake, parameters: &id [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': *bake, '404': { description: None. } } }
  /bakes/{id}/events:
    get: { operationId: watchBake, parameters: *id, responses: { '200': { description: Live., content: { text/event-stream: { schema: { type: string } } } }, '404': { description: None. } } }
components:
  schemas:
    Bake:
      type: object
      required: [id, state, dough]
      properties: { id: { type: string }, state: { enum: [waiting, baking, baked] }, dough: { type: string } }
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
    states: [waiting, baking, baked]
    initial: waiting
    terminal: [baked]
    transitions: [{ from: waiting, to: baking, on: start }, { from: baking, to: baked, on: success }]
  - kind: event-stream
    operations: [watchBake]
    authority: getBake
    events: { status: state, progress: heat }
    facts: none
rules: []
unspecified: []
`;

const FACTS = 'stateFirst: true, thing: Bake, namedJson: true, terminalLast: true, liveOnly: true';
const stated = (facts: string): string =>
  SHEET.replace(
    '    facts: none\n',
    facts.replace(/(?:^|, )(\w+)/g, '    $1').replace(/(: \w+)(?=  )/g, '$1\n') + '\n',
  );

interface Event {
  readonly at: number;
  readonly text: string;
  readonly bake: string;
  readonly kind: 'state' | 'heat';
}

interface Ways {
  /** What a stream sends of an event, or nothing. */
  readonly sent?: (
    event: Event,
    stream: { readonly number: number; readonly bake: string },
  ) => string | undefined;
  /** How often the server looks for news, in milliseconds. */
  readonly everyMs?: number;
  readonly isBuffered?: boolean;
  readonly isSilentAtFirst?: boolean;
  readonly afterEnd?: 'refused' | 'nothing' | 'open';
  readonly trailing?: string;
  readonly repeatsForIds?: boolean;
  readonly othersToo?: boolean;
  readonly endsAfterMs?: number;
  readonly type?: string;
  readonly isOverAtOnce?: boolean;
}

const LIVES = { sourdough: 12_000, rye: 2500 };
const START_MS = 600;

async function judge(ways: Ways, facts: string): Promise<Report> {
  const clock = virtualClock({ startAt: 0 });
  const made = new Map<string, { readonly at: number; readonly dough: string }>();
  const streams = new Map<string, number>();
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const transport: Transport = ({ method, target, body, headers, signal }) => {
    const [, , id = '', action] = target.split('/');
    const json = (status: number, value: unknown) => ({
      status,
      headers: [['Content-Type', 'application/json']] as const,
      body: (async function* () {
        yield encode(JSON.stringify(value));
      })(),
    });
    if (method === 'POST') {
      const name = `bake-${String(made.size)}`;
      const { dough } = JSON.parse(Buffer.from(body ?? []).toString()) as { dough: string };
      made.set(name, { at: clock.now(), dough });
      return Promise.resolve(json(202, bakeAt(name, clock.now())));
    }
    const bake = made.get(id);
    if (bake === undefined) return Promise.resolve(json(404, {}));
    if (action === undefined) return Promise.resolve(json(200, bakeAt(id, clock.now())));
    const over = bake.at + lifeOf(id);
    if (clock.now() >= over && ways.afterEnd === 'refused') return Promise.resolve(json(404, {}));
    const number = (streams.get(id) ?? 0) + 1;
    streams.set(id, number);
    const isAgain = headers.some(([name]) => name.toLowerCase() === 'last-event-id');
    return Promise.resolve({
      status: 200,
      headers: [['Content-Type', ways.type ?? 'text/event-stream']] as const,
      body: sending(),
    });

    async function* sending(): AsyncGenerator<Uint8Array> {
      const opened = clock.now();
      const until = Math.min(over, opened + (ways.endsAfterMs ?? Infinity));
      let from = isAgain && ways.repeatsForIds === true ? 0 : opened;
      let held = '';
      if (ways.isSilentAtFirst !== true && !(opened >= over && ways.afterEnd === 'nothing'))
        yield encode(frame(id, opened) ?? '');
      while (clock.now() < until) {
        await clock.sleep(Math.min(ways.everyMs ?? 100, until - clock.now()), signal);
        const now = clock.now();
        const news = [...made.keys()]
          .filter((name) => name === id || ways.othersToo === true)
          .flatMap((name) => eventsOf(name))
          .filter((event) => event.at > from && event.at <= now)
          .map((event) =>
            ways.sent === undefined ? event.text : (ways.sent(event, { number, bake: id }) ?? ''),
          );
        from = now;
        held += news.join('');
        if (ways.isBuffered === true || held === '') continue;
        yield encode(held);
        held = '';
      }
      if (held !== '') yield encode(held);
      if (ways.trailing !== undefined) yield encode(ways.trailing);
      if (ways.afterEnd === 'open') await clock.sleep(60_000, signal);
    }
    function frame(name: string, now: number): string | undefined {
      const state = bakeAt(name, now);
      const event: Event = {
        at: now,
        text: `event: state\ndata: ${JSON.stringify(state)}\n\n`,
        bake: name,
        kind: 'state',
      };
      return ways.sent === undefined ? event.text : ways.sent(event, { number: 0, bake: id });
    }
    function eventsOf(name: string): readonly Event[] {
      const { at: since } = made.get(name) ?? { at: 0 };
      const all: Event[] = [since + START_MS, since + lifeOf(name)].map((time) => ({
        at: time,
        text: `event: state\ndata: ${JSON.stringify(bakeAt(name, time))}\n\n`,
        bake: name,
        kind: 'state',
      }));
      for (let time = START_MS + 200; time < lifeOf(name); time += 400)
        all.push({
          at: since + time,
          text: `event: heat\ndata: {"celsius":${String(time)}}\n\n`,
          bake: name,
          kind: 'heat',
        });
      return all.sort((one, other) => one.at - other.at);
    }
    function lifeOf(name: string): number {
      if (ways.isOverAtOnce === true) return 0;
      return made.get(name)?.dough === 'sourdough' ? LIVES.sourdough : LIVES.rye;
    }
    function bakeAt(name: string, now: number): object {
      const { at: since, dough } = made.get(name) ?? { at: 0, dough: '' };
      const age = now - since;
      const state = age >= lifeOf(name) ? 'baked' : age < START_MS ? 'waiting' : 'baking';
      return { id: name, state, dough };
    }
  };
  const slow = { body: { dough: 'sourdough' }, minMs: 10_000 };
  const occasions = ways.isOverAtOnce === true ? {} : { startBake: { slow } };
  const read = readFixtures(JSON.stringify({ occasions }), {});
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  return runConformance({
    contracts: [await own('ovens', DOCUMENT, stated(facts))],
    baseUrl: 'http://localhost',
    allow: ['writes'],
    rules: ['event-stream.*'],
    ...{ transport, clock, fixtures: read.fixtures },
  });
}

const broken = ({ rules }: Report): readonly (string | undefined)[] =>
  rules.filter(isBroken).map(({ id }) => id.split('.').at(-1));

test.each<[string, Ways, string]>([
  ['keeps all that is stated', {}, FACTS],
  ['looks for news every two seconds', { everyMs: 2000 }, FACTS],
  ['keeps the little that is stated', {}, ''],
  ['begins with the next event', { isSilentAtFirst: true }, ''],
  ['refuses streams of what has ended', { afterEnd: 'refused' }, ''],
  ['has no more events of what has ended', { afterEnd: 'nothing' }, ''],
  [
    'has pings, and ids',
    { sent: ({ text, at }) => `data: ping\n\nid: ${String(at)}\n${text}`, trailing: 'data: bye\n\n' },
    '',
  ],
  ['sends the same again after an id', { repeatsForIds: true }, ''],
  ['shows the state alone', { sent: ({ text }) => text.replace(/"id":"[^"]*",|,"dough":"[^"]*"/g, '') }, ''],
])('an honest server that %s', async (_, ways, facts) => {
  const report = await judge(ways, facts);
  expect(report.rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
  expect(
    report.rules.filter(({ verdict }) => verdict !== 'pass').map(({ id, reason }) => [id, reason]),
  ).toEqual([]);
});

test.each<[string, Ways, readonly string[]]>([
  ['sends everything at the end', { isBuffered: true }, ['live']],
  [
    'does not say that it bakes',
    { sent: ({ text }) => (/^event: state\n.*baking/.test(text) ? undefined : text) },
    ['first', 'live'],
  ],
  [
    'tells the first stream alone',
    {
      sent: ({ text, kind }, { number }) => (number > 1 && kind === 'heat' ? undefined : text),
    },
    ['live'],
  ],
  ['mixes up bakes', { othersToo: true }, ['live']],
  ['begins with the next event', { isSilentAtFirst: true }, ['first']],
  ['keeps streams open', { afterEnd: 'open' }, ['end']],
  ['shows the state alone', { sent: ({ text }) => text.replace(/,"dough":"[^"]*"/g, '') }, ['thing']],
  ['sends one more event', { trailing: 'event: heat\ndata: {}\n\n' }, ['last']],
  ['ends streams early', { endsAfterMs: 1500 }, ['last']],
  ['numbers events', { sent: ({ text, at }) => `id: ${String(at)}\n${text}` }, ['live-only']],
  ['repeats events after an id', { repeatsForIds: true }, ['live-only']],
  ['has pings', { sent: ({ text }) => `data: 1\n\n${text}` }, ['first', 'frames']],
  [
    'has data that is not JSON',
    { sent: ({ text }) => `event: note\ndata: hot\n\n${text}` },
    ['first', 'frames'],
  ],
])('a server that %s', async (_, ways, wanted) => {
  expect(broken(await judge(ways, FACTS))).toEqual(expect.arrayContaining([...wanted]));
});

test('a stream of what has ended, by another media type', async () => {
  const ways: Ways = { isOverAtOnce: true, type: 'text/plain' };
  expect(broken(await judge(ways, ''))).toContain('frames');
});

test('its mock keeps the rules, and each of them can be broken on purpose', async () => {
  const contract = await own('ovens', DOCUMENT, stated(FACTS));
  const chosen = listDeviations([contract]).filter(({ id }) => /\.(?:thing|live|last|live-only)~/.test(id));
  expect(chosen).toHaveLength(4);
  const { kills } = await selfTest(chosen, judgeOf(contract, undefined));
  expect(kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 120_000);
