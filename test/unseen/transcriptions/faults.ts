import { fault, type Fault } from '../faults.ts';

/** Thirty faults of a server of transcriptions, each with the statement that it breaks. */
export const TRANSCRIPTION_FAULTS: readonly Fault[] = [
  // --- pages, filters, orders ---
  fault(
    'cursor-skips-after-delete',
    'sheet',
    'The cursors of a list lead through all of it, and to no item twice.',
    'A cursor counts the items before it: after a deletion among them, the next page lacks an item.',
  ),
  fault(
    'equal-languages-lost',
    'sheet',
    'The cursors of a list lead through all of it, and to no item twice.',
    'In the order of languages, the next page begins with the next language: what is left of the same one is in no page.',
  ),
  fault(
    'third-page-unfiltered',
    'sheet',
    'A list with a filter contains what matches it, and nothing else, on each of its pages.',
    'Filters are forgotten from the third page on.',
  ),
  fault(
    'full-last-page-has-more',
    'sheet',
    'has_more is whether there is another page.',
    'It is true on each page with as many items as were asked for, also on the last one.',
  ),

  // --- keys ---
  fault(
    'replay-without-location',
    'sheet',
    'A call that comes again with its key gets the answer of the first one.',
    'The answer has no Location then.',
  ),
  fault(
    'mismatch-ignores-source',
    'sheet',
    'The same key with another body is refused.',
    'Members that are objects are not compared: another source gets the recorded answer.',
  ),
  fault(
    'retry-ignores-key',
    'sheet',
    'The same call with the same key gets the recorded answer, of submitTranscription and of retryTranscription.',
    'A retry with a key is made each time, and then refused for its name.',
  ),

  // --- versions ---
  fault(
    'retry-keeps-tag',
    'sheet',
    'A read with another tag gets the whole answer: the tag changes with each member of a transcription.',
    'A retry gives the retried one a retried_by and leaves its tag as it was.',
  ),
  fault(
    'same-patch-new-tag',
    'sheet',
    'An unchanged resource keeps its tag.',
    'A patch with the values that a transcription has already gives it another tag.',
  ),
  fault(
    'ended-deleted-by-old-version',
    'sheet',
    'A deletion that names another version is refused with 412.',
    'If-Match is not looked at where the transcription has ended.',
  ),
  fault(
    'refused-patch-merges-speakers',
    'sheet',
    'A change that names another version is refused, and nothing is changed.',
    'The speakers of a patch are merged before the version is compared: they stay, although the patch is refused.',
  ),

  // --- patches ---
  fault(
    'nested-null-stays',
    'sheet',
    'After a patch, the resource has no member that was set to null.',
    'A speaker that was set to null is shown with null.',
  ),
  fault(
    'empty-notes-ignored',
    'sheet',
    'After a patch, the resource has the new values.',
    'Notes of no characters are taken for none at all: the former ones stay.',
  ),
  fault(
    'speakers-null-fails',
    'document',
    'A patch may have null for the speakers.',
    'Such a patch is answered with 500.',
  ),

  // --- names and other values ---
  fault(
    'name-race',
    'sheet',
    'A name is used once in its project.',
    'Of submissions that arrive at once, each is compared with the names before all of them.',
  ),
  fault(
    'recorded-at-zone-lost',
    'sheet',
    'A read shows a transcription as it was sent.',
    'A recorded_at with another zone is shown with the same hour in UTC.',
  ),
  fault(
    'empty-vocabulary-refused',
    'sheet',
    'Every vocabulary that the document allows is accepted.',
    'A vocabulary without words is refused with 422.',
  ),

  // --- lives ---
  fault(
    'cancelled-completes',
    'sheet',
    'No transition leads out of a terminal state.',
    'One that was cancelled while it was transcribed is completed when it would have been.',
  ),
  fault(
    'failed-keeps-ready-by',
    'sheet',
    'ready_by is there before the end, and not after it.',
    'A failed transcription still has it.',
  ),
  fault(
    'list-lacks-end-of-cancelled',
    'sheet',
    'ended_at is there in the states completed, failed and cancelled.',
    'Lists show cancelled transcriptions without it; a read has it.',
  ),
  fault(
    'second-cancel-moves-end',
    'sheet',
    'A cancellation of one that has ended is refused with 409.',
    'A cancelled one can be cancelled again, and its ended_at is then the time of that call.',
  ),

  // --- events ---
  fault(
    'stream-misses-cancel',
    'sheet',
    'The event with the terminal state is the last one, and the stream does not end before it.',
    'If a call cancels the transcription, the stream just ends.',
  ),
  fault(
    'stream-of-ended-silent',
    'sheet',
    'A stream begins with the present state.',
    'The stream of one that has ended has no event at all.',
  ),
  fault(
    'second-watcher-misses',
    'sheet',
    'Each stream has the events of its own resource, as they happen.',
    'Of several streams of a transcription, each event is in one of them only.',
  ),

  // --- who and where ---
  fault(
    'reader-retries',
    'prose',
    'A reader may call every GET, and nothing else.',
    'A reader may also retry a transcription.',
  ),
  fault(
    'segments-through-other-project',
    'sheet',
    'A resource is not found through another parent, also by the calls below it.',
    'Segments are found below any project of the account.',
  ),

  // --- deletions and bounds ---
  fault(
    'deleted-in-filtered-list',
    'sheet',
    'After a deletion, the list does not contain the resource.',
    'With a filter by language, deleted transcriptions are listed as well.',
  ),
  fault(
    'deleted-project-still-counts',
    'sheet',
    'One more than 8 is refused until one is removed: what is deleted with its project no longer runs.',
    'A transcription of a deleted project goes on, and counts until its end.',
  ),
  fault(
    'retry-beyond-bound',
    'sheet',
    'At most 8 transcriptions of an account run, whether they were submitted or retried.',
    'A retry is made however many run.',
  ),
  fault(
    'last-segment-too-long',
    'prose',
    'The last segment ends with the recording.',
    'It is 10 seconds long like all others.',
  ),
];
