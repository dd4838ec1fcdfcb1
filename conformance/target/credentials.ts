import { keyPlaceOf } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Placeholder } from '../../contract/secrecy/index.ts';
import type { CredentialParts, IdentitySource } from '../declared-api.ts';
import { declaredApis } from '../apis/declared.ts';
import type { BearerToken, TokenSource } from './bearer-token.ts';
import { credentialIn, isInAuthorization, isSamePlace, credentialPlace } from './credential.ts';
import type { Credential } from './credential.ts';
import type { Fixtures } from './fixtures.ts';
import type { Identity, OwnIdentity } from '../scenarios/scenario.ts';
import { isUsable } from './usable.ts';

export type CredentialsByIdentity = Readonly<Partial<Record<Identity, Credential>>>;

/** The credential of each identity that the fixtures or the command provide. */
export function identities(
  contracts: readonly Contract[],
  valid: Credential | undefined,
  fixtures: Fixtures,
): CredentialsByIdentity {
  const keyPlace = contracts.map(keyPlaceOf).find((place) => place !== undefined);
  const byKey = (key: string | undefined): Credential | undefined =>
    key === undefined || keyPlace === undefined ? undefined : credentialIn(keyPlace, key);
  const asBearer = (token: string | undefined): Credential | undefined =>
    token === undefined ? undefined : { header: 'Authorization', value: `Bearer ${token}` };
  // A valid key as the main credential is an API key, whether or not the fixtures repeat it.
  const apiKey =
    fixtures.cred?.apiKey ??
    (valid !== undefined && isSamePlace(credentialPlace(valid), keyPlace) ? valid.value : undefined);
  const parts = { valid, fixtures, apiKey, byKey, asBearer };
  const all = Object.entries(identitySources()).map(([as, { credential }]) => [as, credential(parts)]);
  const present = all.filter((entry): entry is [Identity, Credential] => entry[1] !== undefined);
  return Object.fromEntries(present);
}

/** The token of a command replaces bearer tokens of the fixtures file, which may have expired. */
export function withToken(fixtures: Fixtures, token: TokenSource | undefined): Fixtures {
  if (token === undefined) return fixtures;
  const { valid, ...others } = fixtures.cred ?? {};
  const hasToken = valid !== undefined && isInAuthorization(valid);
  return {
    ...fixtures,
    cred: { ...others, ...(valid === undefined || hasToken ? {} : { valid }), jwt: token.token },
  };
}

/** The credentials; those with the token of the run always use the current one. */
export function renewable(declared: CredentialsByIdentity, bearer: BearerToken): CredentialsByIdentity {
  const first = `Bearer ${bearer.value}`;
  const entries = Object.entries(declared).map(([as, credential]): [string, Credential] => [
    as,
    credential.value === first && 'header' in credential
      ? {
          header: credential.header,
          get value() {
            return `Bearer ${bearer.value}`;
          },
        }
      : credential,
  ]);
  return Object.fromEntries(entries);
}

/**
 * The known callers, those of single APIs last. A function, because the APIs are loaded in parallel with this
 * file.
 */
export function identitySources(): Readonly<Record<Exclude<Identity, 'none' | 'unusable'>, IdentitySource>> {
  return Object.assign({}, ownSources, ...declaredApis.map(({ identities }) => identities)) as Readonly<
    Record<Exclude<Identity, 'none' | 'unusable'>, IdentitySource>
  >;
}

/** `undefined` for a caller without a credential. */
export function sourceOf(as: Identity): IdentitySource | undefined {
  return isUsable(as) ? identitySources()[as] : undefined;
}

// --- internal ---

function isBearer({ value }: Credential): boolean {
  return /^bearer /i.test(value);
}

/** A value at the place of the usable credential. */
function placedAsValid(
  value: string | undefined,
  { valid, fixtures, apiKey, byKey, asBearer }: CredentialParts,
): Credential | undefined {
  if (value === undefined) return undefined;
  if (valid === undefined)
    return byKey(apiKey) === undefined && fixtures.cred?.jwt !== undefined ? asBearer(value) : byKey(value);
  return isBearer(valid) ? asBearer(value) : credentialIn(credentialPlace(valid), value);
}

/** The key of another caller; where there are no keys, a credential in the form of the usable one. */
function asKeyOrValid(value: string | undefined, parts: CredentialParts): Credential | undefined {
  return parts.byKey(value) ?? placedAsValid(value, parts);
}

/** Another account, in the form that an operation takes. */
function ofSecond(
  credential: IdentitySource['credential'],
  ...placeholders: readonly Placeholder[]
): IdentitySource {
  return {
    ...{ need: 'cred.secondAccount', namesSecret: true, credential },
    placeholders: [...placeholders, '$SECOND_KEY'],
  };
}

/** If several identities share a secret, the first one with `namesSecret` names it. */
const ownSources = {
  valid: {
    need: 'cred.valid',
    isDerived: true,
    placeholders: ['$API_KEY'],
    namesSecret: true,
    credential: ({ valid, fixtures, apiKey, byKey, asBearer }) =>
      valid ?? byKey(apiKey) ?? asBearer(fixtures.cred?.jwt),
  },
  apiKey: {
    need: 'cred.apiKey',
    isDerived: true,
    placeholders: ['$API_KEY'],
    namesSecret: true,
    credential: ({ apiKey, byKey }) => byKey(apiKey),
  },
  apiKeyAsBearer: {
    need: 'cred.apiKey',
    placeholders: ['$API_KEY'],
    isUnwatched: true,
    credential: ({ apiKey, asBearer }) => asBearer(apiKey),
  },
  jwt: {
    need: 'cred.jwt',
    placeholders: ['$JWT', '$API_KEY'],
    namesSecret: true,
    credential: ({ fixtures, asBearer }) => asBearer(fixtures.cred?.jwt),
  },
  forbidden: {
    need: 'cred.forbidden',
    placeholders: ['$FORBIDDEN_KEY'],
    namesSecret: true,
    isUnwatched: true,
    credential: (parts) => asKeyOrValid(parts.fixtures.cred?.forbidden, parts),
  },
  secondAccount: {
    need: 'cred.secondAccount',
    placeholders: ['$SECOND_KEY'],
    namesSecret: true,
    credential: (parts) => asKeyOrValid(parts.fixtures.cred?.secondAccount, parts),
  },
  secondValid: ofSecond((parts) => placedAsValid(parts.fixtures.cred?.secondAccount, parts)),
  secondKey: ofSecond(({ fixtures, byKey }) => byKey(fixtures.cred?.secondAccount)),
  secondToken: ofSecond(
    ({ fixtures, asBearer }) => asBearer(fixtures.cred?.secondJwt ?? fixtures.cred?.secondAccount),
    '$SECOND_JWT',
  ),
  noCredits: {
    need: 'account.noCredits',
    placeholders: ['$NO_CREDITS_KEY'],
    namesSecret: true,
    credential: (parts) => asKeyOrValid(parts.fixtures.account?.noCredits, parts),
  },
  narrow: {
    need: 'account.narrow',
    placeholders: ['$NARROW_KEY'],
    namesSecret: true,
    credential: (parts) => asKeyOrValid(parts.fixtures.account?.narrow, parts),
  },
  refused: {
    need: 'cred.refused',
    placeholders: ['$REFUSED_KEY'],
    namesSecret: true,
    isUnwatched: true,
    credential: (parts) => placedAsValid(parts.fixtures.cred?.refused, parts),
  },
} as const satisfies Readonly<Record<OwnIdentity, IdentitySource>>;
