import type { Scenario } from '../../scenario.ts';
import { fuzzedIntensities, fuzzedPublications, fuzzedPublicationsByToken } from './fuzzed.ts';
import {
  acceptedForms,
  bothCredentials,
  enhancement,
  outOfRange,
  withoutCredential as proxyWithoutCredential,
} from './proxy.ts';
import { forms, perNode, published, race } from './publish.ts';
import {
  badVersions,
  incomplete,
  keyAsBearer,
  withoutCredential,
  withoutRight,
  wrongToken,
  wrongTypeMembers,
} from './refusals.ts';

/** What is refused first, then what is published, then what costs money. */
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
  bothCredentials,
  published,
  forms,
  race,
  perNode,
  enhancement,
  acceptedForms,
];

/** Only where the caller says how many requests they may send. */
export const registryFuzz: readonly Scenario[] = [
  fuzzedPublications,
  fuzzedPublicationsByToken,
  fuzzedIntensities,
];
