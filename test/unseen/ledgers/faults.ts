import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of ledgers, each with the statement that it breaks. */
export const LEDGER_FAULTS: readonly Fault[] = [
  // --- lists ---
  fault(
    'equal-keys-skipped',
    'sheet',
    'pagination: the cursors of a list lead through all of it.',
    'A cursor has only what the list is sorted by: what is equal to the last item of a page is not on the next one.',
  ),
  fault(
    'amounts-sorted-as-text',
    'sheet',
    'resource: a list is in the order that its parameter names; amounts are sorted by their value.',
    'Amounts are compared as texts.',
  ),
  fault(
    'second-filter-lost',
    'sheet',
    'resource: a list with filters contains what matches them, and nothing else, on each of its pages.',
    'With kind and group, the pages after the first one are only of the kind.',
  ),
  fault(
    'total-header-unfiltered',
    'sheet',
    'numbered-pages: X-Total-Count is the number of items, the same as total.',
    'The header has the number of all transfers of the firm, whatever the filters.',
  ),
  fault(
    'patched-group-unfiltered',
    'sheet',
    'resource: a list with a filter contains what matches it, and nothing else.',
    'An account is found by the group that putAccount gave it, not by that of a later patch.',
  ),

  // --- firms ---
  fault(
    'namesake-postings-listed',
    'sheet',
    'resource: no other caller sees a posting in a list.',
    'listPostings shows the postings of all firms that have an account with the code.',
  ),
  fault(
    'other-firm-submits',
    'sheet',
    'resource: no other caller changes a transfer.',
    'The call of another firm is answered with 404, and has submitted the draft.',
  ),
  fault(
    'closed-firm-lists-transfers',
    'sheet',
    'credentials: a caller that is known and has no access is refused with 403.',
    'listTransfers shows an empty list to a firm whose books are closed.',
  ),

  // --- versions ---
  fault(
    'create-race',
    'sheet',
    'conditional-write: an account that exists is not replaced with If-None-Match: *, nor without If-Match.',
    'Calls of putAccount at once find that there is no account, and each of them is answered with 201.',
  ),
  fault(
    'recreated-account-old-tag',
    'sheet',
    'conditional-write: a change that names another version is refused.',
    'Versions are counted from 1 under each code: the tag of a removed account is that of the one opened after it.',
  ),
  fault(
    'exists-by-star-only',
    'sheet',
    'conditional-write: a change that excludes the current version is refused.',
    'Of If-None-Match, putAccount only knows the star, and no tags.',
  ),
  fault(
    'settlement-keeps-tag',
    'sheet',
    'conditional-get: a read with another tag than the current one gets the whole answer.',
    'Postings of transfers change the balance of an account, and leave its tag as it was.',
  ),
  fault(
    'listed-tag-drops-cache-control',
    'sheet',
    'conditional-get: the answer without a body keeps Cache-Control.',
    'It has none where If-None-Match has more than one tag.',
  ),

  // --- accounts, postings and statements ---
  fault(
    'posting-outlives-account',
    'sheet',
    'resource: after a deletion, no call finds the resource, nor what was below it.',
    'getPosting shows the postings of a removed account.',
  ),
  fault(
    'reference-race',
    'sheet',
    'uniqueness: a reference is used once in an account, also among calls at once.',
    'Calls of addPosting at once are all compared with the references before them.',
  ),
  fault(
    'memo-cut-in-units',
    'sheet',
    'resource: a read shows a new posting as it was sent.',
    'A memo is cut after 200 units of UTF-16, although it may have 200 characters.',
  ),
  fault(
    'balance-by-float',
    'prose',
    'Amounts are added exactly, however large they are.',
    'The balance of an account is added up in floating point.',
  ),
  fault(
    'statement-through-other-account',
    'sheet',
    'resource: a statement is not found through another account.',
    'removeStatement removes a statement through any account of the firm.',
  ),

  // --- keys ---
  fault(
    'third-use-runs',
    'sheet',
    'idempotency: the same call with the same key gets the recorded answer.',
    'An answer is forgotten after it was repeated once: the third call with a key is made.',
  ),
  fault(
    'failure-holds-key',
    'sheet',
    'idempotency: a call that ends with 5xx leaves its key unused.',
    'After a failure, the key is in use for good.',
  ),
  fault(
    'replay-without-location',
    'document',
    'An answer of createTransfer or addPosting with 201 has a Location.',
    'A recorded answer has none.',
  ),

  // --- transfers ---
  fault(
    'second-submit-moves-time',
    'sheet',
    'lifecycle: submitted_at is set once, and never changes afterwards; a refused call changes nothing.',
    'submitTransfer of a submitted transfer is refused, and sets submitted_at again.',
  ),
  fault(
    'end-in-whole-seconds',
    'sheet',
    'lifecycle: ended_at is not before submitted_at, nor before created_at.',
    'voidTransfer sets ended_at to the beginning of the second.',
  ),
  fault(
    'rejection-missing-in-list',
    'sheet',
    'lifecycle: a rejected transfer has a rejection.',
    'listTransfers shows none.',
  ),
  fault(
    'rejection-null-on-202',
    'sheet',
    'presence: rejection is left out, and never null, outside of the end.',
    'It is null in the answer of submitTransfer.',
  ),
  fault(
    'replay-counts-as-open',
    'sheet',
    'capacity: a transfer is refused only where 6 others are open.',
    'Each recorded answer of createTransfer counts as one more open transfer.',
  ),
  fault(
    'voided-still-books',
    'prose',
    'A voided transfer has no postings.',
    'A transfer that is voided after it was submitted stays voided, and its postings are made nevertheless.',
  ),
  fault(
    'patched-repeat-passes',
    'sheet',
    'reserved-fields: a body of changeTransfer with repeat is refused.',
    'Only createTransfer looks for it.',
  ),

  // --- links ---
  fault(
    'parent-link-first-page-only',
    'document',
    'Each page of statements has a link to the account.',
    'Pages with a cursor have no links.',
  ),
  fault(
    'transfer-posting-links-other',
    'sheet',
    'links: account of a posting leads to the account that it is in.',
    'In the outgoing posting of a transfer, it leads to the account where the money goes.',
  ),
];
