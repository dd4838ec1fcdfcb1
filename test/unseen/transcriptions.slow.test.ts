// @module-tag long
import { measureSet } from './measured-set.ts';
import { TRANSCRIPTION_FAULTS } from './transcriptions/faults.ts';
import { measuredTranscriptions } from './transcriptions/measured.ts';

measureSet('transcriptions', measuredTranscriptions, TRANSCRIPTION_FAULTS, []);
