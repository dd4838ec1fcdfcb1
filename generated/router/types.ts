// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

/**
 * Names a provider. Lower case; a full stop, underscore or hyphen only singly and between letters
 * or digits.
 * At most 64 characters, matches `^[a-z0-9]+([._-][a-z0-9]+)*$`.
 * @example "acme"
 */
export type RouterProviderSegment = string;

/**
 * Names a model among those of its provider. Lower case; a full stop, as in a version, underscore
 * or hyphen only singly and between letters or digits.
 * At most 128 characters, matches `^[a-z0-9]+([._-][a-z0-9]+)*$`.
 * @example "easel-2.1"
 */
export type RouterModelSegment = string;

/**
 * Names a model by provider and model with one slash between. Each part also keeps its own length,
 * which the length given here alone does not ensure.
 * At most 193 characters, matches `^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$`.
 * @example "acme/easel-2.1"
 */
export type RouterModelId = string;

/**
 * A bookmark that only the server can read. It belongs to one walk: send it back as it came, do not
 * take it apart, count with it or keep it.
 * 1 to 512 characters, matches `^[A-Za-z0-9._~+/=-]+$`.
 * @example "bmV4dC1wYWdlLTI"
 */
export type RouterPageCursor = string;

/** One runnable model, by its identity. */
export interface RouterModelListEntry {
  id: RouterModelId;
  provider: RouterProviderSegment;
  model: RouterModelSegment;
}

/** One model with what is known about it beyond its identity. */
export type RouterModelDetail = RouterModelListEntry & {
  /** How the model charges. Facts, no prices. */
  billing: {
    /**
     * Whether a call that the model refuses for its content is charged all the same: `yes`, `no`, or
     * `unknown` where nobody has found out. Read `unknown`, and any value that you do not know, as "it
     * might charge". Compare the text; its truthiness means nothing.
     * @example "yes"
     */
    charges_on_policy_rejection: 'yes' | 'no' | 'unknown' | (string & {});
  };
  /**
   * Where the input schema stands. Left out where none was written for this model.
   * Format `uri`, at most 2048 characters, matches `^https://`.
   * @example "https://api.example.com/v1/models/acme/easel-2.1/openapi.json"
   */
  input_schema_url?: string;
};

/** One page of the catalogue. `next_cursor` is there exactly when another page follows. */
export type RouterModelListResponse = {
  /** The entries of this page, at most `limit` of them. */
  data: RouterModelListEntry[];
  /**
   * The page size that was served. Send this one with the cursor.
   * From 1 to 100.
   */
  limit: number;
} & ({
  /** Another page follows, however short this one is. */
  has_more: true;
  next_cursor: RouterPageCursor;
} | {
  /** The walk ends here. */
  has_more: false;
  next_cursor?: never;
});

/** The input of a model. Its members are the partner's business and reach the model unchanged. */
export interface RouterModelInput {
  [key: string]: unknown;
}

/** The output of a model. Its members are the partner's business and reach the caller unchanged. */
export interface RouterModelOutput {
  [key: string]: unknown;
}

/**
 * An OpenAPI document that stands alone: whatever its request body refers to is among its own
 * components.
 */
export interface RouterModelInputSchemaDocument {
  /** The version of OpenAPI that the document is written in. */
  openapi: string;
  'x-service-router-model-id': RouterModelId;
  /**
   * True where the schema was written for this model; false where it is the stand-in that allows any
   * object.
   */
  'x-service-input-schema-authored': boolean;
  [key: string]: unknown;
}

/** Why the request failed before or outside the model. */
export interface RouterErrorResponse {
  /**
   * The bucket of the error, the same as in `X-Service-Error-Type`. Take a name that you do not know
   * for `internal_error`.
   * @example "invalid_input"
   */
  error_type: 'invalid_input' | 'content_policy_violation' | 'provider_error' | 'provider_timeout' | 'insufficient_credits' | 'model_not_found' | 'unauthorized' | 'forbidden' | 'concurrency_limit_exceeded' | 'client_disconnected' | 'internal_error' | 'deadline_exceeded' | 'not_enabled' | 'service_unavailable' | 'rate_limited' | (string & {});
  /**
   * For people. Offers a few similar names where a model is unknown, and tells the bounds of a 429
   * apart.
   */
  detail?: string;
  [key: string]: unknown;
}

/** Why the model refused its input. */
export interface RouterValidationErrorResponse {
  /** One entry for every field that is at fault. */
  detail: RouterValidationErrorDetail[];
}

/** What is wrong with one field. */
export interface RouterValidationErrorDetail {
  /** The way to the field from the outside in. A number is a position in an array. */
  loc: unknown[];
  /** What is wrong, for people. */
  msg: string;
  /**
   * What is wrong, in the partner's own term. There are some dozens of them, and partners add to
   * them.
   * @example "missing"
   */
  type: string;
  /** The bound that was violated, in the partner's terms. Left out where there is none. */
  ctx?: {
    [key: string]: unknown;
  };
  /** The value at fault, of any type. Left out where the partner does not repeat it. */
  input?: unknown;
}

/** What `listModels` takes. */
export type ListModelsParameters = {
  /** The `next_cursor` of the page before, as it came. Left out for the first page. */
  cursor?: RouterPageCursor | undefined;
  /**
   * How many entries a page should hold at most. What was really served stands in the answer: more
   * than the maximum is cut down to it, zero and less select the default.
   * At most 100.
   * @default 20
   */
  limit?: number | undefined;
};

/** What `listModels` is answered with, by status. */
export interface ListModelsResponses {
  /** One page of the catalogue. */
  200: RouterModelListResponse;
  /** No model got to see the request; here its cursor was at fault. */
  400: RouterErrorResponse;
  /** The request carried no credential that could be used. */
  401: RouterErrorResponse;
  /** The credential is good, but gives no access here. */
  403: RouterErrorResponse;
  /** The router cannot serve the request at present. */
  503: RouterErrorResponse;
}

/** The headers that answers to `listModels` are known to have, by status. */
export interface ListModelsHeaders {
  200: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
  };
  400: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  401: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  403: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  503: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
}

/** What `getModel` takes. */
export type GetModelParameters = {
  /** Who offers the model. */
  provider: RouterProviderSegment;
  /** The model, among those of its provider. */
  model: RouterModelSegment;
};

/** What `getModel` is answered with, by status. */
export interface GetModelResponses {
  /** The model. */
  200: RouterModelDetail;
  /** The credential is good, but gives no access here. */
  403: RouterErrorResponse;
  /** The request failed before a model ran, for example because there is no such model. */
  404: RouterErrorResponse;
  /** The router cannot serve the request at present. */
  503: RouterErrorResponse;
}

/** The headers that answers to `getModel` are known to have, by status. */
export interface GetModelHeaders {
  200: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
  };
  403: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  404: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  503: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
}

/** What `runModel` sends. */
export type RunModelBody = RouterModelInput;

/** What `runModel` takes. */
export type RunModelParameters = {
  /** Who offers the model. */
  provider: RouterProviderSegment;
  /** The model, among those of its provider. */
  model: RouterModelSegment;
  /** The input of the model, as its partner defines it. */
  body: RunModelBody;
};

/** What `runModel` is answered with, by status. */
export interface RunModelResponses {
  /** The output of the model, as its partner returned it. */
  200: RouterModelOutput;
  /** The credential is good, but gives no access here. */
  403: RouterErrorResponse;
  /** The request failed before a model ran, for example because there is no such model. */
  404: RouterErrorResponse;
  /**
   * The model received the input and refused it. The body says field by field why; only the header
   * names a bucket.
   */
  422: RouterValidationErrorResponse;
  /**
   * The caller has as much under way as it may have, in calls or in money. Nothing was run; wait
   * until something of it has ended. `detail` tells calls from money.
   */
  429: RouterErrorResponse;
  /** The router cannot serve the request at present. */
  503: RouterErrorResponse;
  /**
   * No result in time. Either the router would wait no longer, which costs nothing, or the partner
   * stayed silent past its own deadline, which is billed: the bucket tells which.
   */
  504: RouterErrorResponse;
}

/** The headers that answers to `runModel` are known to have, by status. */
export interface RunModelHeaders {
  200: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  403: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  404: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  409: {
    /** Not declared. There where the call with this key still runs. */
    'Retry-After': string | null;
    /** The bucket of the error. */
    'X-Service-Error-Type': string | null;
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string | null;
  };
  422: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error; the body does not repeat it. */
    'X-Service-Error-Type': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  429: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /** Most that the calls in flight may cost together, in US cents. Only when this bound was hit. */
    'X-Committed-Spend-Limit': string | null;
    /** What the calls in flight are committed to, in US cents. Only when this bound was hit. */
    'X-Committed-Spend-Current': string | null;
    /** What is left of the bound, in US cents. Only when this bound was hit. */
    'X-Committed-Spend-Remaining': string | null;
  };
  503: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  504: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /** Not declared. There where a further call with the same key collects the result. */
    'Retry-After': string | null;
  };
}

/** What `getModelInputSchema` takes. */
export type GetModelInputSchemaParameters = {
  /** Who offers the model. */
  provider: RouterProviderSegment;
  /** The model, among those of its provider. */
  model: RouterModelSegment;
  /**
   * Entity tags of earlier answers, or `*`. When one of them is current, compared weakly, the answer
   * is a 304.
   * Sent as the header parameter `If-None-Match`.
   */
  ifNoneMatch?: string | undefined;
};

/** What `getModelInputSchema` is answered with, by status. */
export interface GetModelInputSchemaResponses {
  /** The current document. */
  200: RouterModelInputSchemaDocument;
  /** The document that the caller holds is current. There is no body. */
  304: undefined;
  /** The request carried no credential that could be used. */
  401: RouterErrorResponse;
  /** The credential is good, but gives no access here. */
  403: RouterErrorResponse;
  /** The request failed before a model ran, for example because there is no such model. */
  404: RouterErrorResponse;
  /** The router failed. */
  500: RouterErrorResponse;
  /** The router cannot serve the request at present. */
  503: RouterErrorResponse;
}

/** The headers that answers to `getModelInputSchema` are known to have, by status. */
export interface GetModelInputSchemaHeaders {
  200: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** Names the state of the document, for `If-None-Match`. */
    ETag: string;
    /** How long, and by whom, the document may be kept. */
    'Cache-Control': string;
  };
  304: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** Names the state of the document, for `If-None-Match`. */
    ETag: string;
    /** How long, and by whom, the document may be kept. */
    'Cache-Control': string;
  };
  401: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  403: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  404: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  500: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  503: {
    /** Names this answer when you ask about it. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
}

