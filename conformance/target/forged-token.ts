/**
 * A JWT with another signature, and one without a signature; nothing for a token of another form. The first
 * character of the signature is changed, because the last one may have bits that mean nothing.
 */
export function forgedTokens(token: string | undefined): readonly string[] {
  const [head, claims, signature = '', ...rest] = token?.split('.') ?? [];
  if (rest.length > 0 || signature.length < 2) return [];
  const other = `${signature.startsWith('q') ? 'w' : 'q'}${signature.slice(1)}`;
  return [`${head}.${claims}.${other}`, `${head}.${claims}.`];
}
