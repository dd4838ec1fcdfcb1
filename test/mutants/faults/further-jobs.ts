import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });
const on = (where: NonNullable<Fault['where']>, of: Fault): Fault => ({ ...of, where });

const submitting = 'const job = store.submit(account.name, plan);';
const state = (declared: string): Edit => [
  'jobs.ts',
  'const firstJobs = new Map<string, Job>();',
  `const firstJobs = new Map<string, Job>();\n  ${declared}`,
];
const viewed = (from: string, to: string): Edit => ['job-view.ts', from, to];
const logs = '...logsOf(job, place, parts),';
const ofOutputs = 'outputs: job.outputs,';
const ofProgress = 'progress: job.progress,';
const expires = 'expires_at: dateTime(job.expiresAt),';
const metrics = 'metrics: { execution_ms: ranMs, steps: job.log.length },';
const status = 'status: job.status,';
const numbered = "broken.has('jobs.numbered-events') ? `id:${count}\\r\\n` : ''";
const ofStatus = "if (change === 'status') return jobView(job, 'stream', parts);";
const closing = 'close();\n        end();';
const comment = "write(':a stream\\r\\n\\r\\n');";
const order = 'for (const change of order) push(change);';
const mayCancel = "if (job.status !== 'queued' && job.status !== 'running') return;";
const cancels = 'store.cancel(job);\n';
const reused = "return refusal(422, 'idempotency_key_reuse',";
const kept = "broken.has('jobs.key-kept-on-refusal')";
const invalid =
  "return refusal(400, 'invalid_workflow', 'The graph does not hold.', { node_errors: reading.nodeErrors });";
const caller = 'const account = callerOf(call);';
const notJson = "return refusal(400, 'not_json', 'The body is no JSON object.');";
const ends = 'terminal.has(job.status)';

/** Found by reading document 3 a second time, without a look at any probe: combinations, later attempts, late frames. */
export const furtherJobFaults: readonly Fault[] = [
  fault(
    'the same body without a key answers with the first job',
    state('const byBody = new Map<string, Job>();'),
    [
      'jobs.ts',
      submitting,
      'const known = key === undefined ? byBody.get(String(call.body)) : undefined;\n    if (known !== undefined) return submitted(known);\n    const job = store.submit(account.name, plan);\n    if (key === undefined) byBody.set(String(call.body), job);',
    ],
  ),
  fault(
    'two submissions at the same time get the same id',
    [
      'job-store.ts',
      'id: newUuid(),',
      'id: (createdAt - minted.at < 15 ? minted : (minted = { at: createdAt, id: newUuid() })).id,',
    ],
    ['job-store.ts', 'const queuedMs = 70;', "const queuedMs = 70;\nlet minted = { at: 0, id: '' };"],
  ),
  fault(
    'created_at of a submission has no offset',
    viewed(
      'created_at: dateTime(job.createdAt),',
      "created_at: place === 'submit' ? dateTime(job.createdAt).slice(0, 23) : dateTime(job.createdAt),",
    ),
  ),
  open(
    'document 3, Job, row expires_at: whether the deadline of retention moves is not stated',
    fault(
      'expires_at differs on the stream',
      viewed(expires, "expires_at: dateTime(job.expiresAt + (place === 'stream' ? 60_000 : 0)),"),
    ),
  ),
  fault(
    'started_at is before created_at',
    viewed(
      'started_at: dateTimeOrNull(job.startedAt) }',
      'started_at: dateTimeOrNull(job.startedAt === null ? null : job.createdAt - 1000) }',
    ),
  ),
  fault(
    'a read has less progress than the stream',
    viewed(
      ofProgress,
      "progress: place === 'read' && job.progress !== null ? { done: job.progress.done } : job.progress,",
    ),
  ),
  fault(
    'the last event has one output less than the job',
    viewed(ofOutputs, `outputs: place === 'stream' && ${ends} ? job.outputs.slice(1) : job.outputs,`),
  ),
  fault(
    'outputs are null while the job is queued',
    viewed(ofOutputs, "outputs: job.status === 'queued' ? null : job.outputs,"),
  ),
  fault(
    'the second output is a text',
    viewed(ofOutputs, "outputs: job.outputs.map((output, index) => (index === 1 ? 'part 1' : output)),"),
  ),
  fault(
    'outputs of a failed job end with a null',
    viewed(ofOutputs, "outputs: job.status === 'failed' ? [...job.outputs, null] : job.outputs,"),
  ),
  fault(
    'progress is a list while the job is queued',
    viewed(ofProgress, "progress: job.status === 'queued' ? [] : job.progress,"),
  ),
  fault(
    'progress of a canceled job is a number',
    viewed(ofProgress, "progress: job.status === 'canceled' ? 0 : job.progress,"),
  ),
  fault(
    'metrics are null while the job is queued',
    viewed(metrics, "metrics: job.status === 'queued' ? null : { execution_ms: ranMs },"),
  ),
  fault(
    'logs of a cancel are null',
    viewed(logs, "...(place === 'cancel' ? { logs: null } : logsOf(job, place, parts)),"),
  ),
  fault(
    'logs of the stream are null',
    viewed(logs, "...(place === 'stream' ? { logs: null } : logsOf(job, place, parts)),"),
  ),
  fault(
    'logs of a running job are null',
    viewed(
      logs,
      "...(place === 'read' && job.status === 'running' ? { logs: null } : logsOf(job, place, parts)),",
    ),
  ),
  on(
    { surface: 'cloud' },
    fault('logs are null on the cloud', viewed(logs, "...(place === 'read' ? { logs: null } : {}),")),
  ),
  on(
    { surface: 'self-hosted' },
    fault(
      'logs of a failed job are shown by a self-hosted instance',
      viewed(logs, "...(place === 'read' && job.status === 'failed' ? { logs: { printed: '' } } : {}),"),
    ),
  ),
  fault(
    'links of a cancel are relative to its path',
    viewed('watch: `${path}/events`', "watch: place === 'cancel' ? './events' : `${path}/events`"),
  ),
  fault(
    'links of a failed job lack the mount',
    viewed("broken.has('jobs.links-without-mount') ?", "job.status === 'failed' ?"),
  ),
  fault(
    'a read after a cancel is running once more',
    viewed(
      status,
      "status: place === 'cancel' ? (((job as any).stale = job.status === 'canceling'), job.status) : place === 'read' && (job as any).stale ? (((job as any).stale = false), 'running') : job.status,",
    ),
  ),
  fault(
    'a job has expired at its fourth read after the end',
    viewed(
      status,
      `status: place === 'read' && ${ends} && ((job as any).reads = ((job as any).reads ?? 0) + 1) > 3 ? 'expired' : job.status,`,
    ),
  ),
  fault('a cancel of a finished job moves completed_at', [
    'job-store.ts',
    mayCancel,
    `if (${ends}) job.completedAt = now() + 5;\n      ${mayCancel}`,
  ]),
  fault('a cancel of a failed job loses its error', [
    'job-store.ts',
    mayCancel,
    `if (job.status === 'failed') job.error = null;\n      ${mayCancel}`,
  ]),
  fault('a cancel of a finished job loses its outputs', [
    'job-store.ts',
    mayCancel,
    `if (${ends}) job.outputs = [];\n      ${mayCancel}`,
  ]),
  fault('a cancel claims its key', [
    'jobs.ts',
    cancels,
    "if (call.header('idempotency-key') !== undefined) keys.claim(JSON.stringify([account.name, call.header('idempotency-key')]));\n        " +
      cancels,
  ]),
  open(
    'document 3, POST …/cancel: what a server makes of a body there is not stated',
    fault('a cancel with a body is refused', [
      'jobs.ts',
      cancels,
      "if (call.body.length > 0) return refusal(400, 'no_body', 'No body.');\n        " + cancels,
    ]),
  ),
  open(
    'document 3: what a key on a cancel does is not stated',
    fault('a cancel with a key that was seen is refused', [
      'jobs.ts',
      cancels,
      "const given = call.header('idempotency-key');\n        if (given !== undefined && keys.isClaimed(JSON.stringify([account.name, given]))) return refusal(422, 'idempotency_key_reuse', 'Seen.');\n        " +
        cancels,
    ]),
  ),
  fault('the terminal event has an id', [
    'job-events.ts',
    numbered,
    `${ends} && change === 'status' ? 'id:1\\r\\n' : ''`,
  ]),
  fault('the fourth frame and later ones have an id', [
    'job-events.ts',
    numbered,
    "count > 3 ? `id:${count}\\r\\n` : ''",
  ]),
  fault('the terminal event comes twice', [
    'job-events.ts',
    closing,
    `write(frame(change, data, ''));\n        ${closing}`,
  ]),
  fault('progress follows the terminal event', [
    'job-events.ts',
    closing,
    `if (job.progress !== null) write(frame('progress', job.progress, ''));\n        ${closing}`,
  ]),
  open(
    'document 3 does not state whether a stream says when to come back',
    fault('a stream begins with a time to come back', [
      'job-events.ts',
      comment,
      "write('retry:2000\\r\\n\\r\\n');",
    ]),
  ),
  fault('the second stream of a job has no snapshot', [
    'job-events.ts',
    order,
    `(job as any).streams = ((job as any).streams ?? 0) + 1;\n      if (${ends} || (job as any).streams !== 2) ${order}`,
  ]),
  fault('the second stream of a finished job does not end', [
    'job-events.ts',
    closing,
    `(job as any).ended = ((job as any).ended ?? 0) + 1;\n        if ((job as any).ended === 2) return;\n        ${closing}`,
  ]),
  fault('a stream that joins a running job starts without its status', [
    'job-events.ts',
    order,
    "for (const change of order) if (change !== 'status' || job.status !== 'running' || job.progress === null) push(change);",
  ]),
  fault('the terminal event wraps the job', [
    'job-events.ts',
    ofStatus,
    `if (change === 'status') return ${ends} ? { job: jobView(job, 'stream', parts) } : jobView(job, 'stream', parts);`,
  ]),
  fault('later events of progress lack a member', [
    'job-events.ts',
    'return isPartial ? { done } : last;',
    'return isPartial || done > 2 ? { done } : last;',
  ]),
  fault('no event says that the job is canceling', [
    'job-store.ts',
    "tell(job, 'status');",
    "if (status !== 'canceling') tell(job, 'status');",
  ]),
  fault(
    'a second listener gets every other event',
    [
      'job-store.ts',
      'for (const listener of [...(listeners.get(job.id) ?? [])]) listener(change);',
      "[...(listeners.get(job.id) ?? [])].forEach((listener, index) => {\n      if (index === 0 || change === 'status' || (told += 1) % 2 === 0) listener(change);\n    });",
    ],
    ['job-store.ts', 'const queuedMs = 70;', 'const queuedMs = 70;\nlet told = 0;'],
  ),
  open(
    'document 3, GET …/events, item 4: a snapshot; that progress only grows is not stated',
    fault('a progress event goes back before the end', [
      'job-store.ts',
      "tell(job, 'progress');",
      "tell(job, 'progress');\n    if (index === 2) {\n      const { progress } = job;\n      job.progress = { at: step.node, done: 1, of: job.plan.steps.length };\n      tell(job, 'progress');\n      job.progress = progress;\n    }",
    ]),
  ),
  fault('the third duplicate is a 409', [
    'jobs.ts',
    reused,
    "((keys as any).seen ??= new Map()).set(key, ((keys as any).seen.get(key) ?? 0) + 1);\n      return refusal((keys as any).seen.get(key) > 2 ? 409 : 422, 'idempotency_key_reuse',",
  ]),
  fault('the third duplicate has another code', [
    'jobs.ts',
    reused,
    "((keys as any).seen ??= new Map()).set(key, ((keys as any).seen.get(key) ?? 0) + 1);\n      return refusal(422, (keys as any).seen.get(key) > 2 ? 'too_many_retries' : 'idempotency_key_reuse',",
  ]),
  fault('a duplicate cancels the first job', [
    'jobs.ts',
    reused,
    `if (firstJobs.get(key) !== undefined) store.cancel(firstJobs.get(key)!);\n      ${reused}`,
  ]),
  fault('the message of a duplicate is a list', [
    'jobs.ts',
    "'This key was seen before.'",
    "['This key was seen before.'] as never",
  ]),
  fault('a refusal of extra_data keeps the key', [
    'jobs.ts',
    kept,
    "String(plan.body).includes('extra_data_unknown')",
  ]),
  fault('a refusal of an asset keeps the key', ['jobs.ts', kept, 'plan.status === 404']),
  open(
    'document 3, Submit request: how a graph names its nodes is not shown',
    fault('node_errors has the class of a node instead of its id', [
      'jobs.ts',
      invalid,
      "return refusal(400, 'invalid_workflow', 'No.', { node_errors: Object.fromEntries(Object.entries(reading.nodeErrors).map(([id, list]) => [`${id}:class`, list])) });",
    ]),
  ),
  fault('the field of an unknown class is null', [
    'job-graph.ts',
    "[{ field: 'does', reason",
    '[{ field: null as never, reason',
  ]),
  fault('an invalid workflow has no details where a key came with it', [
    'jobs.ts',
    'return plan;\n    }\n    if (key !== undefined) keys.claim(key);',
    "return key !== undefined && String(plan.body).includes('node_errors') ? refusal(400, 'invalid_workflow', 'No.') : plan;\n    }\n    if (key !== undefined) keys.claim(key);",
  ]),
  fault(
    'assets below the fifth level are not looked at',
    [
      'job-graph.ts',
      'function assetsIn(value: unknown): readonly string[] {',
      'function assetsIn(value: unknown, depth = 0): readonly string[] {\n  if (depth > 5) return [];',
    ],
    [
      'job-graph.ts',
      'return value.flatMap(assetsIn);',
      'return value.flatMap((one) => assetsIn(one, depth + 1));',
    ],
    [
      'job-graph.ts',
      'return Object.values(value).flatMap(assetsIn);',
      'return Object.values(value).flatMap((one) => assetsIn(one, depth + 1));',
    ],
  ),
  fault('both reserved members together are taken', [
    'jobs.ts',
    'if (reserved.length > 0)',
    'if (reserved.length === 1)',
  ]),
  fault('a drawing with extra data is no UI export', [
    'jobs.ts',
    "const code = broken.has('jobs.ui-format-unnamed') ?",
    "const code = 'extra_data' in members ?",
  ]),
  fault('a body that is no JSON has an empty answer', [
    'jobs.ts',
    notJson,
    'return { status: 400, headers: {}, body: Buffer.alloc(0) };',
  ]),
  fault('the code of a body that is a list is a number', [
    'jobs.ts',
    notJson,
    "return refusal(400, (String(body).startsWith('[') ? 400 : 'not_json') as never, 'The body is no JSON object.');",
  ]),
  fault('a 403 has no code', [
    'jobs.ts',
    "refusal(403, 'shut_out', 'This key opens nothing.')",
    "refusal(403, undefined as never, 'This key opens nothing.')",
  ]),
  fault('a finished job is read without a credential', [
    'jobs.ts',
    caller,
    `const ended = store.find(call.path.split('/').at(-1) ?? '');\n    const account = ended !== undefined && ['succeeded', 'failed', 'canceled'].includes(ended.status) ? owner : callerOf(call);`,
  ]),
  fault('the stream of a finished job needs no credential', [
    'jobs.ts',
    caller,
    `const ended = call.path.endsWith('/events') ? store.find(call.path.split('/').at(-2) ?? '') : undefined;\n    const account = ended?.status === 'succeeded' ? owner : callerOf(call);`,
  ]),
  on(
    { surface: 'self-hosted', staticToken: 'token-of-this-one' },
    fault('a stream needs no static token', [
      'jobs.ts',
      "const isOpen = surface === 'demo' ||",
      "const isOpen = call.path.endsWith('/events') || surface === 'demo' ||",
    ]),
  ),
  on(
    { surface: 'demo' },
    fault('a cancel on the demo needs a credential', [
      'jobs.ts',
      "const isOpen = surface === 'demo' ||",
      "const isOpen = surface === 'demo' ? !call.path.endsWith('/cancel') || call.header('authorization') !== undefined :",
    ]),
  ),
  fault("a job that is finished is another caller's as well", [
    'jobs.ts',
    'const isOwn = job?.account === account.name ||',
    "const isOwn = job?.account === account.name || job?.status === 'succeeded' ||",
  ]),
];
