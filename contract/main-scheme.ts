import type { Contract, Operation, SecurityScheme } from './model.ts';

/** Where a request carries a credential. */
export interface CredentialPlace {
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header, query parameter or cookie. */
  readonly name: string;
}

/**
 * The scheme that is sufficient by itself for most operations; if there is no such scheme, the first one of a
 * combination; `undefined` for an API without credentials. A header is preferred on a tie.
 */
export function mainSchemeOf({ operations }: Contract): SecurityScheme | undefined {
  const all = operations.flatMap(({ security }) => security);
  return mostUsed(all.filter(({ schemes }) => schemes.length === 1)) ?? mostUsed(all);
}

/**
 * The places of the credentials that an operation requires together; an empty list if one credential
 * suffices.
 */
export function placesTogether({ security }: Pick<Operation, 'security'>): readonly CredentialPlace[] {
  const places = security.map(({ schemes }) => schemes.flatMap((scheme) => placeOfScheme(scheme) ?? []));
  return places.every(({ length }) => length > 1) ? (places[0] ?? []) : [];
}

/**
 * Where a request carries the credential of a scheme; `undefined` if it does not carry it in a header, query
 * parameter or cookie.
 */
export function placeOfScheme({
  type,
  in: place,
  parameterName,
}: SecurityScheme): CredentialPlace | undefined {
  if (type === 'mutualTLS') return undefined;
  if (type !== 'apiKey') return { in: 'header', name: 'Authorization' };
  return place === undefined || parameterName === undefined ? undefined : { in: place, name: parameterName };
}

// --- internal ---

function mostUsed(security: Operation['security']): SecurityScheme | undefined {
  const counts = new Map<string, { readonly scheme: SecurityScheme; count: number }>();
  for (const {
    schemes: [scheme],
  } of security) {
    if (scheme === undefined || placeOfScheme(scheme) === undefined) continue;
    const known = counts.get(scheme.name) ?? { scheme, count: 0 };
    counts.set(scheme.name, known);
    known.count += 1;
  }
  const isElsewhere = (scheme: SecurityScheme): number => (placeOfScheme(scheme)?.in === 'header' ? 0 : 1);
  return [...counts.values()].sort(
    (a, b) => b.count - a.count || isElsewhere(a.scheme) - isElsewhere(b.scheme),
  )[0]?.scheme;
}
