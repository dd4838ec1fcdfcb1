import { credentialExample } from './main-credential.ts';
import { type OwnServer, ownServerOf } from '../../contract/document/own-server.ts';
import { findPolicy, mainSchemeOf, placeOfScheme } from '../../contract/index.ts';
import type { Choice, Contract } from '../../contract/index.ts';
import type { IdentitySource } from '../declared-api.ts';
import { declaredApis } from '../apis/declared.ts';
import { BearerToken } from './bearer-token.ts';
import type { TokenSource } from './bearer-token.ts';
import { credentialIn, isSamePlace, credentialPlace, secretOf } from './credential.ts';
import { identities, identitySources, renewable, sourceOf, withToken } from './credentials.ts';
import type { Credential } from './credential.ts';
import type { CredentialsByIdentity } from './credentials.ts';
import { describeIdentity } from './describe-identity.ts';
import { MOST_HEADERS, masksOfHeaders, whyRefused } from './given-headers.ts';
import type { GivenHeader } from './given-headers.ts';
import { leftOutBy } from './left-out.ts';
import type { LeftOut } from './left-out.ts';
import { secrecyOf } from '../../contract/secrecy/index.ts';
import type { Mask, Placeholder, SecrecyFacts } from '../../contract/secrecy/index.ts';
import type { Fixtures } from './fixtures.ts';
import { hasFixture } from './read-fixtures.ts';
import { mayCharge } from '../scenarios/billing.ts';
import { operationNames } from './operation-names.ts';
import type { Identity, Permission, RequestPlan } from '../scenarios/scenario.ts';
import { isUsable } from './usable.ts';

export type { Credential } from './credential.ts';

/** The server under judgement: its address, the callers, its fixtures and the permissions. */
export interface Target {
  readonly baseUrl: URL;
  readonly fixtures: Fixtures;
  /** The fixtures with those that an API offers by operation and occasion; those of the file come first. */
  readonly fixturesOf: (api: string) => Fixtures;
  readonly allowed: ReadonlySet<Permission>;
  readonly credentials: CredentialsByIdentity;
  /** The name of the caller in reports, such as `API key …9f2c`. */
  readonly identity: string;
  readonly masks: readonly Mask[];
  readonly secrecy: SecrecyFacts;
  /** Sent with every request. */
  readonly headers: readonly GivenHeader[];
  /** The token that the run can renew, and whether an identity uses it. */
  readonly bearer: BearerToken | undefined;
  readonly bearsToken: (as: Identity) => boolean;
  /** How long a run may take: stated by the fixtures or a contract, or a default. */
  readonly deadlineMs: number;
  readonly isDeadlineStated: boolean;
  /** Whether calls cost something, by the contracts. */
  readonly isBilled: boolean;
  /** Fixtures for hints about needs, where those of an own API differ from the usual ones. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** The address of an API: one may differ from the rest. */
  readonly baseOf: (api: string) => URL;
  /** Whether the base URL is the address of an operation's own server; `undefined`: of a server of the whole document. */
  readonly serves: (server: OwnServer | undefined) => boolean;
  /** Method and path of the operation of a planned request, as the document has them. */
  readonly nameOf: (api: string, plan: RequestPlan) => string;
  /** The operations that the user chose not to call. */
  readonly leftOut: LeftOut;
  /** Whether the server requires no credential from this caller. */
  readonly isOpen: (as: Identity) => boolean;
  /** The schema of an operation's JSON body; `undefined` if the contracts have none. */
  readonly requestBody: (operation: string) => { readonly document: unknown; readonly schema: unknown };
}

/** The target of a run is invalid, which is a configuration error. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

export function makeTarget(
  contracts: readonly Contract[],
  options: {
    readonly baseUrl?: string | undefined;
    readonly credential?: Credential | undefined;
    readonly fixtures?: Fixtures | undefined;
    readonly allow?: readonly Permission[] | undefined;
    readonly headers?: readonly GivenHeader[] | undefined;
    readonly token?: TokenSource | undefined;
    /** Texts that are no secrets, because the suite makes them up. */
    readonly madeUp?: readonly string[];
  } & Choice,
): Target {
  const { token, madeUp = [] } = options;
  const secrecy = secrecyOf(contracts);
  const fixtures = withToken(options.fixtures ?? {}, token);
  const { headers, credential } = withoutCredential(contracts, options, fixtures);
  const declared = identities(contracts, credential, fixtures);
  const masks = masksOf(declared, fixtures);
  const bearer =
    token === undefined
      ? undefined
      : new BearerToken(token, (secret) => masks.push({ secret, placeholder: nameOf(token.token, masks) }));
  const credentials = bearer === undefined ? declared : renewable(declared, bearer);
  requireUsableHeaders(headers, contracts, credentials);
  masks.push(...masksOfHeaders(headers));
  const elsewhere = (api: string): string | undefined =>
    declaredApis.find((one) => one.api === api)?.baseUrl?.(fixtures);
  const deadlineMs = fixtures.deadlineMs ?? statedDeadlineMs(contracts);
  const [only, ...others] = contracts;
  const baseUrl = readBaseUrl(
    options.baseUrl ??
      (only !== undefined && others.length === 0 ? elsewhere(only.name) : undefined) ??
      fixtures.baseUrl,
  );
  const bases = new Map(
    declaredApis.map(({ api }) => {
      const own = elsewhere(api);
      return [api, own === undefined ? baseUrl : readBaseUrl(own)];
    }),
  );
  const offered = new Map(
    declaredApis.map(({ api, offers }) => [api, withOffers(fixtures, offers?.(fixtures))] as const),
  );
  return {
    baseUrl,
    fixturesOf: (api) => offered.get(api) ?? fixtures,
    baseOf: (api) => bases.get(api) ?? baseUrl,
    serves: servedBy(contracts, baseUrl, fixtures.server),
    nameOf: operationNames(contracts),
    leftOut: leftOutBy(contracts, options),
    isOpen: (as) => sourceOf(as)?.isOpen?.(fixtures) === true,
    requestBody: (operation) => requestBodyOf(contracts, operation),
    fixtures,
    allowed: new Set(options.allow ?? []),
    credentials,
    identity: describeIdentity(contracts, credentials.valid),
    masks,
    // A call with a secret that was not declared must not be repeated with another one.
    secrecy: {
      ...secrecy,
      publicValues: new Set([...(secrecy.publicValues ?? []), ...madeUp]),
      unknown: '$OTHER_KEY',
    },
    headers,
    bearer,
    bearsToken: (as) => bearer !== undefined && credentials[as]?.value === `Bearer ${bearer.value}`,
    deadlineMs: deadlineMs ?? PATIENCE_MS,
    isDeadlineStated: deadlineMs !== undefined,
    isBilled: mayCharge(contracts),
    examples: { 'cred.valid': credentialExample(contracts) },
  };
}

/**
 * The placeholders for the secret of an identity in a report; several identities may have the same secret.
 */
export function placeholdersOf(as: string): readonly Placeholder[] {
  const sources: Readonly<Record<string, IdentitySource>> = identitySources();
  return Object.hasOwn(sources, as) ? (sources[as]?.placeholders ?? []) : [];
}

/**
 * Whether a need of a scenario is met before anything is sent. A need that only a walk can check counts as met.
 *
 * @param api the API of the scenario
 */
export function isMet(target: Target, api: string, need: string): boolean {
  if (need === 'pages>=2') return true;
  const derived = Object.entries(identitySources()).find(
    ([, source]) => source.isDerived === true && source.need === need,
  );
  if (derived === undefined) return hasFixture(target.fixturesOf(api), need);
  return isKnown(target, derived[0] as Identity);
}

/** Whether there is a credential for a caller, or none is required. */
export function isKnown(
  { credentials, isOpen }: Pick<Target, 'credentials' | 'isOpen'>,
  as: Identity,
): boolean {
  return !isUsable(as) || credentials[as] !== undefined || isOpen(as);
}

/** The fixture for an identity. */
export function needOf(as: Identity): string {
  return sourceOf(as)?.need ?? `cred.${as}`;
}

// --- internal ---

function withOffers(
  fixtures: Fixtures,
  { parameters, bodies, occasions }: Pick<Fixtures, 'parameters' | 'bodies' | 'occasions'> = {},
): Fixtures {
  return {
    ...fixtures,
    parameters: { ...parameters, ...fixtures.parameters },
    bodies: { ...bodies, ...fixtures.bodies },
    occasions: { ...occasions, ...fixtures.occasions },
  };
}

/**
 * If the base URL has the host of an operation's own server, it is the address of that server. Otherwise, it is the address
 * of the servers that the document names for all operations.
 */
function servedBy(
  contracts: readonly Contract[],
  baseUrl: URL,
  stated: string | undefined,
): Target['serves'] {
  // A relative address of the document may be at any host.
  const absolute = contracts.filter(({ servers }) => !servers.some(({ url }) => url.startsWith('/')));
  const hosts = absolute.flatMap((contract) =>
    contract.operations.flatMap((operation) => ownServerOf(contract, operation)?.host ?? []),
  );
  const host = stated !== undefined && URL.canParse(stated) ? new URL(stated).host : baseUrl.host;
  return (server) => {
    if (stated === '*') return true;
    return server?.host === undefined ? !hosts.includes(host) : server.host === host;
  };
}

function requestBodyOf(
  contracts: readonly Contract[],
  id: string,
): { readonly document: unknown; readonly schema: unknown } {
  for (const { document, operations } of contracts) {
    const operation = operations.find((one) => one.id === id);
    const json = operation?.requestBody?.content.find(({ mediaType }) => mediaType === 'application/json');
    if (json !== undefined) return { document: document.root, schema: json.schema };
  }
  return { document: undefined, schema: undefined };
}

/** The time limit of a run if no contract states one. */
const PATIENCE_MS = 120_000;

/** The default deadline of the contract; the fixtures file can state that of the server. */
function statedDeadlineMs(contracts: readonly Contract[]): number | undefined {
  for (const contract of contracts) {
    const [, hours, minutes, seconds] =
      /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(findPolicy(contract, 'deadline')?.default ?? '') ?? [];
    const stated = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
    if (stated > 0) return stated * 1000;
  }
  return undefined;
}

/**
 * A header in which the documents expect the credential is one, even if it is given like any other header:
 * probes of missing credentials must be able to omit it.
 */
function withoutCredential(
  contracts: readonly Contract[],
  options: {
    readonly credential?: Credential | undefined;
    readonly headers?: readonly GivenHeader[] | undefined;
  },
  { cred }: Fixtures,
): { readonly headers: readonly GivenHeader[]; readonly credential: Credential | undefined } {
  const { headers = [], credential = cred?.valid } = options;
  if (credential !== undefined || cred?.apiKey !== undefined || cred?.jwt !== undefined)
    return { headers, credential };
  const places = contracts.flatMap((contract) => {
    const scheme = mainSchemeOf(contract);
    return (scheme && placeOfScheme(scheme)) ?? [];
  });
  const found = headers.find(([name]) => places.some((place) => isSamePlace({ in: 'header', name }, place)));
  if (found === undefined) return { headers, credential };
  const [name, value] = found;
  return {
    headers: headers.filter((header) => header !== found),
    credential: credentialIn({ in: 'header', name }, value),
  };
}

/**
 * With a declared credential, no header may replace one: otherwise most probes of credentials would judge
 * that header.
 */
function requireUsableHeaders(
  headers: readonly GivenHeader[],
  contracts: readonly Contract[],
  credentials: CredentialsByIdentity,
): void {
  const declared = Object.values(credentials).flatMap((credential) => {
    const { in: place, name } = credentialPlace(credential);
    return place === 'query' ? [] : [place === 'cookie' ? 'Cookie' : name];
  });
  const known = contracts.flatMap((contract) => findPolicy(contract, 'credentials')?.keyHeader ?? []);
  const reserved = Object.keys(credentials).length === 0 ? [] : [...declared, ...known, 'Authorization'];
  const names = new Set(reserved.map((name) => name.toLowerCase()));
  if (headers.length > MOST_HEADERS)
    throw new TargetError(
      `${headers.length} headers are given with --header; at most ${MOST_HEADERS} can be`,
    );
  for (const header of headers) {
    const why = whyRefused(header, names);
    if (why !== undefined) throw new TargetError(`A header that is given with --header is refused: ${why}`);
  }
}

function readBaseUrl(text: string | undefined): URL {
  if (text === undefined)
    throw new TargetError('No base URL: pass it as the argument, or set baseUrl in the fixtures file');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TargetError(`"${text}" is not a base URL; expected one such as https://api.example.com`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TargetError('The base URL must not contain a user, a query or a fragment');
  }
  return url;
}

/** The placeholder for a secret in reports. */
function nameOf(secret: string, masks: readonly Mask[]): Mask['placeholder'] {
  return masks.find((mask) => mask.secret === secret)?.placeholder ?? '$JWT';
}

function masksOf(credentials: CredentialsByIdentity, fixtures: Fixtures): Mask[] {
  const masks = new Map<string, Placeholder>();
  const add = (secret: string | undefined, placeholder: Placeholder | undefined): void => {
    if (secret !== undefined && placeholder !== undefined && !masks.has(secret))
      masks.set(secret, placeholder);
  };
  for (const [as, { namesSecret, placeholders }] of Object.entries(identitySources())) {
    const credential = credentials[as as Identity];
    if (credential !== undefined && namesSecret === true) add(secretOf(credential), placeholders[0]);
  }
  for (const { secrets } of declaredApis)
    for (const [secret, placeholder] of secrets?.(fixtures) ?? []) add(secret, placeholder);
  return [...masks].map(([secret, placeholder]) => ({ secret, placeholder }));
}
