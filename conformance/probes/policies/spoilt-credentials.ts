import type { PolicyOf } from '../../../contract/index.ts';
import { keyPlaceOf } from '../../../contract/index.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import type { Fixtures } from '../../target/fixtures.ts';

/** At most so many, of each operation. */
export const MOST_SPOILT = 10;

type Spoilt = readonly [header: string, value: string];

/**
 * Real secrets in a place where the operation has no credential: a token without its scheme, under another one and without the
 * blank, a token in the header of keys, a key under another scheme. Where the sheet says that forms are exact, also an altered key.
 */
export function spoiltCredentials(
  contract: Contract,
  { keyHeader, keyPrefix, exact = false }: PolicyOf<'credentials'>,
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
    ...(key === undefined || keyHeader === undefined || !exact ? [] : alteredKeys(key, keyHeader, keyPrefix)),
  ].slice(0, MOST_SPOILT);
}

// --- internal ---

/** Half of a key, one in other case, one with a scheme, and one as a bearer token without its beginning. */
function alteredKeys(key: string, keyHeader: string, keyPrefix: string | undefined): readonly Spoilt[] {
  const inCapitals = key.toUpperCase();
  const isPrefixed = keyPrefix !== undefined && key.startsWith(keyPrefix) && key !== keyPrefix;
  return [
    [keyHeader, key.slice(0, Math.ceil(key.length / 2))],
    [keyHeader, `Bearer ${key}`],
    ...(inCapitals === key ? [] : ([[keyHeader, inCapitals]] as const)),
    ...(isPrefixed ? ([['Authorization', `Bearer ${key.slice(keyPrefix.length)}`]] as const) : []),
  ];
}
