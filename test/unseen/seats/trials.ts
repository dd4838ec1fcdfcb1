import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

const puppets = { Authorization: 'Bearer token-of-the-puppets' };
const show = {
  title: 'Try-out',
  hall: 'studio',
  starts_at: '2027-05-01T20:00:00Z',
  price: 1000,
  seats_total: 100,
};

/** The path of a new show. */
const shown = async (send: Send, more: object = {}): Promise<string> =>
  `/shows/${String((await send('POST /shows', { ...show, ...more })).json.id)}`;
const held = (send: Send, path: string, reference: string, more: object = {}, headers = {}): Promise<Seen> =>
  send(`POST ${path}/bookings`, { reference, seats: 2, ...more }, headers);
/** The path of a new booking. */
const bookedBelow = async (send: Send, path: string, more: object = {}): Promise<string> =>
  `${path}/bookings/${String((await held(send, path, 'one', more)).json.id)}`;
const booked = async (send: Send, more: object = {}): Promise<string> =>
  bookedBelow(send, await shown(send), more);
/** Five bookings that are held, all that a theatre may have. */
const allHeld = async (send: Send, path: string, more: object = {}): Promise<readonly Seen[]> => {
  const answers: Seen[] = [];
  for (const reference of ['a', 'b', 'c', 'd', 'e']) answers.push(await held(send, path, reference, more));
  return answers;
};
/** Six seconds of the server, more than the shortest hold. */
const passed = async (send: Send): Promise<void> => {
  await send('POST /shows', { ...show, title: 'Slow opera' });
};
const tagOf = async (send: Send, path: string): Promise<string> =>
  (await send(`GET ${path}`)).headers.get('etag') ?? '';
/** A change or a removal of the present version. */
const changed = async (send: Send, method: string, path: string, body?: object): Promise<Seen> =>
  send(`${method} ${path}`, body, { 'If-Match': await tagOf(send, path) });
const itemsOf = ({ json }: Seen): Thing[] => json.items as Thing[];
const ids = (seen: Seen): unknown[] => itemsOf(seen).map(({ id }) => id);
const confirm = (send: Send, path: string): Promise<Seen> => send(`POST ${path}/confirm`, { payer: 'Mo' });

/** For each fault, whether the server keeps the statement that it breaks. */
export const seatTrials: Readonly<Record<string, Trial>> = {
  'sort-ties-move': async (send) => {
    const first = await send('GET /shows?sort=price&per_page=3');
    const second = await send('GET /shows?sort=price&per_page=3&page=2');
    return new Set([...ids(first), ...ids(second)]).size === 5;
  },
  'starts-at-as-text': async (send) => {
    const times = itemsOf(await send('GET /shows?sort=starts_at')).map((one) =>
      Date.parse(String(one['starts_at'])),
    );
    return times.join() === times.toSorted((a, b) => a - b).join();
  },
  'filter-before-expiry': async (send) => {
    const found = itemsOf(await send('GET /shows/show_1/bookings?state=held'));
    return found.every(({ state }) => state === 'held');
  },
  'has-more-by-whole-list': async (send) => {
    const { json } = await send('GET /shows?hall=main&per_page=3');
    return json.total === 3 && json.has_more === false;
  },
  'cursor-keeps-limit': async (send) => {
    const { json } = await send('GET /shows/show_1/bookings?limit=2');
    const next = `/shows/show_1/bookings?limit=1&cursor=${String(json.next_cursor)}`;
    return ids(await send(`GET ${next}`)).length === 1;
  },
  'queue-cursor-is-offset': async (send) => {
    const whole = ids(await send('GET /shows/show_1/queue'));
    const { json } = await send('GET /shows/show_1/queue?limit=1');
    await send(`DELETE /shows/show_1/queue/${String(whole[0])}`);
    const next = await send(`GET /shows/show_1/queue?cursor=${String(json.next_cursor)}`);
    return ids(next).join() === whole.slice(1).join();
  },
  'expired-can-be-confirmed': async (send) => {
    const path = await booked(send, { hold_seconds: 5 });
    await passed(send);
    return (await confirm(send, path)).status === 409;
  },
  'extension-from-deadline': async (send) => {
    const path = await booked(send, { hold_seconds: 600 });
    const { json } = await send(`POST ${path}/extend`);
    return Date.parse(String(json.hold_until)) - Date.parse(String(json.held_at)) < 700_000;
  },
  'cancel-forgets-confirmation': async (send) => {
    const path = await booked(send);
    const before = (await confirm(send, path)).json.confirmed_at as unknown;
    const after = (await send(`POST ${path}/cancel`)).json.confirmed_at as unknown;
    return before !== undefined && before === after;
  },
  'extended-keeps-until': async (send) => {
    const path = await booked(send);
    await send(`POST ${path}/extend`);
    return !('hold_until' in (await confirm(send, path)).json);
  },
  'outcome-null-in-agenda': async (send) => {
    await booked(send);
    return itemsOf(await send('GET /bookings')).every(({ outcome }) => outcome !== null);
  },
  'price-follows-show': async (send) => {
    const path = await shown(send);
    const booking = await bookedBelow(send, path);
    await send(`POST ${booking}/cancel`);
    await changed(send, 'PATCH', path, { price: 3000 });
    return (await send(`GET ${booking}`)).json.price === 2000;
  },
  'expired-holds-count': async (send) => {
    const path = await shown(send);
    await allHeld(send, path, { hold_seconds: 5 });
    await passed(send);
    return (await held(send, path, 'f')).status === 201;
  },
  'bound-per-show': async (send) => {
    await allHeld(send, await shown(send));
    return (await held(send, await shown(send), 'f')).status === 409;
  },
  'refused-cancel-frees-hold': async (send) => {
    const path = await booked(send);
    await send(`POST ${path}/cancel`);
    const again = await send(`POST ${path}/cancel`);
    const other = await shown(send);
    await allHeld(send, other);
    return again.status === 409 && (await held(send, other, 'f')).status === 409;
  },
  'replay-by-text': async (send) => {
    const path = await shown(send);
    const key = { 'Idempotency-Key': 'one' };
    const first = await send(`POST ${path}/bookings`, { reference: 'a', seats: 2 }, key);
    const second = await send(`POST ${path}/bookings`, { seats: 2, reference: 'a' }, key);
    return second.status === 201 && first.json.id === second.json.id;
  },
  'conflict-recorded': async (send) => {
    const path = await shown(send);
    const [first] = await allHeld(send, path);
    const key = { 'Idempotency-Key': 'one' };
    const refused = await held(send, path, 'f', {}, key);
    await send(`POST ${path}/bookings/${String(first?.json.id)}/cancel`);
    return refused.status === 409 && (await held(send, path, 'f', {}, key)).status === 201;
  },
  'tag-by-second': async (send) => {
    const path = await shown(send);
    const tags = new Set([await tagOf(send, path)]);
    for (const title of ['A', 'B']) {
      tags.add((await changed(send, 'PATCH', path, { title })).headers.get('etag') ?? '');
    }
    return tags.size === 3;
  },
  'weak-tag-in-list': async (send) => {
    const path = await shown(send);
    const list = `"another", W/${await tagOf(send, path)}`;
    return (await send(`PATCH ${path}`, { title: 'A' }, { 'If-Match': list })).status === 412;
  },
  'expiry-keeps-tag': async (send) => {
    const path = await booked(send, { hold_seconds: 5 });
    const headers = { 'If-None-Match': await tagOf(send, path) };
    const before = await send(`GET ${path}`, undefined, headers);
    await passed(send);
    const after = await send(`GET ${path}`, undefined, headers);
    return before.status === 304 && after.status === 200 && after.json.state === 'expired';
  },
  'patched-reference-free': async (send) => {
    const path = await shown(send);
    const patched = await changed(send, 'PATCH', await bookedBelow(send, path), { reference: 'two' });
    return patched.status === 200 && (await held(send, path, 'two')).status === 409;
  },
  'removed-show-takes-holds': async (send) => {
    const path = await shown(send);
    await changed(send, 'DELETE', path);
    return (await held(send, path, 'a')).status === 410;
  },
  'cancel-through-other-show': async (send) => {
    const path = await booked(send);
    const other = `${await shown(send)}/bookings/${path.split('/').at(-1) ?? ''}`;
    return (await send(`POST ${other}/cancel`)).status === 404;
  },
  'other-account-leaves-queue': async (send) => {
    const path = await shown(send);
    const { json } = await send(`POST ${path}/queue`, { contact: 'ann@example.com', seats: 1 });
    const entry = `${path}/queue/${String(json.id)}`;
    const refused = await send(`DELETE ${entry}`, undefined, puppets);
    return refused.status === 404 && (await send(`GET ${entry}`)).status === 200;
  },
  'restored-without-queue': async (send) => {
    const path = await shown(send);
    await send(`POST ${path}/queue`, { contact: 'ann@example.com', seats: 1 });
    await changed(send, 'DELETE', path);
    return (await send(`POST ${path}/restore`)).json.queue_length === 1;
  },
  'cancelled-seats-stay-taken': async (send) => {
    const path = await shown(send);
    const booking = await bookedBelow(send, path);
    await confirm(send, booking);
    await send(`POST ${booking}/cancel`);
    return (await send(`GET ${path}`)).json.seats_left === 100;
  },
  'oversold-by-race': async (send) => {
    const path = await shown(send, { seats_total: 8 });
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => held(send, path, name, { seats: 5 })));
    return answers.filter(({ status }) => status === 201).length === 1;
  },
  'empty-tags-ignored': async (send) => {
    const path = await shown(send, { tags: ['new'] });
    const { json } = await changed(send, 'PATCH', path, { tags: [] });
    return (json.tags as []).length === 0;
  },
  'reserved-false-passes': async (send) =>
    (await send('POST /shows', { ...show, livestream: false })).status === 422,
  'agenda-links-old-path': async (send) => {
    const [first] = itemsOf(await send('GET /bookings'));
    const { self } = first?.['links'] as { readonly self: string };
    return (await send(`GET ${self}`)).json.id === first?.['id'];
  },
};
