import { mainSchemeOf, placeOfScheme } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { credentialPlace, isInAuthorization, isSamePlace, secretOf } from './credential.ts';
import type { Credential } from './credential.ts';

/** The caller of a run in its reports, such as `API key …9f2c`: the kind of its credential, and the end of a long one. */
export function describeIdentity(contracts: readonly Contract[], credential: Credential | undefined): string {
  if (credential === undefined) return 'no credential';
  const kind = kindOf(contracts, credential);
  const secret = secretOf(credential);
  // The end of a name and a password is that of the password.
  const isNameless = !/^basic /i.test(secret);
  return isNameless && secret.length >= 12 ? `${kind} …${secret.slice(-4)}` : kind;
}

// --- internal ---

/** The kind of the scheme that is declared at the place of a credential; without one, by the place and the value. */
function kindOf(contracts: readonly Contract[], credential: Credential): string {
  const isBearer = isInAuthorization(credential) && /^bearer /i.test(credential.value);
  const declared = contracts.flatMap((contract) => [
    ...[mainSchemeOf(contract) ?? []].flat(),
    ...contract.operations.flatMap(({ security }) => security.flatMap(({ schemes }) => schemes)),
  ]);
  const here = declared.filter((scheme) => isSamePlace(credentialPlace(credential), placeOfScheme(scheme)));
  const { type, scheme } =
    here.find((one) => one.scheme?.toLowerCase() === 'bearer' && isBearer) ?? here[0] ?? {};
  switch (type) {
    case 'apiKey':
      return 'API key';
    case 'oauth2':
      return 'OAuth 2 token';
    case 'openIdConnect':
      return 'OpenID Connect token';
    case 'http':
      return scheme?.toLowerCase() ?? 'HTTP credential';
    default:
      return isBearer ? 'bearer' : isInAuthorization(credential) ? 'Authorization' : 'API key';
  }
}
