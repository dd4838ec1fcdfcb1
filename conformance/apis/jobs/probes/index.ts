import type { Scenario } from '../../../scenarios/scenario.ts';
import { anonymousOnJob, stranger, wrongToken } from './accounts.ts';
import { cancelAfterRefusals } from './after-refusals.ts';
import { streamsBeside } from './apart.ts';
import { submittedBeside } from './beside.ts';
import { cancellation } from './cancellation.ts';
import { oddKeys, race, usedKey, usedKeyBadGraph } from './keys.ts';
import { allowedExtraData } from './extra-data.ts';
import { fuzzedSubmissions } from './fuzzed.ts';
import { failure, wholeLife } from './life.ts';
import { mountedLinks } from './links.ts';
import { spellings } from './spellings.ts';
import {
  beforeTheEnd,
  finishedWithoutLogs,
  logsToTheEnd,
  readableToTheEnd,
  successAndFailure,
  unfinishedWithoutLogs,
} from './logs.ts';
import { midRun, previews } from './mid-run.ts';
import { refusedCaller, releasedByEditorFormat } from './released-keys.ts';
import { oddGraphs } from './odd-graphs.ts';
import {
  badGraph,
  cancelUnknown,
  editorFormat,
  malformed,
  openSurface,
  otherBadGraphs,
  reservedMembers,
  unknownJob,
  withoutCredential,
} from './refusals.ts';
/** In this order: reads, refusals, jobs, slow scenarios. */
export const jobsScenarios: readonly Scenario[] = [
  unknownJob,
  withoutCredential,
  openSurface('self-hosted', 'jobs.auth.self-hosted-open'),
  openSurface('demo', 'jobs.auth.demo-open'),
  reservedMembers,
  badGraph,
  ...otherBadGraphs,
  editorFormat,
  malformed,
  cancelUnknown,
  oddGraphs,
  wholeLife,
  failure,
  mountedLinks,
  usedKey,
  usedKeyBadGraph,
  race,
  oddKeys,
  releasedByEditorFormat,
  refusedCaller,
  allowedExtraData,
  spellings,
  submittedBeside,
  anonymousOnJob,
  stranger,
  wrongToken,
  ...finishedWithoutLogs,
  successAndFailure,
  midRun,
  previews,
  streamsBeside,
  beforeTheEnd,
  ...unfinishedWithoutLogs,
  cancellation,
  cancelAfterRefusals,
  readableToTheEnd,
  logsToTheEnd,
];

/** Only if the caller states how many requests they may send. */
export const jobsFuzz: readonly Scenario[] = [fuzzedSubmissions];
