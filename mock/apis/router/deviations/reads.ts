import { headerOf, withHeaders, withoutHeaders, type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { alwaysCurrent, asOneTag, neverCurrent, strongly, withoutStar } from './parts.ts';
import {
  along,
  breaks,
  isOrdinary,
  isWellFormed,
  refused,
  when,
  withJson,
} from '../../../deviations/wire.ts';

type JsonRecord = Record<string, unknown>;
type Reply = NonNullable<Deviation['onReply']>;

const detail = ['getModel'];
const schema = ['getModelInputSchema'];

/** Changes the details of all models but the magic ones, which stay as witnesses for the other rules. */
const ordinaryDetail = (change: (body: JsonRecord) => unknown): Reply =>
  when(
    (_, seen) => isOrdinary(seen),
    (answer) => onJson(answer, 200, change),
  );

const billing =
  (change: (billing: JsonRecord) => JsonRecord): ((body: JsonRecord) => unknown) =>
  (body) => ({ ...body, billing: change(body['billing'] as JsonRecord) });

/** Another address where there is one. */
const address =
  (url: string): ((body: JsonRecord) => unknown) =>
  (body) =>
    'input_schema_url' in body ? { ...body, input_schema_url: url } : body;

const details: readonly Deviation[] = [
  breaks('router.detail.ok', 'no-billing', {
    operations: detail,
    onReply: ordinaryDetail(({ billing: _, ...body }) => body),
  }),
  breaks('router.detail.identity', 'other-id', {
    operations: detail,
    onReply: ordinaryDetail((body) => ({ ...body, id: 'elsewhere/other' })),
  }),
  breaks('router.detail.billing-object', 'null', {
    operations: detail,
    onReply: ordinaryDetail((body) => ({ ...body, billing: null })),
  }),
  breaks('router.detail.policy-charge-string', 'boolean', {
    operations: detail,
    onReply: ordinaryDetail(billing((facts) => ({ ...facts, charges_on_policy_rejection: false }))),
  }),
  breaks('router.detail.no-prices', 'price-usd', {
    operations: detail,
    alsoFails: along(
      'a number under such a name is a figure in a body as well',
      'router.body.no-cost-figures',
    ),
    onReply: ordinaryDetail(billing((facts) => ({ ...facts, price_usd: 0.04 }))),
  }),
  breaks('router.detail.schema-url-https', 'http', {
    operations: detail,
    onReply: ordinaryDetail(address('http://models.example/openapi.json')),
  }),
  breaks('router.detail.schema-url-https', 'relative', {
    operations: detail,
    onReply: ordinaryDetail(address('/v1/openapi.json')),
  }),
  breaks('router.detail.schema-url-absent-not-null', 'null', {
    operations: detail,
    onReply: (answer) => onJson(answer, 200, (body) => ({ input_schema_url: null, ...body })),
  }),
  breaks('router.detail.schema-url-vs-authored', 'stand-in', {
    operations: detail,
    onReply: (answer) =>
      onJson(answer, 200, (body) => ({ input_schema_url: 'https://models.example/openapi.json', ...body })),
  }),
  breaks('router.detail.schema-url-when-authored', 'omitted', {
    operations: detail,
    alsoFails: along('there is no address to be judged', 'router.detail.schema-url-https'),
    onReply: (answer) => onJson(answer, 200, ({ input_schema_url: _, ...body }) => body),
  }),
  breaks('router.detail.404', '200', {
    operations: detail,
    alsoFails: along('there is no 404 whose bucket could be seen', 'router.detail.404-bucket'),
    onReply: when(
      (answer, seen) => answer.status === 404 && isWellFormed(seen),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.detail.404-bucket', 'bad-input', {
    operations: detail,
    onReply: when(
      (answer) => answer.status === 404,
      (answer, seen) => refused(answer, seen, 404, 'badInput'),
    ),
  }),
];

/** Changes the schema documents of all models but the magic ones. */
const ordinaryDocument = (change: (document: JsonRecord) => unknown): Reply =>
  when(
    (_, seen) => isOrdinary(seen),
    (answer) => onJson(answer, 200, change),
  );

/** The members of a schema document that say what it describes: those of the service's own. */
const extension = (document: JsonRecord, type: 'string' | 'boolean'): string =>
  Object.keys(document).find((name) => name.startsWith('x-') && typeof document[name] === type) ?? '';

/** Changes the documents that were written for their model. */
const authoredDocument = (change: (document: JsonRecord) => unknown): Reply =>
  ordinaryDocument((document) =>
    document[extension(document, 'boolean')] === true ? change(document) : document,
  );

const inBody = (document: JsonRecord, member: JsonRecord): JsonRecord => {
  const { schemas } = document['components'] as { schemas: Record<string, JsonRecord> };
  return { ...document, components: { schemas: { ...schemas, Input: { ...schemas['Input'], ...member } } } };
};

/** Changes the operations that a document describes. */
const onOperations = (document: JsonRecord, change: (operation: JsonRecord) => JsonRecord): JsonRecord => {
  const paths = Object.entries(document['paths'] as Record<string, Record<string, JsonRecord>>).map(
    ([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, change(operation)])),
    ],
  );
  return { ...document, paths: Object.fromEntries(paths) as JsonRecord };
};

const noBody = along(
  'what is not described cannot be compared with anything',
  'router.schema.fallback-permissive',
  'router.run.schema-is-enforced',
  'router.run.schema-valid-not-invalid-input',
);

const documents: readonly Deviation[] = [
  breaks('router.schema.200', 'no-cache-control', {
    operations: schema,
    onReply: when(
      (answer) => answer.status === 200,
      (answer) => withoutHeaders(answer, 'Cache-Control'),
    ),
  }),
  breaks('router.schema.is-openapi', 'bare-schema', {
    operations: schema,
    onReply: ordinaryDocument(({ openapi: _, info, paths, components, ...extensions }) => ({
      type: 'object',
      ...extensions,
    })),
  }),
  breaks('router.schema.refs-local', 'external', {
    operations: schema,
    onReply: authoredDocument((document) =>
      inBody(document, { properties: { size: { $ref: 'https://models.example/size.json' } } }),
    ),
  }),
  breaks('router.schema.refs-local', 'dangling', {
    operations: schema,
    onReply: authoredDocument((document) =>
      inBody(document, { properties: { size: { $ref: '#/components/schemas/Missing' } } }),
    ),
  }),
  breaks('router.schema.describes-body', 'no-request-body', {
    operations: schema,
    alsoFails: noBody,
    onReply: (answer) =>
      onJson(answer, 200, (document) => onOperations(document, ({ requestBody: _, ...rest }) => rest)),
  }),
  breaks('router.schema.describes-body', 'no-schema', {
    operations: schema,
    alsoFails: noBody,
    onReply: (answer) =>
      onJson(answer, 200, (document) =>
        onOperations(document, (operation) => ({
          ...operation,
          requestBody: { content: { 'application/json': {} } },
        })),
      ),
  }),
  breaks('router.schema.model-id-ext', 'provider-only', {
    operations: schema,
    onReply: ordinaryDocument((document) => {
      const name = extension(document, 'string');
      return { ...document, [name]: String(document[name]).split('/')[0] };
    }),
  }),
  breaks('router.schema.authored-bool', 'text', {
    operations: schema,
    onReply: ordinaryDocument((document) => {
      const name = extension(document, 'boolean');
      return { ...document, [name]: String(document[name]) };
    }),
  }),
  breaks('router.schema.fallback-permissive', 'requires-prompt', {
    operations: schema,
    onReply: (answer) =>
      onJson(answer, 200, (document) =>
        document[extension(document, 'boolean')] === false
          ? inBody(document, { required: ['prompt'] })
          : document,
      ),
  }),
  breaks('router.schema.etag-format', 'unquoted', {
    operations: schema,
    onReply: when(
      (answer, seen) => answer.status === 200 && isOrdinary(seen),
      (answer) => withHeaders(answer, [['ETag', 'abc123']]),
    ),
  }),
  breaks('router.schema.404', 'fallback', {
    operations: schema,
    onReply: when(
      (answer, seen) => answer.status === 404 && isWellFormed(seen),
      (answer) =>
        withJson(answer, 200, { openapi: '3.0.2', info: { title: 'any', version: '1' }, paths: {} }),
    ),
  }),
];

const conditional: readonly Deviation[] = [
  breaks('router.schema.inm-304', 'ignored', {
    operations: schema,
    alsoFails: along(
      'a header that nobody reads never leads to a 304',
      'router.schema.inm-weak',
      'router.schema.inm-list',
      'router.schema.inm-star',
      'router.schema.304-no-body',
      'router.schema.304-headers',
    ),
    replaces: { router: neverCurrent },
  }),
  breaks('router.schema.inm-weak', 'strong', { operations: schema, replaces: { router: strongly } }),
  breaks('router.schema.inm-list', 'whole-string', {
    operations: schema,
    replaces: { router: asOneTag },
  }),
  breaks('router.schema.inm-star', 'no-star', { operations: schema, replaces: { router: withoutStar } }),
  breaks('router.schema.inm-miss', 'always-matches', {
    operations: schema,
    replaces: { router: alwaysCurrent },
  }),
  breaks('router.schema.inm-list', 'two-only', {
    operations: schema,
    onReply: when(
      (answer, seen) => answer.status === 304 && conditionOf(seen).split(',').length > 2,
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.schema.inm-miss', 'beginning-matches', {
    operations: schema,
    onReply: when(
      (answer, seen) => answer.status === 200 && isBeginningOf(conditionOf(seen), headerOf(answer, 'ETag')),
      (answer) => ({ ...answer, status: 304, body: { kind: 'none' } }),
    ),
  }),
  breaks('router.schema.inm-miss', 'other-document', {
    operations: schema,
    onReply: when(
      (answer, seen) => answer.status === 200 && conditionOf(seen) !== '',
      (answer) => onJson(answer, 200, (document) => ({ ...document, 'x-again': true })),
    ),
  }),
  breaks('router.schema.404', 'star-304', {
    operations: schema,
    onReply: when(
      (answer, seen) => answer.status === 404 && conditionOf(seen) === '*',
      (answer) => ({
        ...withHeaders(answer, [
          ['ETag', '"any"'],
          ['Cache-Control', 'no-cache'],
        ]),
        status: 304,
        body: { kind: 'none' },
      }),
    ),
  }),
  breaks('router.schema.304-no-body', 'document', {
    operations: schema,
    onReply: when(
      (answer) => answer.status === 304,
      (answer) => withJson(answer, 304, { openapi: '3.0.2' }),
    ),
  }),
  breaks('router.schema.304-headers', 'no-etag', {
    operations: schema,
    onReply: when(
      (answer) => answer.status === 304,
      (answer) => withoutHeaders(answer, 'ETag'),
    ),
  }),
];

/** Paths that lead nowhere. No operation matches them, so that they are known by their form alone. */
const paths: readonly Deviation[] = [
  breaks('router.ids.variant-not-addressable', 'as-base', {
    onReply: when(
      (_, seen) => /^\/v1\/models\/[^/]+\/[^/]+\/fast$/.test(seen.request.path),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.ids.segment-revalidated', 'lower-cased', {
    onReply: when((_, seen) => /^\/v1\/models\/[^/]*[A-Z]/.test(seen.request.path), ok),
  }),
  breaks('router.ids.segment-revalidated', 'decoded', {
    onReply: when((_, seen) => /^\/v1\/models\/.*%2f/i.test(seen.request.path), ok),
  }),
  breaks('router.ids.segment-revalidated', 'unescaped', {
    onReply: when((_, seen) => /^\/v1\/models\/[a-z0-9._/-]*%[367][0-9a-f]/i.test(seen.request.path), ok),
  }),
  breaks('router.queue.not-served', '202', {
    onReply: when(
      (_, seen) => seen.request.path.startsWith('/v1/queue/'),
      (answer) => withJson(answer, 202, { id: 'job-1' }),
    ),
  }),
];

export const routerReadDeviations: readonly Deviation[] = [
  ...details,
  ...documents,
  ...conditional,
  ...paths,
];

// --- internal ---

function conditionOf({ request }: DeviationView): string {
  return request.header('if-none-match') ?? '';
}

function isBeginningOf(condition: string, tag: string | undefined): boolean {
  const [some, all] = [condition, tag ?? ''].map((text) => text.replace(/^W\//, '').slice(1, -1));
  return some !== undefined && some !== '' && all?.startsWith(some) === true && some !== all;
}

function ok(answer: Answer): Answer {
  return withJson(answer, 200, {});
}
