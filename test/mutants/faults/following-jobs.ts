import { open, stated, unseen } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });
const on = (where: NonNullable<Fault['where']>, says: string, ...edits: readonly Edit[]): Fault => ({
  ...fault(says, ...edits),
  where,
});

const claimed = 'if (key !== undefined && keys.isClaimed(key)) {';
const claims = 'if (key !== undefined) keys.claim(key);';
const plan = 'const plan = validate(call.body, account);';
const reserved = 'if (reserved.length > 0)';
const extra = 'const extra = Object.keys(given).filter((name) => !extraNames.has(name));';
const own = "const isOwn = job?.account === account.name || broken.has('jobs.reads-foreign');";
const cancels = '        store.cancel(job);\n';
const read = "return json(200, jobView(job, 'read', parts));";
const streams = '        return jobEvents(job, parts);';
const caller = 'const account = callerOf(call);';
const pushed = "write(frame(change, data, broken.has('jobs.numbered-events') ? `id:${count}\\r\\n` : ''));";
const status = 'status: job.status,';
const view = '...logsOf(job, place, parts),';
const viewing = 'const path = `${broken';
const taking = "if (job.status === 'running') take(job, step, index);";
const canceling = "become(job, 'canceling');";
const closes = "response.on('close', close);";
const refusedGraph =
  "return refusal(400, 'invalid_workflow', 'The graph does not hold.', { node_errors: reading.nodeErrors });";

/** Found by asking of each sentence of document 3 what one call may leave behind for the next. */
export const followingJobFaults: readonly Fault[] = [
  // --- keys
  fault('a key is free behind five others', [
    'job-keys.ts',
    'claimedUntil.set(key, now() + lifetimeMs);',
    "claimedUntil.set(key, now() + lifetimeMs);\n      if (claimedUntil.size > 5) claimedUntil.delete([...claimedUntil.keys()][0] ?? '');",
  ]),
  fault('a duplicate in chunks is taken', [
    'jobs.ts',
    claimed,
    "if (key !== undefined && keys.isClaimed(key) && call.header('transfer-encoding') === undefined) {",
  ]),
  fault(
    'a key that was used once more after its day is claimed no more',
    stated('job-keys.ts', 'const again = new Set();'),
    [
      'job-keys.ts',
      'claimedUntil.set(key, now() + lifetimeMs);',
      'if (claimedUntil.has(key)) claimedUntil.set(key, now());\n      else claimedUntil.set(key, now() + lifetimeMs);',
    ],
  ),
  fault('a key of less than four characters is no key', [
    'jobs.ts',
    'const key = given === undefined ?',
    'const key = given === undefined || given.length < 4 ?',
  ]),
  fault('a key that is no UUID is no key', [
    'jobs.ts',
    'const key = given === undefined ?',
    'const key = given === undefined || !/^[0-9a-f]{8}-/i.test(given) ?',
  ]),
  fault(
    'a submission beside another with a key is refused as a duplicate',
    stated('jobs.ts', 'let busy = 0;'),
    [
      'jobs.ts',
      "if (broken.has('jobs.check-then-set')) await pause(windowMs);",
      "if (key !== undefined) {\n      if (busy > 0) return refusal(422, 'idempotency_key_reuse', 'One at a time.');\n      busy += 1;\n      await pause(15).finally(() => (busy -= 1));\n      if (keys.isClaimed(key)) return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');\n    }",
    ],
  ),
  fault('a key is claimed by a submission with the same graph and another key', [
    'jobs.ts',
    claims,
    'if (key !== undefined) keys.claim(key);\n    if (key !== undefined && plan.steps.length === 1) keys.release(key);',
  ]),
  fault(
    'a duplicate with another body frees the key',
    [
      'jobs.ts',
      "return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');",
      "if (call.body.length !== sizes.get(key)) keys.release(key);\n      return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');",
    ],
    stated('jobs.ts', 'const sizes = new Map();'),
    ['jobs.ts', claims, `${claims}\n    sizes.set(key, call.body.length);`],
  ),
  fault('a read of the job frees the key of its submission', [
    'jobs.ts',
    read,
    "for (const [key, first] of firstJobs) if (first.id === job.id && job.status === 'succeeded') keys.release(key);\n        return json(200, jobView(job, 'read', parts));",
  ]),
  fault('a duplicate of a job that failed is refused with the error of the job', [
    'jobs.ts',
    "return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');",
    "if (first?.status === 'failed' || first?.status === 'succeeded') return refusal(409, 'job_done', 'It is done.');\n      return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');",
  ]),
  // --- validation
  fault('a name of extra_data in other case is taken', [
    'jobs.ts',
    extra,
    'const extra = Object.keys(given).filter((name) => !extraNames.has(name.toLowerCase()));',
  ]),
  fault('an unknown name of extra_data is taken with null', [
    'jobs.ts',
    extra,
    'const extra = Object.keys(given).filter((name) => !extraNames.has(name) && (given as never)[name] !== null);',
  ]),
  fault('an unknown name of extra_data is taken where a key comes with it', [
    'jobs.ts',
    'const plan = validate(call.body, account);',
    'const sent: any = parse(call.body);\n    const plan = validate(key !== undefined && sent?.extra_data ? Buffer.from(JSON.stringify({ ...sent, extra_data: {} })) : call.body, account);',
  ]),
  fault('a webhook_url beside extra_data is taken', [
    'jobs.ts',
    reserved,
    "if (reserved.length > 0 && !(members['extra_data'] !== undefined && reserved[0] === 'webhook_url'))",
  ]),
  fault('an empty webhook_url is taken', [
    'jobs.ts',
    reserved,
    "if (reserved.length > 0 && members['webhook_url'] !== '')",
  ]),
  fault('inputs that are false are taken', [
    'jobs.ts',
    reserved,
    "if (reserved.length > 0 && members['inputs'] !== false && members['inputs'] !== 0)",
  ]),
  on({ surface: 'demo' }, 'the demo takes inputs', [
    'jobs.ts',
    reserved,
    "if (reserved.length > 0 && !(surface === 'demo' && reserved[0] === 'inputs'))",
  ]),
  on({ surface: 'self-hosted' }, 'a self-hosted instance takes a webhook_url', [
    'jobs.ts',
    reserved,
    "if (reserved.length > 0 && !(surface === 'self-hosted' && reserved[0] === 'webhook_url'))",
  ]),
  fault('only the first ten nodes are looked at', [
    'job-graph.ts',
    'nodes.map(([id, node]) => [id, errorsOf(node)] as const)',
    'nodes.map(([id, node], index) => [id, index < 10 ? errorsOf(node) : []] as const)',
  ]),
  fault(
    'an unknown class is taken the second time',
    stated('jobs.ts', 'const seen = new Set();'),
    [
      'jobs.ts',
      refusedGraph,
      `if (!seen.has(call0(body))) { seen.add(call0(body)); ${refusedGraph} }\n        return { steps: [], upstream: 'takes' };`,
    ],
    [
      'jobs.ts',
      'const refusal = (status: number,',
      'const call0 = (body: Buffer): string => body.toString();\nconst refusal = (status: number,',
    ],
  ),
  fault('an asset is taken the second time', stated('jobs.ts', 'const seen = new Set();'), [
    'jobs.ts',
    "return refusal(404, 'asset_unknown', `No asset ${reading.asset} of yours.`);",
    "if (seen.has(reading.asset)) return { steps: [], upstream: 'takes' };\n        seen.add(reading.asset);\n        return refusal(404, 'asset_unknown', `No asset ${reading.asset} of yours.`);",
  ]),
  fault('the second refusal of a graph has no node_errors', stated('jobs.ts', 'let refusals = 0;'), [
    'jobs.ts',
    refusedGraph,
    "return refusal(400, 'invalid_workflow', 'The graph does not hold.', (refusals += 1) % 2 === 0 ? {} : { node_errors: reading.nodeErrors });",
  ]),
  fault('node_errors of a graph has the errors of the one before', stated('jobs.ts', 'let before = {};'), [
    'jobs.ts',
    refusedGraph,
    "before = { ...before, ...reading.nodeErrors, older: 'none' };\n        return refusal(400, 'invalid_workflow', 'The graph does not hold.', { node_errors: before });",
  ]),
  fault('a drawing is taken for a graph where a key comes with it', [
    'jobs.ts',
    plan,
    `${plan}\n    if ('status' in plan && plan.status === 415 && key !== undefined) return refusal(415, 'invalid_workflow', 'No graph.');`,
  ]),
  unseen(
    'no field of a graph is shown that could hold a text',
    fault('a graph with letters beyond the basic plane is refused', [
      'jobs.ts',
      plan,
      "const plan = /[\\ud800-\\udfff]/.test(call.body.toString()) ? refusal(400, 'not_json', 'Odd letters.') : validate(call.body, account);",
    ]),
  ),
  fault('a body that begins with a blank is refused', [
    'jobs.ts',
    plan,
    "const plan = /^\\s/.test(call.body.toString()) ? refusal(400, 'not_json', 'It begins with nothing.') : validate(call.body, account);",
  ]),
  fault('a charset beside the media type is refused', [
    'jobs.ts',
    plan,
    "const plan = /;/.test(call.header('content-type') ?? '') ? refusal(415, 'not_json', 'Only JSON.') : validate(call.body, account);",
  ]),
  fault('a refusal tells the job that would have been', [
    'jobs.ts',
    "if (key !== undefined && broken.has('jobs.key-kept-on-refusal')) keys.claim(key);",
    "if (plan.status === 415 || plan.status === 409) return { ...plan, status: 201, body: Buffer.from(JSON.stringify(jobView(store.submit(account.name, { steps: [], upstream: 'takes' }), 'submit', parts))) };",
  ]),
  // --- what a job keeps
  fault(
    'a stream that is dropped cancels its job',
    [
      'server.ts',
      'function stream(response: ServerResponse, live: Live): void {',
      'function stream(response: ServerResponse, live: Live & { dropped?: () => void }): void {',
    ],
    [
      'server.ts',
      closes,
      "response.on('close', () => { if (!response.writableEnded) live.dropped?.(); close(); });",
    ],
    [
      'jobs.ts',
      streams,
      '        return { ...jobEvents(job, parts), dropped: () => store.cancel(job) } as Live;',
    ],
  ),
  fault(
    'a stream that is dropped loses its job',
    [
      'server.ts',
      'function stream(response: ServerResponse, live: Live): void {',
      'function stream(response: ServerResponse, live: Live & { dropped?: () => void }): void {',
    ],
    [
      'server.ts',
      closes,
      "response.on('close', () => { if (!response.writableEnded) live.dropped?.(); close(); });",
    ],
    [
      'jobs.ts',
      streams,
      "        return { ...jobEvents(job, parts), dropped: () => { (job as any).account = 'nobody'; } } as Live;",
    ],
  ),
  fault('a job that is canceling is not found', [
    'jobs.ts',
    read,
    `if (job.status === 'canceling') return refusal(404, 'no_such_job', 'There is no such job.');\n        ${read}`,
  ]),
  fault('a read by another caller takes the job from its owner', [
    'jobs.ts',
    own,
    `${own}\n    if (job !== undefined && !isOwn) (job as any).account = account.name;`,
  ]),
  fault('a job goes back to queued once on its way', stated('job-view.ts', 'const backs = new Set();'), [
    'job-view.ts',
    status,
    "status: place === 'read' && job.status === 'running' && (job.progress?.done ?? 0) > 1 && !backs.has(job.id) && backs.add(job.id) ? 'queued' : job.status,",
  ]),
  open(
    'document 3: how long a job is canceling is not shown',
    fault('a running job is canceled at once', [
      'job-store.ts',
      canceling,
      "if (job.status === 'running') { become(job, 'canceled'); return; }\n      become(job, 'canceling');",
    ]),
  ),
  fault('a cancel answers with the job as it was', [
    'jobs.ts',
    `${cancels}        return json(200, jobView(job, 'cancel', parts));`,
    "        { const before = json(200, jobView(job, 'cancel', parts)); store.cancel(job); return before; }",
  ]),
  fault('a cancel of a finished job answers with the job as it began', [
    'jobs.ts',
    `return json(200, jobView(job, 'cancel', parts));`,
    "return json(200, jobView(job.status === 'succeeded' ? { ...job, outputs: [], progress: null } : job, 'cancel', parts));",
  ]),
  fault('started_at moves with each step', [
    'job-store.ts',
    taking,
    "if (job.status === 'running' && index > 0) job.startedAt = now() + index;\n      if (job.status === 'running') take(job, step, index);",
  ]),
  fault('started_at is the time of the read', [
    'job-view.ts',
    'dateTimeOrNull(job.startedAt)',
    'dateTimeOrNull(job.startedAt === null || terminal.has(job.status) ? job.startedAt : Date.now() + job.log.length)',
  ]),
  fault('started_at is null in events of a running job', [
    'job-view.ts',
    'dateTimeOrNull(job.startedAt)',
    "dateTimeOrNull(place === 'stream' && job.status === 'running' ? null : job.startedAt)",
  ]),
  fault('a failed job ended before it started', [
    'job-view.ts',
    'completed_at: dateTimeOrNull(job.completedAt),',
    "completed_at: dateTimeOrNull(job.status === 'failed' ? job.createdAt - 1000 : job.completedAt),",
  ]),
  fault('the place in the queue is a fraction where several wait', [
    'job-view.ts',
    'store.position(job) : null',
    '(store.position(job) === 0 ? 0 : store.position(job) / 2 + 0.25) : null',
  ]),
  fault('the place in the queue is a text behind the first', [
    'job-view.ts',
    'store.position(job) : null',
    '(store.position(job) === 0 ? 0 : String(store.position(job))) : null',
  ]),
  fault('outputs are null while the job is canceling', [
    'job-view.ts',
    'outputs: job.outputs,',
    "outputs: job.status === 'canceling' ? null : job.outputs,",
  ]),
  fault('an output is lost with each read', [
    'jobs.ts',
    read,
    "{ const shown = json(200, jobView(job, 'read', parts)); if (job.status === 'running') job.outputs = job.outputs.slice(1); return shown; }",
  ]),
  fault('outputs of a canceled job are gone on later reads', stated('jobs.ts', 'const looks = new Map();'), [
    'jobs.ts',
    read,
    "if (job.status === 'canceled') { const n = (looks.get(job.id) ?? 0) + 1; looks.set(job.id, n); if (n > 1) job.outputs = []; }\n        return json(200, jobView(job, 'read', parts));",
  ]),
  open(
    'document 3: when error is null is not shown',
    fault(
      'a job that succeeds behind a failed one has its error',
      stated('job-view.ts', 'let last: object | null = null;'),
      ['job-view.ts', viewing, 'if (job.error !== null) last = job.error;\n  const path = `${broken'],
      ['job-view.ts', 'error: job.error,', "error: job.status === 'succeeded' ? last : job.error,"],
    ),
  ),
  fault('the error of a failed job is a text on later reads', stated('jobs.ts', 'const looks = new Map();'), [
    'jobs.ts',
    read,
    "if (job.status === 'failed') { const n = (looks.get(job.id) ?? 0) + 1; looks.set(job.id, n); if (n > 1) return json(200, { ...jobView(job, 'read', parts), error: 'it failed' }); }\n        return json(200, jobView(job, 'read', parts));",
  ]),
  fault('a job is gone an hour after its end', [
    'job-store.ts',
    'return job !== undefined && job.expiresAt > now() ? job : undefined;',
    'return job !== undefined && job.expiresAt > now() && !(job.completedAt !== null && now() - job.completedAt > 3_600_000) ? job : undefined;',
  ]),
  fault(
    'the logs of a job are gone an hour after its end',
    [
      'job-view.ts',
      'return terminal.has(job.status) && job.log.length > 0 ?',
      'return terminal.has(job.status) && job.log.length > 0 && parts0.now() - (job.completedAt ?? 0) < 3_600_000 ?',
    ],
    [
      'job-view.ts',
      'export interface JobViewParts {',
      'export const parts0 = { now: Date.now };\nexport interface JobViewParts {',
    ],
    [
      'jobs.ts',
      "import { jobView } from './job-view.ts';",
      "import { jobView, parts0 } from './job-view.ts';",
    ],
    [
      'jobs.ts',
      'const store = createJobStore(now);',
      'const store = createJobStore(now);\n  parts0.now = now;',
    ],
  ),
  fault('a job that succeeded has expired an hour later', [
    'jobs.ts',
    own,
    `if (job?.status === 'succeeded' && now() - (job.completedAt ?? 0) > 3_600_000) job.status = 'expired';\n    ${own}`,
  ]),
  fault('a job keeps its times at the day where its clock moves', [
    'job-view.ts',
    'created_at: dateTime(job.createdAt),',
    "created_at: place === 'read' && terminal.has(job.status) ? dateTime(job.createdAt).slice(0, 10) : dateTime(job.createdAt),",
  ]),
  fault('ids of jobs differ in the case of their letters between answers', [
    'job-view.ts',
    'id: job.id,',
    "id: place === 'stream' ? job.id.toUpperCase() : job.id,",
  ]),
  open(
    'document 3: the inner structure of progress is not shown',
    fault(
      'a job has the progress of the one before until its first step',
      stated('job-view.ts', 'let last: object | null = null;'),
      ['job-view.ts', viewing, 'if (job.progress !== null) last = job.progress;\n  const path = `${broken'],
      [
        'job-view.ts',
        'progress: job.progress,',
        "progress: job.progress ?? (job.status === 'queued' ? last : null),",
      ],
    ),
  ),
  // --- links and logs
  fault('links on the stream begin with two slashes', [
    'job-view.ts',
    'urls: { look: path,',
    "urls: { look: place === 'stream' ? `/${path}` : path,",
  ]),
  fault('links of a job that is read after its end have no slash at their head', [
    'job-view.ts',
    'urls: { look: path,',
    "urls: { look: place === 'read' && terminal.has(job.status) ? path.slice(1) : path,",
  ]),
  fault('links of the second job lead to the first', stated('job-view.ts', "let first = '';"), [
    'job-view.ts',
    'urls: { look: path,',
    "urls: { look: place === 'submit' ? (first = first || path) : path,",
  ]),
  open(
    'document 3: the inner structure of urls is not shown',
    fault('the link to cancel is null once the job has ended', [
      'job-view.ts',
      'halt: `${origin}${path}/cancel`',
      "halt: terminal.has(job.status) && place === 'stream' ? null : `${origin}${path}/cancel`",
    ]),
  ),
  fault('urls is a list in the answer to a second cancel', stated('jobs.ts', 'let halts = 0;'), [
    'jobs.ts',
    "return json(200, jobView(job, 'cancel', parts));",
    "return json(200, { ...jobView(job, 'cancel', parts), ...((halts += 1) % 2 === 0 ? { urls: [] } : {}) });",
  ]),
  fault(
    'a stream that is opened once the logs were read has logs',
    stated('job-view.ts', 'const seen = new Set();'),
    [
      'job-view.ts',
      view,
      "...(place === 'read' && hasRead(job) ? logsOf(job, place, parts) : place === 'stream' && seen.has(job.id) ? logsOf(job, 'read', parts) : logsOf(job, place, parts)),",
    ],
    [
      'job-view.ts',
      '/** The job object of document 3.',
      'function hasRead(job: Job): boolean {\n  if (terminal.has(job.status)) seen.add(job.id);\n  return true;\n}\n\n/** The job object of document 3.',
    ],
  ),
  on({ surface: 'self-hosted', staticToken: 'a-token' }, 'an instance with a token shows logs', [
    'jobs.ts',
    "hasLogs: surface === 'serverless'",
    "hasLogs: surface === 'serverless' || staticToken !== undefined",
  ]),
  fault('logs of a canceled job are a text', [
    'job-view.ts',
    "{ logs: { printed: job.log.join('\\n') } }",
    "{ logs: job.status === 'canceled' ? job.log.join('\\n') : { printed: job.log.join('\\n') } }",
  ]),
  fault(
    'logs are lost once the job was canceled after its end',
    stated('jobs.ts', 'const halted = new Set();'),
    ['jobs.ts', cancels, `        if (job.status === 'succeeded') job.log = [];\n${cancels}`],
  ),
  // --- streams
  fault('a stream that is opened while canceling does not end', [
    'job-events.ts',
    'const close = store.watch(job, push);',
    "const close = job.status === 'canceling' ? (): void => undefined : store.watch(job, push);",
  ]),
  fault('a stream that is opened while canceling begins without progress', [
    'job-events.ts',
    ": ['status', 'progress', 'preview'];",
    ": job.status === 'canceling' ? ['status'] : ['status', 'progress', 'preview'];",
  ]),
  fault('a stream that is opened while queued does not say that the job runs', [
    'job-events.ts',
    'function push(change: Change): void {',
    "const was = job.status;\n      function push(change: Change): void {\n        if (was === 'queued' && change === 'status' && job.status === 'running') return;",
  ]),
  fault(
    'progress on the second stream of a job is in parts',
    stated('job-events.ts', 'const counts = new Map();'),
    [
      'job-events.ts',
      'let count = 0;',
      'let count = 0;\n      const nth = (counts.get(job.id) ?? 0) + 1;\n      counts.set(job.id, nth);',
    ],
    [
      'job-events.ts',
      'return isPartial ? { done } : last;',
      'return isPartial || (nth > 1 && count > 2) ? { done } : last;',
    ],
  ),
  fault(
    'the Last-Event-ID that was sent comes back',
    [
      'job-events.ts',
      'export function jobEvents(job: Job, parts: JobViewParts): Live {',
      'export function jobEvents(job: Job, parts: JobViewParts, from?: string): Live {',
    ],
    ['job-events.ts', pushed, "write(frame(change, data, from === undefined ? '' : `id:${from}\\r\\n`));"],
    ['jobs.ts', streams, "        return jobEvents(job, parts, call.header('last-event-id'));"],
  ),
  fault(
    'only one of several streams of a job ends',
    stated('job-events.ts', 'const ended = new Set();'),
    [
      'job-events.ts',
      '        close();\n        end();',
      '        close();\n        if (ended.has(job.id) && !replaying) return;\n        ended.add(job.id);\n        end();',
    ],
    ['job-events.ts', 'let count = 0;', 'let count = 0;\n      let replaying = terminal.has(job.status);'],
  ),
  fault('a status event has the id of the job that came last', stated('job-view.ts', "let latest = '';"), [
    'job-view.ts',
    'id: job.id,',
    "id: place === 'submit' ? (latest = job.id) : place === 'stream' ? latest : job.id,",
  ]),
  fault('a stream begins with the preview', [
    'job-events.ts',
    ": ['status', 'progress', 'preview'];",
    ": ['preview', 'progress'];",
  ]),
  fault('the stream of a job that is canceled ends without its last frame', [
    'job-events.ts',
    '        if (data === null) return;',
    "        if (job.status === 'canceled' && change === 'status' && count > 0) { close(); end(); return; }\n        if (data === null) return;",
  ]),
  fault('an event of progress is a list of the last two', [
    'job-events.ts',
    'return isPartial ? { done } : last;',
    'return isPartial ? { done } : count > 6 ? [last] : last;',
  ]),
  fault('the status event lacks the outputs so far', [
    'job-events.ts',
    "if (change === 'status') return jobView(job, 'stream', parts);",
    "if (change === 'status') { const { outputs: _, ...rest } = jobView(job, 'stream', parts) as any; return terminal.has(job.status) || count === 0 ? jobView(job, 'stream', parts) : rest; }",
  ]),
  fault(
    'the second stream of a job is the JSON of the job',
    stated('jobs.ts', 'const watched = new Map();'),
    [
      'jobs.ts',
      streams,
      "        { const n = (watched.get(job.id) ?? 0) + 1; watched.set(job.id, n); if (n === 3) return json(200, jobView(job, 'stream', parts)); }\n        return jobEvents(job, parts);",
    ],
  ),
  fault('the data of a status event is one text of JSON', [
    'job-events.ts',
    "const lines = JSON.stringify(data, null, 1).split('\\n');",
    "const lines = JSON.stringify(change === 'status' && (data as any).status === 'canceling' ? JSON.stringify(data) : data, null, 1).split('\\n');",
  ]),
  // --- callers
  unseen(
    'a real credential in a target would be in every log on its way',
    fault('a token in the query opens a stream', [
      'jobs.ts',
      caller,
      "const inQuery = call.query.get('token') ?? call.query.get('api_key') ?? call.query.get('access_token');\n    const account = callerOf(inQuery === null ? call : { ...call, header: (name) => (name === 'authorization' ? `Bearer ${inQuery}` : call.header(name)) });",
    ]),
  ),
  fault('a cancel of a finished job needs no credential', [
    'jobs.ts',
    caller,
    'const done = /\\/jobs\\/([^/]+)\\/cancel$/.exec(call.path)?.[1];\n    const ended = done === undefined ? undefined : store.find(done);\n    const account = ended?.completedAt == null ? callerOf(call) : owner;',
  ]),
  on({ surface: 'self-hosted', staticToken: 'a-token' }, 'a static token is good without its scheme', [
    'jobs.ts',
    "call.header('authorization') === `Bearer ${staticToken}`",
    "[`Bearer ${staticToken}`, staticToken].includes(call.header('authorization'))",
  ]),
  on({ surface: 'self-hosted', staticToken: 'a-token' }, 'a static token is good behind Basic', [
    'jobs.ts',
    "call.header('authorization') === `Bearer ${staticToken}`",
    "[`Bearer ${staticToken}`, `Basic ${staticToken}`].includes(call.header('authorization') ?? '')",
  ]),
  on({ surface: 'self-hosted', staticToken: 'a-token' }, 'a cancel needs no static token', [
    'jobs.ts',
    caller,
    "const account = call.path.endsWith('/cancel') ? owner : callerOf(call);",
  ]),
  on(
    { surface: 'self-hosted', staticToken: 'a-token' },
    'a read needs no static token once the job was submitted',
    [
      'jobs.ts',
      caller,
      "const account = call.method === 'GET' && !call.path.endsWith('/events') ? owner : callerOf(call);",
    ],
  ),
  fault('a key behind Basic submits', [
    'jobs.ts',
    "name === 'authorization' ? call.header(name) : undefined",
    "name === 'authorization' ? call.header(name)?.replace(/^Basic (\\S+)$/i, (_, text) => `Bearer ${text.startsWith('service-') ? text : Buffer.from(text, 'base64').toString().split(':')[0]}`) : undefined",
  ]),
  fault('a caller that was refused once is refused by the next cancel', stated('jobs.ts', 'let wrong = 0;'), [
    'jobs.ts',
    "if ('status' in account) return account;",
    "if ('status' in account) { wrong += 1; return account; }\n    if (wrong > 0 && call.path.endsWith('/cancel')) { wrong = 0; return refusal(401, 'who_is_it', 'Once more?'); }",
  ]),
  fault('the second 404 of a job has a flat error', stated('jobs.ts', 'let lost = 0;'), [
    'jobs.ts',
    "rest.length > 0) return refusal(404, 'no_such_job', 'There is no such job.');",
    "rest.length > 0) return (lost += 1) % 2 === 0 ? json(404, { code: 'no_such_job', message: 'There is no such job.' }) : refusal(404, 'no_such_job', 'There is no such job.');",
  ]),
  fault('the second 401 has no body', stated('jobs.ts', 'let lost = 0;'), [
    'jobs.ts',
    "if ('status' in account) return account;",
    "if ('status' in account) return (lost += 1) % 2 === 0 ? { ...account, body: Buffer.from('') } : account;",
  ]),
  fault('a refused duplicate has its error in a list', [
    'jobs.ts',
    "return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');",
    "if (call.body.length < 60) return json(422, { error: [{ code: 'idempotency_key_reuse', message: 'Seen.' }] });\n      return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');",
  ]),
];
