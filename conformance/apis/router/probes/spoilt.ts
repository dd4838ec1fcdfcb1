import type { Fixtures } from '../../../target/fixtures.ts';

export const MOST_SPOILT = 10;

/** Real credentials in the wrong place, half of one, one in other case, and one without a blank after the scheme. */
export function spoilt({ cred }: Fixtures): readonly (readonly [string, string])[] {
  const { apiKey: key, jwt: token } = cred ?? {};
  return [
    ...(key === undefined
      ? []
      : ([
          ['X-API-Key', key.slice(0, Math.ceil(key.length / 2))],
          ['Authorization', `Basic ${key}`],
          ['Authorization', `Basic ${btoa(`${key}:`)}`],
          ['X-API-Key', `Bearer ${key}`],
          ...(key.toUpperCase() === key ? [] : ([['X-API-Key', key.toUpperCase()]] as const)),
          // The prefix is a part of the key: without it, the value is a bearer token like any other.
          ...(/^service-./.test(key)
            ? ([['Authorization', `Bearer ${key.slice('service-'.length)}`]] as const)
            : []),
        ] as const)),
    ...(token === undefined
      ? []
      : ([
          ['Authorization', token],
          ['Authorization', `Token ${token}`],
          ['Authorization', `Bearer${token}`],
          ['X-API-Key', token],
        ] as const)),
  ];
}
