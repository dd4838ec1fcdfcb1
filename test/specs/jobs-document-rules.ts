import type { DocumentRule } from './document-rules.ts';
import { answersOf, operationId, operationsOf, parametersOf } from './document-walk.ts';
import { objectAt, pointer, valueAt } from './own-specs.ts';

const job = ['components', 'schemas', 'Job'];
const error = ['components', 'schemas', 'JobErrorResponse', 'properties', 'error', 'properties'];
const submission = ['components', 'schemas', 'WorkflowSubmission', 'properties'];
const submit = ['paths', '/api/v2/jobs', 'post'];
const nullable = ['started_at', 'completed_at', 'queue_position', 'progress', 'error'];

const required = [
  ...['id', 'status', 'created_at', 'started_at', 'completed_at', 'expires_at'],
  ...['queue_position', 'progress', 'outputs', 'error', 'urls'],
];

export const jobsDocumentRules: readonly DocumentRule[] = [
  {
    id: 'jobs.contract.prefix',
    check: ({ paths }) => Object.keys(objectAt(paths)).filter((path) => !path.startsWith('/api/v2/')),
    breaks: [{ path: ['paths', '/v2/jobs'], value: {} }],
  },
  {
    id: 'jobs.contract.logs-optional-not-nullable',
    check: (root) => {
      const isRequired = Object.values(objectAt(root, ...job)['required'] ?? []).includes('logs');
      return valueAt(root, ...job, 'properties', 'logs', 'type') === 'object' && !isRequired ? [] : ['logs'];
    },
    breaks: [
      { path: [...job, 'properties', 'logs', 'type'], value: ['object', 'null'] },
      { path: [...job, 'required'], value: [...required, 'logs'] },
      { path: [...job, 'properties', 'logs'], value: undefined },
    ],
  },
  {
    id: 'jobs.contract.idem-header-declared',
    check: (root) => {
      const keys = parametersOf(root).filter(
        ({ path }) => valueAt(root, ...path, 'name') === 'Idempotency-Key',
      );
      const [key] = keys;
      const onSubmit = key !== undefined && pointer(key.path).startsWith(pointer([...submit, 'parameters']));
      return keys.length === 1 && onSubmit && valueAt(root, ...key.path, 'required') !== true
        ? []
        : ['Idempotency-Key'];
    },
    breaks: [
      { path: [...submit, 'parameters', '0', 'required'], value: true },
      { path: [...submit, 'parameters', '0', 'name'], value: 'X-Request-Key' },
      {
        path: ['paths', '/api/v2/jobs/{id}/cancel', 'post', 'parameters'],
        value: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
      },
    ],
  },
  {
    id: 'jobs.job.required-fields',
    check: (root) => {
      const declared = Object.values(objectAt(root, ...job)['required'] ?? []).map(String);
      return [
        ...required.filter((name) => !declared.includes(name)),
        ...declared.filter((name) => !required.includes(name)),
      ];
    },
    breaks: [
      { path: [...job, 'required'], value: required.slice(1) },
      { path: [...job, 'required'], value: [...required, 'metrics'] },
    ],
  },
  {
    id: 'jobs.job.nullables',
    check: (root) =>
      Object.entries(objectAt(root, ...job, 'properties')).flatMap(([name, schema]) => {
        const types = valueAt(schema, 'type');
        return (Array.isArray(types) && types.includes('null')) === nullable.includes(name) ? [] : [name];
      }),
    breaks: [
      { path: [...job, 'properties', 'outputs', 'type'], value: ['array', 'null'] },
      { path: [...job, 'properties', 'metrics', 'type'], value: ['object', 'null'] },
      { path: [...job, 'properties', 'started_at', 'type'], value: 'string' },
    ],
  },
  {
    id: 'jobs.job.status-enum',
    check: (root) => {
      const states = ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'];
      return JSON.stringify(valueAt(root, ...job, 'properties', 'status', 'enum')) === JSON.stringify(states)
        ? []
        : ['status'];
    },
    breaks: [{ path: [...job, 'properties', 'status', 'enum'], value: ['queued', 'running', 'cancelled'] }],
  },
  {
    id: 'jobs.errors.codes-open',
    check: (root) => ('enum' in objectAt(root, ...error, 'code') ? ['code'] : []),
    breaks: [{ path: [...error, 'code', 'enum'], value: ['invalid_workflow'] }],
  },
  {
    // Closed by rule only: the keys are not shown.
    id: 'jobs.submit.extra-data-closed',
    check: (root) =>
      valueAt(root, ...submission, 'extra_data', 'additionalProperties') === true ? [] : ['extra_data'],
    breaks: [{ path: [...submission, 'extra_data', 'additionalProperties'], value: false }],
  },
  ...['webhook_url', 'inputs'].map((name) => ({
    id: `jobs.submit.${name.replace('_', '-')}-rejected`,
    check: (root: Parameters<DocumentRule['check']>[0]) =>
      valueAt(root, ...submission, name) === false ? [] : [name],
    breaks: [{ path: [...submission, name], value: { type: 'string' } }],
  })),
  {
    id: 'jobs.sse.content-type',
    check: (root) =>
      answersOf(root)
        .filter(({ operation, status }) => operation === 'streamJobEvents' && status.startsWith('2'))
        .flatMap(({ bodies }) => bodies.map(({ path }) => path.at(-1) ?? ''))
        .filter((type) => type !== 'text/event-stream'),
    breaks: [
      {
        path: ['paths', '/api/v2/jobs/{id}/events', 'get', 'responses', '2XX', 'content', 'application/json'],
        value: { schema: true, example: {} },
      },
    ],
  },
  {
    id: 'jobs.errors.shape',
    check: (root) =>
      operationsOf(root)
        .map(({ value }) => operationId(value))
        .filter(
          (id) => !answersOf(root).some(({ operation, status }) => operation === id && status === 'default'),
        ),
    breaks: [{ path: [...submit, 'responses', 'default'], value: undefined }],
  },
];
