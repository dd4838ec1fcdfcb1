import { open, stated, unseen } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const router = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });
const registry = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });
const jobs = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'jobs', says, edits });

const cancelled = "store.cancel(job);\n        return json(200, jobView(job, 'cancel', parts));";
const reuse = "return refusal(422, 'idempotency_key_reuse', 'This key was seen before.');";
const publisherOf = 'const publisher = publishers.get(publisherId);';
const isNode = 'if (publisher?.nodes.includes(nodeId) !== true) return';

/** What one call leaves behind for the next: written from the three documents, with `latest`'s misses in mind. */
export const laterFaults: readonly Fault[] = [
  unseen(
    'the fixtures give no input that the refusing model accepts',
    router(
      'after a rejection by the model, a valid input is rejected once',
      [
        'models.ts',
        'Promise.resolve(rejection(creativeFailures(input), broken) ?? made())',
        '{\n      const now = rejection(creativeFailures(input), broken);\n      const told = now ?? rejected ?? made();\n      rejected = now;\n      return Promise.resolve(told);\n    }',
      ],
      stated('models.ts', 'let rejected: Answer | undefined;'),
    ),
  ),
  router(
    'a key refuses another body than its first one, also after its release',
    [
      'keys.ts',
      'const known = entries.get(key);',
      "const first = prints.get(key) ?? print;\n      prints.set(key, first);\n      const known = entries.get(key);\n      if (known === undefined && first !== print) return { verdict: 'answered', answer: conflict('This key stands for another body.') };",
    ],
    stated('keys.ts', 'const prints = new Map<string, string>();'),
  ),
  router(
    'after a day, a key replays its first answer and not its latest',
    [
      'keys.ts',
      "become({ is: 'recorded', answer: { ...answer, headers } });",
      "const old = firsts.get(key) ?? { ...answer, headers };\n          firsts.set(key, old);\n          become({ is: 'recorded', answer: old });",
    ],
    stated('keys.ts', 'const firsts = new Map<string, Answer>();'),
  ),
  router('the key of a 504 is not released', [
    'keys.ts',
    '(status >= 500 || releasing',
    '((status >= 500 && status !== 504) || releasing',
  ]),
  router('a place is free half a second after its call', [
    'bounds.ts',
    'if (!isKept) load.calls -= 1;',
    'if (!isKept) setTimeout(() => (load.calls -= 1), 500);',
  ]),
  open(
    'document 1, Idempotency key handling, row 1: a call is in progress until it is answered',
    router('a refusal of a large body leaves its key in use', [
      'run.ts',
      "if ('refusal' in read) return read.refusal;",
      "if ('refusal' in read && call.header('idempotency-key') !== undefined) await pause(1500);\n    if ('refusal' in read) return read.refusal;",
    ]),
  ),
  router(
    'a key that was in conflict is used up',
    [
      'keys.ts',
      "if (entry.state.is === 'in-flight') return inFlight();",
      "if (entry.state.is === 'in-flight') {\n      hurried.add(entry);\n      return inFlight();\n    }\n    if (hurried.has(entry) && entry.state.is === 'recorded') entry.state = { is: 'consumed' };",
    ],
    stated('keys.ts', 'const hurried = new WeakSet<object>();'),
  ),
  router(
    'a schema is not read any more after a 304',
    [
      'schemas.ts',
      'const condition = call.header',
      "if (stale.has(model.id) && call.header('if-none-match') !== undefined && call.header('if-none-match') !== etag && call.header('if-none-match') !== '*') return { status: 304, headers: { ...caching, etag }, body: Buffer.alloc(0) };\n  if (call.header('if-none-match') === etag) stale.add(model.id);\n  const condition = call.header",
    ],
    stated('schemas.ts', 'const stale = new Set<string>();'),
  ),
  open(
    'document 1, Identifier schemas, rule 5: whether a cursor can be used twice is not stated',
    router(
      'a cursor is good once',
      [
        'catalogue.ts',
        "cursors.open(given[0] ?? '', now())",
        "(spent.size !== spent.add(given[0] ?? '').size ? cursors.open(given[0] ?? '', now()) : undefined)",
      ],
      stated('catalogue.ts', 'const spent = new Set<string>();'),
    ),
  ),
  unseen(
    'in a whole run another walk gets the wrong page, and entries may come twice in a walk',
    router(
      'after a bad cursor, the next page is the first',
      [
        'catalogue.ts',
        'if (start === undefined) return badCursor;',
        'if (start === undefined) {\n        isLost = true;\n        return badCursor;\n      }',
      ],
      [
        'catalogue.ts',
        'const end = start + limit;',
        'const from = isLost ? 0 : start;\n      isLost = false;\n      const end = from + limit;',
      ],
      ['catalogue.ts', 'places.slice(start, end)', 'places.slice(from, end)'],
      stated('catalogue.ts', 'let isLost = false;'),
    ),
  ),
  router(
    'without credits, reads are refused too after a run',
    [
      'router.ts',
      'const refusal = refuseSegment(provider, 64)',
      "if (!account.hasCredits && call.method === 'GET' && poor.has(account.name)) return failure(403, 'insufficient_credits', 'The purse is empty.');\n    if (!account.hasCredits && call.method === 'POST') poor.add(account.name);\n    const refusal = refuseSegment(provider, 64)",
    ],
    stated('router.ts', 'const poor = new Set<string>();'),
  ),
  registry('a publisher in another case publishes a version again', [
    'registry.ts',
    publisherOf,
    'const publisher = publishers.get(publisherId.toLowerCase());',
  ]),
  registry('a node with an escaped letter is another node', [
    'registry.ts',
    isNode,
    'if (publisher?.nodes.includes(decodeURIComponent(nodeId)) !== true) return',
  ]),
  open(
    'document 2, POST …/versions: whether a publication makes a node that is not there is not stated',
    registry('a node in another case publishes a version again', [
      'registry.ts',
      isNode,
      'if (publisher?.nodes.includes(nodeId.toLowerCase()) !== true) return',
    ]),
  ),
  registry(
    'after a wrong access token, the right one is refused once',
    [
      'registry.ts',
      'const owns = publisher !== undefined && publisher.owner === ownerByToken.get(token);',
      'const owns = publisher !== undefined && publisher.owner === ownerByToken.get(token) && !isWary;\n    isWary = ownerByToken.get(token) === undefined;',
    ],
    stated('registry.ts', 'let isWary = false;'),
  ),
  registry('the dependencies of a version come back in order', [
    'registry.ts',
    '...given,\n        id: newUuid(),',
    "...given,\n        ...('dependencies' in given ? { dependencies: [...(given.dependencies as string[])].sort() } : {}),\n        id: newUuid(),",
  ]),
  registry('a long list of tags is cut', [
    'registry.ts',
    '...given,\n        id: newUuid(),',
    "...given,\n        ...('tags' in given ? { tags: (given.tags as string[]).slice(0, 20) } : {}),\n        id: newUuid(),",
  ]),
  registry(
    'an image that was refused once is always refused',
    [
      'proxy.ts',
      'const wrong = misfit(members, broken);',
      "const wrong = misfit(members, broken) ?? (bad.has(members['image']) ? 'image' : undefined);\n  if (wrong === 'sharpen') bad.add(members['image']);",
    ],
    stated('proxy.ts', 'const bad = new Set<unknown>();'),
  ),
  registry(
    'an image is enhanced once',
    [
      'proxy.ts',
      'const task = broken',
      "const twin = JSON.stringify(members);\n  if (twins.has(twin)) return refusal(409, 'twin', 'That is under way.');\n  twins.add(twin);\n  const task = broken",
    ],
    stated('proxy.ts', 'const twins = new Set<string>();'),
  ),
  registry(
    'after a refused strength, the next one is not looked at',
    [
      'proxy.ts',
      'const wrong = misfit(members, broken);',
      "const seen = misfit(members, broken);\n  const wrong = seen === last ? undefined : seen;\n  last = seen === 'sharpen' && wrong === undefined ? undefined : seen;",
    ],
    stated('proxy.ts', 'let last: string | undefined;'),
  ),
  jobs('a second cancel answers 202', [
    'jobs.ts',
    cancelled,
    "const code = job.status === 'canceling' ? 202 : 200;\n        store.cancel(job);\n        return json(code, jobView(job, 'cancel', parts));",
  ]),
  jobs('the refusal of a used key shows its job', [
    'jobs.ts',
    reuse,
    "return json(422, { error: { code: 'idempotency_key_reuse', message: 'This key was seen before.' }, ...(first === undefined ? {} : { job: jobView(first, 'submit', parts) }) });",
  ]),
  jobs('a new stream tells all progress from the beginning', [
    'job-events.ts',
    'for (const change of order) push(change);',
    "for (let done = 1; job.progress !== null && done < job.progress.done; done += 1)\n        write(frame('progress', { ...job.progress, done }, ''));\n      for (const change of order) push(change);",
  ]),
  jobs(
    'after a cancel, the next job waits for ever',
    [
      'job-store.ts',
      "if (job.status !== 'queued') return;",
      "if (job.status !== 'queued' || isStuck) {\n          isStuck = false;\n          return;\n        }",
    ],
    ['job-store.ts', "become(job, 'canceling');", "isStuck = true;\n      become(job, 'canceling');"],
    stated('job-store.ts', 'let isStuck = false;'),
  ),
  jobs('a failed job has lost its outputs in later reads', [
    'job-view.ts',
    'outputs: job.outputs,',
    "outputs: job.status === 'failed' && place === 'read' ? [] : job.outputs,",
  ]),
  jobs(
    'after a refused graph, the next job shows its errors',
    [
      'jobs.ts',
      "return refusal(400, 'invalid_workflow', 'The graph does not hold.', { node_errors: reading.nodeErrors });",
      "Object.assign(remembered, reading.nodeErrors);\n        return refusal(400, 'invalid_workflow', 'The graph does not hold.', { node_errors: { ...remembered } });",
    ],
    stated('jobs.ts', 'const remembered: Record<string, readonly object[]> = {};'),
  ),
  unseen(
    'the fixtures give no asset that the caller owns, and another account cannot have one',
    jobs('an asset is checked for the first account only', [
      'jobs.ts',
      'return owner === account.name ||',
      "return owner === account.name || (owner !== undefined && account.name !== 'alpha') ||",
    ]),
  ),
  jobs(
    'the members of extra_data are looked at in the first submission only',
    [
      'jobs.ts',
      'if (extra.length > 0 &&',
      'const isFirst = !isChecked;\n    isChecked = isChecked || extra.length > 0;\n    if (extra.length > 0 && isFirst &&',
    ],
    stated('jobs.ts', 'let isChecked = false;'),
  ),
  jobs('a stream that is left ends the job', [
    'job-events.ts',
    'return close;\n    },',
    'return () => {\n        close();\n        if (!terminal.has(job.status)) store.cancel(job);\n      };\n    },',
  ]),
  unseen(
    'how many previews a job sends is not stated, so that none is seen to be missing',
    jobs(
      'a stream shows no preview after another stream of the job was left',
      [
        'job-events.ts',
        'return close;\n    },',
        'return () => {\n        close();\n        left.add(job);\n      };\n    },',
      ],
      [
        'job-events.ts',
        "if (change === 'preview') return job.preview",
        "if (change === 'preview' && left.has(job)) return null;\n        if (change === 'preview') return job.preview",
      ],
      stated('job-events.ts', 'const left = new WeakSet<object>();'),
    ),
  ),
];
