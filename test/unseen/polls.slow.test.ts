// @module-tag long
import { measureSet } from './measured-set.ts';
import { POLL_FAULTS } from './polls/faults.ts';
import { measuredPolls, measuredPollsWithDelete } from './polls/measured.ts';

/** In both forms: whether a discarding is a DELETE or a POST makes no difference. */
const noticed = [
  'total-without-filters',
  'third-page-starts-early',
  'link-loses-filter',
  'no-total-header-on-empty',
  'page-size-as-asked',
  'refused-slug-taken',
  'refused-amendment-stored',
  'large-id-fails',
  'slug-race',
  'restored-forgets-opening',
  'discarded-again',
  'other-caller-closes',
  'other-caller-reads-tally',
  'draft-closes',
  'state-filter-shows-discarded',
  'topic-replaces-state',
  'one-poll-too-many',
  'closed-polls-count',
  'bound-over-all-callers',
  'discarded-polls-count',
  'refusal-spends-key',
  'vote-keys-race',
  'more-after-full-page',
  'question-in-bytes',
  'late-question',
];

measureSet('polls', measuredPolls, POLL_FAULTS, noticed);

measureSet('polls with DELETE', measuredPollsWithDelete, POLL_FAULTS, noticed);
