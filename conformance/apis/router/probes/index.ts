import type { Scenario } from '../../../scenarios/scenario.ts';
import {
  apiKey,
  credentialsOnRuns,
  jwt,
  keyAsBearer,
  lookupWithoutCredential,
  unusableCredentials,
  withoutCredential,
} from './auth.ts';
import { badBodies, noCredits, schemaViolations } from './bad-runs.ts';
import { concurrencyBound, spendBound } from './capacity.ts';
import { badCursorsByForm, expiredCursor } from './cursors.ts';
import { sampledDetails, unknownDetail } from './detail.ts';
import { freedCapacity, leftPlaces, leftSpend } from './freed-places.ts';
import { fuzzedCursors, fuzzedRuns } from './fuzzed.ts';
import {
  likeBodies,
  likeKeys,
  replay,
  replayOfRefusal,
  replayOfUnknownModel,
  undisturbed,
  withoutKey,
} from './idempotency.ts';
import { inFlight } from './in-flight.ts';
import { badSegmentReads, badSegmentRuns } from './ids.ts';
import { consumedKey, dayLongRecord, droppedConnection, race } from './keys.ts';
import { smallPages, walkOfHundreds } from './pages.ts';
import { nativeBodies } from './native-bodies.ts';
import { overdueAgain, refusedForCredits, repeatedOutcomes } from './outcomes.ts';
import { forbiddenReads, forbiddenRun } from './no-access.ts';
import { proxyCredential } from './proxy.ts';
import { modelRefusal } from './refusals.ts';
import { unreleased } from './release.ts';
import { creditsHeader, minimalInput, policyRefusal, providerFailure, singleResponse } from './runs.ts';
import { validInputs } from './valid-inputs.ts';
import { sampledDocuments } from './schema.ts';
import { deadline, providerTimeout, unavailable } from './timeouts.ts';
import { hiddenSuggestions, unknownModels } from './suggestions.ts';

/** In the order in which they run: reads, refusals, calls with a cost, slow calls. */
export const routerScenarios: readonly Scenario[] = [
  walkOfHundreds,
  smallPages,
  unreleased,
  badCursorsByForm,
  expiredCursor,
  sampledDetails,
  unknownDetail,
  sampledDocuments,
  badSegmentReads,
  withoutCredential,
  lookupWithoutCredential,
  unusableCredentials,
  apiKey,
  jwt,
  keyAsBearer,
  credentialsOnRuns,
  forbiddenReads,
  badSegmentRuns,
  badBodies,
  schemaViolations,
  unknownModels,
  hiddenSuggestions,
  forbiddenRun,
  noCredits,
  refusedForCredits,
  proxyCredential,
  replayOfUnknownModel,
  modelRefusal,
  replayOfRefusal,
  replay,
  likeBodies,
  likeKeys,
  undisturbed,
  singleResponse,
  withoutKey,
  nativeBodies,
  minimalInput,
  validInputs,
  policyRefusal,
  providerFailure,
  ...repeatedOutcomes,
  unavailable,
  creditsHeader,
  consumedKey,
  race,
  inFlight,
  droppedConnection,
  concurrencyBound,
  spendBound,
  freedCapacity,
  leftPlaces,
  leftSpend,
  providerTimeout,
  deadline,
  overdueAgain,
  dayLongRecord,
];

/** Only if the caller states how many requests they may send. */
export const routerFuzz: readonly Scenario[] = [fuzzedCursors, fuzzedRuns];
