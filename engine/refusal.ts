import { emitBucket, statedStatus } from '../contract/policies/error-buckets.ts';
import type { BucketRole } from '../contract/policies/error-buckets.ts';
import { PLAIN_ERRORS } from '../contract/policies/error-codes.ts';
import { errorBody } from './error-bodies.ts';
import type { LooseReply } from './handler.ts';
import type { ErrorShape, ServedApi, ServedOperation, SheetRefusal } from './served-api.ts';

export interface RefusalOptions {
  /** The status if the contract states none. Default: the usual one for the reason. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Details, if errors of the API have a member for them. */
  readonly details?: unknown;
  /**
   * Whether the request certainly had no effect, which releases a single-use key. Default: yes for statuses
   * below 500, no for the others.
   */
  readonly hadNoEffect?: boolean;
}

/** A request fails for a reason that the API names. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: string;
  readonly options: RefusalOptions;
  constructor(reason: string, message: string, options: RefusalOptions = {}) {
    super(message);
    this.reason = reason;
    this.options = options;
  }
}

/** Why the engine itself refuses. */
export type Cause =
  | 'badInput'
  | 'malformed'
  | 'tooLarge'
  | 'mediaType'
  | 'notFound'
  | 'otherMethod'
  | 'noCredential'
  | 'noAccess'
  | 'capacity'
  | 'deadline'
  | 'unavailable'
  | 'internal'
  | 'disconnected';

/** The code for each cause, for an API whose contract leaves the codes open. */
export type CauseCodes = Readonly<Partial<Record<Cause, string>>>;

/** The answer of the engine for a cause. */
export function refused(
  api: ServedApi,
  cause: Cause,
  message: string,
  options: RefusalOptions & { readonly codes?: CauseCodes | undefined } = {},
  now: () => number = Date.now,
): LooseReply {
  const { role, status, code } = CAUSES[cause];
  const { errors } = api;
  const reason =
    errors.kind === 'buckets'
      ? ofStatus(errors.policy.buckets, errors.policy.roles[role], options.status)
      : (codeIn(options.codes, cause) ??
        ofStatus(codesOf(errors), statedCode(errors, cause) ?? code, options.status, code));
  const stated = OWN_STATUS.has(cause)
    ? undefined
    : errors.kind === 'buckets'
      ? statedStatus(errors.policy, reason)
      : codesOf(errors).find(({ name }) => name === reason)?.status;
  return refusalReply(
    api,
    new Refusal(reason, message, { ...options, status: options.status ?? stated ?? status }),
    now,
  );
}

/**
 * The status for invalid input: that of the code that the sheet gives it, 400 or 422, whichever the operation
 * declares; `undefined` if the sheet gives none, or if buckets decide.
 */
export function inputStatus(
  { errors }: Pick<ServedApi, 'errors'>,
  { responses }: Pick<ServedOperation, 'responses'>,
  cause: 'badInput' | 'malformed',
): number | undefined {
  if (errors.kind === 'buckets') return undefined;
  const code = statedCode(errors, cause);
  if (errors.kind === 'codes' && code === undefined) return undefined;
  const stated = codesOf(errors).find(({ name }) => name === code)?.status;
  const declared = Object.keys(responses).map((status) => status.toUpperCase());
  const names = (status: number): boolean => declared.includes(String(status));
  // A range or `default` declares what the sheet states, and nothing that it does not state.
  if (stated !== undefined && (names(stated) || declared.includes('4XX') || declared.includes('DEFAULT')))
    return stated;
  return [400, 422].find(names);
}

/** The answer for a refusal, in the shape of the API's errors. */
export function refusalReply(
  api: ServedApi,
  { reason, message, options }: Refusal,
  now: () => number = Date.now,
): LooseReply {
  const { errors } = api;
  const headers = options.headers ?? {};
  switch (errors.kind) {
    case 'buckets': {
      const { policy } = errors;
      const bucket = emitBucket(policy, reason);
      return {
        status: options.status ?? statedStatus(policy, bucket) ?? usualStatus(errors, bucket),
        headers,
        reason: bucket,
        body: { [policy.bodyMember]: bucket, [policy.detailMember]: message },
      };
    }
    case 'codes':
    case 'plain': {
      const places = errors.kind === 'codes' ? errors.policy : PLAIN_ERRORS;
      const status = options.status ?? codesOf(errors).find(({ name }) => name === reason)?.status ?? 400;
      const misleading = codesOf(errors).flatMap((code) =>
        code.status === undefined || code.status === status ? [] : [code.name],
      );
      const reasoned = { status, reason, message, details: options.details, misleading };
      return { status, headers, body: errorBody(places, errors.bodies, reasoned, now) };
    }
  }
}

/** The refusal that a sheet states. If the sheet names no reason, the API's reason for the status. */
export function statedRefusal(
  { errors }: Pick<ServedApi, 'errors'>,
  stated: SheetRefusal,
  message: string,
): Refusal {
  const { status, bucket } = stated;
  const known = errors.kind === 'buckets' ? errors.policy.buckets : codesOf(errors);
  const reason = bucket ?? known.find((error) => error.status === status)?.name ?? `status_${String(status)}`;
  return new Refusal(reason, message, { status });
}

// --- internal ---

/**
 * The name of an error with the status of the refusal: its own name, or the first one with this status.
 *
 * @param usual the name if the contract gives every name that could do to another status
 */
function ofStatus(
  known: readonly StatedError[],
  name: string,
  status: number | undefined,
  usual = name,
): string {
  const own = known.find((error) => error.name === name)?.status;
  if (status === undefined || own === status) return name;
  return known.find((error) => error.status === status)?.name ?? (own === undefined ? name : usual);
}

/** An error that the contract names, with its status if the contract states one. */
interface StatedError {
  readonly name: string;
  readonly status?: number;
}

function codesOf(errors: Exclude<ErrorShape, { kind: 'buckets' }>): readonly StatedError[] {
  return errors.kind === 'codes' ? errors.policy.codes : [];
}

/** The code that a sheet gives to a cause. */
function statedCode(errors: ErrorShape, cause: Cause): string | undefined {
  return errors.kind === 'codes' ? codeIn(errors.policy.roles, cause) : undefined;
}

/** The code of a cause; a malformed body is bad input unless it has a code of its own. */
function codeIn(codes: Readonly<Partial<Record<string, string>>> = {}, cause: Cause): string | undefined {
  const names = cause === 'malformed' ? [cause, 'badInput'] : [cause];
  const own = names.find((name) => Object.hasOwn(codes, name));
  return own === undefined ? undefined : codes[own];
}

/** The usual HTTP statuses, for contracts that state none. */
const CAUSES: Readonly<
  Record<Cause, { readonly role: BucketRole; readonly status: number; readonly code: string }>
> = {
  badInput: { role: 'badInput', status: 400, code: 'bad_request' },
  malformed: { role: 'badInput', status: 400, code: 'bad_request' },
  tooLarge: { role: 'badInput', status: 413, code: 'too_large' },
  mediaType: { role: 'badInput', status: 415, code: 'unsupported_media_type' },
  notFound: { role: 'unknownModel', status: 404, code: 'nothing_here' },
  otherMethod: { role: 'badInput', status: 405, code: 'other_method' },
  noCredential: { role: 'noCredential', status: 401, code: 'no_credential' },
  noAccess: { role: 'noAccess', status: 403, code: 'no_access' },
  capacity: { role: 'capacity', status: 429, code: 'too_many' },
  deadline: { role: 'deadline', status: 504, code: 'too_late' },
  unavailable: { role: 'unavailable', status: 503, code: 'not_available' },
  internal: { role: 'internal', status: 500, code: 'server_error' },
  disconnected: { role: 'disconnected', status: 499, code: 'gone' },
};

/** Other causes for which a bucket is used. */
const OWN_STATUS: ReadonlySet<Cause> = new Set(['tooLarge', 'mediaType', 'otherMethod']);

const USUAL: Readonly<Partial<Record<BucketRole, number>>> = {
  badInput: 400,
  policyRefusal: 400,
  providerFailure: 502,
  noCredits: 402,
  unknownModel: 404,
  disconnected: 499,
  internal: 500,
  notEnabled: 403,
  unavailable: 503,
  rateLimit: 429,
};

function usualStatus(errors: Extract<ErrorShape, { kind: 'buckets' }>, bucket: string): number {
  const roles = Object.entries(errors.policy.roles) as [BucketRole, string][];
  const role = roles.find(([, name]) => name === bucket)?.[0];
  return (role === undefined ? undefined : USUAL[role]) ?? 500;
}
