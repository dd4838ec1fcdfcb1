import { findPolicy } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { BearerToken } from './bearer-token.ts';
import type { TokenSource } from './bearer-token.ts';
import { MOST_HEADERS, masksOfHeaders, whyRefused } from './given-headers.ts';
import type { GivenHeader } from './given-headers.ts';
import type { Mask, Placeholder } from './masking.ts';
import type { Fixtures } from './fixtures.ts';
import { hasFixture } from './fixtures.ts';
import type { Identity, Permission } from './scenario.ts';

/** A header that carries a credential. */
export interface Credential {
  readonly header: string;
  readonly value: string;
}

/** The server under judgement: where it is, who calls, what it has to offer and what the caller allows. */
export interface Target {
  readonly baseUrl: URL;
  readonly fixtures: Fixtures;
  readonly allowed: ReadonlySet<Permission>;
  readonly credentials: Readonly<Partial<Record<Identity, Credential>>>;
  /** How reports call the caller, such as `API key …9f2c`. */
  readonly identity: string;
  readonly masks: readonly Mask[];
  /** Sent with every request. */
  readonly headers: readonly GivenHeader[];
  /** The token that the run can renew, and whether an identity bears it. */
  readonly bearer: BearerToken | undefined;
  readonly bearsToken: (as: Identity) => boolean;
  readonly deadlineMs: number;
  /** Where an API is: the jobs may be elsewhere than the rest. */
  readonly baseOf: (api: string) => URL;
  /** The jobs are served to callers without a credential. */
  readonly jobsAreOpen: boolean;
  /** The schema of an operation's JSON body; `undefined` where the contracts have none. */
  readonly requestBody: (operation: string) => { readonly document: unknown; readonly schema: unknown };
}

/** The target of a run cannot be made out: a matter of configuration. */
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
  },
): Target {
  const { token } = options;
  const fixtures = withToken(options.fixtures ?? {}, token);
  const declared = identities(contracts, options.credential ?? fixtures.cred?.valid, fixtures);
  const masks = masksOf(declared, fixtures);
  const bearer =
    token === undefined
      ? undefined
      : new BearerToken(token, (secret) => masks.push({ secret, placeholder: nameOf(token.token, masks) }));
  const credentials = bearer === undefined ? declared : renewable(declared, bearer);
  const headers = options.headers ?? [];
  requireUsableHeaders(headers, contracts, credentials);
  masks.push(...masksOfHeaders(headers));
  const onlyJobs = contracts.length > 0 && contracts.every(({ name }) => name === 'jobs');
  const baseUrl = readBaseUrl(
    options.baseUrl ?? (onlyJobs ? fixtures.jobsBaseUrl : undefined) ?? fixtures.baseUrl,
  );
  const jobsUrl = fixtures.jobsBaseUrl === undefined ? baseUrl : readBaseUrl(fixtures.jobsBaseUrl);
  return {
    baseUrl,
    baseOf: (api) => (api === 'jobs' ? jobsUrl : baseUrl),
    jobsAreOpen: jobsAreOpen(fixtures),
    requestBody: (operation) => requestBodyOf(contracts, operation),
    fixtures,
    allowed: new Set(options.allow ?? []),
    credentials,
    identity: describeIdentity(credentials.valid),
    masks,
    headers,
    bearer,
    bearsToken: (as) => bearer !== undefined && credentials[as]?.value === `Bearer ${bearer.value}`,
    deadlineMs: fixtures.deadlineMs ?? statedDeadlineMs(contracts),
  };
}

/** Any credential that can stand as a bearer; the fixtures file has several places for one. */
const BEARER = 'a bearer credential';

/** What the jobs of a surface ask for; nothing on some. */
const JOB_OWNER = 'a credential for jobs';

/** What may stand for the secret of an identity in a report; several identities may have the same secret. */
export const placeholdersOf: Readonly<Record<Identity, readonly Placeholder[]>> = {
  none: [],
  unusable: [],
  valid: ['$API_KEY'],
  apiKey: ['$API_KEY'],
  apiKeyAsBearer: ['$API_KEY'],
  jwt: ['$JWT', '$API_KEY'],
  forbidden: ['$FORBIDDEN_KEY'],
  publisher: ['$JWT', '$API_KEY'],
  jobOwner: ['$API_KEY', '$STATIC_TOKEN'],
  jobStranger: ['$SECOND_KEY'],
  jobNoCredits: ['$NO_CREDITS_KEY'],
  secondAccount: ['$SECOND_KEY'],
  noCredits: ['$NO_CREDITS_KEY'],
  concurrency: ['$CONCURRENCY_KEY', '$API_KEY'],
  spend: ['$SPEND_KEY', '$API_KEY'],
};

/** Whether a need is met before anything is sent; what only a walk can tell counts as met. */
export function isMet(target: Target, need: string): boolean {
  switch (need) {
    case 'cred.valid':
      return target.credentials.valid !== undefined;
    case 'cred.apiKey':
      return target.credentials.apiKey !== undefined;
    case JOB_OWNER:
      return target.jobsAreOpen || target.credentials.jobOwner !== undefined;
    case BEARER:
      return target.credentials.publisher !== undefined;
    case 'pages>=2':
      return true;
    default:
      return hasFixture(target.fixtures, need);
  }
}

/** The fixture that gives an identity. */
export function needOf(as: Identity): string {
  switch (as) {
    case 'noCredits':
      return 'account.noCredits';
    case 'concurrency':
      return 'concurrency.bound';
    case 'spend':
      return 'spend.bound';
    case 'apiKeyAsBearer':
      return 'cred.apiKey';
    case 'publisher':
      return BEARER;
    case 'jobOwner':
      return JOB_OWNER;
    case 'jobStranger':
      return 'cred.secondAccount';
    case 'jobNoCredits':
      return 'account.noCredits';
    case 'none':
    case 'unusable':
    case 'valid':
    case 'apiKey':
    case 'jwt':
    case 'forbidden':
    case 'secondAccount':
      return `cred.${as}`;
  }
}

// --- internal ---

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

/** How long a run may take where no contract says so. */
const PATIENCE_MS = 120_000;

/** The default deadline of the contract; the fixtures file tells a server's own one. */
function statedDeadlineMs(contracts: readonly Contract[]): number {
  for (const contract of contracts) {
    const [, hours, minutes, seconds] =
      /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(findPolicy(contract, 'deadline')?.default ?? '') ?? [];
    const stated = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
    if (stated > 0) return stated * 1000;
  }
  return PATIENCE_MS;
}

/** With a declared credential, no header may stand in for one: most probes of credentials would judge that. */
function requireUsableHeaders(
  headers: readonly GivenHeader[],
  contracts: readonly Contract[],
  credentials: Target['credentials'],
): void {
  const declared = Object.values(credentials).map(({ header }) => header);
  const known = contracts.flatMap((contract) => findPolicy(contract, 'credentials')?.keyHeader ?? []);
  const reserved = declared.length === 0 ? [] : [...declared, ...known, 'Authorization'];
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

/** The token of a command stands in the place of bearers that the fixtures file has: those may have expired. */
function withToken(fixtures: Fixtures, token: TokenSource | undefined): Fixtures {
  if (token === undefined) return fixtures;
  const { valid, ...others } = fixtures.cred ?? {};
  const isBearer = valid?.header.toLowerCase() === 'authorization';
  return {
    ...fixtures,
    cred: { ...others, ...(valid === undefined || isBearer ? {} : { valid }), jwt: token.token },
  };
}

/** The credentials, those with the token of a run always with the one of now. */
function renewable(declared: Target['credentials'], bearer: BearerToken): Target['credentials'] {
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

/** What stands for a secret in reports. */
function nameOf(secret: string, masks: readonly Mask[]): Placeholder {
  return masks.find((mask) => mask.secret === secret)?.placeholder ?? '$JWT';
}

function identities(
  contracts: readonly Contract[],
  valid: Credential | undefined,
  fixtures: Fixtures,
): Target['credentials'] {
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

/** Document 3, Authentication: a demo, and a self-hosted instance without a token, ask for nothing. */
function jobsAreOpen({ surface, staticToken }: Fixtures): boolean {
  return surface === 'demo' || (surface === 'self-hosted' && staticToken === undefined);
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

/** The secret part of a header value. */
function secretOf(credential: Credential): string {
  return credential.value.replace(/^bearer +/i, '');
}

function describeIdentity(credential: Credential | undefined): string {
  if (credential === undefined) return 'no credential';
  const kind = credential.header.toLowerCase() === 'authorization' ? 'bearer' : 'API key';
  const secret = secretOf(credential);
  return secret.length >= 12 ? `${kind} …${secret.slice(-4)}` : kind;
}

/** In this order: of identities with one secret, the first one names it. */
const named: readonly Identity[] = [
  'valid',
  'apiKey',
  'jwt',
  'forbidden',
  'secondAccount',
  'noCredits',
  'concurrency',
  'spend',
];

function masksOf(credentials: Target['credentials'], fixtures: Fixtures): Mask[] {
  const masks = new Map<string, Placeholder>();
  const add = (secret: string | undefined, placeholder: Placeholder | undefined): void => {
    if (secret !== undefined && placeholder !== undefined && !masks.has(secret))
      masks.set(secret, placeholder);
  };
  for (const identity of named) {
    const credential = credentials[identity];
    if (credential !== undefined) add(secretOf(credential), placeholdersOf[identity][0]);
  }
  const { staticToken, publish } = fixtures;
  add(staticToken, '$STATIC_TOKEN');
  add(publish?.pat, '$PAT');
  return [...masks].map(([secret, placeholder]) => ({ secret, placeholder }));
}
