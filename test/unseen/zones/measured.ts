import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { ZONE_FIXTURES } from './fixtures.ts';
import { ZONES, ZONES_SHEET, zonesServer } from './server.ts';

/** The contract of zones, and a server for each of its faults. */
export const measuredZones = async (): Promise<Measured> => ({
  contract: await own('zones', ZONES, ZONES_SHEET),
  fixtures: ZONE_FIXTURES,
  credential: { header: 'X-Api-Key', value: 'dns_north_5150' },
  server: zonesServer,
});
