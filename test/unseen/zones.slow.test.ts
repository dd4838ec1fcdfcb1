// @module-tag long
import { measureSet } from './measured-set.ts';
import { ZONE_FAULTS } from './zones/faults.ts';
import { measuredZones } from './zones/measured.ts';

const noticed = [
  'last-full-page-links',
  'ties-turn-by-page',
  'unlocked-listed-as-locked',
  'tag-by-second',
  'lost-set-if-match',
  'none-match-after-drop',
  'change-race',
  'tag-ignores-sets',
  'replay-forgets-location',
  'name-taken-spends-key',
  'running-key-other-body',
  'reserved-null',
  'set-revived',
  'refused-publish-renews',
  'retire-while-locked',
  'restored-as-draft',
  'retired-serial-grows',
  'below-gone-not-found',
  'listed-outcome-null',
  'cancelled-change-counts',
  'key-as-bearer-reads-only',
];

measureSet('zones', measuredZones, ZONE_FAULTS, noticed);
