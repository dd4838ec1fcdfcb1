import type { Classified } from './reason.ts';

/** Survivors in the files of the router. */
export const routerReasons: readonly Classified[] = [
  {
    mutation: 'catalogue.ts: entryOf(model).provider === id.split',
    is: 'open',
    because: 'document 1, RouterErrorResponse, row detail: which models are suggested is not stated',
  },
  {
    mutation: "catalogue.ts: id.split('/')[0] → id.split('/')[1]",
    is: 'open',
    because: 'document 1, RouterErrorResponse, row detail: which models are suggested is not stated',
  },
  {
    mutation: "catalogue.ts: provider = '' → provider = 'x'",
    is: 'equal',
    because: 'an id always has two parts',
  },
  {
    mutation: 'catalogue.ts: text === null ||',
    is: 'equal',
    because: 'the text null is no number either',
  },
  {
    mutation: 'catalogue.ts: models.filter((model) => entryOf(model).provider',
    is: 'open',
    because: 'document 1, RouterErrorResponse, row detail: which models are suggested is not stated',
  },
  {
    mutation: 'cursors.ts: lifetimeMs',
    is: 'open',
    because: 'document 1, Identifier schemas, rule 5: how long a cursor lives is not stated',
  },
  {
    mutation: 'cursors.ts: bytes.length <= 12',
    is: 'equal',
    because: 'what is as short fails its authentication tag',
  },
  {
    mutation: 'keys.ts: answer.generation !== undefined',
    is: 'equal',
    because: 'the model whose work continues is not among the fixtures of this run',
  },
  {
    mutation: "keys.ts: verdict: 'run'",
    is: 'equal',
    because: 'a call without a recorded answer runs',
  },
  {
    mutation: 'keys.ts: !isKept &&',
    is: 'equal',
    because: 'only a known fault sets it',
  },
  {
    mutation: 'keys.ts: status === 429',
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: 'keys.ts: (status >= 500 && broken',
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: "keys.ts: delivery === 'short' → true",
    is: 'equal',
    because: 'the key of a caller who has gone was released before its answer',
  },
  {
    mutation: 'keys.ts: /("(?:[^"',
    is: 'equal',
    because: 'the same blanks are taken out',
  },
  {
    mutation: 'keys.ts: Math.ceil(Date.now() / 1000) * 1000 →',
    is: 'open',
    because:
      'document 1, Idempotency key handling, row 1: how long Retry-After lets a caller wait is not stated',
  },
  {
    mutation: "keys.ts: is: 'consumed' → is: ''",
    is: 'equal',
    because:
      'in what is delivered short: an answer below the cap goes out in one piece, so that no caller can cut it',
  },
  {
    mutation: "models.ts: charges: 'no'",
    is: 'open',
    because: 'document 1, RouterModelDetail, charges_on_policy_rejection, rule 1: no closed set of values',
  },
  {
    mutation: "models.ts: 'x-service-error-type': 'queue_timeout'",
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: "models.ts: 'retry-after': '1'",
    is: 'equal',
    because: 'the model is not among the fixtures of this run',
  },
  {
    mutation: "models.ts: model('topaz/secret'",
    is: 'open',
    because: 'how a model that is not released differs from one that does not exist is not stated',
  },
  {
    mutation: 'models.ts: pictures',
    is: 'open',
    because: 'document 1, RouterModelInput and RouterModelOutput: the shape is owned by the model',
  },
  {
    mutation: 'models.ts: seed',
    is: 'open',
    because: 'document 1, RouterModelInput and RouterModelOutput: the shape is owned by the model',
  },
  { mutation: "models.ts: detail: 'oops'", is: 'equal', because: 'only a known fault runs it' },
  {
    mutation: "models.ts: failure(500, 'provider_error'",
    is: 'open',
    because: 'document 1, Errors: statuses of buckets other than those stated are not shown',
  },
  {
    mutation: 'models.ts: late * 5',
    is: 'equal',
    because: 'the model is not among the fixtures of this run',
  },
  {
    mutation: "models.ts: type: 'object' → nothing",
    is: 'equal',
    because: 'the document and the validation change alike, and a body that is no object is refused before',
  },
  {
    mutation: 'models.ts: opacity: {',
    is: 'equal',
    because: 'the document and the validation change alike',
  },
  {
    mutation: 'models.ts: length: 110',
    is: 'equal',
    because: 'how many models there are is the matter of this server',
  },
  {
    mutation: 'models.ts: signal',
    is: 'equal',
    because: 'what becomes of the call to the partner is not seen by a caller',
  },
  {
    mutation: "models.ts: $ref: '#/components/schemas/Layer' → nothing",
    is: 'equal',
    because: 'the document and the validation change alike',
  },
  {
    mutation: "rejections.ts: type: 'layer_not_see_through'",
    is: 'open',
    because: 'document 1, RouterValidationErrorResponse, table: the type of a detail is an open string',
  },
  {
    mutation: 'rejections.ts: opacityOf(layer) ?? 0',
    is: 'equal',
    because: 'one is as far within the bound as zero',
  },
  {
    mutation: "rejections.ts: typeof layer === 'object' && layer !== null → layer",
    is: 'equal',
    because: 'an item of another type does not fit the schema, and is refused before',
  },
  {
    mutation: 'rejections.ts: unit: null',
    is: 'open',
    because:
      'document 1, RouterValidationErrorResponse, RouterValidationErrorDetail: the keys of ctx depend on the provider',
  },
  {
    mutation: "rejections.ts: input['steps']",
    is: 'open',
    because: 'document 1, RouterModelInput and RouterModelOutput: what a model rejects is its own matter',
  },
  {
    mutation: "rejections.ts: typeof input['steps']",
    is: 'open',
    because: 'document 1, RouterModelInput and RouterModelOutput: what a model rejects is its own matter',
  },
  {
    mutation: 'rejections.ts: le: 50 → nothing',
    is: 'open',
    because:
      'document 1, RouterValidationErrorResponse, RouterValidationErrorDetail: the keys of ctx depend on the provider',
  },
  {
    mutation: "router.ts: failure(404, 'not_enabled', 'There is nothing here.')",
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: "router.ts: root !== '' || version !== 'v1' → false",
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: "run.ts: call.gone.addEventListener('abort'",
    is: 'equal',
    because: 'a run that is broken off releases its key as well',
  },
  {
    mutation: 'run.ts: counts.get(model.id) ?? 0',
    is: 'equal',
    because: 'only tests of this server ask for the count',
  },
  {
    mutation: "run.ts: model.id.split('/')[0] ?? ''",
    is: 'equal',
    because: 'an id always has two parts',
  },
  {
    mutation: 'schemas.ts: whole === opaque && whole === etag',
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: "schemas.ts: typeof value === 'number' && value <",
    is: 'equal',
    because: 'the type was looked at before',
  },
  {
    mutation: 'catalogue.ts: model?.released === true && !model.withdrawn → model?.released',
    is: 'open',
    because:
      'document 1, GET /v1/models, rule 1: an entry that disappeared is absent from pages; what its other routes answer is not stated',
  },
  {
    mutation: "router.ts: call.method === 'GET' ? catalogue.list(call)",
    is: 'open',
    because: 'other methods are not part of document 1',
  },
  {
    mutation: "router.ts: notAllowed('GET')",
    is: 'open',
    because: 'other methods are not part of document 1',
  },
  {
    mutation: "run.ts: failure(403, 'not_enabled'",
    is: 'open',
    because: 'document 1, Errors: statuses of buckets other than those stated are not shown',
  },
  {
    mutation: "schemas.ts: createHash('sha256').update(body).digest('hex').slice",
    is: 'equal',
    because: 'a tag of another length, and another one for each document as before',
  },
  {
    mutation: "keys.ts: delivery === 'short' → false",
    is: 'equal',
    because: 'an answer below the cap goes out in one piece, so that no caller can cut it',
  },
  {
    mutation: 'rejections.ts: le: 50 → le: 51',
    is: 'open',
    because:
      'document 1, RouterValidationErrorResponse, RouterValidationErrorDetail: the bound is that of the provider, which nobody else knows',
  },
  {
    mutation: 'keys.ts: isOwn() → true',
    is: 'equal',
    because: 'no call can take the key between the two times that one call lets go of it',
  },
  {
    mutation: 'cursors.ts: now - issuedAt > lifetimeMs && !ignoresAge → now',
    is: 'equal',
    because: 'only a known fault sets it',
  },
  {
    mutation: "router.ts: failure(403, 'not_enabled'",
    is: 'open',
    because: 'document 1, Errors: statuses of buckets other than those stated are not shown',
  },
  {
    mutation: 'bounds.ts: late ',
    is: 'equal',
    because: 'only a known fault reads it',
  },
  {
    mutation: "rejections.ts: typeof layer === 'object' && layer !== null → typeof layer === 'object' ||",
    is: 'equal',
    because: 'an item of another type does not fit the schema, and is refused before',
  },
  {
    mutation: "catalogue.ts: model = '' → model = 'x'",
    is: 'equal',
    because: 'an id always has two parts',
  },
  {
    mutation: 'keys.ts: status → nothing',
    is: 'equal',
    because: 'in the branch that only a known fault runs; elsewhere it is noticed',
  },
  {
    mutation: 'router.ts: segmentPattern.test(text) ? undefined',
    is: 'open',
    because:
      'document 1, GET …/openapi.json, last sentence: with which status a bad segment is refused is not shown; it still names no model',
  },
  {
    mutation: "schemas.ts: 'content-type': jsonType",
    is: 'open',
    because: 'document 1 does not state the media type of its answers',
  },
  {
    mutation: "run.ts: answer.headers['x-service-error-type'] ===",
    is: 'equal',
    because: 'only a known fault reads it',
  },
  {
    mutation: 'run.ts: !/^application\\/json',
    is: 'open',
    because: 'document 1, POST /v1/models/{provider}/{model}: what another media type gets is not stated',
  },
  {
    mutation: "router.ts: root !== '' || version !== 'v1'",
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: 'router.ts: refuseSegment(model, 128) →',
    is: 'open',
    because:
      'document 1, GET …/openapi.json, last sentence: with which status a bad segment is refused is not shown; it still names no model',
  },
  {
    mutation: 'rejections.ts: Number(opacityOf(layer)',
    is: 'open',
    because: 'which inputs a model refuses is the matter of the model',
  },
  {
    mutation: "models.ts: type: 'number'",
    is: 'equal',
    because: 'the document and the validation change alike',
  },
  {
    mutation: "models.ts: type: 'array'",
    is: 'equal',
    because: 'the document and the validation change alike',
  },
  {
    mutation: 'models.ts: properties: { opacity',
    is: 'equal',
    because: 'the document and the validation change alike',
  },
  {
    mutation: 'keys.ts: replayCap = ',
    is: 'equal',
    because: 'no model of this server answers with so many bytes',
  },
  {
    mutation: 'keys.ts: Math.ceil(Date.now() / 1000) * 1000 + 1000',
    is: 'open',
    because: 'document 1, Idempotency key handling: how long a caller waits is not stated',
  },
];
