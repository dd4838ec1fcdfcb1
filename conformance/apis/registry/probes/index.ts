import type { Scenario } from '../../../scenario.ts';
import { fuzzedIntensities, fuzzedPublications, fuzzedPublicationsByToken } from './fuzzed.ts';
import {
  acceptedForms,
  badImages,
  bothCredentials,
  enhancement,
  outOfRange,
  withoutCredential as proxyWithoutCredential,
} from './proxy.ts';
import { documentedMembers, forms, perNode, published, race, statuses } from './publish.ts';
import {
  badVersions,
  incomplete,
  keyAsBearer,
  withoutCredential,
  withoutRight,
  wrongToken,
  wrongTypeMembers,
  wrongTypeMembersByToken,
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
  badImages,
  bothCredentials,
  wrongTypeMembersByToken,
  published,
  forms,
  statuses,
  documentedMembers,
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
