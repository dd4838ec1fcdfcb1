/** Which credentials an API takes and where they stand (document 1, "Authentication"). */
export interface CredentialsPolicy {
  readonly kind: 'credentials';
  /** The header of an API key; absent where the API takes bearer tokens only. */
  readonly keyHeader?: string;
  /** A bearer value with this prefix is an API key. */
  readonly keyPrefix?: string;
}

/** A credential as it stood in a request. `unusable`: something was sent, but no credential that this API knows. */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'api-key'; readonly value: string }
  | { readonly kind: 'bearer'; readonly value: string };

/**
 * Reads the credential of a request. `Authorization` is looked at first (silent-points A-05), its scheme name without
 * regard to case. Whether the credential is good is for the server to say.
 *
 * @param header gives the value of a request header by its lower-case name
 */
export function readCredential(
  policy: CredentialsPolicy,
  header: (name: string) => string | undefined,
): PresentedCredential {
  const authorization = header('authorization');
  if (authorization !== undefined) {
    const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined) return { kind: 'unusable' };
    const isKey = policy.keyPrefix !== undefined && token.startsWith(policy.keyPrefix);
    return { kind: isKey ? 'api-key' : 'bearer', value: token };
  }
  const key = policy.keyHeader === undefined ? undefined : header(policy.keyHeader.toLowerCase());
  if (key === undefined) return { kind: 'none' };
  return key === '' ? { kind: 'unusable' } : { kind: 'api-key', value: key };
}
