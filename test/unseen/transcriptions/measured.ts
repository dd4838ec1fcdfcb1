import { own } from '../../mock/own-document.ts';
import type { Measured } from '../measure.ts';
import { TRANSCRIPTION_FIXTURES } from './fixtures.ts';
import { TRANSCRIPTIONS, TRANSCRIPTIONS_SHEET, transcriptionsServer } from './server.ts';

/** The contract of transcriptions, and a server for each of its faults. */
export const measuredTranscriptions = async (): Promise<Measured> => ({
  contract: await own('transcriptions', TRANSCRIPTIONS, TRANSCRIPTIONS_SHEET),
  fixtures: TRANSCRIPTION_FIXTURES,
  credential: { header: 'Authorization', value: 'Bearer editor-of-the-harbour' },
  server: transcriptionsServer,
});
