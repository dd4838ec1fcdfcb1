import type { CredentialPlace } from '../../contract/index.ts';

/** A credential: its value, and the header, the query parameter or the cookie that carries it. */
export type Credential =
  | { readonly header: string; readonly value: string }
  | { readonly query: string; readonly value: string }
  | { readonly cookie: string; readonly value: string };

/** How a request carries a credential that is sufficient by itself, by the document. */
export interface CredentialForm {
  readonly place: CredentialPlace;
  /** The first word of the value, in lower case, if it must be a certain one. */
  readonly word?: string;
}

/** The secret part of the value. */
export function secretOf({ value }: Credential): string {
  return value.replace(/^bearer +/i, '');
}

export function credentialPlace(credential: Credential): CredentialPlace {
  if ('header' in credential) return { in: 'header', name: credential.header };
  if ('query' in credential) return { in: 'query', name: credential.query };
  return { in: 'cookie', name: credential.cookie };
}

/** A value in a place of a request. */
export function credentialIn({ in: place, name }: CredentialPlace, value: string): Credential {
  switch (place) {
    case 'header':
      return { header: name, value };
    case 'query':
      return { query: name, value };
    case 'cookie':
      return { cookie: name, value };
  }
}

/** Whether it is a bearer token or similar. */
export function isInAuthorization(credential: Credential): boolean {
  return 'header' in credential && credential.header.toLowerCase() === 'authorization';
}

/** Whether two places are the same; header names are case-insensitive. */
export function isSamePlace(one: CredentialPlace, other: CredentialPlace | undefined): boolean {
  if (one.in !== other?.in) return false;
  return one.in === 'header' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name;
}
