import type { PolicyOf } from '../../../contract/index.ts';
import { keyPlaceOf } from '../../../contract/index.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import type { Fixtures } from '../../target/fixtures.ts';

/** At most so many, of each operation. */
export const MOST_SPOILT = 6;

type Spoilt = readonly [header: string, value: string];

/**
 * Real secrets in a place where the operation has no credential: a token without its scheme, under another one and without the
 * blank, a token in the header of keys, a key under another scheme.
 */
export function spoiltCredentials(
  contract: Contract,
  { keyHeader, keyPrefix }: PolicyOf<'credentials'>,
  operation: Operation,
  { cred }: Fixtures,
): readonly Spoilt[] {
  const schemes = operation.security.flatMap((one) => one.schemes);
  const isBasic = schemes.some(({ type, scheme }) => type === 'http' && scheme?.toLowerCase() === 'basic');
  const key = cred?.apiKey;
  const token = cred?.jwt ?? /^bearer +(\S+)$/i.exec(cred?.valid?.value ?? '')?.[1];
  const isKey = keyPrefix !== undefined && token?.startsWith(keyPrefix) === true;
  // A key of any form can be in Authorization, where a token without a scheme looks like one.
  const place = keyPlaceOf(contract);
  const isFree = place?.name.toLowerCase() !== 'authorization';
  return [
    ...(token === undefined || !isFree
      ? []
      : ([
          ['Authorization', token],
          ['Authorization', `Token ${token}`],
          ['Authorization', `Bearer${token}`],
        ] as const)),
    // Without a stated beginning of keys, any text could be one.
    ...(token === undefined || keyHeader === undefined || keyPrefix === undefined || isKey
      ? []
      : ([[keyHeader, token]] as const)),
    ...(key === undefined || isBasic || !isFree
      ? []
      : ([['Authorization', `Basic ${btoa(`${key}:`)}`]] as const)),
  ].slice(0, MOST_SPOILT);
}
