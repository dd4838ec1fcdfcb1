import { findPolicy } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { BearerToken, TokenSource } from './bearer-token.ts';
import type { Fixtures } from './fixtures.ts';
import type { Identity } from './scenario.ts';

/** A header that carries a credential. */
export interface Credential {
  readonly header: string;
  readonly value: string;
}

export type Credentials = Readonly<Partial<Record<Identity, Credential>>>;

/** The credential of each identity that a server has been told to offer. */
export function identities(
  contracts: readonly Contract[],
  valid: Credential | undefined,
  fixtures: Fixtures,
): Credentials {
  const keyHeader = contracts
    .map((contract) => findPolicy(contract, 'credentials')?.keyHeader)
    .find((name) => name !== undefined);
  const byKey = (key: string | undefined): Credential | undefined =>
    key === undefined || keyHeader === undefined ? undefined : { header: keyHeader, value: key };
  const asBearer = (token: string | undefined): Credential | undefined =>
    token === undefined ? undefined : { header: 'Authorization', value: `Bearer ${token}` };
  // A valid credential in the key header is an API key, whether or not the fixtures say so again.
  const apiKey =
    fixtures.cred?.apiKey ??
    (valid !== undefined && valid.header.toLowerCase() === keyHeader?.toLowerCase()
      ? valid.value
      : undefined);
  const all: Record<Exclude<Identity, 'none' | 'unusable'>, Credential | undefined> = {
    valid: valid ?? byKey(apiKey) ?? asBearer(fixtures.cred?.jwt),
    apiKey: byKey(apiKey),
    apiKeyAsBearer: asBearer(apiKey),
    jwt: asBearer(fixtures.cred?.jwt),
    forbidden: byKey(fixtures.cred?.forbidden),
    publisher: publisherOf(valid, fixtures, asBearer),
    jobOwner: jobOwnerOf(valid, fixtures, asBearer),
    jobStranger: asBearer(fixtures.cred?.secondAccount),
    jobNoCredits: asBearer(fixtures.account?.noCredits),
    secondAccount: byKey(fixtures.cred?.secondAccount),
    noCredits: byKey(fixtures.account?.noCredits),
    concurrency: byKey(fixtures.concurrency?.cred) ?? valid,
    spend: byKey(fixtures.spend?.bound?.cred) ?? valid,
  };
  const present = Object.entries(all).filter(
    (entry): entry is [Identity, Credential] => entry[1] !== undefined,
  );
  return Object.fromEntries(present);
}

/** Document 3, Authentication: a demo, and a self-hosted instance without a token, ask for nothing. */
export function jobsAreOpen({ surface, staticToken }: Fixtures): boolean {
  return surface === 'demo' || (surface === 'self-hosted' && staticToken === undefined);
}

/** The token of a command stands in the place of bearers that the fixtures file has: those may have expired. */
export function withToken(fixtures: Fixtures, token: TokenSource | undefined): Fixtures {
  if (token === undefined) return fixtures;
  const { valid, ...others } = fixtures.cred ?? {};
  const isBearer = valid?.header.toLowerCase() === 'authorization';
  return {
    ...fixtures,
    cred: { ...others, ...(valid === undefined || isBearer ? {} : { valid }), jwt: token.token },
  };
}

/** The credentials, those with the token of a run always with the one of now. */
export function renewable(declared: Credentials, bearer: BearerToken): Credentials {
  const first = `Bearer ${bearer.value}`;
  const entries = Object.entries(declared).map(([as, credential]): [string, Credential] => [
    as,
    credential.value === first
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

/** The secret part of a header value. */
export function secretOf(credential: Credential): string {
  return credential.value.replace(/^bearer +/i, '');
}

// --- internal ---

/** Publishing asks for a bearer (document 2, Authentication, item 1): a JWT, or a key where keys are taken that way. */
function publisherOf(
  valid: Credential | undefined,
  fixtures: Fixtures,
  asBearer: (token: string | undefined) => Credential | undefined,
): Credential | undefined {
  const isBearer = valid?.header.toLowerCase() === 'authorization';
  const key = fixtures.capabilities?.keyAsBearer === true ? fixtures.cred?.apiKey : undefined;
  return asBearer(fixtures.cred?.jwt) ?? (isBearer ? valid : asBearer(key));
}

/** Document 3, Authentication, item 1: keys as bearer; a self-hosted instance may have a token of its own. */
function jobOwnerOf(
  valid: Credential | undefined,
  fixtures: Fixtures,
  asBearer: (token: string | undefined) => Credential | undefined,
): Credential | undefined {
  if (jobsAreOpen(fixtures)) return undefined;
  if (fixtures.surface === 'self-hosted') return asBearer(fixtures.staticToken);
  return asBearer(fixtures.cred?.apiKey ?? (valid === undefined ? undefined : secretOf(valid)));
}
