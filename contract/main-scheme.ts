import type { Contract, SecurityScheme } from './model.ts';

/** The scheme that most operations can be called with, by itself and in a header; `undefined` where there is none. */
export function mainSchemeOf({ operations }: Contract): SecurityScheme | undefined {
  const counts = new Map<string, { readonly scheme: SecurityScheme; count: number }>();
  for (const { security } of operations)
    for (const { schemes } of security) {
      const [scheme] = schemes;
      if (scheme === undefined || schemes.length > 1 || headerOfScheme(scheme) === undefined) continue;
      const known = counts.get(scheme.name) ?? { scheme, count: 0 };
      counts.set(scheme.name, known);
      known.count += 1;
    }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.scheme;
}

/** The header that a credential of a scheme stands in; `undefined` for one that stands elsewhere. */
export function headerOfScheme({ type, in: place, parameterName }: SecurityScheme): string | undefined {
  if (type === 'mutualTLS') return undefined;
  if (type !== 'apiKey') return 'Authorization';
  return place === 'header' ? parameterName : undefined;
}
