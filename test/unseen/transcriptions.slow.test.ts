// @module-tag long
import { measureSet } from './measured-set.ts';
import { TRANSCRIPTION_FAULTS } from './transcriptions/faults.ts';
import { measuredTranscriptions } from './transcriptions/measured.ts';

const noticed = [
  'equal-languages-lost',
  'third-page-unfiltered',
  'full-last-page-has-more',
  'replay-without-location',
  'refused-patch-merges-speakers',
  'speakers-null-fails',
  'empty-vocabulary-refused',
  'failed-keeps-ready-by',
  'second-cancel-moves-end',
  'stream-misses-cancel',
  'stream-of-ended-silent',
  'second-watcher-misses',
  'deleted-in-filtered-list',
  'mismatch-ignores-source',
  'ended-deleted-by-old-version',
  'nested-null-stays',
  'empty-notes-ignored',
  'cancelled-completes',
  'deleted-project-still-counts',
  'recorded-at-zone-lost',
  'name-race',
  'retry-beyond-bound',
];

measureSet('transcriptions', measuredTranscriptions, TRANSCRIPTION_FAULTS, noticed);
