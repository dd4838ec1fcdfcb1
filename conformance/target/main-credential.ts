import { mainSchemeOf, placeOfScheme } from '../../contract/index.ts';
import type { Contract, CredentialPlace } from '../../contract/index.ts';
import type { SecurityScheme } from '../../contract/model.ts';
import { declaredApis } from '../apis/declared.ts';

/** The credential that most operations of a document require, as fixtures state it. */
export interface MainCredential {
  readonly scheme: SecurityScheme;
  readonly place: CredentialPlace;
  /** A bearer token: fixtures have a member for it. */
  readonly isToken: boolean;
}

export function mainCredentialOf(contract: Contract): MainCredential | undefined {
  const scheme = mainSchemeOf(contract);
  const place = scheme && placeOfScheme(scheme);
  if (scheme === undefined || place === undefined) return undefined;
  return { scheme, place, isToken: scheme.type !== 'apiKey' && scheme.scheme?.toLowerCase() !== 'basic' };
}

/** Fixtures with the credential of an own API, for hints; `undefined` if only built-in APIs are judged. */
export function credentialExample(contracts: readonly Contract[]): unknown {
  const own = contracts.find(({ name }) => !declaredApis.some(({ api }) => api === name));
  const credential = own && mainCredentialOf(own);
  if (credential === undefined) return undefined;
  const { scheme, place, isToken } = credential;
  if (isToken) return { cred: { jwt: '$TOKEN' } };
  const value = scheme.type === 'apiKey' ? '$API_KEY' : '$BASIC';
  return { cred: { valid: { [place.in]: place.name, value } } };
}
