import type { Classified } from './reason.ts';

/** Survivors in the files of the jobs. */
export const jobReasons: readonly Classified[] = [
  {
    mutation: 'job-events.ts: JSON.stringify',
    is: 'equal',
    because: 'the same JSON with another indentation',
  },
  {
    mutation: 'job-graph.ts: stepMs: ',
    is: 'equal',
    because: 'how long a step takes is the matter of this server',
  },
  {
    mutation: 'job-graph.ts: needs: []',
    is: 'equal',
    because: 'in graphs that only this server knows; elsewhere it is noticed',
  },
  {
    mutation: "job-graph.ts: names.has('crowd')",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: "job-graph.ts: names.has('fog')",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: "job-graph.ts: ends: 'well'",
    is: 'equal',
    because: 'what is not badly ends well',
  },
  {
    mutation: "job-graph.ts: ['asset']",
    is: 'open',
    because: 'document 3, Errors, item 3: which code refuses an asset is not shown, and it is refused',
  },
  {
    mutation: 'job-graph.ts: upstream: names.has',
    is: 'equal',
    because: 'graphs that only this server knows, and no fixture names',
  },
  {
    mutation: "job-graph.ts: 'crowd' →",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: 'job-graph.ts: nodes.length === 0 ||',
    is: 'open',
    because: 'document 3, POST /api/v2/jobs: whether a graph without nodes is one is not stated',
  },
  {
    mutation: 'job-graph.ts: previews: false',
    is: 'equal',
    because: 'which node makes previews is the matter of this server',
  },
  {
    mutation: 'job-graph.ts: !isObject(node) → false',
    is: 'open',
    because: 'document 3, Error body: which reason a node gets is not stated',
  },
  {
    mutation: "job-store.ts: other.status === 'queued'",
    is: 'open',
    because: 'document 3, Job: what queue_position counts is not stated',
  },
  {
    mutation: 'job-store.ts: other.createdAt <',
    is: 'open',
    because: 'document 3, Job: what queue_position counts is not stated',
  },
  {
    mutation: 'job-store.ts: part: index',
    is: 'open',
    because: 'document 3: the inner structure of outputs items is not shown',
  },
  {
    mutation: 'job-store.ts: 72 * 3_600_000',
    is: 'open',
    because: 'document 3, Limits, item 3: the retention is not shown',
  },
  {
    mutation: 'job-view.ts: job.startedAt === null ? null : (job',
    is: 'open',
    because: 'document 3, Job: metrics are nullable, and their inner structure is not shown',
  },
  {
    mutation: "job-view.ts: job.status === 'queued'",
    is: 'open',
    because: 'document 3, Job: queue_position is an integer or null; when it is which is not stated',
  },
  {
    mutation: 'job-view.ts: job.log.length > 0',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: "job-view.ts: place === 'read' → ",
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'job-view.ts: metrics: {',
    is: 'open',
    because: 'document 3, Job: metrics are not required',
  },
  {
    mutation: "job-view.ts: place === 'read' || (place",
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'job-view.ts: terminal.has(job.status) && job.log.length > 0 ?',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'job-view.ts: look: path',
    is: 'open',
    because: 'document 3: the inner structure of urls is not shown',
  },
  {
    mutation: "job-view.ts: printed: '' → nothing",
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: 'jobs.ts: details === undefined ? {} : { details } → false',
    is: 'equal',
    because: 'a member that is undefined is left out of JSON',
  },
  {
    mutation: "jobs.ts: refusal(400, 'extra_data_unknown', 'extra_data is no object.')",
    is: 'open',
    because: 'document 3, Errors, item 3: codes and statuses are not shown',
  },
  {
    mutation: "jobs.ts: refusal(502, 'upstream_silent'",
    is: 'equal',
    because: 'a graph that only this server knows, and no fixture names',
  },
  {
    mutation: 'jobs.ts: call.path !== root && !call.path.startsWith',
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: 'jobs.ts: key !== undefined → false',
    is: 'equal',
    because: 'in the refusal of a full queue, which no fixture of this server meets; elsewhere it is noticed',
  },
  {
    mutation: 'jobs.ts: hasLogs: surface',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: 'jobs.ts: cents: 0',
    is: 'equal',
    because: 'jobs have no bound of spend',
  },
  {
    mutation: 'jobs.ts: job === undefined || !isOwn || rest',
    is: 'open',
    because: 'which paths beside the listed ones a server answers is not stated',
  },
  {
    mutation: 'job-events.ts: count ',
    is: 'equal',
    because: 'only a known fault shows it',
  },
  {
    mutation: "jobs.ts: call.method === 'POST' ? submit(call, account)",
    is: 'open',
    because: 'other methods are not part of document 3',
  },
  {
    mutation: "jobs.ts: action === 'cancel' && !isOwn",
    is: 'equal',
    because: 'only a known fault reads it',
  },
  {
    mutation: "jobs.ts: surface === 'serverless' → surface !== 'serverless'",
    is: 'equal',
    because: 'the fixtures say the mount too',
  },
  {
    mutation: 'jobs.ts: firstJobs.set(',
    is: 'equal',
    because: 'only a known fault reads it',
  },
  {
    mutation: "jobs.ts: refusal(401, 'who_is_it', 'No key that is known here.') → refusal(402",
    is: 'open',
    because: 'document 3, Errors, item 3: codes and statuses are not shown',
  },
  {
    mutation: 'job-graph.ts: steps: ',
    is: 'equal',
    because: 'how many steps a graph has is the matter of this server',
  },
  {
    mutation: 'job-view.ts: terminal.has(job.status) && job.log.length > 0 → terminal',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: whether a run that printed nothing has logs is not stated',
  },
  {
    mutation: 'jobs.ts: found.hasAccess ? found',
    is: 'open',
    because: 'document 3, Authentication, does not say which keys open nothing',
  },
  {
    mutation: "jobs.ts: within && 'id' in value && value.id === asset → false",
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: "jobs.ts: refusal(400, 'invalid_workflow'",
    is: 'open',
    because: 'document 3, Errors, item 3: codes and statuses are not shown',
  },
  {
    mutation: "jobs.ts: refusal(409, 'reserved'",
    is: 'open',
    because: 'document 3, Errors, item 3: codes and statuses are not shown',
  },
  {
    mutation: 'job-store.ts: done: index + 1',
    is: 'open',
    because: 'document 3: the inner structure of progress is not shown',
  },
  {
    mutation: "jobs.ts: refusal(429, 'queue_full'",
    is: 'open',
    because: 'document 3, Errors, item 3: codes and statuses are not shown',
  },
  {
    mutation: 'job-view.ts: logs: {',
    is: 'open',
    because:
      'document 3, Job, rules for logs, item 3: a surface need not populate them, and cases are not distinguished',
  },
  {
    mutation: "job-events.ts: change === 'preview' → change === ''",
    is: 'open',
    because: 'document 3, Events, the last paragraph: the payloads of the events are not shown',
  },
];
