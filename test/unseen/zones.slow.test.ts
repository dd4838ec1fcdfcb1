// @module-tag long
import { measureSet } from './measured-set.ts';
import { ZONE_FAULTS } from './zones/faults.ts';
import { measuredZones } from './zones/measured.ts';

const noticed = [
  'ties-turn-by-page',
  'tag-by-second',
  'tag-ignores-sets',
  'replay-forgets-location',
  'reserved-null',
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
