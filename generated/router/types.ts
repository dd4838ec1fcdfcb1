// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

/**
 * The name of a provider. Lower-case letters and digits; single full stops, underscores and hyphens
 * between them.
 * At most 64 characters, matches `^[a-z0-9]+([._-][a-z0-9]+)*$`.
 * @example "acme"
 */
export type RouterProviderSegment = string;

/**
 * The name of a model at its provider. Lower-case letters and digits; single full stops (as in a
 * version), underscores and hyphens between them.
 * At most 128 characters, matches `^[a-z0-9]+([._-][a-z0-9]+)*$`.
 * @example "easel-2.1"
 */
export type RouterModelSegment = string;

/**
 * Provider and model, separated by one slash. Each part also has its own maximum length, which the
 * maximum length here does not express.
 * At most 193 characters, matches `^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$`.
 * @example "acme/easel-2.1"
 */
export type RouterModelId = string;

/**
 * An opaque token of the server for one walk through the pages. Send it back unchanged. Do not
 * parse, compute or store it.
 * 1 to 512 characters, matches `^[A-Za-z0-9._~+/=-]+$`.
 * @example "bmV4dC1wYWdlLTI"
 */
export type RouterPageCursor = string;

/** The identity of a model that can be run. */
export interface RouterModelListEntry {
  id: RouterModelId;
  provider: RouterProviderSegment;
  model: RouterModelSegment;
}

/** A model, with more than its identity. */
export type RouterModelDetail = RouterModelListEntry & {
  /** How the model charges. No prices. */
  billing: {
    /**
     * Whether a call that the model refuses for its content is charged: `yes`, `no`, or `unknown` if
     * that has not been found out. Treat `unknown`, and any value that you do not know, as "might be
     * charged". Compare the text: every value is truthy.
     * @example "yes"
     */
    charges_on_policy_rejection: 'yes' | 'no' | 'unknown' | (string & {});
  };
  /**
   * The address of the input schema. Left out if there is no schema for this model.
   * Format `uri`, at most 2048 characters, matches `^https://`.
   * @example "https://api.example.com/v1/models/acme/easel-2.1/openapi.json"
   */
  input_schema_url?: string;
};

/** One page of the catalogue. It has `next_cursor` if and only if another page follows. */
export type RouterModelListResponse = {
  /** The entries of this page, at most `limit`. */
  data: RouterModelListEntry[];
  /**
   * The page size that was used. Send it with the cursor.
   * From 1 to 100.
   */
  limit: number;
} & ({
  /** Another page follows, even if this one is short. */
  has_more: true;
  next_cursor: RouterPageCursor;
} | {
  /** This is the last page. */
  has_more: false;
  next_cursor?: never;
});

/** The input of a model. Its members are defined by the partner and reach the model unchanged. */
export interface RouterModelInput {
  [key: string]: unknown;
}

/** The output of a model. Its members are defined by the partner and reach the caller unchanged. */
export interface RouterModelOutput {
  [key: string]: unknown;
}

/**
 * A self-contained OpenAPI document: every reference of its request body is to one of its own
 * components.
 */
export interface RouterModelInputSchemaDocument {
  /** The version of OpenAPI of the document. */
  openapi: string;
  'x-service-router-model-id': RouterModelId;
  /**
   * True if the schema was written for this model; false if it is the fallback that allows any
   * object.
   */
  'x-service-input-schema-authored': boolean;
  [key: string]: unknown;
}

/** The reason of a failure before or outside the model. */
export interface RouterErrorResponse {
  /**
   * The bucket of the error, the same as in `X-Service-Error-Type`. Treat a name that you do not know
   * as `internal_error`.
   * @example "invalid_input"
   */
  error_type: 'invalid_input' | 'content_policy_violation' | 'provider_error' | 'provider_timeout' | 'insufficient_credits' | 'model_not_found' | 'unauthorized' | 'forbidden' | 'concurrency_limit_exceeded' | 'client_disconnected' | 'internal_error' | 'deadline_exceeded' | 'not_enabled' | 'service_unavailable' | 'rate_limited' | (string & {});
  /** The explanation in words. Lists similar names for an unknown model, and names the limit of a 429. */
  detail?: string;
  [key: string]: unknown;
}

/** The reasons why the model refused its input. */
export interface RouterValidationErrorResponse {
  /** One entry for each faulty field. */
  detail: RouterValidationErrorDetail[];
}

/** The fault of one field. */
export interface RouterValidationErrorDetail {
  /** The path to the field. A number is a position in an array. */
  loc: unknown[];
  /** The fault in words. */
  msg: string;
  /**
   * The kind of the fault, in the partner's terms. There are dozens, and partners add more.
   * @example "missing"
   */
  type: string;
  /** The limit that was violated, in the partner's terms. Left out if there is no limit. */
  ctx?: {
    [key: string]: unknown;
  };
  /** The faulty value, of any type. Left out if the partner does not repeat it. */
  input?: unknown;
}

/** What `listModels` takes. */
export type ListModelsParameters = {
  /** The `next_cursor` of the previous page, unchanged. Left out for the first page. */
  cursor?: RouterPageCursor | undefined;
  /**
   * The maximum number of entries on the page. A value above the maximum is reduced to it; zero and
   * negative values select the default. The answer contains the page size that was used.
   * At most 100.
   * @default 20
   */
  limit?: number | undefined;
};

/** What `listModels` is answered with, by status. */
export interface ListModelsResponses {
  /** One page of the catalogue. */
  200: RouterModelListResponse;
  /** The request failed before it reached a model, for example because its cursor is not valid. */
  400: RouterErrorResponse;
  /** The request has no usable credential. */
  401: RouterErrorResponse;
  /** The credential is valid, but does not give access here. */
  403: RouterErrorResponse;
  /** The router cannot serve the request now. */
  503: RouterErrorResponse;
}

/** The headers that answers to `listModels` are known to have, by status. */
export interface ListModelsHeaders {
  200: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
  };
  400: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  401: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  403: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  503: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
}

/** What `getModel` takes. */
export type GetModelParameters = {
  /** The provider of the model. */
  provider: RouterProviderSegment;
  /** The name of the model at its provider. */
  model: RouterModelSegment;
};

/** What `getModel` is answered with, by status. */
export interface GetModelResponses {
  /** The model. */
  200: RouterModelDetail;
  /** The credential is valid, but does not give access here. */
  403: RouterErrorResponse;
  /** The request failed before a model ran, for example because the model does not exist. */
  404: RouterErrorResponse;
  /** The router cannot serve the request now. */
  503: RouterErrorResponse;
}

/** The headers that answers to `getModel` are known to have, by status. */
export interface GetModelHeaders {
  200: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
  };
  403: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  404: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  503: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
}

/** What `runModel` sends. */
export type RunModelBody = RouterModelInput;

/** What `runModel` takes. */
export type RunModelParameters = {
  /** The provider of the model. */
  provider: RouterProviderSegment;
  /** The name of the model at its provider. */
  model: RouterModelSegment;
  /** The input of the model, as its partner defines it. */
  body: RunModelBody;
};

/** What `runModel` is answered with, by status. */
export interface RunModelResponses {
  /** The output of the model, as its partner returned it. */
  200: RouterModelOutput;
  /** The credential is valid, but does not give access here. */
  403: RouterErrorResponse;
  /** The request failed before a model ran, for example because the model does not exist. */
  404: RouterErrorResponse;
  /**
   * The model received the input and refused it. The body gives the reason for each field. Only the
   * header names the bucket.
   */
  422: RouterValidationErrorResponse;
  /**
   * The caller has as many calls in flight, or as much committed spend, as it may have. Nothing was
   * run. Wait until one of the calls in flight has ended. `detail` says which of the two limits was
   * reached.
   */
  429: RouterErrorResponse;
  /** The router cannot serve the request now. */
  503: RouterErrorResponse;
  /**
   * There was no result in time. The bucket names the cause: the deadline of the router, which is not
   * billed, or the partner, which did not answer before its own deadline, and which is billed.
   */
  504: RouterErrorResponse;
}

/** The headers that answers to `runModel` are known to have, by status. */
export interface RunModelHeaders {
  200: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  403: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  404: {
    /** The id of this answer. Quote it in questions to the operators. */
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
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error; the body does not repeat it. */
    'X-Service-Error-Type': string;
    /** Not declared. There where this is a recorded answer. */
    'Idempotent-Replayed': string | null;
  };
  429: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /**
     * The limit for the committed spend of the calls in flight, in US cents. Only if this limit was
     * reached.
     */
    'X-Committed-Spend-Limit': string | null;
    /** The committed spend of the calls in flight, in US cents. Only if this limit was reached. */
    'X-Committed-Spend-Current': string | null;
    /** The rest of the limit, in US cents. Only if this limit was reached. */
    'X-Committed-Spend-Remaining': string | null;
  };
  503: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  504: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
    /** Not declared. There where a further call with the same key collects the result. */
    'Retry-After': string | null;
  };
}

/** What `getModelInputSchema` takes. */
export type GetModelInputSchemaParameters = {
  /** The provider of the model. */
  provider: RouterProviderSegment;
  /** The name of the model at its provider. */
  model: RouterModelSegment;
  /**
   * Entity tags of earlier answers, or `*`. If one of them is current (weak comparison), the answer
   * is a 304.
   * Sent as the header parameter `If-None-Match`.
   */
  ifNoneMatch?: string | undefined;
};

/** What `getModelInputSchema` is answered with, by status. */
export interface GetModelInputSchemaResponses {
  /** The current document. */
  200: RouterModelInputSchemaDocument;
  /** The caller's copy of the document is current. There is no body. */
  304: undefined;
  /** The request has no usable credential. */
  401: RouterErrorResponse;
  /** The credential is valid, but does not give access here. */
  403: RouterErrorResponse;
  /** The request failed before a model ran, for example because the model does not exist. */
  404: RouterErrorResponse;
  /** The router failed. */
  500: RouterErrorResponse;
  /** The router cannot serve the request now. */
  503: RouterErrorResponse;
}

/** The headers that answers to `getModelInputSchema` are known to have, by status. */
export interface GetModelInputSchemaHeaders {
  200: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The version of the document, for `If-None-Match`. */
    ETag: string;
    /** How long the document may be cached, and by which caches. */
    'Cache-Control': string;
  };
  304: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The version of the document, for `If-None-Match`. */
    ETag: string;
    /** How long the document may be cached, and by which caches. */
    'Cache-Control': string;
  };
  401: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  403: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  404: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  500: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
  503: {
    /** The id of this answer. Quote it in questions to the operators. */
    'X-Service-Request-Id': string;
    /** The bucket of the error, the same as in the body. */
    'X-Service-Error-Type': string;
  };
}

