import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { ENVELOPE_FIXTURES } from './fixtures.ts';
import { ENVELOPES, ENVELOPES_SHEET, envelopesServer } from './server.ts';

/** The contract of envelopes, and a server for each of its faults. */
export const measuredEnvelopes = async (): Promise<Measured> => ({
  contract: await own('envelopes', ENVELOPES, ENVELOPES_SHEET),
  fixtures: ENVELOPE_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer token-of-the-harbour' },
  server: envelopesServer,
});
