import type { CapacityPolicy } from '../contract/policies/capacity.ts';
import type { ConditionalGetPolicy } from '../contract/policies/conditional-get.ts';
import type { ConditionalWritePolicy } from '../contract/policies/conditional-write.ts';
import type { DeadlinePolicy } from '../contract/policies/deadline.ts';
import type { ErrorBucketsPolicy } from '../contract/policies/error-buckets.ts';
import type { ErrorCodesPolicy } from '../contract/policies/error-codes.ts';
import type { EventStreamPolicy } from '../contract/policies/event-stream.ts';
import type { ReplayPolicy } from '../contract/policies/idempotency-replay.ts';
import type { SingleUsePolicy } from '../contract/policies/idempotency-single-use.ts';
import type { LifecyclePolicy } from '../contract/policies/lifecycle.ts';
import type { PagesPolicy } from '../contract/policies/pagination.ts';
import type { PlainSegmentsPolicy } from '../contract/policies/plain-segments.ts';
import type { PresencePolicy } from '../contract/policies/presence.ts';
import type { RefusedFormatPolicy } from '../contract/policies/refused-format.ts';
import type { UniquenessPolicy } from '../contract/policies/uniqueness.ts';
import type { ErrorBodies } from './error-bodies.ts';
import type { EventKind } from './event-faults.ts';

/**
 * An API as its contract describes it, for the engine. Plain data that can be printed. Schemas are names; a `Judge`
 * checks values by them.
 */
export interface ServedApi {
  /** The contract's short name, such as `router`. */
  readonly name: string;
  readonly operations: readonly ServedOperation[];
  readonly errors: ErrorShape;
  /** The header with the id of the request, on every answer. */
  readonly requestIdHeader?: string;
  /** A header that is left out of replays. */
  readonly creditsHeader?: string;
  readonly spendHeaders?: { readonly limit: string; readonly current: string; readonly remaining: string };
  /** Bearer values with this prefix count as a credential of the scheme, even if an operation declares bearers only. */
  readonly keyPrefix?: { readonly prefix: string; readonly scheme: string };
  /** Members that only some answers may have. */
  readonly presence?: readonly PresencePolicy[];
  readonly lifecycle?: Pick<LifecyclePolicy, 'schema' | 'property' | 'terminal'>;
}

/** How an error gives its reason. */
export type ErrorShape =
  | { readonly kind: 'buckets'; readonly policy: ErrorBucketsPolicy }
  | { readonly kind: 'codes'; readonly policy: ErrorCodesPolicy; readonly bodies?: ErrorBodies }
  | { readonly kind: 'plain'; readonly bodies?: ErrorBodies };

export interface ServedOperation {
  /** As the document has it. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
  /** The path of its own server, if the document names one for the operation; with variables in braces. */
  readonly serverPath?: string;
  readonly parameters?: readonly ServedParameter[];
  /** Required headers that are not members of the input, such as that of the key. */
  readonly requiredHeaders?: readonly string[];
  readonly body?: { readonly required: boolean; readonly contents: readonly ServedContent[] };
  /** By status, range of statuses, or `default`. An answer without a body has no contents. */
  readonly responses: Readonly<Record<string, readonly ServedContent[]>>;
  /** The declared headers that handlers provide, by status as in `responses`. */
  readonly responseHeaders?: Readonly<Record<string, readonly ServedHeader[]>>;
  /** Alternatives of credentials; an empty one means that no credentials are required. */
  readonly security?: readonly (readonly ServedScheme[])[];
  readonly pagination?: PagesPolicy;
  readonly plainSegments?: PlainSegmentsPolicy;
  readonly refusedFormat?: RefusedFormatPolicy;
  readonly idempotency?: ReplayPolicy | SingleUsePolicy;
  /** The lengths of a key that the document allows. */
  readonly keyLength?: { readonly minimum?: number; readonly maximum?: number };
  readonly deadline?: DeadlinePolicy;
  readonly capacity?: CapacityPolicy;
  readonly conditional?: ConditionalGetPolicy;
  /** Whether its answers carry the tag of their version, which changes refer to. */
  readonly isTagged?: boolean;
  readonly guard?: ServedGuard;
  readonly reserved?: ServedReserved;
  readonly unique?: readonly ServedUnique[];
  readonly stream?: Pick<EventStreamPolicy, 'events'>;
}

/** A change that applies only to the version that the caller has seen. */
export interface ServedGuard extends Pick<ConditionalWritePolicy, 'mismatch' | 'required' | 'exists'> {
  /** The operation that reads the resource and its version; `undefined` if the document has none. */
  readonly read?: string;
  /** Whether the change may create the resource. */
  readonly mayCreate?: boolean;
}

/** Members of a body that are refused. */
export interface ServedReserved {
  readonly members: readonly string[];
  readonly refusal: SheetRefusal;
}

/** A member of the body whose values must be unique. */
export interface ServedUnique extends Pick<UniquenessPolicy, 'member' | 'within'> {
  readonly refusal: SheetRefusal;
  /**
   * Whether the values belong to the resources of a collection. A change or deletion releases a value, which
   * only the handlers can know.
   */
  readonly isOfThings?: boolean;
}

/** A refusal that a sheet states. */
export interface SheetRefusal {
  readonly status: number;
  /** The error bucket or code, if errors of the API have one. */
  readonly bucket?: string;
}

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** The member of the input with its value, if that differs from the name. */
  readonly member?: string;
  readonly required?: boolean;
  /** A style of OpenAPI, or `json` or `urlencoded` for a value that is written in that media type. */
  readonly style: string;
  readonly explode: boolean;
  /** The type that its text is read as. Default: text. */
  readonly reads?: WireType;
  /** Names of pairs that do not belong to an object with arbitrary members. A name that ends with `[` is a prefix. */
  readonly others?: readonly string[];
  /** Its only values, if no text separates it from another name in the path. */
  readonly among?: readonly string[];
  /** The name of its schema, if that has any constraint. */
  readonly schema?: string;
}

/** The types that a text of a request can be parsed as. */
export interface WireType {
  readonly kinds: readonly ('string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'bytes')[];
  readonly items?: WireType;
  /** The types of the first items, if these have types of their own. */
  readonly first?: readonly WireType[];
  readonly members?: Readonly<Record<string, WireType>>;
  /** The type of members with other names. */
  readonly rest?: WireType;
}

export interface ServedContent {
  readonly mediaType: string;
  readonly bodyFormat: BodyFormat;
  /** The name of its schema, if that has any constraint that can be judged. */
  readonly schema?: string;
  /** The types of the members of a form or multipart body. Default: text. */
  readonly reads?: WireType;
  /** Members with an encoding of their own. */
  readonly members?: Readonly<Record<string, ServedMember>>;
  /** What each event of a request can be, if the document says so. */
  readonly events?: readonly ServedEvent[];
  /** Of each part, in an answer of parts. Default: as its value is. */
  readonly partType?: string;
}

/** A kind of events, with the name of the schema of their data, if that has any constraint. */
export interface ServedEvent extends EventKind {
  readonly schema?: string;
}

/** The encoding of a member of a form or multipart body. */
export interface ServedMember {
  /** A style of OpenAPI, or `json` for a value that is written as JSON. */
  readonly style: string;
  readonly explode: boolean;
}

/** The form of a body in code: a value, parts or items of a value, text, or bytes. */
export type BodyFormat =
  'json' | 'form' | 'multipart' | 'text' | 'events' | 'lines' | 'sequence' | 'parts' | 'binary';

export interface ServedHeader {
  readonly name: string;
  readonly required?: boolean;
  /** Whether it is written as JSON; otherwise in the style of OpenAPI for headers. */
  readonly style?: 'json';
  readonly explode?: boolean;
  readonly reads?: WireType;
  /** The name of its schema, if that has any constraint. */
  readonly schema?: string;
}

export interface ServedScheme {
  readonly name: string;
  readonly kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie';
  /** Of a header, query parameter or cookie. */
  readonly parameter?: string;
}
