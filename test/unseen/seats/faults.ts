import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of seats, each with the statement that it breaks. */
export const SEAT_FAULTS: readonly Fault[] = [
  // --- lists ---
  fault(
    'sort-ties-move',
    'sheet',
    'numbered-pages: the pages of a list lead through all of it, and to no item twice.',
    'In a sorted list, shows that are equal are in the opposite order on every second page.',
  ),
  fault(
    'starts-at-as-text',
    'sheet',
    'resource: a list is in the order that its parameter names; times are sorted as instants.',
    'Times are compared as texts, whatever their zones.',
  ),
  fault(
    'filter-before-expiry',
    'sheet',
    'resource: a list with a filter contains what matches it, and nothing else.',
    'listBookings takes a hold that has expired for one that is held, until getBooking reads it.',
  ),
  fault(
    'has-more-by-whole-list',
    'sheet',
    'numbered-pages: has_more says whether there is another page, and Link leads to it.',
    'With a filter, both are found with the number of all shows.',
  ),
  fault(
    'cursor-keeps-limit',
    'sheet',
    'pagination: a page has no more items than requested.',
    'A page with a cursor has the limit of the page that gave the cursor, whatever limit is asked for.',
  ),
  fault(
    'queue-cursor-is-offset',
    'prose',
    'Entries that leave between two pages do not keep any other one from being listed.',
    'A cursor of the queue is the number of entries before it: when one of these leaves, the next one is skipped.',
  ),

  // --- lives ---
  fault(
    'expired-can-be-confirmed',
    'sheet',
    'lifecycle: a call that brings about no transition of the present state is refused, and a terminal state stays.',
    'confirmBooking confirms a hold that has expired.',
  ),
  fault(
    'extension-from-deadline',
    'prose',
    'An extended hold ends hold_seconds after the call.',
    'It ends hold_seconds after its former end.',
  ),
  fault(
    'cancel-forgets-confirmation',
    'sheet',
    'lifecycle: each time is set once, and never changes afterwards.',
    'A confirmed booking has no confirmed_at and no payer after its cancellation.',
  ),
  fault(
    'extended-keeps-until',
    'sheet',
    'lifecycle: a confirmed booking has no hold_until.',
    'It has one if its hold was extended.',
  ),
  fault(
    'outcome-null-in-agenda',
    'sheet',
    'presence: outcome is left out before the end, and never null.',
    'In listAllBookings, the outcome of bookings that have not ended is null.',
  ),
  fault(
    'price-follows-show',
    'sheet',
    'lifecycle: the price of a booking stays as it is after the end.',
    'It is the number of seats times the price that the show has now.',
  ),

  // --- the bound of holds ---
  fault(
    'expired-holds-count',
    'sheet',
    'capacity: a booking counts in the state held only.',
    'A hold that has expired counts until getBooking reads it.',
  ),
  fault(
    'bound-per-show',
    'sheet',
    'capacity: a caller has at most 5 bookings that are held.',
    'The bound is on the holds of a show.',
  ),
  fault(
    'refused-cancel-frees-hold',
    'sheet',
    'capacity: a sixth hold is refused; resource: a refused change changes nothing.',
    'Each cancellation that is refused for the state lets the theatre hold one more.',
  ),

  // --- keys ---
  fault(
    'replay-by-text',
    'sheet',
    'idempotency: the same call with the same key gets the recorded answer.',
    'The same body with its members in another order is refused as another one.',
  ),
  fault(
    'conflict-recorded',
    'sheet',
    'idempotency: a call that is refused with 4xx leaves its key unused.',
    'A refusal with 409 is recorded, and is the answer to every later call with the key.',
  ),

  // --- versions ---
  fault(
    'tag-by-second',
    'sheet',
    'conditional-write: a change gives the resource another tag.',
    'The tag of a show has the second of its last change: two changes within one second have the same.',
  ),
  fault(
    'weak-tag-in-list',
    'sheet',
    'conditional-write: a weak tag matches no version.',
    'It does so where If-Match has more than one tag.',
  ),
  fault(
    'expiry-keeps-tag',
    'sheet',
    'conditional-get: a read with another tag than the current one gets the whole answer.',
    'The tag of a booking counts the calls that changed it: when a hold expires, 304 is the answer.',
  ),

  // --- things ---
  fault(
    'patched-reference-free',
    'sheet',
    'uniqueness: a reference is used once in a show.',
    'Only the references with which seats were held are looked up, not those that a patch has set since.',
  ),
  fault(
    'removed-show-takes-holds',
    'sheet',
    'resource: after a deletion, no call finds the resource.',
    'holdSeats holds seats of a removed show.',
  ),
  fault(
    'cancel-through-other-show',
    'sheet',
    'resource: a booking is not found through another show.',
    'cancelBooking finds the booking through any show of the theatre.',
  ),
  fault(
    'other-account-leaves-queue',
    'sheet',
    'resource: no other caller finds an entry of the queue, or changes it.',
    "leaveQueue answers another theatre's call with 204, and the entry is gone.",
  ),
  fault(
    'restored-without-queue',
    'sheet',
    'resource: after a deletion is taken back, a read returns the resource as it was.',
    'The queue of a restored show is empty, and queue_length is 0.',
  ),
  fault(
    'cancelled-seats-stay-taken',
    'prose',
    'seats_left is seats_total without the seats that are held, confirmed or collected.',
    'The seats of a booking that was confirmed before it was cancelled are not left.',
  ),
  fault(
    'oversold-by-race',
    'document',
    'seats_left is never below 0, and more seats than that are refused.',
    'Calls of holdSeats at once are all compared with the seats that were left before them.',
  ),

  // --- values and links ---
  fault(
    'empty-tags-ignored',
    'sheet',
    'resource: after a patch, the resource has the new values.',
    'A patch with an empty list of tags leaves the tags as they are.',
  ),
  fault(
    'reserved-false-passes',
    'sheet',
    'reserved-fields: a body with livestream is refused.',
    'It is accepted if livestream is false, null, 0 or empty.',
  ),
  fault(
    'agenda-links-old-path',
    'sheet',
    'links: self leads to getBooking of the booking that shows it.',
    'In listAllBookings, it leads to a path that the API does not have.',
  ),
];
