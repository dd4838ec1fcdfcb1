// @module-tag long
import { measureSet } from './measured-set.ts';
import { POLL_FAULTS } from './polls/faults.ts';
import { measuredPolls, measuredPollsWithDelete } from './polls/measured.ts';

measureSet('polls', measuredPolls, POLL_FAULTS, [
  'third-page-starts-early',
  'no-total-header-on-empty',
  'page-size-as-asked',
  'refused-slug-taken',
  'refused-amendment-stored',
  'large-id-fails',
]);

measureSet('polls with DELETE', measuredPollsWithDelete, POLL_FAULTS, [
  'total-without-filters',
  'third-page-starts-early',
  'link-loses-filter',
  'no-total-header-on-empty',
  'page-size-as-asked',
  'refused-slug-taken',
  'refused-amendment-stored',
  'large-id-fails',
  'slug-race',
  'discarded-again',
  'state-filter-shows-discarded',
  'topic-replaces-state',
]);
