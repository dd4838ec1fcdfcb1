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

/**
 * An API as its contract describes it: what the engine holds requests, answers and itself to. Plain data, which can be
 * printed. Schemas are names; a `Judge` knows what they ask for.
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
  /** Bearer values with this prefix count as a credential of the scheme, also where an operation declares bearers only. */
  readonly keyPrefix?: { readonly prefix: string; readonly scheme: string };
  /** Members that only some answers may carry. */
  readonly presence?: readonly PresencePolicy[];
  readonly lifecycle?: Pick<LifecyclePolicy, 'schema' | 'property' | 'terminal'>;
}

/** How an error says why. */
export type ErrorShape =
  | { readonly kind: 'buckets'; readonly policy: ErrorBucketsPolicy }
  | { readonly kind: 'codes'; readonly policy: ErrorCodesPolicy }
  | { readonly kind: 'plain' };

export interface ServedOperation {
  /** As the document has it. */
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
  readonly parameters?: readonly ServedParameter[];
  readonly body?: { readonly required: boolean; readonly contents: readonly ServedContent[] };
  /** By status, range of statuses, or `default`; no contents where the answer has no body. */
  readonly responses: Readonly<Record<string, readonly ServedContent[]>>;
  /** What the document says of headers that handlers give, as `responses` by status. */
  readonly responseHeaders?: Readonly<Record<string, readonly ServedHeader[]>>;
  /** Alternatives of credentials; an empty one means that none is needed. */
  readonly security?: readonly (readonly ServedScheme[])[];
  readonly pagination?: PagesPolicy;
  readonly plainSegments?: PlainSegmentsPolicy;
  readonly refusedFormat?: RefusedFormatPolicy;
  readonly idempotency?: ReplayPolicy | SingleUsePolicy;
  readonly deadline?: DeadlinePolicy;
  readonly capacity?: CapacityPolicy;
  readonly conditional?: ConditionalGetPolicy;
  /** Its answers carry the tag of the version that they show, as changes name it. */
  readonly isTagged?: boolean;
  readonly guard?: ServedGuard;
  readonly reserved?: ServedReserved;
  readonly unique?: readonly ServedUnique[];
  readonly stream?: Pick<EventStreamPolicy, 'events'>;
}

/** A change that is made only to the version that the caller has seen. */
export interface ServedGuard extends Pick<ConditionalWritePolicy, 'mismatch' | 'required'> {
  /** The operation that reads what is changed, and so shows its version; nothing where the document has none. */
  readonly read?: string;
  /** Whether the change may create what is not there. */
  readonly mayCreate?: boolean;
}

/** Members of a body that are refused. */
export interface ServedReserved {
  readonly members: readonly string[];
  readonly refusal: SheetRefusal;
}

/** A value of the body that may be given once only. */
export interface ServedUnique extends Pick<UniquenessPolicy, 'member' | 'within'> {
  readonly refusal: SheetRefusal;
  /** Things of a collection: a change or a deletion frees the value again, which only the handlers know. */
  readonly isOfThings?: boolean;
}

/** How a sheet refuses. */
export interface SheetRefusal {
  readonly status: number;
  /** The error bucket or code, where errors of the API have one. */
  readonly bucket?: string;
}

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** The member of the input that carries it, where it is not the name. */
  readonly member?: string;
  readonly required?: boolean;
  /** As in OpenAPI, or `json` for a value that is written as JSON. */
  readonly style: string;
  readonly explode: boolean;
  /** What its text is read as; text where it is left out. */
  readonly reads?: WireType;
  /** Names of pairs that an object with members of any names leaves to others; all that begin so where one ends with `[`. */
  readonly others?: readonly string[];
  /** The name of its schema, where it asks for anything. */
  readonly schema?: string;
}

/** What text on the wire can stand for. */
export interface WireType {
  readonly kinds: readonly ('string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'bytes')[];
  readonly items?: WireType;
  readonly members?: Readonly<Record<string, WireType>>;
  /** What members of other names are read as. */
  readonly rest?: WireType;
}

export interface ServedContent {
  readonly mediaType: string;
  readonly carriage: Carriage;
  /** The name of its schema, where it asks for anything that can be judged. */
  readonly schema?: string;
  /** What the members of a form or multipart body are read as; text where it is left out. */
  readonly reads?: WireType;
  /** Members that are not written in the usual way. */
  readonly members?: Readonly<Record<string, ServedMember>>;
}

/** How a member of a form or multipart body is written. */
export interface ServedMember {
  /** As in OpenAPI, or `json` for a value that is written as JSON. */
  readonly style: string;
  readonly explode: boolean;
}

/** How a body is carried in code: as a value, as parts or items of one, as text, or as bytes. */
export type Carriage = 'json' | 'form' | 'multipart' | 'text' | 'events' | 'lines' | 'sequence' | 'binary';

export interface ServedHeader {
  readonly name: string;
  readonly required?: boolean;
  /** Written as JSON; else as OpenAPI writes headers. */
  readonly style?: 'json';
  readonly explode?: boolean;
  readonly reads?: WireType;
  /** The name of its schema, where it asks for anything. */
  readonly schema?: string;
}

export interface ServedScheme {
  readonly name: string;
  readonly kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie';
  /** Of a header, query parameter or cookie. */
  readonly parameter?: string;
}
