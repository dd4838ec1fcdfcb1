import { findPolicy } from './find-policy.ts';
import type { Contract } from './model.ts';

/** The header that API keys are sent in: as the sheet says, else as the document does; `undefined` where there is none. */
export function keyHeaderOf(contract: Contract): string | undefined {
  const stated = findPolicy(contract, 'credentials');
  if (stated !== undefined) return stated.keyHeader;
  return contract.operations
    .flatMap(({ security }) => security.flatMap(({ schemes }) => schemes))
    .find(({ type, in: place }) => type === 'apiKey' && place === 'header')?.parameterName;
}
