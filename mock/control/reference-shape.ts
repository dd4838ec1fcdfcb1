import type { SampleCall } from './shape.ts';

/** A body of a request or an answer, by its media type. */
export interface BodyShape {
  readonly mediaType: string;
  readonly schema: unknown;
}

/** An operation as its document describes it. */
export interface OperationShape {
  readonly api: string;
  readonly id: string;
  readonly method: string;
  /** Including the path prefix at which the API is mounted. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string | undefined;
    /** As JSON Schema; a reference that is the whole schema is resolved. */
    readonly schema: unknown;
  }[];
  readonly bodies: readonly BodyShape[];
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    readonly bodies: readonly BodyShape[];
  }[];
  /** The header of its idempotency key, if it accepts one. */
  readonly keyHeader?: string;
  /** A call to try it; absent if none could be made. */
  readonly call?: SampleCall;
}

export interface CallerList {
  readonly callers: readonly CallerShape[];
}

export interface CallerShape {
  /** Its scope, as in the journal. */
  readonly caller: string;
  readonly calls: number;
  readonly inFlight: { readonly calls: number; readonly cents: number };
  readonly streams: number;
  readonly keys: number;
  readonly jobs: number;
}

/** The contract, including the facts that documents cannot express. */
export interface Reference {
  readonly apis: readonly {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly operations: readonly {
      readonly id: string;
      readonly method: string;
      readonly path: string;
      readonly summary: string | undefined;
    }[];
    readonly rules: readonly {
      readonly id: string;
      readonly level: string;
      readonly says: string;
      readonly operation: string | undefined;
      readonly source: string;
    }[];
    readonly unspecified: readonly {
      readonly id: string;
      readonly about: string;
      readonly mockUses: unknown;
      /** The configurable members, as JSON Schemas; absent if nothing is configurable. */
      readonly canBe?: unknown;
    }[];
  }[];
}

export interface NamespaceList {
  readonly namespaces: readonly string[];
}

/**
 * A namespace is another mock on the same ports, with its own callers, state, scenarios, journal and clock. A
 * request to the API or to the control API is for the namespace that its header `Tallystick-Namespace` names.
 * Requests to the control API may name it in their query (`?namespace=`) instead.
 */
export interface NamespaceToMake {
  readonly seed?: string;
  /** The speed of its clock; default: 1. */
  readonly speed?: number;
}
