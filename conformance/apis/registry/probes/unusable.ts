import type { Fixtures } from '../../../target/fixtures.ts';

/** Headers that look like credentials but were never issued. */
export const UNUSABLE: readonly (readonly [string, string])[] = [
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer tallystick.no.token'],
  ['Authorization', 'Bearer service-'],
  ['Authorization', 'Bearer service-tallystick-no-such-key'],
  ['Authorization', 'Basic dGFsbHlzdGljazpub2JvZHk='],
  ['X-API-Key', ''],
  ['X-API-Key', 'service-'],
  ['X-API-Key', 'service-tallystick-no-such-key'],
];

export const MOST_SPOILT = 7;

/**
 * Real secrets in the wrong place (document 2, Authentication, items 1 to 3): the token and the key under
 * another scheme and without one, the token without a blank after the scheme, the key in other case, and the access token of the body as a bearer token, unless it has the
 * form of one.
 */
export function spoilt({ cred, publish }: Fixtures): readonly (readonly [string, string])[] {
  const { pat } = publish ?? {};
  const isBearer = pat === undefined || /^service-|^[^.]+\.[^.]+\.[^.]*$/.test(pat);
  return [
    ...(cred?.jwt === undefined
      ? []
      : ([
          ['Authorization', `Token ${cred.jwt}`],
          ['Authorization', `Bearer${cred.jwt}`],
          ['Authorization', cred.jwt],
        ] as const)),
    ...(cred?.apiKey === undefined
      ? []
      : ([
          ['Authorization', `Basic ${btoa(`${cred.apiKey}:`)}`],
          ['Authorization', cred.apiKey],
        ] as const)),
    ...(cred?.apiKey === undefined || cred.apiKey.toUpperCase() === cred.apiKey
      ? []
      : ([['Authorization', `Bearer ${cred.apiKey.toUpperCase()}`]] as const)),
    ...(isBearer ? [] : ([['Authorization', `Bearer ${pat}`]] as const)),
  ];
}

/** The header and the scheme, without what may be a part of a secret: without a scheme, nothing of the value. */
export function sketchCredential([name, value]: readonly [string, string]): string {
  return `${name}: ${value.includes(' ') ? `${value.split(' ')[0] ?? ''}…` : '…'}`;
}
