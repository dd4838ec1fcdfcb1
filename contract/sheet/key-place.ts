import { findPolicy } from './find-policy.ts';
import { type CredentialPlace, placeOfScheme } from '../main-scheme.ts';
import type { Contract } from '../model.ts';

/**
 * Where API keys are sent: in the header that the sheet names, else at the place that the document declares,
 * preferably a header; `undefined` if the API has no keys.
 */
export function keyPlaceOf(contract: Contract): CredentialPlace | undefined {
  const stated = findPolicy(contract, 'credentials')?.keyHeader;
  if (stated !== undefined) return { in: 'header', name: stated };
  const places = contract.operations
    .flatMap(({ security }) => security.flatMap(({ schemes }) => schemes))
    .flatMap((scheme) => (scheme.type === 'apiKey' ? (placeOfScheme(scheme) ?? []) : []));
  return places.find((place) => place.in === 'header') ?? places[0];
}
