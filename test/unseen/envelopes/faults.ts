import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of envelopes, each with the statement that it breaks. */
export const ENVELOPE_FAULTS: readonly Fault[] = [
  // --- pages, order and filters ---
  fault(
    'descending-ties-turn',
    'sheet',
    'The cursors of a list lead through all of it, and to no item twice.',
    'In a descending order, a cursor takes envelopes of the same value for sorted by descending creation: at the edge of a page some are lost and others come again.',
  ),
  fault(
    'kind-lost-on-third-page',
    'sheet',
    'A list with a filter contains what matches it, and nothing else, on each of its pages.',
    'From the third page on, the filter by kind is forgotten.',
  ),
  fault(
    'more-without-filter',
    'sheet',
    'paging.more says whether another page follows.',
    'In a filtered list of envelopes, more is true while any envelope follows, even if the filter does not select it.',
  ),
  fault(
    'link-without-sort',
    'sheet',
    'Link with rel="next" leads to the next page.',
    'The address in Link has no sort: the cursor does not belong to that list, and is refused.',
  ),
  fault(
    'cursor-carries-account',
    'sheet',
    "Lists contain only the caller's own things.",
    'A cursor names the account that it was given to: another account that sends it reads the envelopes of the first one.',
  ),
  fault(
    'orders-as-text',
    'prose',
    'Signers are listed by their order, as a number.',
    'The order is compared as a text: 10 comes before 2.',
  ),
  fault(
    'status-filter-unsettled',
    'sheet',
    'A list with a filter contains what matches it, and nothing else.',
    'The filter by status looks at the states before what the time has brought about: an expired draft is listed among drafts, once.',
  ),

  // --- lives ---
  fault(
    'expired-draft-sends',
    'sheet',
    'A call that brings about no transition of the present state is refused.',
    'A draft whose time is over is sent, unless another call has seen before that it expired.',
  ),
  fault(
    'refused-void-takes-reason',
    'sheet',
    'A call that brings about no transition is refused, and void_reason stays as it is after the end.',
    'A second voiding is refused, but its reason is stored.',
  ),
  fault(
    'released-signs',
    'sheet',
    'A signer who was released stays so; a call that brings about no transition is refused.',
    'Signers who were released can still sign.',
  ),
  fault(
    'expired-moves',
    'sheet',
    'Times are set once, and never change afterwards.',
    'The ended_at of an expired envelope is the time at which it is read.',
  ),
  fault(
    'equal-order-waits',
    'prose',
    'In a sequential envelope a signer is invited 5 seconds after all signers with a lower order have signed.',
    'A signer waits for those with the same order as well, if they were added before.',
  ),
  fault(
    'access-code-after-patch',
    'sheet',
    'Only the answer to addSigner has the access code.',
    'The answer to a patch has it as well.',
  ),

  // --- keys ---
  fault(
    'replay-renews-window',
    'sheet',
    'A used key is known for two minutes, and not longer.',
    'The two minutes start again with each replay.',
  ),
  fault(
    'mismatch-ignores-nested',
    'sheet',
    'The same key with another body is refused.',
    'What is inside the metadata is not compared.',
  ),
  fault(
    'refused-key-stays-claimed',
    'sheet',
    'A key can be used again if its call was refused with 4xx.',
    'After a refusal for an unknown template, a taken slug or too many envelopes, the key is refused as if its call still ran.',
  ),
  fault(
    'in-flight-without-retry-after',
    'sheet',
    'A key whose first call still runs is refused with Retry-After.',
    'The refusal has no Retry-After.',
  ),
  fault(
    'released-key-marked',
    'sheet',
    'The answer to a first call with a key is not marked as a replay.',
    'A call that is made after a refused one with the same key is marked as a replay.',
  ),
  fault(
    'replay-repeats-request-id',
    'prose',
    'Each answer has an X-Request-Id of its own, also the replay of an answer.',
    'A replay has the X-Request-Id of the first answer.',
  ),

  // --- versions ---
  fault(
    'signing-keeps-tag',
    'sheet',
    'Another state has another tag: a read with the old one gets the whole answer.',
    'The tag of an envelope does not change with the number of signatures.',
  ),
  fault(
    'send-checks-version-early',
    'sheet',
    'A change is made only to the version that the caller has seen.',
    'The call compares the version, and then waits for the store. It also sends an envelope that another call patches meanwhile.',
  ),
  fault(
    'wait-ignores-copy',
    'sheet',
    'A read with the current tag is answered without a body.',
    'A read that waits is answered with the whole envelope.',
  ),

  // --- things ---
  fault(
    'recipients-appended',
    'sheet',
    'A patch is a JSON merge patch: a list is replaced as a whole.',
    'The recipients of a patch are added to those of the template.',
  ),
  fault(
    'taken-email-stores-name',
    'sheet',
    'A refused change changes nothing.',
    'A patch that is refused for a taken address stores the name.',
  ),
  fault(
    'restored-slug-free',
    'sheet',
    'No two templates have the same slug.',
    'The slug of a template that was restored can be used for another one.',
  ),
  fault(
    'signers-outlive-envelope',
    'sheet',
    'An envelope is deleted with its signers; below a thing that does not exist, calls are refused.',
    'The signers of a deleted envelope can still be read, one by one.',
  ),
  fault(
    'decline-through-other-envelope',
    'sheet',
    'A thing is not found through another parent.',
    'A signer can decline by a path with another envelope of the account.',
  ),
  fault(
    'other-account-restores',
    'sheet',
    'A thing belongs to the caller that created it: for others it does not exist.',
    'Any account can restore a template, and gets it as the answer.',
  ),

  // --- bounds and values ---
  fault(
    'expired-drafts-count',
    'sheet',
    'Only drafts and sent envelopes count for the bound of 20.',
    'Envelopes whose time is over count until a list or a read has seen that they expired.',
  ),
  fault(
    'large-value-wraps',
    'sheet',
    'Every value is accepted that the document allows for value_cents, and a read shows it as it was sent.',
    'A new envelope keeps 32 bits of its value.',
  ),
];
