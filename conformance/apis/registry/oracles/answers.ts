import { check, observed, unlessUnreadable } from '../../../scenarios/check.ts';
import { isObject, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { STATUSES } from '../wire/statuses.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/** RFC 3339, section 5.6. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const STATUS_RULES = {
  node: 'registry.node.enum-status',
  version: 'registry.node-version.enum-status',
  publisher: 'registry.publisher.enum-status',
} as const;

/** Document 2, Node and NodeVersion, tables: arrays of strings. */
const LISTS = [
  'tags',
  'tags_admin',
  'preempted_service_node_names',
  'supported_accelerators',
  'supported_os',
  'dependencies',
];

/**
 * Document 2, tables of Node, NodeVersion, Publisher, PublisherMember and PublisherUser: members that are
 * strings, booleans or objects. Other rules cover statuses, times, numbers and arrays.
 */
const TYPES = {
  node: {
    string: [
      ...['id', 'name', 'description', 'author', 'banner_url', 'icon', 'category', 'license', 'repository'],
      ...['status_detail', 'supported_app_version', 'supported_app_frontend_version'],
    ],
    boolean: [],
    object: ['latest_version', 'publisher'],
  },
  version: {
    string: [
      ...['id', 'node_id', 'version', 'changelog', 'downloadUrl', 'status_reason'],
      ...['service_node_extract_status', 'supported_app_version', 'supported_app_frontend_version'],
    ],
    boolean: ['deprecated'],
    object: [],
  },
  publisher: {
    string: ['id', 'name', 'description', 'logo', 'website', 'support', 'source_code_repo'],
    boolean: [],
    object: [],
  },
  member: { string: ['id', 'role'], boolean: [], object: ['user'] },
  user: { string: ['id', 'name', 'email'], boolean: [], object: [] },
} as const;

function* look(exchange: Exchange): Generator<Check | Observation> {
  if (/\/publishers\/[^/]+\/nodes\/[^/]+\/versions$/.test(exchange.request.target))
    yield* lookAtPublication(exchange);
  else if (/\/proxy\/[^/]+\/v1\/ai\/skin-enhancer\/creative$/.test(exchange.request.target))
    yield* lookAtProxy(exchange);
}

function* lookAtPublication(exchange: Exchange): Generator<Check | Observation> {
  const { status, request } = exchange;
  // Document 2, Authentication, item 2 (inference): a secret is not repeated.
  const sent = request.body === undefined ? undefined : parseJson(new TextDecoder().decode(request.body));
  const token = member(sent, 'personal_access_token');
  if (typeof token === 'string' && token.length >= 6)
    yield* unlessUnreadable(exchange, [ECHO_RULE], lookForToken(exchange, token));
  if (status === 400 || status === 403 || status === 500) {
    // Document 2, Errors, item 1, and ErrorResponse.
    const rule = 'registry.errors.shape';
    yield* unlessUnreadable(exchange, [rule], lookAtError(exchange, rule));
  } else if (status >= 400) {
    yield observed('registry.errors.status-set', exchange, String(status));
  }
  if (status >= 200 && status < 300)
    yield* unlessUnreadable(exchange, PUBLISHED_RULES, lookAtPublished(exchange));
}

const ECHO_RULE = 'registry.publish.pat-not-echoed';

function* lookForToken(exchange: Exchange, token: string): Generator<Check> {
  const text = new TextDecoder('latin1').decode(exchange.bytes);
  const isInHeader = exchange.answer?.headers.some(([, value]) => value.includes(token)) === true;
  const got = `${exchange.status} with the token in ${isInHeader ? 'a header' : 'its body'}`;
  yield check(ECHO_RULE, exchange, !isInHeader && !text.includes(token), 'an answer without the token', got);
}

function* lookAtError(exchange: Exchange, rule: string): Generator<Check> {
  yield check(rule, exchange, isErrorBody(exchange.json), 'strings error and message');
}

const PUBLISHED_RULES = [
  'registry.node.enum-status',
  'registry.node-version.enum-status',
  'registry.publisher.enum-status',
  'registry.names.created-at-mix',
  'registry.formats.date-time',
  'registry.formats.arrays',
  'registry.formats.numbers',
  'registry.formats.types',
  'registry.publisher.id-lowercase',
  'registry.node.translations-shape',
];

function* lookAtPublished(exchange: Exchange): Generator<Check> {
  const { json } = exchange;
  yield* lookAtVersion(exchange, member(json, 'node_version'));
  yield* lookAtNode(exchange, member(json, 'node'));
  yield* lookAtPublisher(exchange, member(json, 'publisher'));
}

function* lookAtProxy(exchange: Exchange): Generator<Check | Observation> {
  const { status } = exchange;
  // Document 2, POST /proxy/{partner}/v1/ai/skin-enhancer/creative, and Errors, item 2. A gateway in front of
  // the route may answer with one of these statuses and its own body.
  if (status < 400 || [401, 404, 405, 429, 502, 503, 504].includes(status)) return;
  const rule = 'proxy.errors.shape';
  yield* unlessUnreadable(exchange, [rule], lookAtError(exchange, rule));
}

function* lookAtNode(exchange: Exchange, node: unknown): Generator<Check> {
  if (!isObject(node)) return;
  yield* lookAtTypes(exchange, 'node', node);
  yield* lookAtStatus(exchange, 'node', node);
  yield* lookAtTime(exchange, node, 'created_at', 'createdAt');
  yield* lookAtLists(exchange, node);
  // Document 2, Node, table: integers except the rating.
  for (const name of ['downloads', 'code_host_stars', 'search_ranking', 'rating']) {
    const value = node[name];
    if (value === undefined) continue;
    const fits = name === 'rating' ? typeof value === 'number' : Number.isInteger(value);
    yield check(
      'registry.formats.numbers',
      exchange,
      fits,
      name === 'rating' ? 'a number' : 'an integer',
      `${name} ${sketch(value)}`,
    );
  }
  // Document 2, Node, row translations: language keys to objects.
  const { translations } = node;
  if (translations !== undefined) {
    const fits = isObject(translations) && Object.values(translations).every(isObject);
    yield check(
      'registry.node.translations-shape',
      exchange,
      fits,
      'objects by language',
      sketch(translations),
    );
  }
  yield* lookAtVersion(exchange, node['latest_version']);
  yield* lookAtPublisher(exchange, node['publisher']);
}

function* lookAtVersion(exchange: Exchange, version: unknown): Generator<Check> {
  if (!isObject(version)) return;
  yield* lookAtTypes(exchange, 'version', version);
  yield* lookAtStatus(exchange, 'version', version);
  yield* lookAtTime(exchange, version, 'createdAt', 'created_at');
  yield* lookAtLists(exchange, version);
}

function* lookAtPublisher(exchange: Exchange, publisher: unknown): Generator<Check> {
  if (!isObject(publisher)) return;
  yield* lookAtTypes(exchange, 'publisher', publisher);
  yield* lookAtMembers(exchange, publisher['members']);
  yield* lookAtStatus(exchange, 'publisher', publisher);
  yield* lookAtTime(exchange, publisher, 'createdAt', 'created_at');
  // Document 2, Publisher, row id: lower case.
  const { id } = publisher;
  if (typeof id === 'string') {
    yield check(
      'registry.publisher.id-lowercase',
      exchange,
      id === id.toLowerCase(),
      'an id in lower case',
      sketch(id),
    );
  }
}

function* lookAtMembers(exchange: Exchange, members: unknown): Generator<Check> {
  if (members === undefined) return;
  const listed = Array.isArray(members) ? (members as readonly unknown[]) : [members];
  const fits = Array.isArray(members) && listed.every(isObject);
  yield check(TYPES_RULE, exchange, fits, 'an array of objects', `members ${shape(members)}`);
  for (const one of listed.filter(isObject)) {
    yield* lookAtTypes(exchange, 'member', one);
    if (isObject(one['user'])) yield* lookAtTypes(exchange, 'user', one['user']);
  }
}

const TYPES_RULE = 'registry.formats.types';

function shape(value: unknown): string {
  if (Array.isArray(value)) return '(array)';
  return value === null ? '(null)' : `(${typeof value})`;
}

function* lookAtTypes(exchange: Exchange, of: keyof typeof TYPES, record: JsonRecord): Generator<Check> {
  for (const type of ['string', 'boolean', 'object'] as const) {
    for (const name of TYPES[of][type]) {
      const value = record[name];
      if (value === undefined) continue;
      const fits = type === 'object' ? isObject(value) : typeof value === type;
      // Members and users are personal data, so a report shows only their type.
      const isPersonal = of === 'member' || of === 'user';
      const got = `${of} ${name} ${isPersonal ? shape(value) : sketch(value)}`;
      const what = type === 'object' ? 'an object' : `a ${type}`;
      yield check(TYPES_RULE, exchange, fits, what, got);
    }
  }
}

function* lookAtStatus(exchange: Exchange, of: keyof typeof STATUSES, record: JsonRecord): Generator<Check> {
  const { status } = record;
  if (status === undefined) return;
  const known = (STATUSES[of] as readonly unknown[]).includes(status);
  yield check(
    STATUS_RULES[of],
    exchange,
    known,
    `one of ${STATUSES[of].join(', ')}`,
    `status ${sketch(status)}`,
  );
}

/** Document 2, Node, NodeVersion and Publisher, tables: each has its own spelling of one name. */
function* lookAtTime(exchange: Exchange, record: JsonRecord, right: string, wrong: string): Generator<Check> {
  if (record[right] !== undefined || record[wrong] !== undefined) {
    const got = record[wrong] === undefined ? right : wrong;
    yield check('registry.names.created-at-mix', exchange, record[wrong] === undefined, right, got);
  }
  const value = record[right];
  if (value === undefined) return;
  const fits = typeof value === 'string' && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value));
  yield check(
    'registry.formats.date-time',
    exchange,
    fits,
    'an RFC 3339 date-time',
    `${right} ${sketch(value)}`,
  );
}

function* lookAtLists(exchange: Exchange, record: JsonRecord): Generator<Check> {
  for (const name of LISTS) {
    const value = record[name];
    if (value === undefined) continue;
    const fits = Array.isArray(value) && value.every((item) => typeof item === 'string');
    yield check('registry.formats.arrays', exchange, fits, 'an array of strings', `${name} ${sketch(value)}`);
  }
}

function isErrorBody(json: unknown): boolean {
  return typeof member(json, 'error') === 'string' && typeof member(json, 'message') === 'string';
}

export const answers: Oracle = {
  api: 'registry',
  judges: [
    ECHO_RULE,
    'registry.errors.shape',
    'registry.errors.status-set',
    ...PUBLISHED_RULES,
    'proxy.errors.shape',
  ],
  look,
};
