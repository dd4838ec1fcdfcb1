import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of couriers, each with the statement that it breaks. */
export const COURIER_FAULTS: readonly Fault[] = [
  // --- pages and filters ---
  fault(
    'filtered-page-repeats',
    'sheet',
    'The pages of a list lead through all of it, and to no item twice.',
    'With a state filter, each page after the first begins with the last delivery of the one before.',
  ),
  fault(
    'state-and-date-together',
    'prose',
    'Filters can be combined: a delivery has to match all of them.',
    'The state is ignored where ordered_from is given as well.',
  ),
  fault(
    'link-drops-date',
    'document',
    'Link leads with rel="next" to the next page with the same filters and the same per_page.',
    'The address in Link has no ordered_from.',
  ),
  fault(
    'filtered-oldest-first',
    'prose',
    "listDeliveries has the caller's deliveries, the latest order first.",
    'With a state filter, the oldest order is the first.',
  ),
  fault(
    'clamped-page-skips',
    'prose',
    'A per_page above 50 is read as 50.',
    'Pages have 50 deliveries then, but begin where pages of the size that was asked for would.',
  ),

  // --- lives ---
  fault(
    'refused-reassign-counts',
    'prose',
    'A reassignment that is refused changes nothing, and is not counted.',
    'A reassignment that is refused for the state raises the number of reassignments.',
  ),
  fault(
    'third-reassignment',
    'prose',
    'A delivery is reassigned twice at most; a third time is refused with 409.',
    'The third one is made, and the fourth one refused.',
  ),
  fault(
    'free-cancellation-charged',
    'prose',
    'To cancel a delivery that is ordered costs nothing: the price has no parts, and a total of 0.',
    'A cancellation costs 200, whatever the state.',
  ),
  fault(
    'late-delivers',
    'prose',
    'A delivery that did not arrive in time fails then, with the failure `late`.',
    'Parcels that were picked up in time are delivered also after that time.',
  ),
  fault(
    'courier-null',
    'prose',
    'Members without a value are left out, and are never null.',
    'The courier of an ordered delivery is null.',
  ),

  // --- orders ---
  fault(
    'note-emoji-fails',
    'document',
    'A note is any text of up to 140 characters.',
    'An order whose note has a character beyond the first 65536 is answered with 500.',
  ),
  fault(
    'express-rounds-down',
    'prose',
    'The part `express` is 25 per cent of base and weight, and half a unit is rounded up.',
    'Half a unit is dropped.',
  ),
  fault(
    'large-total-text',
    'document',
    'The total of a price is an integer.',
    'A total of 100000 or more is a text with digits.',
  ),
  fault(
    'key-free-after-cancel',
    'sheet',
    'A second order with a key is refused for 24 hours, whatever has become of the delivery.',
    'The key of a cancelled delivery can be used again.',
  ),
  fault(
    'keys-of-all-callers',
    'prose',
    'Keys of different callers have nothing to do with each other.',
    'A key that another caller used is refused.',
  ),
  fault(
    'bound-spends-key',
    'sheet',
    'An order that is refused leaves the key unused.',
    'An order that is refused because too many are open uses up its key.',
  ),
  fault(
    'picked-up-not-counted',
    'sheet',
    'A caller has at most 6 open deliveries: those that are ordered, assigned or picked up.',
    'Deliveries that are picked up do not count.',
  ),
  fault(
    'bound-race',
    'sheet',
    'A caller has at most 6 open deliveries.',
    'Orders that arrive at once are all compared with the number before them.',
  ),

  // --- events ---
  fault(
    'stream-without-reassignment',
    'prose',
    'Each change follows in an event `state`: each new state, and each reassignment.',
    'A reassignment is no event.',
  ),
  fault(
    'stream-ends-without-proof',
    'prose',
    'The event with the last state has the delivery as a read then shows it.',
    'The delivery in the last event has no proof.',
  ),
  fault(
    'other-caller-watches',
    'sheet',
    'Deliveries belong to the caller that made them: for others they do not exist.',
    'Another caller can watch a delivery.',
  ),

  // --- addresses ---
  fault(
    'patch-takes-label',
    'sheet',
    'No two addresses of an account have the same label.',
    'A change to the label of another address is made.',
  ),
  fault(
    'count-keeps-deleted',
    'document',
    'The address_count of an account is the number of its addresses without deleted ones.',
    'Deleted addresses are counted.',
  ),
  fault(
    'bulk-loses-last',
    'sheet',
    'Each address of an import with the status 201 can be read afterwards.',
    'The last of four or more addresses has the result 201, and is not stored.',
  ),
  fault(
    'bulk-without-country',
    'document',
    'The country of an address is CH if none is sent.',
    'Imported addresses without a country have none.',
  ),
  fault(
    'floor-zero-lost',
    'sheet',
    'A read shows an address as it was sent.',
    'A floor of 0 is not stored when the address is added.',
  ),
  fault(
    'address-id-again',
    'sheet',
    'A created address has an id of its own, and a deleted one is answered with 410.',
    'The id of a deleted address is given to the next one, if it was the highest.',
  ),
  fault(
    'gone-patch-missing',
    'sheet',
    'A deleted address is refused with 410 by every call.',
    'A change of a deleted address is refused with 404.',
  ),
  fault(
    'tag-ignores-hint',
    'sheet',
    'The tag of an address changes with each of its members.',
    'A change of the hint leaves the tag as it is.',
  ),

  // --- every answer ---
  fault('request-id-lost-on-304', 'sheet', 'Each answer has an X-Request-Id.', 'Answers with 304 have none.'),
];
