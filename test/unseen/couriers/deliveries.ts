import type { Clock } from '../../../conformance/index.ts';
import { canonical, digest, hasTag, pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { isOpen, ordered, settle, shown, tell, type Delivery } from './lives.ts';
import { pageOf } from './pages.ts';

type Has = (fault: string) => boolean;

/** The calls about deliveries, by operation. */
export interface Deliveries {
  readonly order: (call: Call, owner: string) => Promise<Answer>;
  readonly list: (call: Call, owner: string) => Answer;
  readonly read: (call: Call, owner: string) => Answer;
  readonly watch: (call: Call, owner: string) => Answer;
  readonly cancel: (call: Call, owner: string) => Answer;
  readonly reassign: (call: Call, owner: string) => Answer;
}

const day = 24 * 60 * 60 * 1000;
const members = ['from', 'to', 'parcels', 'speed', 'insured_value', 'note', 'within_seconds'];

/** The deliveries of all callers; some are there from the beginning. */
export function deliveriesOf(clock: Clock, has: Has, most: number): Deliveries {
  const all = new Map<string, Delivery>();
  const keys = new Map<string, { readonly at: number; readonly delivery: string }>();

  const create = (owner: string, order: Thing, at: number): Delivery => {
    const made = ordered(all.size + 1, owner, order, at, has);
    all.set(made.id, made);
    return made;
  };
  const current = (): Delivery[] => {
    for (const delivery of all.values()) settle(delivery, clock.now(), has);
    return [...all.values()];
  };
  const found = (call: Call, owner: string | undefined): Delivery => {
    const delivery = all.get(call.path['deliveryId'] ?? '');
    if (delivery === undefined || (owner !== undefined && delivery.owner !== owner)) {
      throw new Refusal(404, 'not_found', 'There is no such delivery.');
    }
    settle(delivery, clock.now(), has);
    return delivery;
  };
  const showing = (delivery: Delivery): Thing => shown(delivery, has);
  const cancelled = (delivery: Delivery, at: number): void => {
    const isFree = delivery.state === 'ordered' && !has('free-cancellation-charged');
    delivery.parts = isFree ? [] : [{ name: 'cancellation', amount: 200 }];
    delivery.state = 'cancelled';
    delivery.cancelledAt = at;
    tell(delivery, has);
  };

  seed(clock.now(), create, (delivery, at) => {
    settle(delivery, at, has);
    if (isOpen(delivery)) cancelled(delivery, at);
  });

  const order = async (call: Call, owner: string): Promise<Answer> => {
    const key = call.header('Order-Key');
    const claim = has('keys-of-all-callers') ? String(key) : `${owner} ${String(key)}`;
    const used = keys.get(claim);
    if (key !== undefined && used !== undefined && clock.now() - used.at < day) {
      throw new Refusal(409, 'key_used', 'The key was used for another order.');
    }
    const counted = has('picked-up-not-counted')
      ? ['ordered', 'assigned']
      : ['ordered', 'assigned', 'picked_up'];
    const open = current().filter((one) => one.owner === owner && counted.includes(one.state));
    if (open.length >= most) {
      if (has('bound-spends-key') && key !== undefined) keys.set(claim, { at: clock.now(), delivery: '' });
      throw new Refusal(409, 'too_many_open', 'Too many deliveries are open.');
    }
    const body = call.body as Thing;
    if (has('note-emoji-fails') && /[\u{10000}-\u{10ffff}]/u.test(String(body['note'] ?? ''))) {
      throw new Refusal(500, 'internal', 'The server failed.');
    }
    if (has('bound-race')) await pause(clock);
    const sent = Object.fromEntries(Object.entries(body).filter(([name]) => members.includes(name)));
    const made = create(owner, { speed: 'normal', within_seconds: 3600, ...sent }, clock.now());
    if (key !== undefined) keys.set(claim, { at: clock.now(), delivery: made.id });
    return { status: 202, headers: { Location: `/deliveries/${made.id}` }, json: showing(made) };
  };

  const list = (call: Call, owner: string): Answer => {
    const { state, ordered_from: from, ordered_before: before } = call.query;
    const since = instant(from);
    const until = instant(before);
    const wanted = has('state-and-date-together') && from !== undefined ? undefined : state;
    const matching = current()
      .filter((one) => one.owner === owner)
      .filter((one) => wanted === undefined || one.state === wanted)
      .filter(({ orderedAt }) => since === undefined || orderedAt >= since)
      .filter(({ orderedAt }) => until === undefined || orderedAt < until);
    if (!(has('filtered-oldest-first') && state !== undefined)) matching.reverse();
    const start = (page: number, size: number, asked: number): number => {
      if (has('filtered-page-repeats') && state !== undefined && page > 1) return (page - 1) * size - 1;
      return (page - 1) * (has('clamped-page-skips') ? Math.max(size, asked) : size);
    };
    const kept = ['state', 'ordered_from', 'ordered_before'];
    return pageOf(call, matching.map(showing), {
      path: '/deliveries',
      kept: kept.filter((name) => !(has('link-drops-date') && name === 'ordered_from')),
      start,
    });
  };

  const read = (call: Call, owner: string): Answer => {
    const json = showing(found(call, owner));
    const headers = { ETag: `"${digest(canonical(json))}"` };
    const list = call.header('If-None-Match');
    if (list !== undefined && hasTag(list, headers.ETag, true)) return { status: 304, headers };
    return { status: 200, headers, json };
  };

  const watch = (call: Call, owner: string): Answer => {
    const delivery = found(call, has('other-caller-watches') ? undefined : owner);
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
      stream: events(delivery, clock, has, call.signal),
    };
  };

  const cancel = (call: Call, owner: string): Answer => {
    const delivery = found(call, owner);
    if (!['ordered', 'assigned'].includes(delivery.state)) {
      throw new Refusal(409, 'wrong_state', `The delivery is ${delivery.state}.`);
    }
    cancelled(delivery, clock.now());
    if (has('key-free-after-cancel')) {
      for (const [claim, used] of keys) if (used.delivery === delivery.id) keys.delete(claim);
    }
    return { status: 200, json: showing(delivery) };
  };

  const reassign = (call: Call, owner: string): Answer => {
    const delivery = found(call, owner);
    if (delivery.state !== 'assigned') {
      if (has('refused-reassign-counts')) delivery.reassignments += 1;
      throw new Refusal(409, 'wrong_state', `The delivery is ${delivery.state}.`);
    }
    if (delivery.reassignments >= (has('third-reassignment') ? 3 : 2)) {
      throw new Refusal(409, 'reassigned_twice', 'The delivery was reassigned twice.');
    }
    delivery.reassignments += 1;
    delivery.changes += 1;
    delivery.pickUpAt = clock.now() + 10_000;
    if (!has('stream-without-reassignment')) tell(delivery, has);
    return { status: 200, json: showing(delivery) };
  };

  return { order, list, read, watch, cancel, reassign };
}

// --- internal ---

function instant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Refusal(400, 'invalid', 'There is no such time.');
  return at;
}

async function* events(
  delivery: Delivery,
  clock: Clock,
  has: Has,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  let seen = delivery.log.length;
  yield frame('state', shown(delivery, has));
  while (isOpen(delivery) || seen < delivery.log.length) {
    try {
      if (seen === delivery.log.length) await clock.sleep(100, signal);
    } catch {
      return;
    }
    settle(delivery, clock.now(), has);
    const news = delivery.log.slice(seen);
    seen += news.length;
    for (const { event, data } of news) yield frame(event, data);
  }
}

const frame = (event: string, data: Thing): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Deliveries of the last days, all of them ended: 63 of the shop, and 3 of the bakery. */
function seed(
  now: number,
  create: (owner: string, order: Thing, at: number) => Delivery,
  end: (delivery: Delivery, at: number) => void,
): void {
  for (let count = 0; count < 66; count += 1) {
    const at = now - (70 - count) * 3_600_000;
    const order = {
      from: { street: 'Mill Road 1', city: 'Bern' },
      to: { street: `Long Lane ${String(count + 1)}`, city: 'Bern' },
      parcels: [{ weight_grams: 700 + 100 * count }],
      speed: count % 2 === 0 ? 'normal' : 'express',
      within_seconds: count % 5 === 0 ? 20 : 3600,
    };
    const made = create(count % 30 === 7 ? 'bakery' : 'shop', order, at);
    end(made, count % 3 === 1 ? at + 7000 : at + 60_000);
  }
}
