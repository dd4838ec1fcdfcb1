/**
 * The interface to the library that knows the documents: it finds the operation of a request, and judges requests and
 * answers by the document. It only judges; behaviours decide what follows from a finding.
 */
export interface ContractEngine {
  readonly match: (method: string, path: string) => Match;
  /** @param without what somebody else judges: parameters, or body and parameters */
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
  /** An answer made of the document's own example, or of its schema where it has none. */
  readonly example: (operationId: string, request: JudgedRequest, wish?: AnswerWish) => Example;
  /** Places of schemas that nothing can be judged by, with the reason. Compiles them all. */
  readonly unjudgeable?: () => readonly { readonly pointer: string; readonly reason: string }[];
}

/** Which of the answers of a document is wanted, where it has several. */
export interface AnswerWish {
  readonly code?: number;
  /** The name of an example. */
  readonly example?: string;
  /** Made up from the schema, even where there is an example. */
  readonly dynamic?: boolean;
  /** Equal seeds make up equal answers. */
  readonly seed?: string;
  /** The faults of the request, for an answer that reports them. */
  readonly refused?: readonly EngineFinding[];
}

export type Match =
  | { readonly kind: 'operation'; readonly operationId: string }
  /** The path is known, the method is not. */
  | { readonly kind: 'other-method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

export interface JudgedRequest {
  readonly method: string;
  /** As sent, undecoded. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly value: string }[];
  /** The query as sent, if available: an escaped comma there does not separate list items. */
  readonly search?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` without a body and for one that is not JSON. */
  readonly body: unknown;
  /** The text of `body`, if available: a verdict about the same text can be reused. */
  readonly bodyText?: string;
  /** The members of a form, or why it cannot be read; where the body is one. */
  readonly form?: { readonly value: unknown } | { readonly fault: string };
}

export interface JudgedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
  /** What `body` is sent as, likewise. */
  readonly bodyText?: string;
}

export interface EngineFinding {
  /** Where: `query.limit`, `body.node.tags`, `security`, `status`, … */
  readonly at: string;
  /** The violated keyword of the schema, or a code of this project. */
  readonly keyword: string;
  readonly message: string;
  /** A warning, such as a parameter that is deprecated, breaks nothing; without it the finding is an error. */
  readonly severity?: 'warning';
}

export interface Example {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
  /** Whether it had to be made from the schema. */
  readonly generated: boolean;
  /** Headers whose value was made up of a schema that says nothing about it. */
  readonly openHeaders?: readonly { readonly name: string; readonly format: string | undefined }[];
  /** No example: the document has none that the request accepts, or none could be made. */
  readonly isRefusal?: boolean;
}
