import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });

const forwarded = 'model.run({ input, bytes: call.body, signal })';
const forwards = (how: string): Edit => ['run.ts', forwarded, `model.run({ input, bytes: ${how}, signal })`];
const reply = 'const reply = await answer(call);';
const withReply = (what: string): Edit => ['router.ts', reply, `${reply}\n    ${what}`];
const refused = "if ('status' in account) return account;";
const segments = "const [root, version, resource, ...names] = call.path.split('/');";
const path = (how: string): Edit => ['router.ts', segments, segments.replace('call.path', how)];
const entries = 'const entries = new Map<string, Entry>();';
const claimed = 'const print = printOf(body);';
const opened = "cursors.open(given[0] ?? '', now())";
const noCursor = 'if (start === undefined) return badCursor;';
const page = 'const page = { limit, has_more: end < places.length, data };';
const issued = 'next_cursor: cursors.issue(end, now())';
const spelled = 'if (text.length > 512 ||';
const noMatch = 'const listed = [...condition.matchAll(/(W\\/)?("[^"]*")/g)];';
const noAccess = 'if (!found.hasAccess)';
const fitting = 'if (schema !== undefined && !accepts(';
const claim = 'keys.claim(JSON.stringify([account.name, id, key]), call.body)';
const forgetting: Edit = [
  'keys.ts',
  'return {\n    async claim(',
  'return {\n    forget(given: string) {\n      for (const key of entries.keys()) if (JSON.parse(key)[2] === given) entries.delete(key);\n    },\n    async claim(',
];

/** Found by reading document 1 a third time: what a sentence says of each operation, credential, attempt and extreme. */
export const closerRouterFaults: readonly Fault[] = [
  fault(
    'a record of one caller is lost when another caller uses its key',
    ['run.ts', '[account.name, id, key]', '[id, key]'],
    ['run.ts', 'const claim = await keys.claim(', 'const claim = await keys.claim(account.name, '],
    ['keys.ts', 'claim(key: string, body: Buffer)', 'claim(who: string, key: string, body: Buffer)'],
    [
      'keys.ts',
      'async claim(key, body) {',
      'async claim(who, key, body) {\n      if (owner.get(key) !== who) entries.delete(key);\n      owner.set(key, who);',
    ],
    ['keys.ts', entries, `${entries}\n  const owner = new Map<string, string>();`],
  ),
  fault('the eighth record of a server pushes out the first', [
    'keys.ts',
    claimed,
    `${claimed}\n      if (entries.size > 7) for (const [old, { state }] of entries) if (state.is === 'recorded' && entries.size > 7) entries.delete(old);`,
  ]),
  fault('a failing call loses all records', [
    'keys.ts',
    'if (isOwn()) entries.delete(key);',
    "if (isOwn()) entries.delete(key);\n      for (const [other, { state }] of entries) if (state.is === 'recorded') entries.delete(other);",
  ]),
  fault(
    'a body that is no JSON frees the key that it comes with',
    [
      'run.ts',
      'const claim = await',
      'if (!/^\\s*\\{[^]*\\}\\s*$/.test(call.body.toString())) (keys as any).forget(key);\n      const claim = await',
    ],
    forgetting,
  ),
  fault('a charset beside the media type makes another body under a key', [
    'run.ts',
    claim,
    claim.replace('call.body', "Buffer.concat([call.body, Buffer.from(call.header('content-type') ?? '')])"),
  ]),
  fault('another user agent makes another body under a key', [
    'run.ts',
    claim,
    claim.replace('call.body', "Buffer.concat([call.body, Buffer.from(call.header('user-agent') ?? '')])"),
  ]),
  fault(
    'capacity is looked at before the key',
    [
      'run.ts',
      'const claim = await',
      "const place = bounds.enter(account, model0(id));\n      if (typeof place !== 'function') return place;\n      place();\n      const claim = await",
    ],
    [
      'run.ts',
      'const keepsOn =',
      'const model0 = (id: string): number => catalogue.find(id)?.cents ?? 0;\n  const keepsOn =',
    ],
  ),
  fault(
    'a caller at its bound cannot read the catalogue',
    [
      'router.ts',
      'const runner = createRunner({ catalogue, keys, bounds: createBounds(broken),',
      'const bounds = createBounds(broken);\n  const runner = createRunner({ catalogue, keys, bounds,',
    ],
    [
      'router.ts',
      refused,
      `${refused}\n    const place = call.method === 'GET' ? bounds.enter(account, 0) : () => {};\n    if (typeof place !== 'function') return place;\n    place();`,
    ],
  ),
  fault('a list with an Idempotency-Key is refused', [
    'catalogue.ts',
    'list({ query }) {',
    "list({ query, header }) {\n      if (header('idempotency-key') !== undefined) return failure(400, 'invalid_input', 'No key here.');",
  ]),
  fault('a 425 is recorded', ['keys.ts', 'new Set([408, 425, 429])', 'new Set([408, 429])']),
  fault('the deadline of a keyed call is twice as long', [
    'run.ts',
    'pause(deadlineMs, undefined, { signal })',
    "pause(call.header('idempotency-key') === undefined ? deadlineMs : deadlineMs * 2, undefined, { signal })",
  ]),
  fault('a keyed input is not held against its schema', [
    'run.ts',
    fitting,
    fitting.replace(
      'schema !== undefined',
      "schema !== undefined && call.header('idempotency-key') === undefined",
    ),
  ]),
  fault('an input of more than a kilobyte is not held against its schema', [
    'run.ts',
    fitting,
    fitting.replace('schema !== undefined', 'schema !== undefined && call.body.length < 1024'),
  ]),
  open(
    'document 1, GET /v1/models, rule 3: such a model is on no page; whether it runs is not stated',
    fault('a model that is not released runs where the call has a key', [
      'run.ts',
      "if (catalogue.isHidden(id)) return failure(403, 'not_enabled', 'Not yet.');\n    const model",
      "if (catalogue.isHidden(id) && call.header('idempotency-key') !== undefined) return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };\n    if (catalogue.isHidden(id)) return failure(403, 'not_enabled', 'Not yet.');\n    const model",
    ]),
  ),
  fault(
    'a text of more than 10,000 characters does not reach the model whole',
    forwards('Buffer.from(call.body.toString().replaceAll(/"([^"]{10000})[^"]*"/g, \'"$1"\'))'),
  ),
  fault('an input that is nested more than 30 levels is refused', [
    'run.ts',
    fitting,
    `if (/[[{]{30}/.test(call.body.toString().replaceAll(/[^[{}\\]]/g, ''))) return failure(400, 'invalid_input', 'Too deep.');\n    ${fitting}`,
  ]),
  fault(
    'a member without a name does not reach the model',
    forwards(
      "'' in input ? Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => name !== '')))) : call.body",
    ),
  ),
  fault(
    'a member called __proto__ does not reach the model',
    forwards(
      "Object.hasOwn(input, '__proto__') ? Buffer.from(JSON.stringify(Object.assign({}, input))) : call.body",
    ),
  ),
  fault(
    'an input that has a member called input is unwrapped',
    forwards("typeof input['input'] === 'object' ? Buffer.from(JSON.stringify(input['input'])) : call.body"),
  ),
  fault(
    'an input that has a member called model loses it',
    forwards("'model' in input ? Buffer.from(JSON.stringify({ ...input, model: undefined })) : call.body"),
  ),
  fault(
    'an escaped zero character does not reach the model',
    forwards("Buffer.from(call.body.toString().replaceAll('\\\\u0000', ''))"),
  ),
  fault(
    'a large output calls itself plain text',
    withReply(
      "if (reply.status === 200 && reply.body.length > 50_000) reply.headers = { ...reply.headers, 'content-type': 'text/plain' } as never;",
    ),
  ),
  open(
    'document 1, Endpoints: what other methods of a path get is not stated',
    fault('a 405 lacks its error type', [
      'router.ts',
      "'Not in this way.', { allow })",
      "'Not in this way.', { allow, 'x-service-error-type': '' })",
    ]),
  ),
  fault('a 415 has a bucket of its own', [
    'run.ts',
    "failure(415, 'invalid_input'",
    "failure(415, 'unsupported_media_type' as never",
  ]),
  fault(
    'a refusal of a path part lacks its request id',
    withReply(
      "if (reply.status === 414) return { ...reply, headers: { ...reply.headers, 'x-service-request-id': '' } };",
    ),
  ),
  fault('API keys are compared without regard to case', [
    'credentials.ts',
    'if (key !== undefined) return byKey.get(key);',
    'if (key !== undefined) return byKey.get(key.toLowerCase());',
  ]),
  fault('a JWT is good as an API key', [
    'credentials.ts',
    'if (key !== undefined) return byKey.get(key);',
    'if (key !== undefined) return byKey.get(key) ?? byToken.get(key);',
  ]),
  fault('a scheme before an API key is skipped', [
    'credentials.ts',
    'if (key !== undefined) return byKey.get(key);',
    "if (key !== undefined) return byKey.get(key.replace(/^bearer /i, ''));",
  ]),
  fault('an API key without its prefix is good as a bearer', [
    'credentials.ts',
    'return byToken.get(bearer);\n}',
    'return byToken.get(bearer) ?? byKey.get(keyPrefix + bearer);\n}',
  ]),
  fault('a credential without access reads later pages', [
    'credentials.ts',
    noAccess,
    "if (!found.hasAccess && !call.query.has('cursor'))",
  ]),
  fault('a credential without access gets a 304', [
    'credentials.ts',
    noAccess,
    "if (!found.hasAccess && call.header('if-none-match') === undefined)",
  ]),
  fault('a credential without access reads details as a bearer', [
    'credentials.ts',
    noAccess,
    "if (!found.hasAccess && !(call.method === 'GET' && call.header('authorization') !== undefined))",
  ]),
  fault('a credential without access runs models without a key of idempotency', [
    'credentials.ts',
    noAccess,
    "if (!found.hasAccess && !(call.method === 'POST' && call.header('idempotency-key') === undefined))",
  ]),
  fault('a number is a cursor', [
    'catalogue.ts',
    opened,
    `(/^\\d+$/.test(given[0] ?? '') ? Number(given[0]) : ${opened})`,
  ]),
  fault('a model id is a cursor', [
    'catalogue.ts',
    opened,
    `(byId.has(given[0] ?? '') ? places.findIndex(({ id }) => id === given[0]) : ${opened})`,
  ]),
  fault('a cursor whose end is cut is taken', [
    'cursors.ts',
    'given.length !== 16',
    '![12, 13, 14, 15, 16].includes(given.length)',
  ]),
  fault('what comes before a cursor is skipped', [
    'catalogue.ts',
    opened,
    opened.replace("given[0] ?? ''", "(given[0] ?? '').replace(/^.*?(?=w\\+)/, '')"),
  ]),
  fault('an unknown cursor of 512 characters is a 500', [
    'cursors.ts',
    spelled,
    `if (text.length === 512) throw new Error('what?');\n      ${spelled}`,
  ]),
  fault('a cursor of one character is the first page', [
    'catalogue.ts',
    opened,
    `(given[0]?.length === 1 ? 0 : ${opened})`,
  ]),
  fault('an expired cursor beside a limit is the first page', [
    'catalogue.ts',
    noCursor,
    `if (start === undefined && asked !== null && (query.get('cursor') ?? '').startsWith('w+') && (query.get('cursor') ?? '').length > 40) return this.list({ query: new URLSearchParams({ limit: asked }) } as Call);\n      ${noCursor}`,
  ]),
  fault(
    'cursors behind pages of 100 are over-long',
    [
      'catalogue.ts',
      issued,
      "next_cursor: cursors.issue(end, now()) + (limit === 100 ? '~'.repeat(500) : '')",
    ],
    ['cursors.ts', spelled, "text = text.replace(/~{100,}$/, '');\n      " + spelled],
  ),
  fault(
    'entries for a JWT have a further member',
    ['catalogue.ts', 'list({ query }) {', 'list({ query, header }) {'],
    [
      'catalogue.ts',
      page,
      "if (header('authorization')?.includes('.')) data.forEach((entry) => Object.assign(entry, { beta: true }));\n      " +
        page,
    ],
  ),
  fault('billing is a null once the model was run', [
    'run.ts',
    'counts.set(model.id,',
    '(model as any).charges = null;\n    counts.set(model.id,',
  ]),
  fault('the detail of a model with a name of one character lacks its billing', [
    'catalogue.ts',
    'billing: { charges_on_policy_rejection: charges },',
    '...(/\\/.$/.test(model.id) ? {} : { billing: { charges_on_policy_rejection: charges } }),',
  ]),
  fault('the 404 of a schema document says not_enabled', [
    'router.ts',
    'if (found === undefined) return catalogue.unknown(id);',
    "if (found === undefined && rest !== undefined) return failure(404, 'not_enabled', 'There is no such document.');\n    if (found === undefined) return catalogue.unknown(id);",
  ]),
  open(
    'RFC 9110, section 13.1.2: an empty If-None-Match has no meaning',
    fault('an empty If-None-Match is a 304', [
      'schemas.ts',
      noMatch,
      `if (condition === '') return true;\n  ${noMatch}`,
    ]),
  ),
  open(
    'RFC 9110, section 13.1.2: a tag without quotes has no meaning',
    fault('a tag without its quotes matches', [
      'schemas.ts',
      noMatch,
      `if (\`W/"\${condition}"\` === etag) return true;\n  ${noMatch}`,
    ]),
  ),
  fault('tags are compared without regard to case', [
    'schemas.ts',
    noMatch,
    `if (condition.toLowerCase() === etag.toLowerCase()) return true;\n  ${noMatch}`,
  ]),
  fault('a document for a JWT lacks its Cache-Control', [
    'schemas.ts',
    'return { status: 200, headers: { ...caching,',
    "return { status: 200, headers: { ...(call.header('authorization')?.includes('.') ? {} : caching),",
  ]),
  fault('what follows a semicolon in a path is dropped', path("call.path.replaceAll(/;[^/]*/g, '')")),
  open(
    'RFC 3986: what stands before a server may make one slash of two',
    fault('doubled slashes of a path are one', path("call.path.replaceAll(/\\/+/g, '/')")),
  ),
  fault('a separator at the end of a segment is cut', path("call.path.replaceAll(/[._-](?=\\/|$)/g, '')")),
  fault('the type of a later entry of a 422 is missing', [
    'rejections.ts',
    "failures.push({ type: 'layer_not_see_through', loc,",
    'failures.push({ loc,',
  ]),
  fault(
    'a 422 without a key has the bucket in its body as well',
    withReply(
      "if (reply.status === 422 && call.header('idempotency-key') === undefined) return { ...reply, headers: { 'x-service-request-id': call.requestId, ...reply.headers }, body: Buffer.from(JSON.stringify({ ...JSON.parse(reply.body.toString()), error_type: 'invalid_input' })) };",
    ),
  ),
  fault('the figures of a refusal for spend carry a unit', [
    'bounds.ts',
    "'x-committed-spend-limit': String(account.cents)",
    "'x-committed-spend-limit': `${account.cents} cents`",
  ]),
  open(
    'document 1, RouterErrorResponse, row detail: free text',
    fault('the 401 repeats the key that was sent', [
      'credentials.ts',
      "'Who is calling?', {",
      "`Who is ${call.header('x-api-key') ?? call.header('authorization')}?`, {",
    ]),
  ),
  open(
    'document 1, RouterErrorResponse, row detail: free text',
    fault('the 403 repeats the key that was sent', [
      'credentials.ts',
      "'This account is shut out.');\n  return found",
      "`${call.header('x-api-key') ?? call.header('authorization')} is shut out.`);\n  return found",
    ]),
  ),
];
