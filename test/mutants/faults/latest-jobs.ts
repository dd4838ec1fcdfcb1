import { open, stated } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });

const onSurface = (where: NonNullable<Fault['where']>, given: Fault): Fault => ({ ...given, where });

const shown = (code: string): Edit => [
  'job-view.ts',
  '...logsOf(job, place, parts),',
  `...logsOf(job, place, parts),\n    ${code}`,
];
const log = 'if (!hasLogs || !asked) return {};';
const streamed = "if (change === 'status') return jobView(job, 'stream', parts);";
const cancelled = "store.cancel(job);\n        return json(200, jobView(job, 'cancel', parts));";
const cancelledAs = (code: string): Edit => ['jobs.ts', cancelled, code];
const guarded = "if (job.status !== 'queued' && job.status !== 'running') return;";
const claimed = 'if (key !== undefined && keys.isClaimed(key)) {';
const refused = "if ('status' in plan) {";

/** Written from document 3 after a close reading, without a look at the suite or at the lists before. */
export const latestJobFaults: readonly Fault[] = [
  fault(
    'the time of completion moves with each read',
    shown('...(terminal.has(job.status) ? { completed_at: dateTime(Date.now()) } : {}),'),
  ),
  fault(
    'a read shows another time of creation than the submission',
    shown("...(place === 'read' ? { created_at: dateTime(job.createdAt - 1500) } : {}),"),
  ),
  open(
    'document 3, Job, row expires_at: whether it may move is not stated',
    fault(
      'a stream shows another deadline than the reads',
      shown("...(place === 'stream' ? { expires_at: dateTime(job.expiresAt + 60_000) } : {}),"),
    ),
  ),
  fault('a job is gone an hour before its deadline', [
    'job-store.ts',
    'job.expiresAt > now()',
    'job.expiresAt - 3_600_000 > now()',
  ]),
  fault(
    'a submission says that the job has started',
    shown("...(place === 'submit' ? { started_at: dateTime(job.createdAt) } : {}),"),
  ),
  fault(
    'a submission with a key shows a running job',
    shown(
      "...(place === 'submit' && store.position(job) === 0 ? { status: 'running', started_at: dateTime(job.createdAt) } : {}),",
    ),
  ),
  fault(
    'a job that has ended shows its last output only',
    shown('...(terminal.has(job.status) ? { outputs: job.outputs.slice(-1) } : {}),'),
  ),
  fault(
    'a read shows the progress before the latest',
    shown(
      "...(place === 'read' && job.progress !== null && job.progress.done > 1 ? { progress: { ...job.progress, done: job.progress.done - 1 } } : {}),",
    ),
  ),
  fault(
    'a cancelled job has no error member on its stream',
    shown("...(job.status === 'canceled' && place === 'stream' ? { error: undefined } : {}),"),
  ),
  open(
    'document 3, Job, row error: an object without members may stand for none',
    fault(
      'a job that succeeded has an empty error',
      shown("...(job.status === 'succeeded' ? { error: {} } : {}),"),
    ),
  ),
  fault('a failed job shows its error in reads only', shown("...(place !== 'read' ? { error: null } : {}),")),
  fault('the time of execution is 0 before the start', [
    'job-view.ts',
    'execution_ms: ranMs',
    'execution_ms: ranMs ?? 0',
  ]),
  fault('the answer to a cancel has links without the prefix', [
    'job-view.ts',
    "broken.has('jobs.links-without-mount') ? '' : mount",
    "place === 'cancel' ? '' : mount",
  ]),
  fault(
    'on the stream, a link has no slash at its beginning',
    shown(
      "...(place === 'stream' ? { urls: { look: path.slice(1), watch: `${path}/events`, halt: `${origin}${path}/cancel` } } : {}),",
    ),
  ),
  fault(
    'the links of all jobs lead to the stream of the first',
    ['job-view.ts', 'watch: `${path}/events`,', 'watch: (firstWatch ??= `${path}/events`),'],
    stated('job-view.ts', 'let firstWatch: string | undefined;'),
  ),
  fault('what was printed is on the first status event after the end', [
    'job-events.ts',
    streamed,
    "if (change === 'status') return jobView(job, isSnapshot ? 'read' : 'stream', parts);",
  ]),
  fault(
    'the cancel of a job that has ended shows what it printed',
    cancelledAs(
      "const place = job.log.length > 0 && job.completedAt !== null ? 'read' : 'cancel';\n        store.cancel(job);\n        return json(200, jobView(job, place, parts));",
    ),
  ),
  fault('a job cancelled before it printed has logs of null', [
    'job-view.ts',
    log,
    "if (place === 'read' && job.status === 'canceled' && job.log.length === 0) return { logs: null };\n  if (!hasLogs || !asked) return {};",
  ]),
  fault('a running job shows what it has printed so far', [
    'job-view.ts',
    'return terminal.has(job.status) && job.log',
    'return job.log',
  ]),
  fault('a failed job has no log', [
    'job-view.ts',
    'return terminal.has(job.status) && job.log',
    "return terminal.has(job.status) && job.status !== 'failed' && job.log",
  ]),
  onSurface(
    { surface: 'cloud' },
    fault('the cloud shows what a failed job printed', [
      'job-view.ts',
      log,
      "if (!(hasLogs || job.status === 'failed') || !asked) return {};",
    ]),
  ),
  onSurface(
    { surface: 'demo' },
    fault('the demo shows what was printed', [
      'jobs.ts',
      "hasLogs: surface === 'serverless'",
      "hasLogs: surface === 'serverless' || surface === 'demo'",
    ]),
  ),
  fault('the refusal of a used key frees it', ['jobs.ts', claimed, `${claimed}\n      keys.release(key);`]),
  fault(
    'the second refusal of a used key frees it',
    [
      'jobs.ts',
      claimed,
      `${claimed}\n      if (refusals.has(key)) keys.release(key);\n      refusals.add(key);`,
    ],
    stated('jobs.ts', 'const refusals = new Set<string>();'),
  ),
  fault('an asset that is not there uses the key up', [
    'jobs.ts',
    refused,
    `${refused}\n      if (key !== undefined && plan.status === 404) keys.claim(key);`,
  ]),
  fault('a drawing uses the key up', [
    'jobs.ts',
    refused,
    `${refused}\n      if (key !== undefined && plan.status === 415) keys.claim(key);`,
  ]),
  fault('a reserved member uses the key up', [
    'jobs.ts',
    refused,
    `${refused}\n      if (key !== undefined && plan.status === 409) keys.claim(key);`,
  ]),
  fault('a body that is no JSON uses the key up', [
    'jobs.ts',
    refused,
    `${refused}\n      if (key !== undefined && parse(call.body) === undefined) keys.claim(key);`,
  ]),
  fault(
    'a cancel frees the key of its job',
    cancelledAs(
      "for (const [key, one] of firstJobs) if (one === job) keys.release(key);\n        store.cancel(job);\n        return json(200, jobView(job, 'cancel', parts));",
    ),
  ),
  fault('the end of a job frees its key', [
    'jobs.ts',
    claimed,
    'const earlier = key === undefined ? undefined : firstJobs.get(key);\n    if (key !== undefined && earlier?.completedAt != null) keys.release(key);\n    if (key !== undefined && keys.isClaimed(key)) {',
  ]),
  fault('keys live for 23 hours', ['job-keys.ts', '24 * 3', '23 * 3']),
  fault('a refused use prolongs the life of a key', [
    'jobs.ts',
    claimed,
    `${claimed}\n      keys.claim(key);`,
  ]),
  fault('a used key with another body is another key', [
    'jobs.ts',
    'JSON.stringify([account.name, given]);',
    'JSON.stringify([account.name, given, call.body.length]);',
  ]),
  fault('keys are told apart by their first 35 characters', [
    'jobs.ts',
    'JSON.stringify([account.name, given]);',
    'JSON.stringify([account.name, given.slice(0, 35)]);',
  ]),
  open(
    'document 3, States and transitions: a cancel of a job that is canceling is not shown, and neither are the errors',
    fault(
      'a second cancel of a job is a conflict',
      cancelledAs(
        "if (job.status === 'canceling') return refusal(409, 'canceling', 'It is under way.');\n        store.cancel(job);\n        return json(200, jobView(job, 'cancel', parts));",
      ),
    ),
  ),
  fault('a job that succeeded can be cancelled', [
    'job-store.ts',
    guarded,
    "if (job.status !== 'queued' && job.status !== 'running' && job.status !== 'succeeded') return;",
  ]),
  fault('a job that failed can be cancelled', [
    'job-store.ts',
    guarded,
    "if (job.status !== 'queued' && job.status !== 'running' && job.status !== 'failed') return;",
  ]),
  fault(
    'the answer to a cancel shows the job before it',
    cancelledAs(
      "const before = jobView(job, 'cancel', parts);\n        store.cancel(job);\n        return json(200, before);",
    ),
  ),
  fault('a cancelled job succeeds after all', [
    'job-store.ts',
    "if (job.status === 'running') take(job, step, index);",
    "if (job.status !== 'canceling') take(job, step, index);",
  ]),
  open(
    'document 3, States and transitions: how long canceling lasts is not stated (A-91)',
    fault('a job that is cancelled at once skips canceling', [
      'job-store.ts',
      "become(job, 'canceling');",
      "if (job.status === 'running' && job.progress === null) return void become(job, 'canceled');\n      become(job, 'canceling');",
    ]),
  ),
  fault('a cancelled job has ended before its cancellation has', [
    'job-store.ts',
    'if (terminal.has(status)) job.completedAt',
    "if (status === 'canceling' || terminal.has(status)) job.completedAt",
  ]),
  open(
    'document 3, Job, row outputs: whether a cancelled job keeps them is not stated',
    fault('a cancelled job has lost its outputs', [
      'job-store.ts',
      "become(job, 'canceled'))",
      "{\n        job.outputs = [];\n        become(job, 'canceled');\n      })",
    ]),
  ),
  fault('a cancelled job has lost its start', [
    'job-store.ts',
    "become(job, 'canceled'))",
    "{\n        job.startedAt = null;\n        become(job, 'canceled');\n      })",
  ]),
];
