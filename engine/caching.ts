import type { ServedOperation, ServedScheme } from './served-api.ts';

/**
 * The header line that keeps a shared cache from giving an answer to another caller (RFC 9111, sections 3 and 4.1).
 * `undefined` if it needs none: the operation takes no credential, or the answer says itself who may store it. The answer of
 * an operation that can be called without a credential stays cacheable, and varies by the credential.
 *
 * @param security of the operation
 * @param headerOf the value of a header of the answer by its name in lower case
 */
export function callerLine(
  security: ServedOperation['security'],
  headerOf: (name: 'cache-control' | 'vary') => string | null | undefined,
): readonly [name: string, value: string] | undefined {
  const schemes = (security ?? []).flat();
  if (schemes.length === 0 || (headerOf('cache-control') ?? '') !== '') return undefined;
  const carriers = [...new Set(schemes.flatMap(carrierOf))];
  const vary = headerOf('vary') ?? '';
  const missing = carriers.filter((name) => !variesBy(vary, name));
  const needsOne = security?.every((alternative) => alternative.length > 0) === true;
  if (missing.length > 0 && !needsOne)
    return ['Vary', vary === '' ? missing.join(', ') : [vary, ...missing].join(', ')];
  const isVaried = carriers.length > 0 && missing.length === 0;
  return isVaried || !needsOne ? undefined : ['Cache-Control', 'private'];
}

// --- internal ---

/** The header of a request that carries a credential; none for a parameter of the query, which is part of the address. */
function carrierOf({ kind, parameter = 'Authorization' }: ServedScheme): readonly string[] {
  if (kind === 'query') return [];
  return [kind === 'cookie' ? 'Cookie' : kind === 'header' ? parameter : 'Authorization'];
}

function variesBy(vary: string, name: string): boolean {
  return vary
    .split(',')
    .some((each) => each.trim() === '*' || each.trim().toLowerCase() === name.toLowerCase());
}
