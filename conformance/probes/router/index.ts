import type { Scenario } from '../../scenario.ts';
import {
  apiKey,
  jwt,
  keyAsBearer,
  lookupWithoutCredential,
  unusableCredentials,
  withoutCredential,
} from './auth.ts';
import { badCursors, expiredCursor, truncatedCursors } from './cursors.ts';
import { sampledDetails, unknownDetail } from './detail.ts';
import { inFlight, replay, replayOfRefusal, replayOfUnknownModel, withoutKey } from './idempotency.ts';
import { limits } from './limits.ts';
import { smallPages, walkOfHundreds } from './pages.ts';
import { modelRefusal } from './refusals.ts';
import { deadline, providerTimeout } from './timeouts.ts';

/** In the order in which they run: reads first, what costs money last. */
export const routerScenarios: readonly Scenario[] = [
  walkOfHundreds,
  limits,
  smallPages,
  badCursors,
  truncatedCursors,
  expiredCursor,
  sampledDetails,
  unknownDetail,
  withoutCredential,
  lookupWithoutCredential,
  unusableCredentials,
  apiKey,
  jwt,
  keyAsBearer,
  replayOfUnknownModel,
  modelRefusal,
  replayOfRefusal,
  replay,
  withoutKey,
  inFlight,
  providerTimeout,
  deadline,
] as readonly Scenario[];
