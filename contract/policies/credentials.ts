/** The credentials that an API accepts, and their places (document 1, "Authentication"). */
export interface CredentialsPolicy {
  readonly kind: 'credentials';
  /** The header of an API key; absent where the API takes bearer tokens only. */
  readonly keyHeader?: string;
  /** A bearer value with this prefix is an API key. */
  readonly keyPrefix?: string;
}

/** A credential as it was sent. `unusable`: something was sent, but not a credential of this API. */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'api-key'; readonly value: string }
  | { readonly kind: 'bearer'; readonly value: string };

/**
 * Reads the credential of a request. `Authorization` is looked at first (open point A-05), its scheme name without
 * regard to case; where it holds no bearer token, the key header still makes the request one with a usable credential
 * (document 1, "Authentication", items 2, 3 and 5). Whether the credential is good is for the server to say.
 *
 * @param header gives the value of a request header by its lower-case name
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
