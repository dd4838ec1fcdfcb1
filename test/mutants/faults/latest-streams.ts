import { open, stated, unseen } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });

const onSurface = (where: NonNullable<Fault['where']>, given: Fault): Fault => ({ ...given, where });

const eventsOf = 'return jobEvents(job, parts);';
const uiForm = "if (Array.isArray(graph['nodes']) && Array.isArray(graph['links'])) return";
const reserved =
  "(name) => name in members && !(name === 'webhook_url' && broken.has('jobs.takes-webhook-url')),";
const reservedIf = (code: string): Edit => ['jobs.ts', reserved, `(name) => name in members && ${code},`];
const caller = "if ('status' in account) return account;";
const ended =
  "if (change !== 'status' || !terminal.has(job.status) || broken.has('jobs.endless-stream')) return;";
const order = "['progress', 'preview', 'status']\n        : ['status', 'progress', 'preview'];";

/** The same document: graphs, callers and streams. */
export const latestStreamFaults: readonly Fault[] = [
  fault('an unknown class gives no reason', [
    'job-graph.ts',
    "[{ field: 'does', reason: 'nobody_does_that' }]",
    "[{ field: 'does' } as NodeError]",
  ]),
  fault('with two bad nodes, the errors are a list', [
    'jobs.ts',
    '{ node_errors: reading.nodeErrors }',
    '{ node_errors: Object.keys(reading.nodeErrors).length > 1 ? Object.values(reading.nodeErrors) : reading.nodeErrors }',
  ]),
  open(
    'document 3, Error body: whether all bad nodes are named is not stated',
    fault('with two bad nodes, only the first is named', [
      'jobs.ts',
      '{ node_errors: reading.nodeErrors }',
      '{ node_errors: Object.fromEntries(Object.entries(reading.nodeErrors).slice(0, 1)) }',
    ]),
  ),
  fault('the names of nodes come back in another encoding', [
    'jobs.ts',
    'const value: unknown = JSON.parse(body.toString());',
    "const value: unknown = JSON.parse(body.toString('latin1'));",
  ]),
  fault('a drawing without its version is no drawing', [
    'job-graph.ts',
    uiForm,
    "if ('version' in graph && Array.isArray(graph['nodes']) && Array.isArray(graph['links'])) return",
  ]),
  open(
    'document 3, Submit request, row body: whether an export may be without nodes is not stated',
    fault('a drawing with nothing on it is no drawing', [
      'job-graph.ts',
      uiForm,
      "if (Array.isArray(graph['nodes']) && graph['nodes'].length > 0 && Array.isArray(graph['links'])) return",
    ]),
  ),
  fault('a webhook_url of null is taken', reservedIf("!(name === 'webhook_url' && members[name] === null)")),
  fault('empty inputs are taken', reservedIf("JSON.stringify(members[name]) !== '{}'")),
  fault('an unknown key of extra_data may be null', [
    'jobs.ts',
    '(name) => !extraNames.has(name)',
    '(name) => !extraNames.has(name) && (given as Record<string, unknown>)[name] !== null',
  ]),
  fault('beside a known key of extra_data others are taken', [
    'jobs.ts',
    '(name) => !extraNames.has(name))',
    '(name, _index, all) => !extraNames.has(name) && !all.some((one) => extraNames.has(one)))',
  ]),
  unseen(
    'the fixtures give no asset that the caller owns',
    fault('only the first asset of a graph is looked at', [
      'job-graph.ts',
      'const refused = assetsIn(graph).find(',
      'const refused = assetsIn(graph).slice(0, 1).find(',
    ]),
  ),
  fault('an asset deep in a graph is not looked at', [
    'job-graph.ts',
    'const refused = assetsIn(graph).find(',
    "const refused = assetsIn(graph).filter((asset) => JSON.stringify(graph).split(asset)[0]?.replaceAll(/[^{[}\\]]/g, '').replaceAll(/\\{\\}|\\[\\]/g, '').length < 7).find(",
  ]),
  fault(
    'a missing asset is refused the first time only',
    [
      'jobs.ts',
      "case 'bad-asset':",
      "case 'bad-asset':\n        if (missed.has(reading.asset)) return { steps: [], upstream: 'takes' };\n        missed.add(reading.asset);",
    ],
    stated('jobs.ts', 'const missed = new Set<string>();'),
  ),
  fault('the stream of a job of another account can be watched', [
    'jobs.ts',
    'const isOwn = job?.account === account.name ||',
    "const isOwn = job?.account === account.name || action === 'events' ||",
  ]),
  fault('a job of another account can be cancelled', [
    'jobs.ts',
    'const isOwn = job?.account === account.name ||',
    "const isOwn = job?.account === account.name || action === 'cancel' ||",
  ]),
  fault('streams are open to callers without a credential', [
    'jobs.ts',
    caller,
    "if ('status' in account && call.path.endsWith('/events')) {\n      const open = store.find(call.path.split('/').at(-2) ?? '');\n      if (open !== undefined) return jobEvents(open, parts);\n    }\n    if ('status' in account) return account;",
  ]),
  onSurface(
    { surface: 'self-hosted', staticToken: 'a-static-token' },
    fault('a static token may go on', [
      'jobs.ts',
      "call.header('authorization') === `Bearer ${staticToken}`",
      "call.header('authorization')?.startsWith(`Bearer ${staticToken}`)",
    ]),
  ),
  onSurface(
    { surface: 'demo' },
    fault('the demo asks for a credential to cancel', [
      'jobs.ts',
      'return isOpen || isRight',
      "return (isOpen && (surface !== 'demo' || !call.path.endsWith('/cancel') || call.header('authorization') !== undefined)) || isRight",
    ]),
  ),
  fault('with Last-Event-ID, a stream begins without a snapshot', [
    'jobs.ts',
    eventsOf,
    "return jobEvents(job, call.header('last-event-id') === undefined ? parts : { ...parts, broken: new Set<BreakName>(['jobs.no-snapshot']) });",
  ]),
  fault(
    'frames after the snapshot of a second stream carry an id',
    ['job-events.ts', "broken.has('jobs.numbered-events') ?", '!isSnapshot && before ?'],
    ['job-events.ts', 'const isLater =', 'const before = watched.has(job);\n      const isLater ='],
  ),
  fault('a stream opened after the end does not end', [
    'job-events.ts',
    ended,
    "if (change !== 'status' || !terminal.has(job.status) || isSnapshot) return;",
  ]),
  fault('a stream opened after a cancel does not end', [
    'job-events.ts',
    ended,
    "if (change !== 'status' || !terminal.has(job.status) || (isSnapshot && job.status === 'canceled')) return;",
  ]),
  fault('a stream ends when the cancel begins', [
    'job-events.ts',
    ended,
    "if (change !== 'status' || !(terminal.has(job.status) || job.status === 'canceling')) return;",
  ]),
  fault(
    'of two streams of a job only the first ends',
    [
      'job-events.ts',
      ended,
      "if (change !== 'status' || !terminal.has(job.status) || (before && !isSnapshot)) return;",
    ],
    ['job-events.ts', 'const isLater =', 'const before = watched.has(job);\n      const isLater ='],
  ),
  fault(
    'the snapshot of a second stream lacks the progress',
    [
      'job-events.ts',
      order,
      "['progress', 'preview', 'status']\n        : before ? ['status', 'preview'] : ['status', 'progress', 'preview'];",
    ],
    ['job-events.ts', 'const isLater =', 'const before = watched.has(job);\n      const isLater ='],
  ),
  open(
    'document 3, GET …/events, items 1 and 2: the terminal status ends the stream, and what comes before it is not stated',
    fault('after the end, a snapshot lacks the progress', [
      'job-events.ts',
      order,
      "['preview', 'status']\n        : ['status', 'progress', 'preview'];",
    ]),
  ),
  fault('a snapshot lacks the preview', [
    'job-events.ts',
    order,
    "['progress', 'preview', 'status']\n        : ['status', 'progress'];",
  ]),
  fault('after the end, a stream is JSON by its type', [
    'job-events.ts',
    "'content-type': 'text/event-stream; charset=utf-8'",
    "'content-type': terminal.has(job.status) ? 'application/json' : 'text/event-stream; charset=utf-8'",
  ]),
  fault('a progress event follows the terminal status', [
    'job-events.ts',
    '        close();\n        end();',
    "        if (job.progress !== null) write(frame('progress', job.progress, ''));\n        close();\n        end();",
  ]),
];
