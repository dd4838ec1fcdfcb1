import type { Clock } from '../../../conformance/index.ts';
import { isValid, pause, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Once } from './keys.ts';
import { cursorPage, numberedPage } from './pages.ts';
import type { Store } from './store.ts';
import {
  checkVersion,
  isCurrentCopy,
  merged,
  seatsLeft,
  shownBooking,
  stateAt,
  tagOfBooking,
  type Booking,
  type Has,
  type Show,
  type State,
} from './things.ts';

type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

interface Parts {
  readonly document: string;
  readonly clock: Clock;
  readonly has: Has;
  readonly store: Store;
  readonly once: Once;
}

/** The most bookings of a theatre that may be held at once. */
const mostHeld = 5;

const changeable = ['reference', 'seats', 'note'];

/** The calls about bookings, by operation. */
export function bookingCalls(parts: Parts): Readonly<Record<string, Handler>> {
  const { document, clock, has, store, once } = parts;
  const stateOf = (booking: Booking): State => stateAt(booking, clock.now());
  const shown = (booking: Booking): Thing => shownBooking(booking, clock.now(), has);
  const tagOf = (booking: Booking): string => tagOfBooking(booking, clock.now(), has);
  const answer = (booking: Booking, status = 200, more: Readonly<Record<string, string>> = {}): Answer => ({
    status,
    headers: { ETag: tagOf(booking), ...more },
    json: shown(booking),
  });
  const checkBody = ({ operation, body }: Call): Thing => {
    if (isValid(document, operation, body)) return body as Thing;
    throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
  };
  const ownBookings = (owner: string): Booking[] =>
    store.shows.filter((show) => show.owner === owner && !show.isRemoved).flatMap(({ bookings }) => bookings);
  const bookingOf = (call: Call, owner: string): Booking => {
    const show = store.showOf(call, owner);
    const isAnyShow = has('cancel-through-other-show') && call.operation === 'cancelBooking';
    const bookings = isAnyShow ? ownBookings(owner) : show.bookings;
    const booking = bookings.find(({ id }) => id === call.path['bookingId']);
    if (booking === undefined) throw new Refusal(404, 'not_found', 'There is no such booking.');
    return booking;
  };
  const checkReference = (show: Show, reference: unknown, but?: Booking): void => {
    const isTaken = (one: Booking): boolean =>
      (has('patched-reference-free') ? one.firstReference : one.reference) === reference;
    if (show.bookings.some((one) => one !== but && isTaken(one))) {
      throw new Refusal(409, 'reference_taken', 'Another booking of the show has the reference.');
    }
  };
  const checkSeats = (show: Show, seats: unknown, but?: Booking): void => {
    if (Number(seats) > seatsLeft(show, clock.now(), has, but)) {
      throw new Refusal(409, 'sold_out', 'The show has not so many seats left.');
    }
  };
  /** With a fault, how many holds of a theatre count no longer although they should. */
  const freed = new Map<string, number>();
  const checkBound = (show: Show, owner: string): void => {
    const counted = has('bound-per-show') ? show.bookings : ownBookings(owner);
    const isHeld = (one: Booking): boolean =>
      (has('expired-holds-count') ? one.stored : stateOf(one)) === 'held';
    if (counted.filter(isHeld).length - (freed.get(owner) ?? 0) >= mostHeld) {
      throw new Refusal(409, 'too_many_holds', 'Too many bookings are held.');
    }
  };
  /** Some servers find out that a hold has ended when it is read. */
  const noted = (booking: Booking): Booking => {
    if (has('expired-holds-count') || has('filter-before-expiry')) booking.stored = stateOf(booking);
    return booking;
  };
  const wrongState = (booking: Booking): Refusal =>
    new Refusal(409, 'wrong_state', `The booking is ${stateOf(booking)}.`);
  const moved = (booking: Booking, change: Partial<Booking>): Answer => {
    Object.assign(booking, change);
    booking.version += 1;
    return answer(booking);
  };

  const holdSeats: Handler = (call, owner) =>
    once(call, `/shows/${String(call.path['showId'])}/bookings`, owner, async () => {
      const isRace = has('oversold-by-race');
      const allowed = { removed: has('removed-show-takes-holds') };
      const before = store.showOf(call, owner, allowed);
      const body = checkBody(call);
      if (isRace) checkSeats(before, body['seats']);
      await pause(clock);
      const show = store.showOf(call, owner, allowed);
      checkReference(show, body['reference']);
      checkBound(show, owner);
      if (!isRace) checkSeats(show, body['seats']);
      const made = store.addBooking(show, body, clock.now());
      return answer(made, 201, { Location: `/shows/${show.id}/bookings/${made.id}` });
    });

  const listBookings: Handler = (call, owner) => {
    const show = store.showOf(call, owner);
    const { state } = call.query;
    const filterState = (one: Booking): State => (has('filter-before-expiry') ? one.stored : stateOf(one));
    const rows = show.bookings
      .filter((one) => state === undefined || filterState(one) === state)
      .toReversed()
      .map((one) => ({ number: -one.number, shown: shown(one) }));
    return cursorPage(call, rows, { bound: `bookings ${show.id} ${String(state)}`, has });
  };

  const getBooking: Handler = (call, owner) => {
    const booking = noted(bookingOf(call, owner));
    const tag = tagOf(booking);
    return isCurrentCopy(call, tag) ? { status: 304, headers: { ETag: tag } } : answer(booking);
  };

  const changeBooking: Handler = (call, owner) => {
    const booking = bookingOf(call, owner);
    const patch = checkBody(call);
    checkVersion(call, tagOf(booking), has);
    if (stateOf(booking) !== 'held') throw wrongState(booking);
    const { reference, seats, note } = booking;
    const before = { reference, seats, ...(note === undefined ? {} : { note }) };
    const after = merged(before, patch, changeable);
    checkReference(booking.show, after['reference'], booking);
    checkSeats(booking.show, after['seats'], booking);
    const isSame = changeable.every((name) => (before as Thing)[name] === after[name]);
    return isSame ? answer(booking) : moved(booking, { note: undefined, ...after });
  };

  const extendBooking: Handler = (call, owner) => {
    const booking = bookingOf(call, owner);
    if (stateOf(booking) !== 'held') throw wrongState(booking);
    if (booking.extensions >= 2) throw new Refusal(409, 'extended_twice', 'The hold was extended twice.');
    const from = has('extension-from-deadline') ? booking.until : clock.now();
    const until = from + booking.holdSeconds * 1000;
    return moved(booking, { until, extensions: booking.extensions + 1 });
  };

  const confirmBooking: Handler = (call, owner) => {
    const booking = bookingOf(call, owner);
    const payer = String(checkBody(call)['payer']);
    const from = has('expired-can-be-confirmed') ? ['held', 'expired'] : ['held'];
    if (!from.includes(stateOf(booking))) throw wrongState(booking);
    return moved(booking, { stored: 'confirmed', payer, confirmedAt: clock.now() });
  };

  const collectBooking: Handler = (call, owner) => {
    const booking = bookingOf(call, owner);
    if (stateOf(booking) !== 'confirmed') throw wrongState(booking);
    return moved(booking, { stored: 'collected', collectedAt: clock.now() });
  };

  const cancelBooking: Handler = (call, owner) => {
    const booking = bookingOf(call, owner);
    if (!['held', 'confirmed'].includes(stateOf(booking))) {
      if (has('refused-cancel-frees-hold')) freed.set(owner, (freed.get(owner) ?? 0) + 1);
      throw wrongState(booking);
    }
    if (has('cancel-forgets-confirmation')) {
      delete booking.payer;
      delete booking.confirmedAt;
    }
    return moved(booking, { stored: 'cancelled', cancelledAt: clock.now() });
  };

  const listAllBookings: Handler = (call, owner) => {
    const { state } = call.query;
    const matching = ownBookings(owner)
      .filter((one) => state === undefined || stateOf(one) === state)
      .toSorted((a, b) => b.number - a.number)
      .map((one) => {
        const links = { self: `/bookings/${one.id}`, show: `/shows/${one.show.id}` };
        return {
          ...(has('outcome-null-in-agenda') ? { outcome: null } : {}),
          ...shown(one),
          ...(has('agenda-links-old-path') ? { links } : {}),
        };
      });
    return numberedPage(call, matching, { path: '/bookings', kept: ['state'] });
  };

  return {
    holdSeats,
    listBookings,
    getBooking,
    changeBooking,
    extendBooking,
    confirmBooking,
    collectBooking,
    cancelBooking,
    listAllBookings,
  };
}
