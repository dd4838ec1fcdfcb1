import type { Scenario } from '../../../scenarios/scenario.ts';
import { readsByKind, withoutCredential } from './auth.ts';
import { badBodies, noCredits, schemaViolations } from './bad-runs.ts';
import { concurrencyBound, spendBound } from './capacity.ts';
import { badCursorsByForm, expiredCursor } from './cursors.ts';
import { sampledDetails, unknownDetail } from './detail.ts';
import { freedCapacity, leftPlaces, leftSpend } from './freed-places.ts';
import { fuzzedCursors, fuzzedRuns } from './fuzzed.ts';
import { replay } from './idempotency.ts';
import { badSegmentReads, badSegmentRuns } from './ids.ts';
import { droppedConnection, race } from './keys.ts';
import { smallPages, walkOfHundreds } from './pages.ts';
import { nativeBodies } from './native-bodies.ts';
import { overdueAgain, refusedForCredits } from './outcomes.ts';
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
  ...readsByKind,
  badSegmentRuns,
  badBodies,
  schemaViolations,
  unknownModels,
  hiddenSuggestions,
  noCredits,
  refusedForCredits,
  proxyCredential,
  modelRefusal,
  replay,
  singleResponse,
  nativeBodies,
  minimalInput,
  validInputs,
  policyRefusal,
  providerFailure,
  unavailable,
  creditsHeader,
  race,
  droppedConnection,
  concurrencyBound,
  spendBound,
  freedCapacity,
  leftPlaces,
  leftSpend,
  providerTimeout,
  deadline,
  overdueAgain,
];

/** Only if the caller states how many requests they may send. */
export const routerFuzz: readonly Scenario[] = [fuzzedCursors, fuzzedRuns];
