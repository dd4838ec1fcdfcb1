// @module-tag long
import { measureSet } from './measured-set.ts';
import { POLL_FAULTS } from './polls/faults.ts';
import { measuredPolls, measuredPollsWithDelete } from './polls/measured.ts';

measureSet('polls', measuredPolls, POLL_FAULTS, [
  'total-without-filters',
  'third-page-starts-early',
  'link-loses-filter',
  'no-total-header-on-empty',
  'page-size-as-asked',
  'refused-slug-taken',
  'slug-race',
  'restored-forgets-opening',
  'discarded-again',
  'other-caller-closes',
  'other-caller-reads-tally',
  'draft-closes',
]);

measureSet('polls with DELETE', measuredPollsWithDelete, POLL_FAULTS, [
  'total-without-filters',
  'third-page-starts-early',
  'link-loses-filter',
  'no-total-header-on-empty',
  'page-size-as-asked',
  'refused-slug-taken',
  'slug-race',
  'discarded-again',
]);
