import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });

/** An earlier list, by those who then wrote probes against it. */
export const earlierJobFaults: readonly Fault[] = [
  fault('allowed extra data refused', [
    'jobs.ts',
    'const extra = Object.keys(given).filter((name) => !extraNames.has(name));',
    'const extra = Object.keys(given);',
  ]),
  fault('empty extra data refused', [
    'jobs.ts',
    'const extra = Object.keys(given).filter((name) => !extraNames.has(name));',
    "const extra = Object.keys(given).filter((name) => !extraNames.has(name)); if ('extra_data' in members && Object.keys(given).length === 0) return refusal(400, 'x', 'x');",
  ]),
  fault('key freed when the job fails', [
    'jobs.ts',
    'if (key !== undefined) firstJobs.set(key, job);',
    "if (key !== undefined) { firstJobs.set(key, job); store.watch(job, () => { if (job.status === 'failed') keys.release(key); }); }",
  ]),
  fault('key freed when canceled', [
    'jobs.ts',
    'if (key !== undefined) firstJobs.set(key, job);',
    "if (key !== undefined) { firstJobs.set(key, job); store.watch(job, () => { if (job.status === 'canceled') keys.release(key); }); }",
  ]),
  fault(
    'released key stays free',
    [
      'jobs.ts',
      "if (key !== undefined && broken.has('jobs.key-kept-on-refusal')) keys.claim(key);",
      'if (key !== undefined) freed.add(key);',
    ],
    [
      'jobs.ts',
      'const firstJobs = new Map<string, Job>();',
      'const firstJobs = new Map<string, Job>(); const freed = new Set<string>();',
    ],
    [
      'jobs.ts',
      'if (key !== undefined && keys.isClaimed(key)) {',
      'if (key !== undefined && !freed.has(key) && keys.isClaimed(key)) {',
    ],
  ),
  fault('key claimed by a refused caller', [
    'jobs.ts',
    "if ('status' in account) return account;",
    "if ('status' in account) { const k = call.header('idempotency-key'); if (k) keys.claim(JSON.stringify(['alpha', k])); return account; }",
  ]),
  fault('key claimed by malformed body', [
    'jobs.ts',
    "if ('status' in plan) {",
    "if ('status' in plan) { if (plan.body.includes('not_json') && key !== undefined) keys.claim(key);",
  ]),
  fault('cancel after the end cancels', [
    'job-store.ts',
    "if (job.status !== 'queued' && job.status !== 'running') return;",
    "if (job.status === 'canceling' || job.status === 'canceled') return;",
  ]),
  fault('cancel after success answers canceled later', [
    'jobs.ts',
    "store.cancel(job);\n        return json(200, jobView(job, 'cancel', parts));",
    "store.cancel(job);\n        return json(200, { ...jobView(job, 'cancel', parts), ...(job.status === 'succeeded' ? { status: 'canceled' } : {}) });",
  ]),
  fault('cancel cancels all of the account', [
    'jobs.ts',
    'store.cancel(job);',
    'for (const one of firstJobs.values()) if (one.account === account.name) store.cancel(one); store.cancel(job);',
  ]),
  fault('stranger cancels in spite of 404', [
    'jobs.ts',
    'if (job === undefined || !isOwn || rest.length > 0) return',
    "if (job !== undefined && !isOwn && action === 'cancel') store.cancel(job);\n    if (job === undefined || !isOwn || rest.length > 0) return",
  ]),
  fault('anonymous cancels in spite of 401', [
    'jobs.ts',
    "if ('status' in account) return account;",
    "if ('status' in account) { const [i, a] = call.path.slice(root.length + 1).split('/'); const j = store.find(i ?? ''); if (j && a === 'cancel') store.cancel(j); return account; }",
  ]),
  fault('second cancel 409 while canceling', [
    'jobs.ts',
    'store.cancel(job);\n',
    "if (job.status === 'canceling') return refusal(409, 'x', 'x');\n        store.cancel(job);\n",
  ]),
  fault('Last-Event-ID skips the snapshot', [
    'jobs.ts',
    'return jobEvents(job, parts);',
    "return jobEvents(job, call.header('last-event-id') ? { ...parts, broken: new Set(['jobs.no-snapshot']) } : parts);",
  ]),
  fault('Last-Event-ID on a finished job hangs', [
    'jobs.ts',
    'return jobEvents(job, parts);',
    "return jobEvents(job, call.header('last-event-id') && job.completedAt !== null ? { ...parts, broken: new Set(['jobs.no-snapshot']) } : parts);",
  ]),
  fault('failed jobs: no terminal on connect', [
    'jobs.ts',
    'return jobEvents(job, parts);',
    "return jobEvents(job, job.status === 'failed' ? { ...parts, broken: new Set(['jobs.no-snapshot']) } : parts);",
  ]),
  fault('canceled jobs: no terminal on connect', [
    'jobs.ts',
    'return jobEvents(job, parts);',
    "return jobEvents(job, job.status === 'canceled' ? { ...parts, broken: new Set(['jobs.no-snapshot']) } : parts);",
  ]),
  fault('second subscriber steals', [
    'job-store.ts',
    'listeners.set(job.id, set.add(listener));',
    'set.clear(); listeners.set(job.id, set.add(listener));',
  ]),
  fault('leaving subscriber ends the others', [
    'job-store.ts',
    'return () => set.delete(listener);',
    'return () => set.clear();',
  ]),
  fault(
    'preview on connect is the first',
    [
      'job-store.ts',
      "if (step.previews) job.preview = Buffer.from(`${job.id} ${index}`).toString('base64');",
      "if (step.previews) { (job as any).last = Buffer.from(`${job.id} ${index}`).toString('base64'); job.preview ??= (job as any).last; }",
    ],
    ['job-events.ts', '{ picture: job.preview };', '{ picture: opened ? (job as any).last : job.preview };'],
    [
      'job-events.ts',
      'for (const change of order) push(change);',
      'for (const change of order) push(change); opened = true;',
    ],
    ['job-events.ts', 'let count = 0;', 'let count = 0; let opened = false;'],
  ),
  fault(
    'progress on connect is the first',
    [
      'job-store.ts',
      'job.progress = { at: step.node, done: index + 1, of: job.plan.steps.length };',
      'job.progress = { at: step.node, done: index + 1, of: job.plan.steps.length }; (job as any).first ??= job.progress;',
    ],
    [
      'job-events.ts',
      'for (const change of order) push(change);',
      'opened = false; for (const change of order) push(change); opened = true;',
    ],
    ['job-events.ts', 'let count = 0;', 'let count = 0; let opened = true;'],
    [
      'job-events.ts',
      'const { done } = (last = job.progress);',
      'if (!opened) return (job as any).first; const { done } = (last = job.progress);',
    ],
  ),
  fault('id with a tail', [
    'jobs.ts',
    'const job = store.find(id);',
    'const job = store.find(id.slice(0, 36));',
  ]),
  fault('id prefix', [
    'job-store.ts',
    'const job = jobs.get(id);',
    'const job = jobs.get(id) ?? [...jobs.values()].find((j) => id.length > 20 && j.id.startsWith(id));',
  ]),
  fault('links lose mount in events', [
    'job-view.ts',
    "const path = `${broken.has('jobs.links-without-mount') ? '' : mount}",
    "const path = `${place === 'stream' ? '' : mount}",
  ]),
  fault('links lose mount on cancel', [
    'job-view.ts',
    "const path = `${broken.has('jobs.links-without-mount') ? '' : mount}",
    "const path = `${place === 'cancel' ? '' : mount}",
  ]),
  fault('links lose mount on read', [
    'job-view.ts',
    "const path = `${broken.has('jobs.links-without-mount') ? '' : mount}",
    "const path = `${place === 'read' ? '' : mount}",
  ]),
  fault('events link leads nowhere', ['job-view.ts', 'watch: `${path}/events`', 'watch: `${path}/stream`']),
  fault(
    'events link of the first job',
    ['job-view.ts', 'watch: `${path}/events`', 'watch: `${(firstPath ??= path)}/events`'],
    [
      'job-view.ts',
      '/** The job object of document 3.',
      'let firstPath: string | undefined;\n/** The job object of document 3.',
    ],
  ),
  fault('started_at lost at the end', [
    'job-view.ts',
    '{ started_at: dateTimeOrNull(job.startedAt) }',
    '{ started_at: terminal.has(job.status) ? null : dateTimeOrNull(job.startedAt) }',
  ]),
  fault('completed_at of the read', [
    'job-view.ts',
    'completed_at: dateTimeOrNull(job.completedAt)',
    'completed_at: job.completedAt === null ? null : dateTime(Date.now())',
  ]),
  fault('completed_at in another zone', [
    'job-view.ts',
    'completed_at: dateTimeOrNull(job.completedAt)',
    'completed_at: job.completedAt === null ? null : dateTime(job.completedAt + 7_200_000)',
  ]),
  fault('created_at differs on stream', [
    'job-view.ts',
    'created_at: dateTime(job.createdAt),',
    "created_at: dateTime(job.createdAt - (place === 'stream' ? 1000 : 0)),",
  ]),
  fault('created_at differs on submit', [
    'job-view.ts',
    'created_at: dateTime(job.createdAt),',
    "created_at: dateTime(job.createdAt - (place === 'submit' ? 1000 : 0)),",
  ]),
  fault('outputs lost at the end', [
    'job-view.ts',
    'outputs: job.outputs,',
    "outputs: terminal.has(job.status) && place === 'read' ? job.outputs.slice(0, 1) : job.outputs,",
  ]),
  fault('outputs vanish on second terminal read', [
    'job-view.ts',
    'outputs: job.outputs,',
    "outputs: place === 'read' && terminal.has(job.status) && ((job as any).n = ((job as any).n ?? 0) + 1) > 1 ? [] : job.outputs,",
  ]),
  fault('error vanishes on second read', [
    'job-view.ts',
    'error: job.error,',
    "error: place === 'read' && job.error !== null && ((job as any).n = ((job as any).n ?? 0) + 1) > 1 ? null : job.error,",
  ]),
  fault('error missing in the event', [
    'job-view.ts',
    'error: job.error,',
    "error: place === 'stream' ? null : job.error,",
  ]),
  fault('logs vanish on second read', [
    'job-view.ts',
    'return terminal.has(job.status) && job.log.length > 0 ?',
    'return terminal.has(job.status) && job.log.length > 0 && ((job as any).k = ((job as any).k ?? 0) + 1) < 2 ?',
  ]),
  fault('progress vanishes on terminal read', [
    'job-view.ts',
    'progress: job.progress,',
    "progress: terminal.has(job.status) && place === 'read' ? null : job.progress,",
  ]),
  fault('stream ends at canceling', [
    'job-events.ts',
    "if (change !== 'status' || !terminal.has(job.status) ||",
    "if (change !== 'status' || !(terminal.has(job.status) || job.status === 'canceling') ||",
  ]),
  fault('stream of failed jobs never ends', [
    'job-events.ts',
    "|| broken.has('jobs.endless-stream')) return;",
    "|| job.status === 'failed') return;",
  ]),
  fault('stream of canceled jobs never ends', [
    'job-events.ts',
    "|| broken.has('jobs.endless-stream')) return;",
    "|| job.status === 'canceled') return;",
  ]),
  fault('trailing comma submitted', [
    'jobs.ts',
    'const value: unknown = JSON.parse(body.toString());',
    "const value: unknown = JSON.parse(body.toString().replace(/,\\s*}/g, '}'));",
  ]),
  fault('text after body submitted', [
    'jobs.ts',
    'const value: unknown = JSON.parse(body.toString());',
    "const t = body.toString(); const value: unknown = JSON.parse(t.slice(0, t.lastIndexOf('}') + 1) || t);",
  ]),
  fault('keys in other header case', [
    'server.ts',
    'const value = request.headers[name];',
    "if (name === 'idempotency-key' && request.rawHeaders.includes('idempotency-key')) return undefined; const value = request.headers[name];",
  ]),
  fault('keys cut', [
    'jobs.ts',
    'const key = given === undefined ? undefined : JSON.stringify([account.name, given]);',
    'const key = given === undefined ? undefined : JSON.stringify([account.name, given.slice(0, 30)]);',
  ]),
  fault('canceling ends as failed', [
    'job-store.ts',
    "later(cancellingMs, () => become(job, 'canceled'));",
    "later(cancellingMs, () => become(job, job.startedAt === null ? 'canceled' : 'failed'));",
  ]),
  fault('outputs grow after cancel', [
    'job-store.ts',
    "if (job.status === 'running') take(job, step, index);",
    "if (job.status === 'running' || job.status === 'canceled') { if (job.status === 'canceled') { job.outputs = [...job.outputs, { of: step.node }]; walk(job, index + 1 > 3 ? 999 : index); return; } take(job, step, index); }",
  ]),
  fault('reserved null inside', [
    'jobs.ts',
    '(name) => name in members &&',
    '(name) => members[name] !== undefined && members[name] !== 0 &&',
  ]),
  fault(
    'reserved only at top when keyed',
    ['jobs.ts', 'if (reserved.length > 0) return', 'if (reserved.length > 0 && !(call0 ?? false)) return'],
    [
      'jobs.ts',
      'function validate(body: Buffer, account: Account): Plan | Answer {',
      'function validate(body: Buffer, account: Account, call0?: boolean): Plan | Answer {',
    ],
    [
      'jobs.ts',
      'const plan = validate(call.body, account);',
      'const plan = validate(call.body, account, key !== undefined);',
    ],
  ),
  fault('unknown class last of graph', [
    'job-graph.ts',
    'nodes.map(([id, node]) => [id, errorsOf(node)] as const)',
    'nodes.slice(0, 1).map(([id, node]) => [id, errorsOf(node)] as const)',
  ]),
  fault('assets in lists not looked at', [
    'job-graph.ts',
    'if (Array.isArray(value)) return value.flatMap(assetsIn);',
    'if (Array.isArray(value)) return [];',
  ]),
  fault('second asset not looked at', [
    'job-graph.ts',
    'const refused = assetsIn(graph).find(',
    'const refused = assetsIn(graph).slice(0, 1).find(',
  ]),
  fault('large graph 500', [
    'jobs.ts',
    'const plan = validate(call.body, account);',
    "if (call.body.length > 20000) throw new Error('x');\n    const plan = validate(call.body, account);",
  ]),
  fault('duplicate of a tiny job runs', [
    'jobs.ts',
    'if (key !== undefined) keys.claim(key);\n    if (plan.upstream',
    'if (key !== undefined && plan.steps.length > 1) keys.claim(key);\n    if (plan.upstream',
  ]),
];
