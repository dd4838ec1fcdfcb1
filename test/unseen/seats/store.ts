import { Refusal, type Call, type Thing } from '../wire.ts';
import type { Booking, Entry, Show } from './things.ts';

/** What all theatres have. */
export interface Store {
  readonly shows: readonly Show[];
  readonly addShow: (owner: string, values: Thing, at: number) => Show;
  readonly addBooking: (show: Show, body: Thing, at: number) => Booking;
  readonly addEntry: (show: Show, body: Thing, at: number) => Entry;
  /** The show of a call, if it is the caller's; `any` allows for more than that. */
  readonly showOf: (call: Call, owner: string, any?: Allowed) => Show;
}

interface Allowed {
  readonly removed?: boolean;
  readonly otherOwner?: boolean;
}

export const SHOW_MEMBERS = [
  'title',
  'hall',
  'genre',
  'starts_at',
  'price',
  'seats_total',
  'description',
  'tags',
];

/** An empty store. Its ids are never given twice. */
export function emptyStore(): Store {
  const shows: Show[] = [];
  let lastBooking = 0;
  let lastEntry = 0;

  const addShow = (owner: string, values: Thing, at: number): Show => {
    const number = shows.length + 1;
    const known = Object.entries(values).filter(([name]) => SHOW_MEMBERS.includes(name));
    const made: Show = {
      id: `show_${String(number)}`,
      number,
      owner,
      createdAt: at,
      values: { tags: [], ...Object.fromEntries(known) },
      updatedAt: at,
      version: 1,
      isRemoved: false,
      bookings: [],
      queue: [],
    };
    shows.push(made);
    return made;
  };

  const addBooking = (show: Show, body: Thing, at: number): Booking => {
    lastBooking += 1;
    const holdSeconds = Number(body['hold_seconds'] ?? 300);
    const reference = String(body['reference']);
    const note = body['note'];
    const made: Booking = {
      id: `bkg_${String(lastBooking)}`,
      number: lastBooking,
      show,
      firstReference: reference,
      seatPrice: Number(show.values['price']),
      holdSeconds,
      heldAt: at,
      reference,
      seats: Number(body['seats']),
      note: typeof note === 'string' ? note : undefined,
      until: at + holdSeconds * 1000,
      extensions: 0,
      stored: 'held',
      version: 1,
    };
    show.bookings.push(made);
    return made;
  };

  const addEntry = (show: Show, body: Thing, at: number): Entry => {
    lastEntry += 1;
    const made: Entry = {
      id: `ent_${String(lastEntry)}`,
      number: lastEntry,
      contact: String(body['contact']),
      seats: Number(body['seats']),
      joinedAt: at,
    };
    show.queue.push(made);
    return made;
  };

  const showOf = (call: Call, owner: string, any: Allowed = {}): Show => {
    const show = shows.find(({ id }) => id === call.path['showId']);
    if (show === undefined || (show.owner !== owner && any.otherOwner !== true)) {
      throw new Refusal(404, 'not_found', 'There is no such show.');
    }
    if (show.isRemoved && any.removed !== true) {
      throw new Refusal(410, 'show_removed', 'The show was removed.');
    }
    return show;
  };

  return { shows, addShow, addBooking, addEntry, showOf };
}

/** What is there from the beginning: shows of two theatres, and what has become of some bookings. */
export function fill(store: Store, now: number): void {
  const at = now - 7_200_000;
  const show = (owner: string, title: string, more: Thing): Show =>
    store.addShow(
      owner,
      { title, hall: 'main', starts_at: '2027-02-01T19:30:00Z', price: 2400, seats_total: 300, ...more },
      at,
    );
  const first = show('opera', 'The Winter Road', { genre: 'play', description: 'In three acts.' });
  show('opera', 'Brass on Sunday', {
    genre: 'concert',
    hall: 'studio',
    starts_at: '2027-02-02T02:00:00+09:00',
  });
  show('opera', 'A Small Hour', { genre: 'talk', hall: 'cellar', price: 0, seats_total: 40 });
  show('opera', 'Salt', { genre: 'dance', tags: ['new', 'short'], starts_at: '2027-02-01T18:00:00-05:00' });
  show('opera', 'Brass on Monday', { genre: 'concert', price: 1800 });
  const puppets = show('puppets', 'The Fox and the Tailor', { genre: 'play', price: 900 });
  show('puppets', 'Kasper at Sea', { price: 900, hall: 'cellar' });

  const early = store.addBooking(first, { reference: 'early', seats: 2 }, at + 60_000);
  Object.assign(early, {
    stored: 'collected',
    payer: 'Ida Holm',
    confirmedAt: at + 90_000,
    collectedAt: at + 400_000,
    version: 3,
  });
  const school = store.addBooking(first, { reference: 'school', seats: 8, note: 'Row 3' }, at + 120_000);
  Object.assign(school, { stored: 'confirmed', payer: 'The school', confirmedAt: at + 200_000, version: 2 });
  const off = store.addBooking(first, { reference: 'off', seats: 1 }, at + 150_000);
  Object.assign(off, { stored: 'cancelled', cancelledAt: at + 160_000, version: 2 });
  store.addBooking(first, { reference: 'forgotten', seats: 4, hold_seconds: 30 }, at + 180_000);
  const theirs = store.addBooking(puppets, { reference: 'early', seats: 3 }, at + 60_000);
  Object.assign(theirs, { stored: 'confirmed', payer: 'Mo', confirmedAt: at + 70_000, version: 2 });

  for (const contact of ['ann@example.com', 'bo@example.com', 'cy@example.com']) {
    store.addEntry(first, { contact, seats: 2 }, at + 300_000);
  }
  store.addEntry(puppets, { contact: 'dee@example.com', seats: 1 }, at + 300_000);
}
