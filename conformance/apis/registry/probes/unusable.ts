import type { Fixtures } from '../../../fixtures.ts';

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

export const MOST_SPOILT = 1;

/** The real token under another scheme (document 2, Authentication, item 1). */
export function spoilt({ cred }: Fixtures): readonly (readonly [string, string])[] {
  return cred?.jwt === undefined ? [] : [['Authorization', `Token ${cred.jwt}`]];
}

/** The header and the scheme, without what may be a part of a secret. */
export function sketchCredential([name, value]: readonly [string, string]): string {
  return `${name}: ${value.split(' ')[0] ?? ''}…`;
}
