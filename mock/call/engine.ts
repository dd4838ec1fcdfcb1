/**
 * The interface to the library that reads the documents: it finds the operation of a request, and validates
 * requests and answers by the document. Behaviours decide what follows from a finding.
 */
export interface ContractEngine {
  /** @param search the raw query, for documents that distinguish operations by it */
  readonly match: (method: string, path: string, search?: string) => Match;
  /** @param without the parts that other code validates: parameters, or body and parameters */
  readonly checkRequest: (
    operationId: string,
    request: JudgedRequest,
    without?: 'parameters' | 'input',
  ) => readonly EngineFinding[];
  readonly checkResponse: (
    operationId: string,
    response: JudgedResponse,
    without?: 'body',
  ) => readonly EngineFinding[];
  /** An answer made from the document's example, or from its schema if there is no example. */
  readonly example: (operationId: string, request: JudgedRequest, choice?: AnswerChoice) => Example;
  /** Schemas that cannot be used for validation: their places and the reasons. Compiles all schemas. */
  readonly unjudgeable?: () => readonly { readonly pointer: string; readonly reason: string }[];
}

/** Selects one of several declared answers of a document. */
export interface AnswerChoice {
  readonly code?: number;
  /** The name of an example. */
  readonly example?: string;
  /** Generated from the schema, even if there is an example. */
  readonly dynamic?: boolean;
  /** Equal seeds generate equal answers. */
  readonly seed?: string;
  /** The faults of the request, for an answer that reports them. */
  readonly refused?: readonly EngineFinding[];
}

export type Match =
  | { readonly kind: 'operation'; readonly operationId: string }
  /** The path exists, but not with this method. */
  | { readonly kind: 'other-method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

export interface JudgedRequest {
  readonly method: string;
  /** As sent, undecoded. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly value: string }[];
  /** The raw query, if available: an escaped comma in it does not separate list items. */
  readonly search?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` without a body and for a body that is not JSON. */
  readonly body: unknown;
  /** The text of `body`, if available: a verdict about the same text can be reused. */
  readonly bodyText?: string;
  /**
   * The members of a form, or JSON values that follow one another, or why they cannot be parsed; only for such a
   * body. `otherwise` has members that can be read in two ways in the other way.
   */
  readonly form?:
    | { readonly value: unknown; readonly otherwise?: unknown }
    | { readonly items: readonly unknown[] }
    | { readonly fault: string };
}

export interface JudgedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
  /** The serialised form of `body`, if available: a verdict about the same text can be reused. */
  readonly bodyText?: string;
}

export interface EngineFinding {
  /** The place: `query.limit`, `body.node.tags`, `security`, `status`, … */
  readonly at: string;
  /** The violated keyword of the schema, or a code of this project. */
  readonly keyword: string;
  readonly message: string;
  /** A warning, such as a deprecated parameter, is not a violation; without it the finding is an error. */
  readonly severity?: 'warning';
}

export interface Example {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
  /** Whether it was generated from the schema. */
  readonly generated: boolean;
  /** Headers whose value was generated from a schema that does not restrict it. */
  readonly openHeaders?: readonly { readonly name: string; readonly format: string | undefined }[];
  /** There is no example: the request accepts none of the document's, or none could be made. */
  readonly isRefusal?: boolean;
}
