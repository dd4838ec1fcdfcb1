import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });

const forwarded = 'model.run({ input, bytes: call.body, signal })';
const forwards = (how: string): Edit => ['run.ts', forwarded, `model.run({ input, bytes: ${how}, signal })`];
const unnamed = "if (reply.status === 401 && broken.has('auth.401-without-request-id')) return reply;";
const before = (what: string): Edit => ['router.ts', unnamed, what];
const window = "if (broken.has('idem.check-then-set')) await pause(windowMs);";
const until = 'entry.until = now() + recordLifetimeMs;';
const dropped = 'if (isOwn()) entries.delete(key);';
const entries = 'const entries = new Map<string, Entry>();';
const refused = "if ('status' in account) return account;";
const opened = "cursors.open(given[0] ?? '', now())";
const page = 'const page = { limit, has_more: end < places.length, data };';
const billing = 'billing: { charges_on_policy_rejection: charges },';
const missing = "return failure(404, 'model_not_found', `Nothing goes by this name.${hint}`, headers);";
const header = 'const value = request.headers[name];';
const closed = "failure(503, 'service_unavailable', 'The partner is closed.')";

/** Found by reading document 1 a second time, without a look at any probe: combinations, later attempts, rare statuses. */
export const furtherRouterFaults: readonly Fault[] = [
  fault(
    'empty lists of an input do not reach the model',
    forwards('Buffer.from(call.body.toString().replaceAll(/,\\s*"[^"]*":\\s*\\[\\]/g, \'\'))'),
  ),
  fault(
    'a null of an input does not reach the model',
    forwards('Buffer.from(call.body.toString().replaceAll(/,\\s*"[^"]*":\\s*null/g, \'\'))'),
  ),
  fault(
    'characters beyond the basic plane become question marks',
    forwards("Buffer.from(call.body.toString().replaceAll(/[\\u{10000}-\\u{10ffff}]/gu, '?'))"),
  ),
  fault(
    'an input is cut after ten members',
    forwards(
      'Object.keys(input).length > 10 ? Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(input).slice(0, 10)))) : call.body',
    ),
  ),
  fault('an output that comes by a JWT is printed again', [
    'run.ts',
    "broken.has('run.reformats-output')",
    "call.header('authorization')?.includes('.') === true",
  ]),
  fault('a 409 lacks the request id', before('if (reply.status === 409) return reply;')),
  fault('a 429 lacks the request id', before('if (reply.status === 429) return reply;')),
  fault('the 422 names its bucket twice', [
    'rejections.ts',
    "'x-service-error-type': bucket }",
    "'x-service-error-type': `${bucket}, ${bucket}` }",
  ]),
  fault('the refusal for spend has no error type on its header', [
    'bounds.ts',
    "'Bound reached: spend committed by calls under way.', headers)",
    "'Bound reached: spend committed by calls under way.', { ...headers, 'x-service-error-type': '' })",
  ]),
  fault(
    'the second refusal for spend lacks its figures',
    ['bounds.ts', 'return {\n    enter(', 'let refusals = 0;\n  return {\n    enter('],
    [
      'bounds.ts',
      "broken.has('run.spend-without-headers') ? {} : figures",
      '(refusals += 1) > 1 ? {} : figures',
    ],
  ),
  fault('a call that is refused for capacity keeps a place', [
    'bounds.ts',
    "return failure(429, 'concurrency_limit_exceeded', `Bound",
    "load.calls += 1;\n        return failure(429, 'concurrency_limit_exceeded', `Bound",
  ]),
  fault('the header of a 503 differs from its body', [
    'models.ts',
    closed,
    "failure(503, 'service_unavailable', 'The partner is closed.', { 'x-service-error-type': 'internal_error' })",
  ]),
  fault('a 503 has a page for people instead of its body', [
    'models.ts',
    closed,
    "({ ...failure(503, 'service_unavailable', ''), body: Buffer.from('<h1>Closed</h1>') })",
  ]),
  open(
    'document 1 does not state the media type of an error',
    fault('a 503 calls itself plain text', [
      'models.ts',
      closed,
      "failure(503, 'service_unavailable', 'The partner is closed.', { 'content-type': 'text/plain' })",
    ]),
  ),
  fault('the body of a provider error does not say its bucket', [
    'models.ts',
    "const answer = failure(500, 'provider_error', 'The partner says: oops.');",
    "const answer = json(500, { detail: 'oops' }, { 'x-service-error-type': 'provider_error' });",
  ]),
  fault('a 425 has a bucket of its own in its body', [
    'models.ts',
    "failure(425, 'provider_error', 'Too soon.')",
    "failure(425, 'too_early' as never, 'Too soon.', { 'x-service-error-type': 'provider_error' })",
  ]),
  fault(
    'the third failure of a partner has a forecast bucket',
    ['models.ts', 'function oops(', 'let failures = 0;\nfunction oops('],
    [
      'models.ts',
      "if (!broken.has('errors.forecast-bucket')) return answer;",
      'if ((failures += 1) < 3) return answer;',
    ],
  ),
  fault('a replay of more than 4000 bytes is cut', [
    'keys.ts',
    'return { status, headers: kept, body };',
    'return { status, headers: kept, body: body.subarray(0, 4000) };',
  ]),
  fault('the replay of a 422 has an error_type in its body', [
    'keys.ts',
    'return { status, headers: kept, body };',
    "return { status, headers: kept, body: status === 422 ? Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), error_type: 'provider_error' })) : body };",
  ]),
  fault('a 409 is marked as a replay', [
    'keys.ts',
    "failure(409, 'internal_error', detail);",
    "failure(409, 'internal_error', detail, { 'idempotent-replayed': 'true' });",
  ]),
  fault(
    'a run after a release is marked as a replay',
    ['keys.ts', entries, `${entries}\n  const freed = new Set<string>();`],
    ['keys.ts', dropped, `freed.add(key);\n      ${dropped}`],
    [
      'keys.ts',
      'const { status } = answer;',
      "const { status } = answer;\n      if (freed.has(key)) answer = { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };",
    ],
  ),
  fault(
    'a key that is released twice is used up',
    ['keys.ts', entries, `${entries}\n  const freed = new Map<string, number>();`],
    [
      'keys.ts',
      dropped,
      `freed.set(key, (freed.get(key) ?? 0) + 1);\n      if (isOwn() && freed.get(key) === 2) become({ is: 'consumed' });\n      else ${dropped}`,
    ],
  ),
  fault('a retry in flight waits and gets the replay', [
    'keys.ts',
    'const print = printOf(body);',
    "const print = printOf(body);\n      while (entries.get(key)?.state.is === 'in-flight') await pause(10);",
  ]),
  fault('the record of a 422 lives an hour', [
    'keys.ts',
    until,
    "entry.until = now() + (state.is === 'recorded' && state.answer.status === 422 ? 3_600_000 : recordLifetimeMs);",
  ]),
  fault('a key that is used up is free after an hour', [
    'keys.ts',
    until,
    "entry.until = now() + (state.is === 'consumed' ? 3_600_000 : recordLifetimeMs);",
  ]),
  fault('a key that comes with another model loses its record', [
    'keys.ts',
    window,
    "for (const other of entries.keys()) if (other !== key && JSON.parse(other)[2] === JSON.parse(key)[2] && entries.get(other)?.state.is !== 'in-flight') entries.delete(other);",
  ]),
  fault(
    'a key that comes without a credential loses its record',
    [
      'router.ts',
      refused,
      "if ('status' in account) {\n      (keys as any).forget(call.header('idempotency-key'));\n      return account;\n    }",
    ],
    [
      'keys.ts',
      'return {\n    async claim(',
      'return {\n    forget(given: string) {\n      for (const key of entries.keys()) if (JSON.parse(key)[2] === given) entries.delete(key);\n    },\n    async claim(',
    ],
  ),
  fault('keys that differ in their last character are the same', [
    'run.ts',
    '[account.name, id, key]',
    '[account.name, id, key.slice(0, -1)]',
  ]),
  open(
    'document 1 does not state within which callers a key is one',
    fault('a key is one over all callers', ['run.ts', '[account.name, id, key]', "['', id, key]"]),
  ),
  fault('the 504 of the deadline carries credits', [
    'run.ts',
    '`No result within ${deadlineMs} ms.`',
    "'No result.', { 'x-service-credits-used': '0.75' }",
  ]),
  fault('the entry behind a page of 100 is lost', [
    'catalogue.ts',
    'places.slice(start, end)',
    'places.slice(start + (limit === 100 && start > 0 ? 1 : 0), end)',
  ]),
  fault('has_more of a page of one is a string', [
    'catalogue.ts',
    page,
    'const page = { limit, has_more: limit === 1 ? String(end < places.length) : end < places.length, data };',
  ]),
  fault('the third page is the second once more', [
    'catalogue.ts',
    'next_cursor: cursors.issue(end, now())',
    "next_cursor: start > 0 ? query.get('cursor') : cursors.issue(end, now())",
  ]),
  open(
    'document 1, Identifier schemas, rule 5: how often a cursor can be used is not stated',
    fault(
      'a cursor can be used once',
      ['catalogue.ts', 'const byId =', 'const used = new Set<string>();\n  const byId ='],
      [
        'catalogue.ts',
        opened,
        `used.has(given[0] ?? '') ? undefined : (used.add(given[0] ?? ''), ${opened})`,
      ],
    ),
  ),
  fault(
    'a cursor of another caller is a 500',
    ['catalogue.ts', 'const byId =', 'const issuedTo = new Map<unknown, unknown>();\n  const byId ='],
    ['catalogue.ts', 'list({ query }) {', 'list({ query, header }) {'],
    [
      'catalogue.ts',
      'next_cursor: cursors.issue(end, now())',
      "next_cursor: ((cursor) => (issuedTo.set(cursor, header('x-api-key')), cursor))(cursors.issue(end, now()))",
    ],
    [
      'catalogue.ts',
      'if (start === undefined) return badCursor;',
      "if (start === undefined) return badCursor;\n      const to = issuedTo.get(query.get('cursor'));\n      if (to !== undefined && header('x-api-key') !== undefined && to !== header('x-api-key')) throw new Error('not yours');",
    ],
  ),
  fault('a cursor of more than 2000 characters is a 414', [
    'catalogue.ts',
    'if (start === undefined) return badCursor;',
    "if ((query.get('cursor') ?? '').length > 2000) return failure(414, 'invalid_input', 'Too long.');\n      if (start === undefined) return badCursor;",
  ]),
  fault('a cursor in other letters is a 500', [
    'cursors.ts',
    'if (text.length > 512 ||',
    "if (/[^ -~]/.test(text)) throw new Error('what?');\n      if (text.length > 512 ||",
  ]),
  fault('a bad cursor beside a large limit is the first page', [
    'catalogue.ts',
    'if (start === undefined) return badCursor;',
    'if (start === undefined) return Number(asked) > 100 ? this.list({ ...({} as Call), query: new URLSearchParams() }) : badCursor;',
  ]),
  fault('a limit overflows at 32 bits', [
    'catalogue.ts',
    'const asked = Number(text);',
    'const asked = Number(text) | 0;',
  ]),
  fault('a variant is listed behind the last model', [
    'catalogue.ts',
    page,
    "if (end >= places.length) data.push({ id: 'quartz/mirror/hd', provider: 'quartz', model: 'mirror/hd' });\n      " +
      page,
  ]),
  fault('the limit of later pages is a string', [
    'catalogue.ts',
    page,
    page.replace('{ limit,', '{ limit: start > 0 ? String(limit) : limit,'),
  ]),
  open(
    'document 1, GET /v1/models, rule 1: a page can be short, and for what is not seen',
    fault(
      'a model that is not released keeps its place on a page',
      [
        'catalogue.ts',
        "const places = models.filter((model) => model.released || broken.has('list.shows-unreleased'));",
        'const places = models;',
      ],
      [
        'catalogue.ts',
        '.filter((model) => !model.withdrawn)',
        '.filter((model) => model.released && !model.withdrawn)',
      ],
    ),
  ),
  fault('the schema address of a model that charges has its scheme in capitals', [
    'catalogue.ts',
    "'http' : 'https';",
    "'http' : model.charges === 'yes' ? 'HTTPS' : 'https';",
  ]),
  fault('the schema address of a later model has a blank in it', [
    'catalogue.ts',
    'of?model=${encodeURIComponent(model.id)}`;',
    "of?model=${encodeURIComponent(model.id)}${model.id.startsWith('feldspar/') ? ' v2' : ''}`;",
  ]),
  fault('billing of a provider with a dot is a list', [
    'catalogue.ts',
    billing,
    "billing: model.id.split('/')[0]?.includes('.') ? [{ charges_on_policy_rejection: charges }] : { charges_on_policy_rejection: charges },",
  ]),
  fault('billing says what the last call cost', [
    'catalogue.ts',
    billing,
    "billing: { charges_on_policy_rejection: charges, last_call: { amount: '3.10', currency: 'USD' } },",
  ]),
  fault('the detail of a 404 for an unknown provider is a list', [
    'catalogue.ts',
    missing,
    `if (near.length === 0) return failure(404, 'model_not_found', [] as never);\n      ${missing}`,
  ]),
  fault('the document of a model with a dot names it with an underscore', [
    'schemas.ts',
    "model.id.split('/')[1] : model.id",
    "model.id.split('/')[1] : model.id.replaceAll('.', '_')",
  ]),
  fault('whether a schema is authored is a string for some models', [
    'schemas.ts',
    "'x-service-input-schema-authored': model.schemas !== undefined,",
    "'x-service-input-schema-authored': model.linksSchema || model.schemas === undefined ? model.schemas !== undefined : 'true',",
  ]),
  fault('a component of a document is in another document', [
    'schemas.ts',
    'components: { schemas: components },',
    "components: { schemas: JSON.parse(JSON.stringify(components).replace('#/components/schemas/Layer\"', 'layers.json#/Layer\"')) },",
  ]),
  fault('the ETag of a 304 is no weak one any more', [
    'schemas.ts',
    'caching : { ...caching, etag };',
    "caching : { ...caching, etag: etag.replace('W/', '') };",
  ]),
  open(
    'document 1, GET …/openapi.json: when a document is another one is not stated',
    fault('a fallback document has another ETag at each read', [
      'schemas.ts',
      '.slice(0, 12)},second"`;',
      '.slice(0, 12)},second${model.schemas === undefined ? call.requestId : ""}"`;',
    ]),
  ),
  open(
    'RFC 9110, section 8.8.3: an entity tag is one of its own resource',
    fault('models of the same input share their ETag', [
      'schemas.ts',
      '.update(body)',
      '.update(JSON.stringify(model.schemas ?? {}))',
    ]),
  ),
  fault('ctx is a text', [
    'rejections.ts',
    'const bound = { le: 50, unit: null };',
    "const bound = 'le 50' as never;",
  ]),
  fault('the offending value comes back as a string', [
    'rejections.ts',
    "input: input['steps'] })",
    "input: String(input['steps']) })",
  ]),
  fault('a charset beside application/json is refused', [
    'run.ts',
    '/^application\\/json\\b/i',
    '/^application\\/json$/i',
  ]),
  fault('a run that accepts events gets events', [
    'router.ts',
    unnamed,
    "if (reply.status === 200 && call.method === 'POST' && call.header('accept')?.includes('event-stream')) return { ...reply, headers: { ...reply.headers, 'x-service-request-id': call.requestId, 'content-type': 'text/event-stream' }, body: Buffer.from(`data: ${reply.body}\\n\\n`) };",
  ]),
  fault('a run with a webhook_url is a 202', [
    'run.ts',
    'if (answer.status !== 200) return answer;',
    "if (answer.status !== 200) return answer;\n    if ('webhook_url' in input) return { ...answer, status: 202 };",
  ]),
  open(
    'document 1, Authentication, item 6: which JWT is a usable one is not shown',
    fault('an unknown JWT is forbidden instead of unauthorized', [
      'credentials.ts',
      'if (found === undefined) {',
      "if (found === undefined && /^bearer [^.]+\\.[^.]+\\.[^.]*$/i.test(call.header('authorization') ?? '')) return failure(403, 'forbidden', 'Who?');\n  if (found === undefined) {",
    ]),
  ),
  fault('a bearer without a value reads the catalogue', [
    'credentials.ts',
    'if (found === undefined) {',
    "if (found === undefined && call.method === 'GET' && /^bearer *$/i.test(call.header('authorization') ?? '')) return account('nobody');\n  if (found === undefined) {",
  ]),
  fault('a 401 to a run has no body', [
    'router.ts',
    refused,
    "if ('status' in account) return call.method === 'POST' && account.status === 401 ? { ...account, body: Buffer.alloc(0) } : account;",
  ]),
  fault('a credential without access reads schema documents', [
    'credentials.ts',
    'if (!found.hasAccess)',
    "if (!found.hasAccess && !call.path.endsWith('/openapi.json'))",
  ]),
  fault('a connection that was authenticated stays so', [
    'server.ts',
    header,
    "const known = request.socket as unknown as { key?: string };\n    if (request.headers['x-api-key'] !== undefined) known.key = String(request.headers['x-api-key']);\n    const value = request.headers[name] ?? (name === 'x-api-key' && request.headers.authorization === undefined ? known.key : undefined);",
  ]),
];
