import type { Contract, SecurityScheme } from './model.ts';

/** Where a credential is in a request. */
export interface CredentialPlace {
  readonly in: 'header' | 'query' | 'cookie';
  /** Of the header, the query parameter or the cookie. */
  readonly name: string;
}

/**
 * The scheme that most operations can be called with by itself; `undefined` where there is none. Of two that open as many
 * operations, the one in a header.
 */
export function mainSchemeOf({ operations }: Contract): SecurityScheme | undefined {
  const counts = new Map<string, { readonly scheme: SecurityScheme; count: number }>();
  for (const { security } of operations)
    for (const { schemes } of security) {
      const [scheme] = schemes;
      if (scheme === undefined || schemes.length > 1 || placeOfScheme(scheme) === undefined) continue;
      const known = counts.get(scheme.name) ?? { scheme, count: 0 };
      counts.set(scheme.name, known);
      known.count += 1;
    }
  const isElsewhere = (scheme: SecurityScheme): number => (placeOfScheme(scheme)?.in === 'header' ? 0 : 1);
  return [...counts.values()].sort(
    (a, b) => b.count - a.count || isElsewhere(a.scheme) - isElsewhere(b.scheme),
  )[0]?.scheme;
}

/** Where the credential of a scheme is in a request; `undefined` where it is in none. */
export function placeOfScheme({
  type,
  in: place,
  parameterName,
}: SecurityScheme): CredentialPlace | undefined {
  if (type === 'mutualTLS') return undefined;
  if (type !== 'apiKey') return { in: 'header', name: 'Authorization' };
  return place === undefined || parameterName === undefined ? undefined : { in: place, name: parameterName };
}
