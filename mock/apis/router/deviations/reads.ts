import { headerOf, type Answer } from '../../../call/answer.ts';
import { along, breaks } from '../../../deviations/breaks.ts';
import {
  asJson,
  asNothing,
  both,
  onBody,
  refusal,
  withHeader,
  withoutHeader,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import { path, sends, status, when, type Condition } from '../../../deviations/conditions.ts';
import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import { alwaysCurrent, asOneTag, neverCurrent, strongly, withoutStar } from './parts.ts';
import { isOrdinary, isWellFormed, model } from './which-model.ts';

type JsonRecord = Record<string, unknown>;

const onSchema = breaks('getModelInputSchema');

/** Changes the detail of all models except the magic ones, which remain correct for the other rules. */
const ordinary = (change: (body: JsonRecord) => unknown): AnswerChange =>
  when(isOrdinary, onBody(200, change));

const billing =
  (change: (billing: JsonRecord) => JsonRecord): ((body: JsonRecord) => unknown) =>
  (body) => ({ ...body, billing: change(body['billing'] as JsonRecord) });

/** Another address, if there is one. */
const address =
  (url: string): ((body: JsonRecord) => unknown) =>
  (body) =>
    'input_schema_url' in body ? { ...body, input_schema_url: url } : body;

const details: readonly Deviation[] = breaks('getModel')({
  'router.detail.ok~no-billing': ordinary(({ billing: _, ...body }) => body),
  'router.detail.ok~no-billing-by-token': when(
    [status(200), sends('authorization', 'Bearer eyJ')],
    onBody(200, ({ billing: _, ...body }) => body),
  ),
  'router.detail.identity~other-id': ordinary((body) => ({ ...body, id: 'elsewhere/other' })),
  'router.detail.billing-object~null': ordinary((body) => ({ ...body, billing: null })),
  'router.detail.policy-charge-string~boolean': ordinary(
    billing((facts) => ({ ...facts, charges_on_policy_rejection: false })),
  ),
  'router.detail.no-prices~price-usd': [
    ordinary(billing((facts) => ({ ...facts, price_usd: 0.04 }))),
    along('a number under such a name is a figure in a body as well', 'router.body.no-cost-figures'),
  ],
  'router.detail.schema-url-https~http': ordinary(address('http://models.example/openapi.json')),
  'router.detail.schema-url-https~relative': ordinary(address('/v1/openapi.json')),
  'router.detail.schema-url-absent-not-null~null': onBody(200, (body) => ({
    input_schema_url: null,
    ...body,
  })),
  'router.detail.schema-url-vs-authored~stand-in': onBody(200, (body) => ({
    input_schema_url: 'https://models.example/openapi.json',
    ...body,
  })),
  'router.detail.schema-url-when-authored~omitted': [
    onBody(200, ({ input_schema_url: _, ...body }) => body),
    along('there is no address to be judged', 'router.detail.schema-url-https'),
  ],
  'router.detail.404~200': when([status(404), isWellFormed], asJson(200, {})),
  'router.detail.404-bucket~bad-input': when(status(404), refusal(404, 'badInput')),
});

/** The members of a schema document that describe it: those of the service itself. */
const extension = (document: JsonRecord, type: 'string' | 'boolean'): string =>
  Object.keys(document).find((name) => name.startsWith('x-') && typeof document[name] === type) ?? '';

/** Changes the documents that were authored for their model. */
const authoredDocument = (change: (document: JsonRecord) => unknown): AnswerChange =>
  ordinary((document) => (document[extension(document, 'boolean')] === true ? change(document) : document));

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
  'an undescribed input cannot be compared',
  'router.schema.fallback-permissive',
  'router.run.schema-is-enforced',
  'router.run.schema-valid-not-invalid-input',
);

const documents: readonly Deviation[] = onSchema({
  'router.schema.200~no-cache-control': when(status(200), withoutHeader('Cache-Control')),
  'router.schema.is-openapi~bare-schema': ordinary(
    ({ openapi: _, info, paths, components, ...extensions }) => ({
      type: 'object',
      ...extensions,
    }),
  ),
  'router.schema.refs-local~external': authoredDocument((document) =>
    inBody(document, { properties: { size: { $ref: 'https://models.example/size.json' } } }),
  ),
  'router.schema.refs-local~dangling': authoredDocument((document) =>
    inBody(document, { properties: { size: { $ref: '#/components/schemas/Missing' } } }),
  ),
  'router.schema.describes-body~no-request-body': [
    onBody(200, (document) => onOperations(document, ({ requestBody: _, ...rest }) => rest)),
    noBody,
  ],
  'router.schema.describes-body~no-schema': [
    onBody(200, (document) =>
      onOperations(document, (operation) => ({
        ...operation,
        requestBody: { content: { 'application/json': {} } },
      })),
    ),
    noBody,
  ],
  'router.schema.model-id-ext~provider-only': ordinary((document) => {
    const name = extension(document, 'string');
    return { ...document, [name]: String(document[name]).split('/')[0] };
  }),
  'router.schema.authored-bool~text': ordinary((document) => {
    const name = extension(document, 'boolean');
    return { ...document, [name]: String(document[name]) };
  }),
  'router.schema.fallback-permissive~requires-prompt': onBody(200, (document) =>
    document[extension(document, 'boolean')] === false
      ? inBody(document, { required: ['prompt'] })
      : document,
  ),
  'router.schema.etag-format~unquoted': [
    when([status(200), isOrdinary], withHeader('ETag', 'abc123')),
    along(
      'nothing can be asked for by a text that has not the form of a tag',
      ...['inm-304', 'inm-weak', 'inm-list', 'inm-star', 'inm-miss', '304-no-body', '304-headers'].map(
        (name) => `router.schema.${name}`,
      ),
    ),
  ],
  'router.detail.404-bucket~of-documents': when(status(404), refusal(404, 'badInput')),
  'router.schema.404~fallback': [
    when(
      [status(404), isWellFormed],
      asJson(200, { openapi: '3.0.2', info: { title: 'any', version: '1' }, paths: {} }),
    ),
    along(
      'the document of an unknown model describes nothing',
      'router.schema.200',
      'router.schema.describes-body',
      'router.schema.model-id-ext',
      'router.schema.authored-bool',
    ),
  ],
});

const conditional: readonly Deviation[] = onSchema({
  'router.schema.inm-304~ignored': [
    { router: neverCurrent },
    along(
      'a header that is not read never leads to a 304',
      'router.schema.inm-weak',
      'router.schema.inm-list',
      'router.schema.inm-star',
      'router.schema.304-no-body',
      'router.schema.304-headers',
    ),
  ],
  'router.schema.inm-weak~strong': [
    { router: strongly },
    along('a tag that a cache has weakened names the current document', 'router.schema.inm-304'),
  ],
  'router.schema.inm-list~whole-string': [
    { router: asOneTag },
    along('the current tag beside others names the current document', 'router.schema.inm-304'),
  ],
  'router.schema.inm-star~no-star': { router: withoutStar },
  'router.schema.inm-miss~always-matches': { router: alwaysCurrent },
  'router.schema.inm-list~two-only': [
    when([status(304), condition((tags) => tags.split(',').length > 2)], asJson(200, {})),
    along(
      'an empty object is not a document',
      'router.schema.is-openapi',
      'router.schema.model-id-ext',
      'router.schema.authored-bool',
    ),
    along('the current tag beside others names the current document', 'router.schema.inm-304'),
  ],
  'router.schema.inm-miss~nothing-matches': when(
    [status(200), (_, { request }) => request.header('if-none-match') === ''],
    asNothing(304),
  ),
  'router.schema.inm-miss~placeholder-matches': when(
    [status(200), model('mock/no-schema'), condition((tags) => tags !== '')],
    asNothing(304),
  ),
  'router.schema.inm-miss~beginning-matches': when([status(200), isBeginningOfTag], asNothing(304)),
  'router.schema.inm-miss~any-case': when([status(200), isTagInOtherCase], asNothing(304)),
  'router.schema.inm-miss~other-document': when(
    [status(200), condition((tags) => tags !== '')],
    onBody(200, (document) => ({ ...document, 'x-again': true })),
  ),
  'router.schema.404~star-304': [
    when(
      [status(404), condition((tags) => tags === '*')],
      both(both(withHeader('ETag', '"any"'), withHeader('Cache-Control', 'no-cache')), asNothing(304)),
    ),
    along('a star matches no document that does not exist', 'router.schema.inm-star'),
  ],
  'router.schema.304-no-body~document': when(status(304), asJson(304, { openapi: '3.0.2' })),
  'router.schema.304-headers~no-etag': when(status(304), withoutHeader('ETag')),
});

/** Paths that do not exist. They match no operation, so they are recognised by their form. */
const paths: readonly Deviation[] = breaks()({
  'router.ids.variant-not-addressable~as-base': when(
    path(/^\/v1\/models\/[^/]+\/[^/]+\/fast$/),
    asJson(200, {}),
  ),
  'router.ids.variant-not-addressable~schema': when(
    path(/^\/v1\/models\/[^/]+\/[^/]+\/fast\/openapi\.json$/),
    asJson(200, {}),
  ),
  'router.ids.segment-revalidated~lower-cased': when(path(/^\/v1\/models\/[^/]*[A-Z]/), asJson(200, {})),
  'router.ids.segment-revalidated~decoded': when(path(/^\/v1\/models\/.*%2f/i), asJson(200, {})),
  'router.ids.segment-revalidated~separator-decoded': when(
    path(/^\/v1\/models\/[^/]*%2f[^/]*$/i),
    asJson(200, {}),
  ),
  'router.ids.segment-revalidated~unescaped': when(
    path(/^\/v1\/models\/[a-z0-9._/-]*%[367][0-9a-f]/i),
    asJson(200, {}),
  ),
  'router.ids.segment-revalidated~parameter-dropped': when(path(/;v=1/), asJson(200, {})),
  'router.ids.segment-revalidated~separators-collapsed': when(
    path(/^\/v1\/models\/(?!mock\/)[^/]+\/[^/]*--/),
    asJson(200, {}),
  ),
  'router.queue.not-served~202': when(path(/^\/v1\/queue\//), asJson(202, { id: 'job-1' })),
});

export const routerReadDeviations: readonly Deviation[] = [
  ...details,
  ...documents,
  ...conditional,
  ...paths,
];

// --- internal ---

function condition(holds: (tags: string) => boolean): Condition {
  return (_, seen) => holds(conditionOf(seen));
}

function conditionOf({ request }: DeviationView): string {
  return request.header('if-none-match') ?? '';
}

function isTagInOtherCase(answer: Answer, seen: DeviationView): boolean {
  const [some, all] = [conditionOf(seen), headerOf(answer, 'ETag') ?? ''].map((text) => text.toLowerCase());
  return some === all;
}

function isBeginningOfTag(answer: Answer, seen: DeviationView): boolean {
  const tag = headerOf(answer, 'ETag') ?? '';
  const [some, all] = [conditionOf(seen), tag].map((text) => text.replace(/^W\//, '').slice(1, -1));
  return some !== undefined && some !== '' && all?.startsWith(some) === true && some !== all;
}
