import { expect, test } from 'vitest';
import { readFixtures, runConformance } from '../../conformance/index.ts';
import type { Clock, WireRequest } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { busy } from './busy-clock.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Ovens, version: '1' }
paths:
  /roasts:
    post:
      operationId: roast
      parameters: [{ name: Key, in: header, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [dish], properties: { dish: { type: string } } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { type: object } } } }
        '409': { description: runs, content: { application/json: { schema: { type: object } } } }
`;
const SHEET = `
api: ovens
contract: '1'
document: 1
policies:
  - kind: idempotency
    mode: replay
    operations: [roast]
    requestHeader: Key
    replayHeader: { name: Again, value: 'yes' }
    window: PT24H
    release: [5xx]
    inFlight: { status: 409, retryAfter: false }
    mismatch: { status: 409 }
`;
const FIXTURES = {
  bodies: { roast: { dish: 'fish' } },
  occasions: { roast: { slow: { body: { dish: 'goose' }, minMs: 3000 } } },
};

interface Oven {
  /** How late the nth call for a goose arrives, in milliseconds. */
  readonly delayOf: (count: number) => number;
  /** Whether a call waits for the one that runs with its key. */
  readonly joins?: boolean;
}

/** A goose takes three seconds, everything else no time. */
function oven(clock: Clock, { delayOf, joins = false }: Oven): (request: WireRequest) => Promise<Scripted> {
  const kept = new Map<
    string,
    { readonly text: string; readonly whenDone: Promise<Scripted>; isDone: boolean }
  >();
  let geese = 0;
  const json = (status: number, body: unknown, headers = {}): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return async (request) => {
    const text = Buffer.from(request.body ?? []).toString();
    const isGoose = text.includes('goose');
    if (isGoose) await clock.sleep(delayOf((geese += 1)));
    const key = headerIn(request, 'Key');
    const roasted = async (): Promise<Scripted> => {
      if (isGoose) await clock.sleep(3000);
      return json(201, { served: text });
    };
    const known = kept.get(key ?? '');
    if (key === undefined) return roasted();
    if (known === undefined) {
      const call = { text, whenDone: roasted(), isDone: false };
      kept.set(key, call);
      const answer = await call.whenDone;
      call.isDone = true;
      return answer;
    }
    if (known.text !== text || (!known.isDone && !joins)) return json(409, {});
    const { status, body } = await known.whenDone;
    return json(status, body, { Again: 'yes' });
  };
}

async function verdictOf(how: Oven, late = (clock: Clock): Clock => clock): Promise<string | undefined> {
  const read = readFixtures(JSON.stringify(FIXTURES), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const clock = virtualClock();
  const report = await runConformance({
    contracts: [await own('ovens', DOCUMENT, SHEET)],
    baseUrl: 'http://localhost',
    allow: ['negatives', 'writes'],
    fixtures: read.fixtures,
    transport: scripted(oven(clock, how)).transport,
    clock: late(clock),
    rules: ['idempotency.*'],
  });
  return report.rules.find(({ id }) => id === 'idempotency.roast.in-flight')?.verdict;
}

/** What this process waits for briefly comes much later. */
const NEVER = (): number => 0;
const ONCE = (count: number): number => (count === 2 ? 5000 : 0);
const EACH_TIME = (count: number): number => (count % 2 === 0 ? 5000 : 0);

test.each<[string, Oven, string, typeof busy | undefined]>([
  ['the second call meets the first', { delayOf: NEVER }, 'pass', undefined],
  ['it comes once when the first has ended', { delayOf: ONCE }, 'pass', undefined],
  ['it does so each time, to a machine that is busy', { delayOf: EACH_TIME }, 'inconclusive', busy],
  ['it does so each time, to a machine that is not', { delayOf: EACH_TIME }, 'fail', undefined],
  ['it waits for the first one', { delayOf: NEVER, joins: true }, 'fail', undefined],
])('a key in flight: %s', async (_what, how, expected, late) => {
  expect(await verdictOf(how, late)).toBe(expected);
});
