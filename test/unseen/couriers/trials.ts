import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

const place = { street: 'Mill Road 1', city: 'Bern' };
const order = { from: place, to: place, parcels: [{ weight_grams: 1200 }] };
const bakery = { 'X-Api-Key': 'key-of-the-bakery' };
const address = (label: string, more: object = {}): object => ({ label, ...place, ...more });
const ids = ({ json }: Seen): unknown[] => (json as Thing[]).map(({ id }) => id);

const ordered = async (send: Send, more: object = {}, headers = {}): Promise<Seen> =>
  send('POST /deliveries', { ...order, ...more }, headers);
/** The path of a new delivery. */
const pathOf = async (send: Send, more: object = {}): Promise<string> =>
  `/deliveries/${String((await ordered(send, more)).json.id)}`;
const opened = async (send: Send): Promise<string> => {
  const { json } = await send('POST /accounts', { name: 'Branch' });
  return `/accounts/${String(json.id)}`;
};

interface Event {
  readonly name: string;
  readonly data: Thing;
}

/** The events of a delivery until its end: reading them takes the time that the delivery takes. */
const watched = async (send: Send, path: string): Promise<readonly Event[]> => {
  const { text } = await send(`GET ${path}/events`);
  return text
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', data = ''] = one.split('\n');
      return { name: name.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) as Thing };
    });
};

/** Lets so many seconds of the server pass, 10 at least: a delivery of another caller fails after them. */
const passed = async (send: Send, seconds: number): Promise<void> => {
  const asBakery: Send = (call, body) => send(call, body, bakery);
  await watched(asBakery, await pathOf(asBakery, { within_seconds: seconds }));
};

/** Three reassignments, all while a courier is assigned. */
const reassigned = async (send: Send): Promise<readonly Seen[]> => {
  const path = await pathOf(send);
  await passed(send, 10);
  const answers: Seen[] = [];
  for (const reason of ['one', 'two', 'three']) answers.push(await send(`POST ${path}/reassign`, { reason }));
  return answers;
};

const walked = async (send: Send, query: string): Promise<boolean> => {
  const whole = await send(`GET /deliveries?${query}&per_page=50`);
  const first = await send(`GET /deliveries?${query}&per_page=4`);
  const second = await send(`GET /deliveries?${query}&per_page=4&page=2`);
  return [...ids(first), ...ids(second)].join() === ids(whole).slice(0, 8).join();
};

/** For each fault, whether the server keeps the statement that it breaks. */
export const courierTrials: Readonly<Record<string, Trial>> = {
  'filtered-page-repeats': (send) => walked(send, 'state=delivered'),
  'state-and-date-together': async (send) => {
    const { json } = await send('GET /deliveries?state=failed&ordered_from=2000-01-01T00:00:00Z');
    return (json as Thing[]).every(({ state }) => state === 'failed');
  },
  'link-drops-date': async (send) => {
    const { headers } = await send('GET /deliveries?ordered_from=2000-01-01T00:00:00Z&per_page=2');
    return headers.get('link')?.includes('ordered_from=2000-01-01') === true;
  },
  'filtered-oldest-first': async (send) => {
    const { json } = await send('GET /deliveries?state=delivered');
    const times = (json as Thing[]).map((one) => String(one['ordered_at']));
    return times.join() === times.toSorted().toReversed().join();
  },
  'clamped-page-skips': async (send) => {
    const known = await send('GET /deliveries?per_page=50&page=2');
    return ids(await send('GET /deliveries?per_page=60&page=2')).join() === ids(known).join();
  },
  'refused-reassign-counts': async (send) => {
    const path = await pathOf(send);
    const refused = await send(`POST ${path}/reassign`, { reason: 'Too early' });
    return refused.status === 409 && (await send(`GET ${path}`)).json.reassignments === 0;
  },
  'third-reassignment': async (send) =>
    (await reassigned(send)).map(({ status }) => status).join() === '200,200,409',
  'free-cancellation-charged': async (send) => {
    const { json } = await send(`POST ${await pathOf(send)}/cancel`);
    return json.price.total === 0 && json.price.parts.length === 0;
  },
  'late-delivers': async (send) => {
    const events = await watched(send, await pathOf(send, { within_seconds: 20 }));
    return events.at(-1)?.data['failure'] === 'late';
  },
  'courier-null': async (send) => !('courier' in (await ordered(send)).json),
  'note-emoji-fails': async (send) => (await ordered(send, { note: 'Ring \u{1f514}' })).status === 202,
  'express-rounds-down': async (send) => {
    const { json } = await ordered(send, { speed: 'express' });
    return (json.price.parts as Thing[]).some(({ name, amount }) => name === 'express' && amount === 98);
  },
  'large-total-text': async (send) =>
    (await ordered(send, { insured_value: 15_000_000 })).json.price.total === 150_390,
  'key-free-after-cancel': async (send) => {
    const { json } = await ordered(send, {}, { 'Order-Key': 'one' });
    await send(`POST /deliveries/${String(json.id)}/cancel`);
    return (await ordered(send, {}, { 'Order-Key': 'one' })).status === 409;
  },
  'keys-of-all-callers': async (send) => {
    await ordered(send, {}, { 'Order-Key': 'one' });
    return (await ordered(send, {}, { 'Order-Key': 'one', ...bakery })).status === 202;
  },
  'bound-spends-key': async (send) => {
    const path = await pathOf(send);
    for (let count = 0; count < 5; count += 1) await ordered(send);
    const refused = await ordered(send, {}, { 'Order-Key': 'one' });
    await send(`POST ${path}/cancel`);
    return refused.status === 409 && (await ordered(send, {}, { 'Order-Key': 'one' })).status === 202;
  },
  'picked-up-not-counted': async (send) => {
    const watching = await pathOf(send);
    for (let count = 0; count < 5; count += 1) await ordered(send);
    await passed(send, 20);
    const { json } = await send(`GET ${watching}`);
    return json.state === 'picked_up' && (await ordered(send)).status === 409;
  },
  'bound-race': async (send) => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => ordered(send)));
    return answers.filter(({ status }) => status === 202).length === 6;
  },
  'stream-without-reassignment': async (send) => {
    const path = await pathOf(send);
    const reassign = async (): Promise<void> => {
      await passed(send, 10);
      await send(`POST ${path}/reassign`, { reason: 'Bicycle is broken' });
    };
    const [events] = await Promise.all([watched(send, path), reassign()]);
    return events.some(({ data }) => data['state'] === 'assigned' && data['reassignments'] === 1);
  },
  'stream-ends-without-proof': async (send) => {
    const events = await watched(send, await pathOf(send));
    return events.at(-1)?.data['proof'] !== undefined;
  },
  'other-caller-watches': async (send) =>
    (await send(`GET ${await pathOf(send)}/events`, undefined, bakery)).status === 404,
  'patch-takes-label': async (send) => {
    const account = await opened(send);
    await send(`POST ${account}/addresses`, address('Home'));
    const { json } = await send(`POST ${account}/addresses`, address('Work'));
    return (await send(`PATCH ${account}/addresses/${String(json.id)}`, { label: 'Home' })).status === 409;
  },
  'count-keeps-deleted': async (send) => {
    const account = await opened(send);
    const { json } = await send(`POST ${account}/addresses`, address('Home'));
    await send(`DELETE ${account}/addresses/${String(json.id)}`);
    return (await send(`GET ${account}`)).json.address_count === 0;
  },
  'bulk-loses-last': async (send) => {
    const account = await opened(send);
    const addresses = ['A', 'B', 'C', 'D'].map((label) => address(label));
    const { json } = await send(`POST ${account}/addresses/import`, { addresses });
    const last = (json.results as { readonly address: Thing }[]).at(-1);
    return (await send(`GET ${account}/addresses/${String(last?.address['id'])}`)).status === 200;
  },
  'bulk-without-country': async (send) => {
    const account = await opened(send);
    const { json } = await send(`POST ${account}/addresses/import`, { addresses: [address('A')] });
    return json.results[0].address.country === 'CH';
  },
  'floor-zero-lost': async (send) => {
    const account = await opened(send);
    return (await send(`POST ${account}/addresses`, address('Home', { floor: 0 }))).json.floor === 0;
  },
  'address-id-again': async (send) => {
    const account = await opened(send);
    const first = await send(`POST ${account}/addresses`, address('Home'));
    await send(`DELETE ${account}/addresses/${String(first.json.id)}`);
    const second = await send(`POST ${account}/addresses`, address('Work'));
    return first.json.id !== second.json.id;
  },
  'gone-patch-missing': async (send) => {
    const account = await opened(send);
    const { json } = await send(`POST ${account}/addresses`, address('Home'));
    await send(`DELETE ${account}/addresses/${String(json.id)}`);
    return (await send(`PATCH ${account}/addresses/${String(json.id)}`, { city: 'Basel' })).status === 410;
  },
  'tag-ignores-hint': async (send) => {
    const account = await opened(send);
    const { json } = await send(`POST ${account}/addresses`, address('Home'));
    const path = `${account}/addresses/${String(json.id)}`;
    const before = await send(`GET ${path}`);
    const after = await send(`PATCH ${path}`, { hint: 'Ring twice.' });
    return before.headers.get('etag') !== after.headers.get('etag');
  },
  'request-id-lost-on-304': async (send) => {
    const path = await pathOf(send);
    const { headers } = await send(`GET ${path}`);
    const again = await send(`GET ${path}`, undefined, { 'If-None-Match': headers.get('etag') ?? '' });
    return again.status === 304 && again.headers.has('x-request-id');
  },
};
