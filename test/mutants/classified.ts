import { nameOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';

/** Why a mutation that survives is no hole of the suite. */
export interface Reason {
  /** `equal`: no request can tell; `open`: the contract leaves what changed open. */
  readonly is: 'equal' | 'open';
  readonly because: string;
}

/** By the beginning of the name of a mutation. */
export const classified: readonly (Reason & { readonly mutation: string })[] = [
  {
    mutation: 'keys.ts: answer.generation !== undefined',
    is: 'equal',
    because: 'the model whose work goes on is not among the fixtures of this run',
  },
  {
    mutation: "run.ts: call.gone.addEventListener('abort'",
    is: 'equal',
    because: 'a run that is broken off releases its key as well',
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
    mutation: 'job-graph.ts: stepMs: ',
    is: 'equal',
    because: 'how long a step takes is the matter of this server',
  },
  {
    mutation: 'job-graph.ts: needs: []',
    is: 'equal',
    because: 'in graphs that only this server knows; elsewhere it is noticed',
  },
  {
    mutation: 'server.ts: size <= largestBody',
    is: 'open',
    because: 'no document states which body is too large',
  },
  { mutation: 'server.ts: count +=', is: 'equal', because: 'the ids of requests differ as before' },
  {
    mutation: 'server.ts: reply.status === 304',
    is: 'open',
    because: 'no document states how bodies are framed, and a 304 has none as before',
  },
  { mutation: 'server.ts: windowMs', is: 'equal', because: 'only a known fault waits for it' },
  {
    mutation: 'server.ts: staticToken',
    is: 'equal',
    because: 'no server of this area has a static token',
  },
  {
    mutation: 'server.ts: requireHostHeader',
    is: 'open',
    because: 'no document states what a request without a host gets',
  },
  {
    mutation: 'server.ts: collects = false',
    is: 'open',
    because:
      'document 1, POST /v1/models/{provider}/{model}, row 504: whether a run goes on behind it is the choice of a server',
  },
  { mutation: 'server.ts: mark < 0', is: 'equal', because: 'what is asked for begins with a slash' },
  { mutation: 'server.ts: jitterMs > 0', is: 'equal', because: 'to wait for no time is not to wait' },
  {
    mutation: 'server.ts: deadlineMs = 1400',
    is: 'equal',
    because: 'its starter says which deadline it has',
  },
  {
    mutation: 'server.ts: ...(staticToken',
    is: 'equal',
    because: 'no server of this area has a static token',
  },
  { mutation: 'server.ts: request.method ??', is: 'equal', because: 'a request that was read has a method' },
  { mutation: 'server.ts: url → nothing', is: 'equal', because: 'the fixtures say the address too' },
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
    mutation: 'registry.ts: body: Buffer.alloc(0)',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: /^\\/publishers',
    is: 'open',
    because: 'which paths beside the listed one a server answers is not stated',
  },
  {
    mutation: "registry.ts: refusal(403, 'SHUT_OUT'",
    is: 'open',
    because: 'document 2, Authentication, does not say how a credential without access is refused',
  },
  {
    mutation: 'registry.ts: account?.hasAccess === false',
    is: 'open',
    because: 'document 2, Authentication, does not say how a credential without access is refused',
  },
  {
    mutation: 'registry.ts: retry: false',
    is: 'open',
    because: 'document 2, ErrorResponse, does not say that an error has no further members',
  },
  {
    mutation: 'registry.ts: call.path.startsWith',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: call.method !== ',
    is: 'open',
    because: 'other methods are not part of document 2',
  },
  {
    mutation: "registry.ts: refusal(403, 'NOT_YOURS', 'Not your publisher.') → refusal(403, ''",
    is: 'open',
    because: 'document 2, ErrorResponse: `error` is a string; its values are not shown',
  },
  {
    mutation: "registry.ts: refusal(400, 'TAKEN', 'This version is published.') → refusal(401",
    is: 'open',
    because: 'document 2, Limits, item 2, does not say with which status a version that is taken is refused',
  },
  {
    mutation: "proxy.ts: refusal(404, 'nowhere'",
    is: 'open',
    because:
      'document 2, POST /proxy/…/creative: other proxy routes and the statuses of errors are not shown',
  },
  {
    mutation: "proxy.ts: refusal(405, 'not so'",
    is: 'open',
    because: 'other methods are not part of document 2',
  },
  {
    mutation: 'proxy.ts: !account.hasAccess',
    is: 'open',
    because: 'document 2, Authentication, does not say which credentials lack access to a partner',
  },
  { mutation: 'registry.ts: refusal(405', is: 'open', because: 'other methods are not part of document 2' },
  {
    mutation: "registry.ts: refusal(409, 'THERE'",
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: call.query.get',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: uploaded.',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: sign',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation:
      "registry.ts: refusal(400, 'BAD_BODY', 'A node, a node_version and a personal_access_token are needed.') → refusal(400, ''",
    is: 'open',
    because: 'document 2, ErrorResponse: `error` is a string; its values are not shown',
  },
  {
    mutation: 'registry.ts: new Date(now()).toISOString()',
    is: 'equal',
    because: 'the same time in another spelling of RFC 3339',
  },
  {
    mutation: "proxy.ts: status: 'IN_THE_DARKROOM'",
    is: 'open',
    because: 'document 2: allowed values of data.status are not shown',
  },
  {
    mutation: "proxy.ts: value !== '' && base64",
    is: 'open',
    because: 'document 2 does not say whether an empty text is an image',
  },
  { mutation: 'proxy.ts: value?.startsWith', is: 'equal', because: 'only a known fault runs it' },
  { mutation: "proxy.ts: name === 'x-api-key'", is: 'equal', because: 'only a known fault runs it' },
  {
    mutation: "proxy.ts: refusal(403, 'shut out'",
    is: 'open',
    because: 'document 2: the values of `error` are not shown',
  },
  {
    mutation: 'job-view.ts: job.startedAt === null ? null : (job',
    is: 'open',
    because: 'document 3, Job: metrics are nullable, and their inner structure is not shown',
  },
  {
    mutation: "job-view.ts: job.status === 'queued'",
    is: 'open',
    because: 'document 3, Job: queue_position is an integer or null; when it is which is not stated',
  },
  {
    mutation: "job-store.ts: other.status === 'queued'",
    is: 'open',
    because: 'document 3, Job: what queue_position counts is not stated',
  },
  {
    mutation: 'job-graph.ts: steps: 1',
    is: 'equal',
    because: 'how many steps a graph has is the matter of this server',
  },
  {
    mutation: "job-graph.ts: names.has('crowd')",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: "job-graph.ts: names.has('fog')",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: 'job-events.ts: JSON.stringify',
    is: 'equal',
    because: 'the same JSON with another indentation',
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
    mutation: 'rejections.ts: unit: null',
    is: 'open',
    because:
      'document 1, RouterValidationErrorResponse, RouterValidationErrorDetail: the keys of ctx depend on the provider',
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
    mutation: 'jobs.ts: details === undefined ? {} : { details } → false',
    is: 'equal',
    because: 'a member that is undefined is left out of JSON',
  },
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
    mutation: 'run.ts: counts.get(model.id) ?? 0',
    is: 'equal',
    because: 'only tests of this server ask for the count',
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
    mutation: "keys.ts: verdict: 'run'",
    is: 'equal',
    because: 'whoever is not answered runs',
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
    mutation: "run.ts: model.id.split('/')[0] ?? ''",
    is: 'equal',
    because: 'an id always has two parts',
  },
  {
    mutation: 'cursors.ts: lifetimeMs',
    is: 'open',
    because: 'document 1, Identifier schemas, rule 5: how long a cursor lives is not stated',
  },
  {
    mutation: "router.ts: failure(404, 'not_enabled', 'There is nothing here.')",
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: 'job-view.ts: job.log.length > 0',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: "job-view.ts: place === 'read' → ",
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'job-store.ts: other.createdAt <',
    is: 'open',
    because: 'document 3, Job: what queue_position counts is not stated',
  },
  {
    mutation: "jobs.ts: refusal(400, 'extra_data_unknown', 'extra_data is no object.')",
    is: 'open',
    because: 'document 3, Errors, item 3: codes and statuses are not shown',
  },
  {
    mutation: "jobs.ts: refusal(502, 'upstream_silent'",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: "job-graph.ts: ends: 'well'",
    is: 'equal',
    because: 'what is not badly ends well',
  },
  {
    mutation: 'jobs.ts: call.path !== root && !call.path.startsWith',
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: 'jobs.ts: key !== undefined → false',
    is: 'equal',
    because: 'in the refusal of a full queue, which no fixture of this server meets; elsewhere it is noticed',
  },
  {
    mutation: 'job-view.ts: metrics: {',
    is: 'open',
    because: 'document 3, Job: metrics are not required',
  },
  {
    mutation: 'jobs.ts: hasLogs: surface',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'job-store.ts: part: index',
    is: 'open',
    because: 'document 3: the inner structure of outputs items is not shown',
  },
  {
    mutation: "job-graph.ts: ['asset']",
    is: 'open',
    because: 'document 3, Errors, item 3: which code refuses an asset is not shown, and it is refused',
  },
  {
    mutation: 'job-graph.ts: upstream: names.has',
    is: 'equal',
    because: 'graphs that only this server knows, and no fixture names',
  },
  {
    mutation: 'jobs.ts: cents: 0',
    is: 'equal',
    because: 'jobs have no bound of spend',
  },
  {
    mutation: "job-view.ts: place === 'read' || (place",
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: "job-graph.ts: 'crowd' →",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: 'job-graph.ts: nodes.length === 0 ||',
    is: 'open',
    because: 'document 3, POST /api/v2/jobs: whether a graph without nodes is one is not stated',
  },
  {
    mutation: 'job-store.ts: 72 * 3_600_000',
    is: 'open',
    because: 'document 3, Limits, item 3: the retention is not shown',
  },
  {
    mutation: 'job-view.ts: terminal.has(job.status) && job.log.length > 0 ?',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'jobs.ts: job === undefined || !isOwn || rest',
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: 'job-graph.ts: previews: false',
    is: 'equal',
    because: 'which node makes previews is the matter of this server',
  },
  {
    mutation: "catalogue.ts: provider = '' → provider = 'x'",
    is: 'equal',
    because: 'an id always has two parts',
  },
  {
    mutation: 'cursors.ts: bytes.length <= 12',
    is: 'equal',
    because: 'what is as short fails its authentication tag',
  },
  {
    mutation: 'keys.ts: /("(?:[^"',
    is: 'equal',
    because: 'the same blanks are taken out',
  },
  {
    mutation: "router.ts: root !== '' || version !== 'v1' → false",
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: "models.ts: $ref: '#/components/schemas/Layer' → nothing",
    is: 'equal',
    because: 'the document and the validation change alike',
  },
  {
    mutation: 'catalogue.ts: text === null ||',
    is: 'equal',
    because: 'the text null is no number either',
  },
  {
    mutation: 'rejections.ts: le: 50 → nothing',
    is: 'open',
    because:
      'document 1, RouterValidationErrorResponse, RouterValidationErrorDetail: the keys of ctx depend on the provider',
  },
  {
    mutation: 'catalogue.ts: models.filter((model) => entryOf(model).provider',
    is: 'open',
    because: 'document 1, RouterErrorResponse, row detail: which models are suggested is not stated',
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
    mutation: 'registry.ts: status: 204',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation:
      "registry.ts: !isObject(node) || !isObject(given) || typeof token !== 'string' → !isObject(node) || !isObject(given)",
    is: 'open',
    because:
      'a missing token is refused anyway; in which order a body is checked, and so with which status, is not stated',
  },
  {
    mutation: 'registry.ts: node_id: nodeId → nothing',
    is: 'open',
    because: 'document 2, NodeVersion: no member is required',
  },
  {
    mutation: "registry.ts: given['version'] ?? ''",
    is: 'equal',
    because: 'neither is a semantic version',
  },
  {
    mutation: 'job-view.ts: look: path',
    is: 'open',
    because: 'document 3: the inner structure of urls is not shown',
  },
  {
    mutation: 'job-graph.ts: !isObject(node) → false',
    is: 'open',
    because: 'document 3, Error body: which reason a node gets is not stated',
  },
  {
    mutation: "job-view.ts: printed: '' → nothing",
    is: 'equal',
    because: 'only a known fault runs it',
  },
];

export function whyNotCounted(mutation: Mutation): Reason | undefined {
  const name = nameOf(mutation);
  return classified.find((one) => name.startsWith(one.mutation));
}
