/** A header that carries a credential. */
export interface Credential {
  readonly header: string;
  readonly value: string;
}

/** The secret part of a header value. */
export function secretOf(credential: Credential): string {
  return credential.value.replace(/^bearer +/i, '');
}
