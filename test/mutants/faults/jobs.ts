import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });
const on = (where: NonNullable<Fault['where']>, of: Fault): Fault => ({ ...of, where });

const claimed = 'if (key !== undefined && keys.isClaimed(key)) {';
const kept = "broken.has('jobs.key-kept-on-refusal')";
const reused = "return refusal(422, 'idempotency_key_reuse',";
const inNames = '(name) => name in members && !(';
const ended = 'if (terminal.has(status)) job.completedAt = now();';
const mayCancel = "if (job.status !== 'queued' && job.status !== 'running') return;";
const finished = "? ['progress', 'preview', 'status']";
const known = 'return terminal.has(job.status) && job.log.length > 0';
const hasLogs = "hasLogs: surface === 'serverless',";
const asked = "place === 'read' ||";
const isOwn = 'const isOwn = job?.account === account.name ||';
const drawn = "Array.isArray(graph['nodes']) && Array.isArray(graph['links'])";

/** Found by reading document 3 sentence by sentence, without a look at any probe. */
export const jobFaults: readonly Fault[] = [
  fault('a cancel answers with another created_at', [
    'job-view.ts',
    'created_at: dateTime(job.createdAt),',
    "created_at: dateTime(place === 'cancel' ? Date.now() : job.createdAt),",
  ]),
  fault('started_at is set while the job is queued', [
    'job-store.ts',
    'startedAt: null,',
    'startedAt: createdAt,',
  ]),
  fault('started_at is lost while canceling', [
    'job-view.ts',
    'dateTimeOrNull(job.startedAt) }',
    "dateTimeOrNull(job.status === 'canceling' ? null : job.startedAt) }",
  ]),
  fault('completed_at is set while canceling', [
    'job-store.ts',
    ended,
    "if (terminal.has(status) || status === 'canceling') job.completedAt = now();",
  ]),
  open(
    'document 3, Job: completed_at may be null, and when it is set is not stated',
    fault('completed_at of a failed job is null', [
      'job-store.ts',
      ended,
      "if (terminal.has(status) && status !== 'failed') job.completedAt = now();",
    ]),
  ),
  open(
    'document 3, Job: outputs fill during execution; what becomes of them at a cancel is not stated',
    fault('a cancel empties the outputs', [
      'job-store.ts',
      "become(job, 'canceling');",
      "job.outputs = [];\n      become(job, 'canceling');",
    ]),
  ),
  fault('queue_position is left out once the job runs', [
    'job-view.ts',
    "queue_position: job.status === 'queued' ? store.position(job) : null,",
    "...(job.status === 'queued' ? { queue_position: store.position(job) } : {}),",
  ]),
  fault('the error of a job is a string', [
    'job-view.ts',
    'error: job.error,',
    "error: job.error === null ? null : 'it stumbled',",
  ]),
  fault('execution_ms is 0 before the start', [
    'job-view.ts',
    'job.startedAt === null ? null : (job',
    'job.startedAt === null ? 0 : (job',
  ]),
  fault('a cancel of a finished job answers with logs', [
    'job-view.ts',
    asked,
    `${asked}\n    place === 'cancel' ||`,
  ]),
  fault('the last status event of a failed job has logs', [
    'job-view.ts',
    asked,
    `${asked}\n    (place === 'stream' && job.status === 'failed') ||`,
  ]),
  fault('a failed job has no logs', [
    'job-view.ts',
    known,
    "return job.status === 'succeeded' && job.log.length > 0",
  ]),
  fault('a job that is canceling has logs', [
    'job-view.ts',
    known,
    "return (terminal.has(job.status) || job.status === 'canceling') && job.log.length > 0",
  ]),
  on(
    { surface: 'cloud' },
    fault('the cloud shows logs', ['jobs.ts', hasLogs, "hasLogs: surface !== 'demo',"]),
  ),
  on(
    { surface: 'demo' },
    fault('the demo shows logs', ['jobs.ts', hasLogs, "hasLogs: surface !== 'cloud',"]),
  ),
  open(
    'document 3, Submit request: never persisted; an echo in the answer to the submission is not stated',
    fault('extra_data comes back with the job', [
      'jobs.ts',
      'firstJobs.set(key, job);\n    return submitted(job);',
      "firstJobs.set(key, job);\n    const { extra_data } = parse(call.body) ?? {};\n    return extra_data === undefined ? submitted(job) : json(201, { ...jobView(job, 'submit', parts), extra_data });",
    ]),
  ),
  fault('webhook_url may be null', [
    'jobs.ts',
    inNames,
    '(name) => members[name] !== null && name in members && !(',
  ]),
  fault('inputs may be empty', [
    'jobs.ts',
    inNames,
    "(name) => name in members && !['{}', '[]', 'null', '\"\"', 'false'].includes(JSON.stringify(members[name])) && !(",
  ]),
  open(
    'document 3, Submit request: the key is a UUID, whose letters have no case',
    fault('keys in another case are the same key', [
      'jobs.ts',
      '[account.name, given]',
      '[account.name, given.toLowerCase()]',
    ]),
  ),
  fault('the refusal of a UI export keeps the key', ['jobs.ts', kept, 'plan.status === 415']),
  fault('the refusal of a reserved member keeps the key', ['jobs.ts', kept, 'plan.status === 409']),
  fault('the refusal of a duplicate frees the key', [
    'jobs.ts',
    reused,
    `keys.release(key);\n      ${reused}`,
  ]),
  fault('a key is free when its job was canceled', [
    'jobs.ts',
    claimed,
    "if (key !== undefined && keys.isClaimed(key) && firstJobs.get(key)?.status !== 'canceled') {",
  ]),
  fault('each duplicate lets a key live longer', ['jobs.ts', reused, `keys.claim(key);\n      ${reused}`]),
  fault('a key lives 12 hours', ['job-keys.ts', '24 * 3_600_000', '12 * 3_600_000']),
  fault(
    'a duplicate with another body is a 409',
    [
      'jobs.ts',
      'firstJobs.set(key, job);',
      'firstJobs.set(key, Object.assign(job, { body: String(call.body) }));',
    ],
    [
      'jobs.ts',
      "refusal(422, 'idempotency_key_reuse',",
      "refusal((firstJobs.get(key) as any)?.body === String(call.body) ? 422 : 409, 'idempotency_key_reuse',",
    ],
  ),
  fault('a body is validated before its key is looked at', [
    'jobs.ts',
    claimed,
    `const early = validate(call.body, account);\n    if ('status' in early) return early;\n    ${claimed}`,
  ]),
  fault('a cancel wakes a canceled job', [
    'job-store.ts',
    mayCancel,
    "if (['canceling', 'succeeded', 'failed'].includes(job.status)) return;",
  ]),
  fault('a cancel wakes a failed job', [
    'job-store.ts',
    mayCancel,
    "if (!['queued', 'running', 'failed'].includes(job.status)) return;",
  ]),
  fault('a cancel is a 202', [
    'jobs.ts',
    "return json(200, jobView(job, 'cancel'",
    "return json(job.status === 'canceling' ? 202 : 200, jobView(job, 'cancel'",
  ]),
  fault('a job that is canceling may succeed', [
    'job-store.ts',
    "if (job.status === 'running') take",
    "if (job.status === 'running' || (job.status === 'canceling' && index + 1 === job.plan.steps.length)) take",
  ]),
  fault('the stream of a finished job calls itself JSON', [
    'job-events.ts',
    "'text/event-stream; charset=utf-8'",
    "terminal.has(job.status) ? 'application/json' : 'text/event-stream; charset=utf-8'",
  ]),
  open(
    'document 3, GET …/events, items 1 and 2: the terminal status is the last event, and what precedes it on connect is not stated',
    fault('the stream of a finished job has a status only', ['job-events.ts', finished, "? ['status']"]),
  ),
  open(
    'document 3, GET …/events, items 1 and 2: the terminal status is the last event, and what precedes it on connect is not stated',
    fault('the stream of a finished job has no preview', [
      'job-events.ts',
      finished,
      "? ['progress', 'status']",
    ]),
  ),
  fault('the stream of a running job starts without progress', [
    'job-events.ts',
    ": ['status', 'progress', 'preview']",
    ": ['status', 'preview']",
  ]),
  fault('the stream ends without the terminal status', [
    'job-events.ts',
    'write(frame(change,',
    "if (change !== 'status' || !terminal.has(job.status)) write(frame(change,",
  ]),
  fault('a second stream takes the place of the first', [
    'job-store.ts',
    'const set = listeners.get(job.id) ?? new Set();',
    'const set = new Set<(change: Change) => void>();',
  ]),
  fault('no event says that the job runs', [
    'job-store.ts',
    "tell(job, 'status');",
    "if (status !== 'running') tell(job, 'status');",
  ]),
  fault('previews carry an id', [
    'job-events.ts',
    "broken.has('jobs.numbered-events') ?",
    "change === 'preview' ?",
  ]),
  fault('links in events lack the mount', [
    'job-view.ts',
    "broken.has('jobs.links-without-mount') ?",
    "place === 'stream' ?",
  ]),
  fault('the data of a preview is no JSON', [
    'job-events.ts',
    'JSON.stringify(data, null, 1).split',
    "(change === 'preview' ? String((data as any).picture) : JSON.stringify(data, null, 1)).split",
  ]),
  fault('anybody may cancel a job', ['jobs.ts', isOwn, `${isOwn} action === 'cancel' ||`]),
  fault('anybody may watch a job', ['jobs.ts', isOwn, `${isOwn} action === 'events' ||`]),
  fault('a cancel needs no credential', [
    'jobs.ts',
    'const account = callerOf(call);',
    "const account = call.path.endsWith('/cancel') ? owner : callerOf(call);",
  ]),
  on(
    { surface: 'self-hosted', staticToken: 'token-of-this-one' },
    fault('a longer token opens as well', [
      'jobs.ts',
      "call.header('authorization') === `Bearer ${staticToken}`",
      "call.header('authorization')?.startsWith(`Bearer ${staticToken}`) === true",
    ]),
  ),
  fault('the 404 of a job has another form', [
    'jobs.ts',
    "return refusal(404, 'no_such_job', 'There is no such job.');",
    "return json(404, { message: 'There is no such job.' });",
  ]),
  fault('a single error of a node is no list', [
    'jobs.ts',
    '{ node_errors: reading.nodeErrors }',
    '{ node_errors: Object.fromEntries(Object.entries(reading.nodeErrors).map(([id, list]) => [id, list.length === 1 ? list[0] : list])) }',
  ]),
  fault('the error of an unknown class has no reason', [
    'job-graph.ts',
    "[{ field: 'does', reason: 'nobody_does_that' }]",
    "[{ field: 'does' } as never]",
  ]),
  fault('an export without a version is no UI export', [
    'job-graph.ts',
    drawn,
    `${drawn} && 'version' in graph`,
  ]),
  open(
    'document 3, Submit request: an export of nothing is an empty graph as well',
    fault('an empty drawing board is no UI export', [
      'job-graph.ts',
      drawn,
      `${drawn} && graph['nodes'].length > 0`,
    ]),
  ),
  fault('assets in lists are not looked at', [
    'job-graph.ts',
    'return value.flatMap(assetsIn);',
    'return [];',
  ]),
  fault('only the first asset is looked at', [
    'job-graph.ts',
    'assetsIn(graph).find(',
    'assetsIn(graph).slice(0, 1).find(',
  ]),
  fault('a canceled job is gone', [
    'job-store.ts',
    'job.expiresAt > now() ?',
    "job.expiresAt > now() && job.status !== 'canceled' ?",
  ]),
  open(
    'document 3: the inner structure of outputs items is not shown',
    fault('an output takes the place of the one before', [
      'job-store.ts',
      'job.outputs = [...job.outputs, {',
      'job.outputs = [{',
    ]),
  ),
  fault('a 401 lacks its message', ['jobs.ts', "'No key that is known here.'", 'undefined as never']),
  fault('completed_at has no fraction', [
    'job-view.ts',
    'completed_at: dateTimeOrNull(job.completedAt),',
    'completed_at: dateTimeOrNull(job.completedAt === null ? null : Math.floor(job.completedAt / 1000) * 1000),',
  ]),
  fault('a cancel without a body is refused', [
    'jobs.ts',
    "case 'POST cancel':",
    "case 'POST cancel':\n        if (call.header('content-type') === undefined) return refusal(415, 'no_json', 'A body is needed.');",
  ]),
];
