import type { Json, JsonObject } from '../../contract/model.ts';
import type { DocumentRule } from './document-rules.ts';
import { answersOf, operationId, operationsOf, parametersOf, schemasOf } from './document-walk.ts';
import { isObject, objectAt, pointer, resolve, valueAt } from './own-specs.ts';

const run = ['paths', '/v1/models/{provider}/{model}', 'post'];
const schemas = ['components', 'schemas'];
const limit = ['components', 'parameters', 'Limit', 'schema'];
const charge = [
  ...schemas,
  'RouterModelDetail',
  'properties',
  'billing',
  'properties',
  'charges_on_policy_rejection',
];
const header = { description: 'x', schema: { type: 'string' }, example: 'x' };
const spend = ['X-Committed-Spend-Limit', 'X-Committed-Spend-Current', 'X-Committed-Spend-Remaining'];
const forecast = ['file_download_error', 'cancelled', 'queue_timeout'];

export const routerDocumentRules: readonly DocumentRule[] = [
  {
    id: 'router.contract.no-idem-header',
    check: (root) =>
      parametersOf(root)
        .map(({ path }) => objectAt(root, ...path))
        .filter(({ name }) => String(name).toLowerCase() === 'idempotency-key')
        .map(({ name }) => String(name)),
    breaks: [
      {
        path: [...run, 'parameters'],
        value: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
      },
      { path: [...limit.slice(0, -1), 'name'], value: 'idempotency-key' },
    ],
  },
  {
    id: 'router.contract.no-409',
    check: (root) =>
      answersOf(root).flatMap(({ status, path }) =>
        /^(409|4XX|default)$/.test(status) ? [pointer(path)] : [],
      ),
    breaks: [
      { path: [...run, 'responses', '409'], value: { $ref: '#/components/responses/InvalidInput' } },
      { path: [...run, 'responses', 'default'], value: { $ref: '#/components/responses/InternalError' } },
    ],
  },
  {
    id: 'router.contract.no-replay-headers',
    check: (root) => headersNamed(root, ['idempotent-replayed', 'retry-after']),
    breaks: [
      { path: ['components', 'responses', 'TimedOut', 'headers', 'Retry-After'], value: header },
      { path: [...run, 'responses', '200', 'headers', 'Idempotent-Replayed'], value: header },
    ],
  },
  {
    id: 'router.contract.no-credits-header',
    check: (root) => headersNamed(root, ['x-service-credits-used']),
    breaks: [{ path: [...run, 'responses', '200', 'headers', 'X-Service-Credits-Used'], value: header }],
  },
  {
    id: 'router.contract.limit-no-minimum',
    check: (root) => {
      const { type, maximum, default: fallback, ...rest } = resolve(root, valueAt(root, ...limit));
      const bounded = ['minimum', 'exclusiveMinimum', 'enum', 'const'].filter((keyword) => keyword in rest);
      return [
        ...bounded,
        ...(type === 'integer' && maximum === 100 && fallback === 20 ? [] : ['not as declared']),
      ];
    },
    breaks: [
      { path: [...limit, 'minimum'], value: 1 },
      { path: [...limit, 'exclusiveMinimum'], value: 0 },
      { path: [...limit, 'maximum'], value: undefined },
      { path: [...limit, 'default'], value: 50 },
    ],
  },
  {
    id: 'router.contract.no-forecast',
    check: (root) => [
      ...Object.keys(objectAt(root, 'paths')).filter((path) => path.includes('queue')),
      ...stringsIn(root).filter((text) => forecast.includes(text)),
    ],
    breaks: [
      { path: ['paths', '/v1/queue/models/{provider}/{model}'], value: {} },
      {
        path: [...schemas, 'RouterErrorResponse', 'properties', 'error_type', 'examples'],
        value: ['queue_timeout'],
      },
    ],
  },
  {
    id: 'router.contract.input-output-open',
    check: (root) =>
      ['RouterModelInput', 'RouterModelOutput'].filter((name) => {
        const { type, additionalProperties, description, ...narrowing } = objectAt(root, ...schemas, name);
        return (
          type !== 'object' ||
          additionalProperties === false ||
          !description ||
          Object.keys(narrowing).length > 0
        );
      }),
    breaks: [
      { path: [...schemas, 'RouterModelInput', 'additionalProperties'], value: false },
      { path: [...schemas, 'RouterModelOutput', 'required'], value: ['images'] },
      { path: [...schemas, 'RouterModelOutput', 'type'], value: 'array' },
    ],
  },
  {
    id: 'router.contract.spend-headers-on-429',
    check: (root) => {
      const capacity = answersOf(root).find(
        ({ operation, status }) => operation === 'runModel' && status === '429',
      );
      return spend.filter((name) => !capacity?.headers.some((one) => one.name === name));
    },
    breaks: spend.map((name) => ({
      path: ['components', 'responses', 'CapacityExceeded', 'headers', name],
      value: undefined,
    })),
  },
  {
    id: 'router.contract.route-prefix',
    check: (root) => Object.keys(objectAt(root, 'paths')).filter((path) => !path.startsWith('/v1/')),
    breaks: [{ path: ['paths', '/v2/models'], value: {} }],
  },
  {
    id: 'router.detail.policy-charge-open',
    check: (root) => {
      const { type, enum: closed, const: only } = objectAt(root, ...charge);
      return type === 'string' && closed === undefined && only === undefined ? [] : [pointer(charge)];
    },
    breaks: [
      { path: [...charge, 'enum'], value: ['yes', 'no', 'unknown'] },
      { path: [...charge, 'type'], value: 'boolean' },
    ],
  },
  {
    id: 'router.run.422-type-open',
    check: (root) =>
      'enum' in objectAt(root, ...schemas, 'RouterValidationErrorDetail', 'properties', 'type')
        ? ['type']
        : [],
    breaks: [
      { path: [...schemas, 'RouterValidationErrorDetail', 'properties', 'type', 'enum'], value: ['missing'] },
    ],
  },
  {
    id: 'router.errors.unknown-fallback',
    check: (root) =>
      schemasOf(root).flatMap(({ path, value }) => {
        const closed = valueAt(value, 'enum');
        return Array.isArray(closed) && closed.includes('internal_error') ? [pointer(path)] : [];
      }),
    breaks: [
      {
        path: [...schemas, 'RouterErrorResponse', 'properties', 'error_type', 'enum'],
        value: ['internal_error', 'invalid_input'],
      },
    ],
  },
  {
    id: 'router.scope.four-operations',
    check: (root) => {
      const found = operationsOf(root).map(({ value }) => operationId(value));
      const wanted = ['listModels', 'getModel', 'runModel', 'getModelInputSchema'];
      return [...found.filter((id) => !wanted.includes(id)), ...wanted.filter((id) => !found.includes(id))];
    },
    breaks: [
      { path: [...run, 'operationId'], value: 'startModel' },
      { path: ['paths', '/v1/models', 'get'], value: undefined },
    ],
  },
  {
    id: 'router.headers.request-id',
    check: (root) => answersWithout(root, 'X-Service-Request-Id', () => true),
    breaks: [
      { path: ['components', 'responses', 'TimedOut', 'headers', 'X-Service-Request-Id'], value: undefined },
      {
        path: ['paths', '/v1/models/{provider}/{model}/openapi.json', 'get', 'responses', '304', 'headers'],
        value: undefined,
      },
    ],
  },
  {
    id: 'router.headers.error-type',
    check: (root) => answersWithout(root, 'X-Service-Error-Type', (status) => /^[45]/.test(status)),
    breaks: [
      {
        path: ['components', 'responses', 'RejectedByModel', 'headers', 'X-Service-Error-Type'],
        value: undefined,
      },
    ],
  },
];

// --- internal ---

function headersNamed(root: JsonObject, names: readonly string[]): readonly string[] {
  return answersOf(root)
    .flatMap(({ headers }) => headers)
    .filter(({ name }) => names.includes(name.toLowerCase()))
    .map(({ path }) => pointer(path));
}

function answersWithout(
  root: JsonObject,
  name: string,
  where: (status: string) => boolean,
): readonly string[] {
  return answersOf(root)
    .filter(({ status, headers }) => where(status) && !headers.some((one) => one.name === name))
    .map(({ operation, status }) => `${operation} ${status}`);
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...stringsIn(inner)]) : [];
}
