import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of repairs, each with the statement that it breaks. */
export const REPAIR_FAULTS: readonly Fault[] = [
  // --- pages, filters, orders ---
  fault(
    'total-counts-deleted',
    'sheet',
    'total and X-Total-Count are the number of all items of the list.',
    'With a filter, deleted tickets that match are counted, although they are not listed.',
  ),
  fault(
    'sorted-page-unfiltered',
    'sheet',
    'A list with a filter contains what matches it, and nothing else, on each of its pages.',
    'With a sort as well, the filters are forgotten from the second page on.',
  ),
  fault(
    'large-deposits-sorted-low',
    'sheet',
    'A list is in the order that its parameter names.',
    'Deposits are compared by their difference in 32 bits: those from 21 million on come in the wrong place.',
  ),
  fault(
    'limit-one-above',
    'sheet',
    'A limit above the maximum of 40 is brought down to it.',
    'A limit of 41 is used as it is; all larger ones are brought down.',
  ),
  fault(
    'search-omits-outcome',
    'sheet',
    'outcome has a value in the states ready and collected.',
    'A search shows tickets without it; lists and reads have it.',
  ),

  // --- things ---
  fault(
    'restored-forgets-deadline',
    'sheet',
    'After a deletion is taken back, a read returns the resource as it was: answer_by is there while it is waiting.',
    'A waiting ticket that is restored has no answer_by any more, and never lapses.',
  ),
  fault(
    'restore-beyond-bound',
    'prose',
    'If the chain has 20 open tickets, the restoration of an open one is refused.',
    'It is restored however many are open.',
  ),
  fault(
    'bulk-below-deleted',
    'sheet',
    'After a deletion, no call finds the resource, and none below it.',
    'Several parts at once are added to a deleted ticket.',
  ),
  fault(
    'put-keeps-quantity',
    'document',
    'quantity is 1 unless something else is sent; a replacement without it gives it that value.',
    'A replacement without a quantity keeps the former one.',
  ),
  fault(
    'null-labels-emptied',
    'sheet',
    'After a patch, the resource has no member that was set to null.',
    'Labels that are set to null become an empty list.',
  ),
  fault(
    'title-trimmed',
    'sheet',
    'A read shows a created resource as it was sent.',
    'Spaces at the ends of a title are removed when a ticket is opened.',
  ),
  fault(
    'other-account-reads-note',
    'sheet',
    'A resource belongs to the caller that created it: no other caller finds it.',
    'A note of another chain can be read by its id; its list and its ticket cannot.',
  ),

  // --- lives ---
  fault(
    'lapsed-without-ready-at',
    'sheet',
    'ready_at has a value in the states ready and collected.',
    'A ticket whose proposal lapsed has none.',
  ),
  fault(
    'refused-collect-stores-name',
    'sheet',
    'collected_by has a value in the state collected only, and a refused call changes nothing.',
    'A collection that is refused for the state leaves collected_by in the ticket.',
  ),
  fault(
    'late-model',
    'sheet',
    'The model stays as it is after the end.',
    'A patch changes the model of a ticket that is collected or scrapped; customer and kind are kept.',
  ),
  fault(
    'invoice-at-finish',
    'sheet',
    'invoice is in the answers of the named operations only, and only after the end.',
    'The answer to a finished repair has it already; a read then has none.',
  ),

  // --- keys, unique values, bounds ---
  fault(
    'key-free-after-delete',
    'sheet',
    'The same call with the same key gets the recorded answer for 12 hours.',
    'Once its ticket is deleted, the key opens another one.',
  ),
  fault(
    'mismatch-of-long-bodies',
    'sheet',
    'The same key with another body is refused.',
    'Of a body, only the first 256 characters are compared: one that differs later gets the recorded answer.',
  ),
  fault(
    'bulk-duplicate-within',
    'prose',
    'Two parts of a list with the same serial are refused.',
    'The serials of a list are compared with those that are there, but not with each other.',
  ),
  fault(
    'put-races-add',
    'sheet',
    'A serial is used once in its ticket, also among calls at once.',
    'A replacement looks for its serial before it waits for the store: a part that is added meanwhile may have it too.',
  ),
  fault(
    'bound-by-counter',
    'sheet',
    'One ticket more than 20 open ones is refused.',
    'The deletion of a ticket that did not count any more makes room for one too many.',
  ),

  // --- events ---
  fault(
    'stream-skips-quick-states',
    'sheet',
    'The states of a stream are in an order that the lifecycle allows, and it has the events as they happen.',
    'Of states that follow each other within a tenth of a second, only the last one is sent.',
  ),
  fault(
    'notes-of-other-tickets',
    'sheet',
    'Each stream has the events of its own resource, and of no other one.',
    'It also has the notes of all other tickets of the chain.',
  ),

  // --- files ---
  fault(
    'largest-file-refused',
    'sheet',
    'Every number of bytes that the document allows is accepted.',
    'A file of exactly 5000000 bytes is refused.',
  ),
  fault(
    'pending-attachment-null',
    'sheet',
    'attachment is left out, and never null, where there is none.',
    'Between announcement and upload, the list of notes has it as null.',
  ),
  fault(
    'upload-without-request-id',
    'sheet',
    'Every answer has an X-Request-Id.',
    'The answer to an upload that succeeds has none.',
  ),

  // --- versions ---
  fault(
    'note-keeps-ticket-tag',
    'sheet',
    'A read with another tag gets the whole answer: the tag changes with each member, such as note_count.',
    'A ticket keeps its tag when a note is added.',
  ),
  fault(
    'delete-by-weak-tag',
    'sheet',
    'A weak tag matches no version.',
    'A deletion is made if the weak form of the current tag is sent; a change is not.',
  ),

  // --- errors ---
  fault(
    'place-off-by-one',
    'prose',
    'errors has the JSON pointer of each value that is wrong.',
    'The parts of a list are counted from 1 there.',
  ),
  fault(
    'bulk-conflict-status',
    'sheet',
    'Every error has its own status in its body.',
    'Several parts that are refused with 409 for a serial have the status 422 in the body.',
  ),
];
