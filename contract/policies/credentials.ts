/** The credentials that an API accepts, and their places (document 1, "Authentication"). */
export interface CredentialsPolicy {
  readonly kind: 'credentials';
  /** The header of an API key; absent if the API accepts only bearer tokens. */
  readonly keyHeader?: string;
  /** A bearer value with this prefix is an API key. */
  readonly keyPrefix?: string;
  /** Whether the caller is judged before what the call is about, and before its body. Open when left out. */
  readonly first?: boolean;
  /** Whether a credential is refused in another place, under another scheme, and in other case. Open when left out. */
  readonly exact?: boolean;
}

/** A credential as it was sent. `unusable`: something was sent, but not a credential of this API. */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'api-key'; readonly value: string }
  | { readonly kind: 'bearer'; readonly value: string };

/**
 * Reads the credential of a request. `Authorization` comes first (open point A-05); its scheme name is
 * case-insensitive. If it contains no bearer token, a key in the key header still counts as a credential
 * (document 1, "Authentication", items 2, 3 and 5). The server decides whether the credential is valid.
 *
 * @param header returns the value of a request header by its lower-case name
 */
export function readCredential(
  policy: CredentialsPolicy,
  header: (name: string) => string | undefined,
): PresentedCredential {
  const authorization = header('authorization');
  const token = authorization === undefined ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token !== undefined) {
    const isKey = policy.keyPrefix !== undefined && token.startsWith(policy.keyPrefix);
    return { kind: isKey ? 'api-key' : 'bearer', value: token };
  }
  const key = policy.keyHeader === undefined ? undefined : header(policy.keyHeader.toLowerCase())?.trim();
  if (key !== undefined && key !== '') return { kind: 'api-key', value: key };
  return { kind: authorization === undefined && key === undefined ? 'none' : 'unusable' };
}
