import type { Scenario } from '../../../scenarios/scenario.ts';
import { fuzzedIntensities, fuzzedPublications, fuzzedPublicationsByToken } from './fuzzed.ts';
import { acceptedForms, badCallbacks, enhancement, outOfRange } from './proxy.ts';
import { badBodies } from './proxy-bodies.ts';
import { badImages, encodings } from './proxy-images.ts';
import { bothCredentials, proxyWithoutCredential, spoiltCredentials } from './proxy-credentials.ts';
import { documentedMembers, statuses } from './accepted.ts';
import { incomplete, incompleteByToken, wrongTypeMembers, wrongTypeMembersByToken } from './bad-bodies.ts';
import { enhancedBeside, publishedBeside } from './beside.ts';
import { dayLater, published, race, takenForAll } from './publish.ts';
import { badVersions, keyAsBearer, withoutCredential, withoutRight, wrongToken } from './refusals.ts';
import { afterRefusal, alike, forms, perNode, stillTaken } from './versions.ts';

/** First refusals, then publications, then calls that cost money. */
export const registryScenarios: readonly Scenario[] = [
  proxyWithoutCredential,
  withoutCredential,
  keyAsBearer,
  incomplete,
  wrongTypeMembers,
  badVersions,
  wrongToken,
  withoutRight,
  outOfRange,
  badCallbacks,
  badImages,
  badBodies,
  bothCredentials,
  incompleteByToken,
  wrongTypeMembersByToken,
  published,
  takenForAll,
  forms,
  statuses,
  documentedMembers,
  race,
  perNode,
  publishedBeside,
  afterRefusal,
  alike,
  stillTaken,
  spoiltCredentials,
  enhancement,
  acceptedForms,
  encodings,
  enhancedBeside,
  dayLater,
];

/** Only if the caller states how many requests they may send. */
export const registryFuzz: readonly Scenario[] = [
  fuzzedPublications,
  fuzzedPublicationsByToken,
  fuzzedIntensities,
];
