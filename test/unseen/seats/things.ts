import { canonical, digest, hasTag, Refusal, type Call, type Thing } from '../wire.ts';

export type Has = (fault: string) => boolean;

export type State = 'held' | 'confirmed' | 'collected' | 'cancelled' | 'expired';

export interface Show {
  readonly id: string;
  readonly number: number;
  readonly owner: string;
  readonly createdAt: number;
  values: Thing;
  updatedAt: number;
  version: number;
  isRemoved: boolean;
  readonly bookings: Booking[];
  queue: Entry[];
}

export interface Booking {
  readonly id: string;
  readonly number: number;
  readonly show: Show;
  /** As it was when the seats were held. */
  readonly firstReference: string;
  readonly seatPrice: number;
  readonly holdSeconds: number;
  readonly heldAt: number;
  reference: string;
  seats: number;
  note: string | undefined;
  until: number;
  extensions: number;
  /** Without what time has done to it since. */
  stored: State;
  payer?: string;
  confirmedAt?: number;
  collectedAt?: number;
  cancelledAt?: number;
  version: number;
}

export interface Entry {
  readonly id: string;
  readonly number: number;
  readonly contact: string;
  readonly seats: number;
  readonly joinedAt: number;
}

export const time = (at: number): string => new Date(at).toISOString();

/** The instant of a date-time, also of one in the second that a day has more. */
export function instantOf(text: string): number {
  const plain = text.toUpperCase().replace(' ', 'T');
  return Date.parse(plain.replace(/:60(?=[.Z+-])/, ':59'));
}

/** The state of a booking at a time: a hold ends by itself. */
export function stateAt({ stored, until }: Booking, now: number): State {
  return stored === 'held' && now >= until ? 'expired' : stored;
}

/** The seats of a show that are free. */
export function seatsLeft(show: Show, now: number, has: Has, but?: Booking): number {
  const isTaken = (booking: Booking): boolean => {
    const state = stateAt(booking, now);
    if (state === 'cancelled' && has('cancelled-seats-stay-taken')) return booking.confirmedAt !== undefined;
    return state !== 'cancelled' && state !== 'expired';
  };
  const taken = show.bookings.filter((one) => one !== but && isTaken(one));
  return Number(show.values['seats_total']) - taken.reduce((sum, { seats }) => sum + seats, 0);
}

/** A show as its theatre sees it. */
export function shownShow(show: Show, now: number, has: Has): Thing {
  return {
    id: show.id,
    ...show.values,
    seats_left: seatsLeft(show, now, has),
    queue_length: show.queue.length,
    created_at: time(show.createdAt),
    updated_at: time(show.updatedAt),
  };
}

/** A booking as its theatre sees it. */
export function shownBooking(booking: Booking, now: number, has: Has): Thing {
  const state = stateAt(booking, now);
  const { show, seats, note, until, payer, confirmedAt, collectedAt, cancelledAt } = booking;
  const isLate = state === 'confirmed' && booking.extensions > 0 && has('extended-keeps-until');
  const endedAt = { collected: collectedAt, cancelled: cancelledAt, expired: until };
  const ended = state === 'held' || state === 'confirmed' ? undefined : (endedAt[state] ?? until);
  const seatPrice = has('price-follows-show') ? Number(show.values['price']) : booking.seatPrice;
  return {
    id: booking.id,
    show_id: show.id,
    reference: booking.reference,
    seats,
    ...(note === undefined ? {} : { note }),
    hold_seconds: booking.holdSeconds,
    state,
    price: seats * seatPrice,
    extensions: booking.extensions,
    held_at: time(booking.heldAt),
    ...(state === 'held' || state === 'expired' || isLate ? { hold_until: time(until) } : {}),
    ...(payer === undefined ? {} : { payer }),
    ...(confirmedAt === undefined ? {} : { confirmed_at: time(confirmedAt) }),
    ...(collectedAt === undefined ? {} : { collected_at: time(collectedAt) }),
    ...(cancelledAt === undefined ? {} : { cancelled_at: time(cancelledAt) }),
    ...(state === 'expired' ? { expired_at: time(until) } : {}),
    ...(ended === undefined ? {} : { outcome: { kind: state, at: time(ended) } }),
    links: { self: `/shows/${show.id}/bookings/${booking.id}`, show: `/shows/${show.id}` },
  };
}

/** The tag of a show: another one for each other state of it. */
export function tagOfShow(show: Show, now: number, has: Has): string {
  const shown = shownShow(show, now, has);
  if (has('tag-by-second')) {
    const second = Math.floor(show.updatedAt / 1000);
    const counts = `${String(shown['seats_left'])} ${String(shown['queue_length'])}`;
    return `"${digest(`${show.id} ${String(second)} ${counts}`)}"`;
  }
  return `"${digest(`${String(show.version)} ${canonical(shown)}`)}"`;
}

export function tagOfBooking(booking: Booking, now: number, has: Has): string {
  const version = `${booking.id} ${String(booking.version)}`;
  if (has('expiry-keeps-tag')) return `"${digest(version)}"`;
  return `"${digest(`${version} ${canonical(shownBooking(booking, now, has))}`)}"`;
}

/** Refuses a change of another version than the one that its caller has seen. */
export function checkVersion(call: Call, tag: string, has: Has): void {
  const list = call.header('If-Match');
  if (list === undefined) throw new Refusal(428, 'version_needed', 'If-Match is needed.');
  const isWeak = has('weak-tag-in-list') && list.includes(',');
  if (!hasTag(list, tag, isWeak)) throw new Refusal(412, 'stale', 'It is another version by now.');
}

/** Whether the caller of a read has the current version. */
export function isCurrentCopy(call: Call, tag: string): boolean {
  const list = call.header('If-None-Match');
  return list !== undefined && hasTag(list, tag, true);
}

/** What a patch makes of values; a null takes a member away. */
export function merged(values: Thing, patch: Thing, members: readonly string[]): Thing {
  const changes = Object.entries(patch).filter(([name]) => members.includes(name));
  const all = { ...values, ...Object.fromEntries(changes) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
