import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { operationOf } from '../wire/operation.ts';
import type { OperationOnModel } from '../wire/operation.ts';

const RULES = {
  detail: [
    'router.detail.identity',
    'router.detail.billing-object',
    'router.detail.policy-charge-string',
    'router.detail.no-prices',
    'router.detail.schema-url-absent-not-null',
    'router.detail.schema-url-https',
    'router.detail.ok',
  ],
  run: ['router.run.no-202', 'router.run.ok', 'router.run.output-object', 'router.run.single-response'],
  schema: ['router.schema.200', 'router.schema.etag-format', 'router.schema.model-id-ext'],
  unchanged: ['router.schema.304-headers', 'router.schema.304-no-body', 'router.schema.inm-miss'],
} as const;

/** RFC 9110, 8.8.3. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** What each operation promises for every success, regardless of the request. */
function* look(exchange: Exchange): Generator<Check | Observation> {
  const asked = operationOf(exchange);
  const { status } = exchange;
  if (asked === undefined) return;
  if (asked.is === 'schema' && status === 304) yield* lookAtUnchanged(exchange);
  if (status < 200 || status >= 300) return;
  if (asked.is === 'run') yield* unlessUnreadable(exchange, RULES.run, lookAtRun(exchange));
  else if (status === 200 && asked.is === 'detail')
    yield* unlessUnreadable(exchange, RULES.detail, lookAtDetail(exchange, asked));
  else if (status === 200 && asked.is === 'schema')
    yield* unlessUnreadable(exchange, RULES.schema, lookAtSchema(exchange, asked));
}

/** Document 1, RouterModelDetail and RouterModelListEntry, tables. */
function* lookAtDetail(exchange: Exchange, asked: OperationOnModel): Generator<Check> {
  const { provider, model } = asked;
  const { json } = exchange;
  const [id, ...parts] = ['id', 'provider', 'model'].map((name) => member(json, name));
  // Another rule judges whether it is a detail, if a model is known.
  if (id === undefined) return;
  const named = id === `${provider}/${model}` && parts[0] === provider && parts[1] === model;
  yield check(RULES.detail[0], exchange, named, `id ${provider}/${model}, and its parts`);
  if (!named) return;
  yield* lookAtAddress(exchange, json);
  const billing = member(json, 'billing');
  if (billing === undefined || (isObject(billing) && !('charges_on_policy_rejection' in billing))) {
    const got = billing === undefined ? 'no billing' : `billing ${sketch(billing)}`;
    yield check(RULES.detail[6], exchange, false, 'billing with its fact', got);
  }
  if (billing === undefined) return;
  yield check(
    RULES.detail[1],
    exchange,
    isObject(billing),
    'an object billing',
    `billing ${sketch(billing)}`,
  );
  if (!isObject(billing)) return;
  const charges = billing['charges_on_policy_rejection'];
  yield check(RULES.detail[2], exchange, typeof charges === 'string', 'a string', sketch(charges));
  // Document 1, RouterModelDetail, row billing: facts, not prices. Judged by names alone.
  const price = priceIn(billing);
  yield check(
    RULES.detail[3],
    exchange,
    price === undefined,
    'no price under billing',
    price ?? sketch(billing),
  );
}

/** The same table, row input_schema_url: absent, or an absolute https URI of at most 2048 characters. */
function* lookAtAddress(exchange: Exchange, detail: unknown): Generator<Check> {
  const url = member(detail, 'input_schema_url');
  const absent = url !== null && url !== '';
  const expected = 'no member input_schema_url, or an address';
  yield check(RULES.detail[4], exchange, absent, expected, sketch(url));
  if (url === undefined || !absent) return;
  const legal =
    typeof url === 'string' &&
    // RFC 3986, section 2: any other character is not allowed in a URI.
    /^https:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(url) &&
    url.length <= 2048 &&
    URL.canParse(url);
  yield check(RULES.detail[5], exchange, legal, 'an absolute https URI', sketch(url));
}

const PRICE = /price|cost|amount|currency|usd|cents/i;

function priceIn(value: unknown, path = '/billing'): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    if (PRICE.test(name)) return `${path}/${name}`;
    const inside = priceIn(item, `${path}/${name}`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Document 1, POST /v1/models/{provider}/{model}, responses, row 200, and "What the service does", no queued submission. */
function* lookAtRun(exchange: Exchange): Generator<Check> {
  const { status, json } = exchange;
  yield check(RULES.run[0], exchange, status !== 202, 'one whole answer', String(status));
  if (status !== 202) yield check(RULES.run[1], exchange, status === 200, 'status 200', String(status));
  const kind = exchange.header('Content-Type');
  // Document 1, Events: no stream, of any call.
  if (kind !== undefined && /^text\/event-stream/i.test(kind))
    yield check(RULES.run[3], exchange, false, 'one JSON body and no stream', kind);
  // Another rule judges a body that is not JSON, if the output is known.
  if (status !== 200 || json === undefined) return;
  yield check(RULES.run[2], exchange, isObject(json), 'a JSON object');
  if (kind !== undefined)
    yield check(RULES.run[2], exchange, /[/+]json\b/i.test(kind), 'a media type of JSON', kind);
}

/** Document 1, GET …/openapi.json, responses, and RouterModelInputSchemaDocument, table. */
function* lookAtSchema(exchange: Exchange, asked: OperationOnModel): Generator<Check> {
  // A body that is not an OpenAPI document violates router.schema.is-openapi.
  if (!isObject(exchange.json)) return;
  const id = member(exchange.json, 'x-service-router-model-id');
  const tag = exchange.header('ETag');
  const isCached = tag !== undefined && (exchange.header('Cache-Control') ?? '') !== '';
  yield check(RULES.schema[0], exchange, isCached, 'a document with ETag and Cache-Control');
  if (tag !== undefined)
    yield check(RULES.schema[1], exchange, ENTITY_TAG.test(tag), 'a quoted entity tag', tag);
  const expected = `${asked.provider}/${asked.model}`;
  yield check(RULES.schema[2], exchange, id === expected, expected, sketch(id));
}

/** The same place: a 304 answers a conditional request, has no body, and the headers of the 200. */
function* lookAtUnchanged(exchange: Exchange): Generator<Check> {
  const { request } = exchange;
  const lacking = ['ETag', 'Cache-Control', 'X-Service-Request-Id'].filter((name) => !exchange.header(name));
  yield check(
    RULES.unchanged[0],
    exchange,
    lacking.length === 0,
    'ETag, Cache-Control and X-Service-Request-Id',
    `304 without ${lacking.join(', ')}`,
  );
  const size = exchange.answer?.body.length ?? 0;
  yield check(RULES.unchanged[1], exchange, size === 0, 'no body', `${size} bytes`);
  const asked = request.headers.filter(([name]) => name.toLowerCase() === 'if-none-match');
  if (asked.length === 0)
    yield check(RULES.unchanged[2], exchange, false, 'the document, without If-None-Match', '304');
  const [, condition = ''] = asked[0] ?? [];
  const tag = exchange.header('ETag');
  if (asked.length !== 1 || tag === undefined || condition.trim() === '*') return;
  // RFC 9110, 13.1.2: weak comparison.
  const isAmong = tagsIn(condition).includes(tag.replace(/^W\//, ''));
  yield check(
    RULES.unchanged[2],
    exchange,
    isAmong,
    `the document, whose tag ${tag} is not asked for`,
    '304',
  );
}

/** The entity tags of a condition, without the prefix of weak ones. */
function tagsIn(condition: string): readonly string[] {
  return condition.match(/"[^"]*"/g) ?? [];
}

export const successes: Oracle = { api: 'router', judges: Object.values(RULES).flat(), look };
