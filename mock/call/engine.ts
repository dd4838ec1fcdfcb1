/**
 * What the mock asks of the library that knows the documents: which operation a request is for, and what the document
 * says about a request and about an answer. It judges only; what follows from a finding is a behaviour's business.
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
  /** What is wrong with the request: an answer that says so is wanted. */
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
  /** The query as sent, where it is at hand: what is escaped there separates no items of a list. */
  readonly search?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; `undefined` without a body and for one that is no JSON. */
  readonly body: unknown;
  /** What `body` was read from, where it is at hand: what is known about the same text need not be found out again. */
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
  /** The keyword of the schema that was violated, or a word of our own. */
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
  /** No example: the document has none that the request accepts, or none could be made. */
  readonly isRefusal?: boolean;
}
