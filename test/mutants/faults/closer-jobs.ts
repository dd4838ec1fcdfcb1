import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });
const on = (where: NonNullable<Fault['where']>, of: Fault): Fault => ({ ...of, where });

const viewed = (from: string, to: string): Edit => ['job-view.ts', from, to];
const streamed = (from: string, to: string): Edit => ['job-events.ts', from, to];
const stored = (from: string, to: string): Edit => ['job-store.ts', from, to];
const served = (from: string, to: string): Edit => ['jobs.ts', from, to];

const ofStatus = "if (change === 'status') return jobView(job, 'stream', parts);";
const order = 'for (const change of order) push(change);';
const closing = 'close();\n        end();';
const framed = "write(frame(change, data, broken.has('jobs.numbered-events') ? `id:${count}\\r\\n` : ''));";
const framing = 'return `event:${eventNames[change]}';
const comment = "write(':a stream\\r\\n\\r\\n');";
const opening = 'export function jobEvents(job: Job, parts: JobViewParts): Live {';
const logs = '...logsOf(job, place, parts),';
const ofStatusMember = 'status: job.status,';
const ofOutputs = 'outputs: job.outputs,';
const ofError = 'error: job.error,';
const mayCancel = "if (job.status !== 'queued' && job.status !== 'running') return;";
const read = "return json(200, jobView(job, 'read', parts));";
const caller = 'const account = callerOf(call);';
const cancelled = "return json(200, jobView(job, 'cancel', parts));";
const reused = "return refusal(422, 'idempotency_key_reuse',";
const kept = "broken.has('jobs.key-kept-on-refusal')";
const given = "const given = members['extra_data'] ?? {};";
const isOwn = 'const isOwn = job?.account === account.name ||';

/** Any bearer opens what fits the pattern. */
const anyBearer = (path: string): Edit =>
  served(
    caller,
    `const account = ${path} && /^Bearer \\S/.test(call.header('authorization') ?? '') && 'status' in callerOf(call) ? owner : callerOf(call);`,
  );

/** Found by reading document 3 a third time, sentence by sentence, before any probe: each way to break what it says. */
export const closerJobFaults: readonly Fault[] = [
  // Streams: the snapshot.
  fault(
    'a stream that is opened after the end tells the whole course again',
    streamed(
      order,
      `if (terminal.has(job.status)) for (const status of ['queued', 'running']) write(frame('status', { ...jobView(job, 'stream', parts), status, started_at: status === 'queued' ? null : new Date(job.startedAt ?? 0).toISOString(), completed_at: null, metrics: {} }, ''));\n      ${order}`,
    ),
  ),
  fault(
    'a stream begins with all progress so far',
    stored(
      "tell(job, 'progress');",
      "((job as any).all ??= []).push(job.progress);\n    tell(job, 'progress');",
    ),
    streamed(
      order,
      `for (const one of ((job as any).all ?? []).slice(0, -1)) write(frame('progress', one, ''));\n      ${order}`,
    ),
  ),
  fault(
    'a stream with Last-Event-ID has no progress on connect',
    streamed(opening, 'export function jobEvents(job: Job, parts: JobViewParts, isResumed = false): Live {'),
    streamed(
      'for (const change of order) push(change);',
      "for (const change of order) if (!isResumed || change !== 'progress') push(change);",
    ),
    served(
      'return jobEvents(job, parts);',
      "return jobEvents(job, parts, call.header('last-event-id') !== undefined);",
    ),
  ),
  fault(
    'the snapshot of a running job says that it is queued',
    streamed(
      order,
      `if (job.status === 'running') {\n        write(frame('status', { ...jobView(job, 'stream', parts), status: 'queued', started_at: null, metrics: {} }, ''));\n        push('progress');\n        push('preview');\n      } else ${order}`,
    ),
  ),
  fault(
    'the snapshot has the outputs of the beginning',
    streamed(
      order,
      `if (job.status === 'running') {\n        write(frame('status', { ...jobView(job, 'stream', parts), outputs: [] }, ''));\n        push('progress');\n        push('preview');\n      } else ${order}`,
    ),
  ),
  fault(
    'frames are kept until the job has ended',
    streamed(
      framed,
      `((job as any).late ??= new Map()).set(write, [...((job as any).late.get(write) ?? []), frame(change, data, '')]);\n        if (change === 'status' && terminal.has(job.status)) for (const one of (job as any).late.get(write)) write(one);`,
    ),
  ),
  fault(
    'every second stream of a running job lacks the progress on connect',
    streamed(
      order,
      `(job as any).streams = ((job as any).streams ?? 0) + 1;\n      for (const change of order) if (change !== 'progress' || terminal.has(job.status) || (job as any).streams % 2 === 0) push(change);`,
    ),
  ),
  // Streams: their events and frames.
  fault(
    'the canceling event carries the status alone',
    streamed(
      ofStatus,
      "if (change === 'status') return job.status === 'canceling' ? { status: job.status } : jobView(job, 'stream', parts);",
    ),
  ),
  fault(
    'the canceled event has a name of its own',
    streamed(
      framed,
      framed.replace(
        'frame(change, data',
        "frame((job.status === 'canceled' && change === 'status' ? 'halted' : change) as Change, data",
      ),
    ),
    streamed('eventNames[change]}', 'eventNames[change] ?? change}'),
  ),
  fault(
    'the stream of a job that is canceled stays open',
    streamed(
      closing,
      `if (job.status === 'canceled' && (job as any).ends !== true) {\n          (job as any).ends = true;\n          return;\n        }\n        ${closing}`,
    ),
  ),
  fault(
    'progress follows the canceled event',
    streamed(
      closing,
      `if (job.status === 'canceled' && job.progress !== null) write(frame('progress', job.progress, ''));\n        ${closing}`,
    ),
  ),
  fault(
    'the event of a failure wraps the job',
    streamed(
      ofStatus,
      "if (change === 'status') return job.status === 'failed' ? { job: jobView(job, 'stream', parts) } : jobView(job, 'stream', parts);",
    ),
  ),
  fault(
    'the running event carries another member for the job',
    streamed(
      ofStatus,
      "if (change === 'status') return job.status === 'running' ? { is: jobView(job, 'stream', parts) } : jobView(job, 'stream', parts);",
    ),
  ),
  fault(
    'the last frame of a failed job lacks its blank line',
    streamed(
      'write(frame(change, data,',
      "write(frame(change, data, '') && job.status === 'failed' && change === 'status' ? frame(change, data, '').slice(0, -2) : frame(change, data,",
    ),
  ),
  fault('a stream begins with a frame without a name', streamed(comment, "write('data:{}\\r\\n\\r\\n');")),
  fault(
    'a heartbeat is a frame without data',
    streamed(
      comment,
      "const beat = setInterval(() => write('event:beat\\r\\n\\r\\n'), 400);\n      job.plan.steps.length > 0 && setTimeout(() => clearInterval(beat), 2000).unref();",
    ),
  ),
  fault(
    'lines of the data of a preview lack their name',
    streamed(
      'lines.map((line) => `data:${line}\\r\\n`)',
      "lines.map((line, index) => (change === 'preview' && index > 0 ? `${line}\\r\\n` : `data:${line}\\r\\n`))",
    ),
  ),
  fault(
    'the data of the third progress is half of its JSON',
    streamed(
      framing,
      "if (change === 'progress' && (data as Progress).done === 3) lines.pop();\n  return `event:${eventNames[change]}",
    ),
  ),
  fault(
    'a finished job streams as plain text',
    streamed(
      "'content-type': 'text/event-stream; charset=utf-8'",
      "'content-type': terminal.has(job.status) ? 'text/plain' : 'text/event-stream; charset=utf-8'",
    ),
  ),
  // Reads.
  fault(
    'a failed job is running on the read for three seconds more',
    viewed(
      ofStatusMember,
      "status: place === 'read' && job.status === 'failed' && Date.now() - ((job as any).seenAt ??= Date.now()) < 3000 ? 'running' : job.status,",
    ),
  ),
  fault(
    'a canceled job is canceling on the read for three seconds more',
    viewed(
      ofStatusMember,
      "status: place === 'read' && job.status === 'canceled' && Date.now() - ((job as any).seenAt ??= Date.now()) < 3000 ? 'canceling' : job.status,",
    ),
  ),
  fault(
    'a read of a canceled job is no JSON',
    served(
      read,
      'if (job.status === \'canceled\') return { ...json(200, {}), body: Buffer.from(\'{"status": "canceled",}\') };\n        ' +
        read,
    ),
  ),
  fault(
    'a read of a failed job is a list of one job',
    served(
      read,
      "if (job.status === 'failed') return json(200, [jobView(job, 'read', parts)]);\n        " + read,
    ),
  ),
  fault(
    'a running job is read as 404 once',
    served(
      read,
      "if (job.status === 'running' && !(job as any).missed && ((job as any).missed = true)) return refusal(404, 'no_such_job', 'Not now.');\n        " +
        read,
    ),
  ),
  fault(
    'the fifth job takes the place of the first',
    stored(
      'jobs.set(job.id, job);',
      "jobs.set(job.id, job);\n      if (jobs.size > 5) jobs.delete([...jobs.keys()][0] ?? '');",
    ),
  ),
  fault(
    'the error of a failed job is gone on the stream that is opened later',
    viewed(
      ofError,
      "error: place === 'stream' && job.status === 'failed' && ((job as any).told = ((job as any).told ?? 0) + 1) > 1 ? null : job.error,",
    ),
  ),
  fault(
    'outputs start again behind the fifth step',
    viewed(
      ofOutputs,
      "outputs: job.status === 'running' ? job.outputs.slice(job.outputs.length > 5 ? 5 : 0) : job.outputs,",
    ),
  ),
  fault(
    'a canceled job is started again in its times',
    viewed(
      'started_at: dateTimeOrNull(job.startedAt) }',
      "started_at: dateTimeOrNull(job.status === 'canceled' ? job.completedAt : job.startedAt) }",
    ),
  ),
  // Cancellations.
  fault(
    'a second cancel makes the job run on',
    stored(
      mayCancel,
      "if (job.status === 'canceling') {\n        become(job, 'running');\n        return;\n      }\n      " +
        mayCancel,
    ),
  ),
  fault(
    'a second cancel has no body',
    served(
      cancelled,
      `(job as any).cancels = ((job as any).cancels ?? 0) + 1;\n        if ((job as any).cancels > 1) return { status: 204, headers: {}, body: Buffer.alloc(0) };\n        ${cancelled}`,
    ),
  ),
  fault(
    'a cancel of a finished job is a success with an error body',
    served(
      cancelled,
      `if (job.status === 'succeeded') return json(200, { error: { code: 'too_late', message: 'It is over.' } });\n        ${cancelled}`,
    ),
  ),
  fault(
    'a cancel of a failed job tells another id',
    served(
      cancelled,
      `if (job.status === 'failed') return json(200, { ...jobView(job, 'cancel', parts), id: '11111111-1111-4111-8111-111111111111' });\n        ${cancelled}`,
    ),
  ),
  // Keys.
  fault(
    'a duplicate with an invalid graph frees the key',
    served(reused, "if (!('steps' in validate(call.body, account))) keys.release(key);\n      " + reused),
  ),
  fault(
    'the second refusal of a graph claims its key',
    served(
      kept,
      '(((keys as any).no ??= new Map()).set(key, ((keys as any).no.get(key) ?? 0) + 1), (keys as any).no.get(key) > 1)',
    ),
  ),
  fault(
    'a cancellation frees the key of its job',
    served(
      'store.cancel(job);\n',
      'store.cancel(job);\n        for (const [key, one] of firstJobs) if (one === job) keys.release(key);\n',
    ),
  ),
  // Submissions.
  fault('an unknown class beside a known one is taken', [
    'job-graph.ts',
    'if (nodes.length === 0 || Object.keys(nodeErrors).length > 0)',
    'if (nodes.length === 0 || Object.keys(nodeErrors).length === nodes.length)',
  ]),
  fault("another account's asset beside a good node is taken", [
    'job-graph.ts',
    'const refused = assetsIn(graph).find(',
    'const refused = assetsIn(Object.values(graph)[0]).find(',
  ]),
  fault(
    'an unknown class has no node_errors',
    served(
      "return refusal(400, 'invalid_workflow', 'The graph does not hold.',",
      "if (JSON.stringify(reading.nodeErrors).includes('nobody_does_that')) return refusal(400, 'invalid_workflow', 'No.');\n        return refusal(400, 'invalid_workflow', 'The graph does not hold.',",
    ),
  ),
  fault(
    'node_errors has lists of nothing',
    served(
      '{ node_errors: reading.nodeErrors }',
      '{ node_errors: Object.fromEntries(Object.keys(reading.nodeErrors).map((id) => [id, []])) }',
    ),
  ),
  fault(
    'extra_data as a text is taken',
    served("if (typeof given !== 'object')", 'if (false)'),
    served(
      given,
      "const given: any = typeof members['extra_data'] === 'string' ? {} : (members['extra_data'] ?? {});",
    ),
  ),
  fault(
    'inputs as a text are taken',
    served(
      '(name) => name in members &&',
      "(name) => name in members && !(name === 'inputs' && typeof members[name] === 'string') &&",
    ),
  ),
  fault(
    'a webhook_url that is an object is taken',
    served(
      '(name) => name in members &&',
      "(name) => name in members && !(name === 'webhook_url' && typeof members[name] === 'object' && members[name] !== null) &&",
    ),
  ),
  fault(
    'a submission that succeeds has its job as a text',
    served(
      "return json(broken.has('jobs.submit-200') ? 200 : 201, jobView(job, 'submit', parts));",
      "return json(201, job.plan.steps.some(({ breaks }) => breaks) ? JSON.stringify(jobView(job, 'submit', parts)) : jobView(job, 'submit', parts));",
    ),
  ),
  // Links and logs.
  fault(
    'links of a canceled job lack the mount',
    viewed("broken.has('jobs.links-without-mount') ?", "job.status === 'canceled' ?"),
  ),
  fault(
    'links of the terminal event lack the mount',
    viewed("broken.has('jobs.links-without-mount') ?", "place === 'stream' && terminal.has(job.status) ?"),
  ),
  on(
    { surface: 'cloud' },
    fault(
      'logs of a canceled job are shown on the cloud',
      viewed(logs, "...(place === 'read' && job.status === 'canceled' ? { logs: { printed: '' } } : {}),"),
    ),
  ),
  on(
    { surface: 'demo' },
    fault(
      'logs of a canceled job are shown on the demo',
      viewed(logs, "...(place === 'read' && job.status === 'canceled' ? { logs: { printed: '' } } : {}),"),
    ),
  ),
  // Callers.
  on(
    { surface: 'cloud' },
    fault('any bearer submits', anyBearer("call.method === 'POST' && call.path.endsWith('/jobs')")),
  ),
  on({ surface: 'cloud' }, fault('any bearer opens a stream', anyBearer("call.path.endsWith('/events')"))),
  on({ surface: 'cloud' }, fault('any bearer cancels', anyBearer("call.path.endsWith('/cancel')"))),
  on(
    { surface: 'cloud' },
    fault(
      'a key with one more character reads',
      served(
        caller,
        "const account = 'status' in callerOf(call) && /^Bearer service-2nd-alpha\\S$/.test(call.header('authorization') ?? '') ? owner : callerOf(call);",
      ),
    ),
  ),
  on(
    { surface: 'cloud' },
    fault(
      'the stream of a failed job is for everybody with a key',
      served(
        isOwn,
        "const isOwn = job?.account === account.name || (action === 'events' && job?.status === 'succeeded') ||",
      ),
    ),
  ),
  on(
    { surface: 'cloud' },
    fault(
      'a job that was cancelled is for everybody with a key',
      served(isOwn, "const isOwn = job?.account === account.name || job?.status === 'canceled' ||"),
    ),
  ),
  on(
    { surface: 'self-hosted', staticToken: 'token-of-this-one' },
    fault(
      'a static token opens streams in other case',
      served(
        'const isRight =',
        "const isRight = (call.path.endsWith('/events') && call.header('authorization')?.toLowerCase() === `bearer ${staticToken}`) ||",
      ),
    ),
  ),
  open(
    'document 3, Submit request, row extra_data: a null there is not stated',
    fault(
      'extra_data that is null is refused',
      served(
        given,
        "if (members['extra_data'] === null) return refusal(400, 'extra_data_unknown', 'No.');\n    " + given,
      ),
    ),
  ),
  open(
    'document 3, GET …/events: whether a stream begins with a byte order mark is a matter of its format, which passes over it',
    fault(
      'a stream begins with a byte order mark',
      streamed(comment, "write('\\ufeff:a stream\\r\\n\\r\\n');"),
    ),
  ),
  open(
    'document 3, GET …/events: comments are part of the format, wherever they are',
    fault(
      'a comment is between the lines of a frame',
      streamed(framing, 'return `event:${eventNames[change]}\\r\\n:beat'),
    ),
  ),
  open(
    'document 3, GET …/events: the order of the lines of a frame is a matter of its format',
    fault(
      'the data of a frame comes before its name',
      streamed(
        "return `event:${eventNames[change]}\\r\\n${id}${lines.map((line) => `data:${line}\\r\\n`).join('')}\\r\\n`;",
        "return `${id}${lines.map((line) => `data:${line}\\r\\n`).join('')}event:${eventNames[change]}\\r\\n\\r\\n`;",
      ),
    ),
  ),
];
