import { open, stated, unseen } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });

const reply = 'const reply = await answer(call);';
const withReply = (what: string): Edit => ['router.ts', reply, `${reply}\n    ${what}`];
const authenticated = 'const account = authenticate(call, broken);';
const replayed = 'return replay(entry.state.answer);';
const withReplay = (what: string): Edit => ['keys.ts', replayed, what];
const claim = 'const claim = await keys.claim(';
const inFlight = "if (entry.state.is === 'in-flight') return inFlight();";
const keeping = "become({ is: 'recorded', answer: { ...answer, headers } });";
const limited = 'const limit = sizeOf(asked, broken);';
const page = 'const page = { limit, has_more: end < places.length, data };';
const started = "const start = startOf(query.getAll('cursor'));";
const notModified = 'return { status: 304, headers, body: Buffer.alloc(0) };';
const detail = 'return rest === undefined ? catalogue.detail(found) : readSchema(call, found, broken);';
const noMatch = 'const listed = [...condition.matchAll(/(W\\/)?("[^"]*")/g)];';
const dispatched = 'if (answer.status !== 200) return answer;';
const accepted = 'if (!hasType(schema.type, value)) return false;';
const refused = 'return catalogue.unknown(id);';

/** Found by asking of each sentence of document 1 what one call may leave behind for the next. */
export const followingRouterFaults: readonly Fault[] = [
  // --- keys: what a second and third attempt meet
  fault(
    'the second replay lacks its mark',
    stated('keys.ts', 'const replays = new Map();'),
    withReplay(
      "{ const times = (replays.get(entry) ?? 0) + 1; replays.set(entry, times); const again = replay(entry.state.answer); if (times === 2) delete again.headers['idempotent-replayed']; return again; }",
    ),
  ),
  fault(
    'a replay is unmarked after a conflict about its body',
    stated('keys.ts', 'const disputed = new Set();'),
    [
      'keys.ts',
      "return conflict('This key stands for another body.');",
      "disputed.add(entry); return conflict('This key stands for another body.');",
    ],
    withReplay(
      "{ const again = replay(entry.state.answer); if (disputed.has(entry)) delete again.headers['idempotent-replayed']; return again; }",
    ),
  ),
  fault(
    'the replay of a refusal lacks its mark',
    withReplay(
      "{ const again = replay(entry.state.answer); if (again.status >= 400) delete again.headers['idempotent-replayed']; return again; }",
    ),
  ),
  open(
    'document 1: what a key is compared with beside the body is not stated, and item 3 of Authentication is about validation',
    fault('a record of a call with the key in X-API-Key is not found with the key as bearer', [
      'run.ts',
      '[account.name, id, key]',
      "[account.name, id, key, call.header('x-api-key') !== undefined]",
    ]),
  ),
  fault('a body with another seed is the same body', [
    'keys.ts',
    'replaceAll(/("(?:[^"\\\\]|\\\\.)*")|\\s+/g, \'$1\')',
    'replaceAll(/("(?:[^"\\\\]|\\\\.)*")|\\s+/g, \'$1\').replaceAll(/"seed":[^,}]*/g, \'\')',
  ]),
  fault('a retry in chunks is a fresh run', [
    'run.ts',
    claim,
    "if (call.header('transfer-encoding') !== undefined) return perform(call, account, id);\n      const claim = await keys.claim(",
  ]),
  fault('a key of less than four characters is no key', [
    'run.ts',
    "key === undefined || key === ''",
    'key === undefined || key.length < 4',
  ]),
  fault('a key with a blank in it is no key', [
    'run.ts',
    "key === undefined || key === ''",
    "key === undefined || key === '' || key.includes(' ')",
  ]),
  fault(
    'the run after a dropped one is not recorded',
    stated('run.ts', 'const dropped = new Set();'),
    [
      'run.ts',
      'const release = (): void => claim.release();',
      'const release = (): void => { dropped.add(key); claim.release(); };',
    ],
    [
      'run.ts',
      'return claim.settle(answer, call.requestId);',
      'if (dropped.has(key)) { claim.release(); return answer; }\n        return claim.settle(answer, call.requestId);',
    ],
  ),
  fault('a key that is dropped a second time is used up', stated('keys.ts', 'const drops = new Map();'), [
    'keys.ts',
    '      release,\n',
    "      release: () => { const n = (drops.get(key) ?? 0) + 1; drops.set(key, n); if (n > 1) become({ is: 'consumed' }); else release(); },\n",
  ]),
  fault('a drop frees the same key of other callers', [
    'keys.ts',
    '      release,\n',
    '      release: () => { release(); for (const other of entries.keys()) if (JSON.parse(other)[2] === JSON.parse(key)[2]) entries.delete(other); },\n',
  ]),
  fault(
    'a key that was refused for capacity is not recorded later',
    stated('keys.ts', 'const full = new Set();'),
    [
      'keys.ts',
      'const { status } = answer;',
      'const { status } = answer;\n      if (status === 429) full.add(key);\n      else if (full.has(key)) { release(); return answer; }',
    ],
  ),
  open(
    'document 1, row 3: the call re-runs, and a call has one body',
    fault(
      'a key that was refused for capacity is bound to its body',
      stated('keys.ts', 'const bodies = new Map();'),
      [
        'keys.ts',
        'const { status } = answer;',
        'const { status } = answer;\n      if (status === 429) bodies.set(key, entry.print);',
      ],
      [
        'keys.ts',
        'const known = entries.get(key);',
        "const known = entries.get(key);\n      if (bodies.has(key) && bodies.get(key) !== print) return { verdict: 'answered', answer: conflict('This key stands for another body.') };",
      ],
    ),
  ),
  open(
    'document 1, row 3: the call re-runs, and a call has one body',
    fault(
      'a key that was freed by a failure is bound to its body',
      stated('keys.ts', 'const bodies = new Map();'),
      [
        'keys.ts',
        'const { status } = answer;',
        'const { status } = answer;\n      if (status >= 500) bodies.set(key, entry.print);',
      ],
      [
        'keys.ts',
        'const known = entries.get(key);',
        "const known = entries.get(key);\n      if (bodies.has(key) && bodies.get(key) !== print) return { verdict: 'answered', answer: conflict('This key stands for another body.') };",
      ],
    ),
  ),
  fault(
    'a retry in flight keeps the answer from being recorded',
    stated('keys.ts', 'const met = new Set();'),
    ['keys.ts', inFlight, "if (entry.state.is === 'in-flight') { met.add(entry); return inFlight(); }"],
    [
      'keys.ts',
      keeping,
      "if (met.has(entry)) release(); else become({ is: 'recorded', answer: { ...answer, headers } });",
    ],
  ),
  fault('a retry in flight with another body takes the place of the first', [
    'keys.ts',
    inFlight,
    "if (entry.state.is === 'in-flight') { entry.print = print; return inFlight(); }",
  ]),
  fault(
    'a retry in flight ends the first call',
    stated('run.ts', 'const running = new Map();'),
    [
      'run.ts',
      "if (claim.verdict === 'answered') return claim.answer;",
      "if (claim.verdict === 'answered') { if (claim.answer.headers['retry-after'] !== undefined) running.get(key)?.abort(); return claim.answer; }\n      const stop = new AbortController();\n      running.set(key, stop);",
    ],
    [
      'run.ts',
      '(generation === undefined ? perform(call, account, id)',
      "(generation === undefined ? Promise.race([perform(call, account, id), new Promise((end) => stop.signal.addEventListener('abort', () => end(failure(503, 'service_unavailable', 'Taken over.'))))])",
    ],
  ),
  fault('the second 409 in flight lacks its error type', stated('keys.ts', 'let waits = 0;'), [
    'keys.ts',
    "headers: { 'x-service-error-type': 'rate_limited', ...headers }",
    "headers: { ...((waits += 1) % 2 === 0 ? {} : { 'x-service-error-type': 'rate_limited' }), ...headers }",
  ]),
  fault(
    'a replay after more than twelve hours is the last',
    withReplay(
      '{ if (entry.until - now() < recordLifetimeMs / 2) entry.until = 0; return replay(entry.state.answer); }',
    ),
  ),
  fault('the record of a 404 does not end', [
    'keys.ts',
    'entry.until = now() + recordLifetimeMs;',
    "entry.until = now() + recordLifetimeMs;\n      if (state.is === 'recorded' && state.answer.status === 404) entry.until = Number.POSITIVE_INFINITY;",
  ]),
  fault('a used-up key does not end', [
    'keys.ts',
    'entry.until = now() + recordLifetimeMs;',
    "entry.until = now() + recordLifetimeMs;\n      if (state.is === 'consumed') entry.until = Number.POSITIVE_INFINITY;",
  ]),
  fault(
    'letters beyond ASCII are broken in a replay',
    withReplay(
      "{ const again = replay(entry.state.answer); return { ...again, body: Buffer.from(again.body.toString('latin1')) }; }",
    ),
  ),
  fault(
    'a replay is printed again',
    withReplay(
      '{ const again = replay(entry.state.answer); return { ...again, body: Buffer.from(JSON.stringify(JSON.parse(again.body.toString()))) }; }',
    ),
  ),
  fault(
    'a replay is a 200 with the body of the refusal',
    withReplay(
      '{ const again = replay(entry.state.answer); return again.status === 404 ? { ...again, status: 200 } : again; }',
    ),
  ),
  fault('the conflict about a body carries the credits of the record', [
    'keys.ts',
    "return conflict('This key stands for another body.');",
    "{ const no = conflict('This key stands for another body.'); const { 'x-service-credits-used': credits } = entry.state.answer?.headers ?? {}; return credits === undefined ? no : { ...no, headers: { ...no.headers, 'x-service-credits-used': credits } }; }",
  ]),
  fault('a keyed run over the deadline blames the partner', [
    'run.ts',
    "() => failure(504, 'deadline_exceeded', `No result within ${deadlineMs} ms.`)",
    "() => failure(504, call.header('idempotency-key') === undefined ? 'deadline_exceeded' : 'provider_timeout', `No result within ${deadlineMs} ms.`)",
  ]),
  fault(
    'the second run over the deadline under a key is a conflict',
    stated('run.ts', 'const late = new Map();'),
    [
      'run.ts',
      'return claim.settle(answer, call.requestId);',
      "if (answer.status === 504) { const n = (late.get(key) ?? 0) + 1; late.set(key, n); if (n > 1) { claim.release(); return failure(409, 'internal_error', 'Still the same.'); } }\n        return claim.settle(answer, call.requestId);",
    ],
  ),
  // --- capacity: what is given back
  fault('a retry in flight keeps a place of its caller', [
    'run.ts',
    "if (claim.verdict === 'answered') return claim.answer;",
    "if (claim.verdict === 'answered') { if (claim.answer.headers['retry-after'] !== undefined) bounds.enter(account, 0); return claim.answer; }",
  ]),
  fault('a replay keeps a place of its caller', [
    'run.ts',
    "if (claim.verdict === 'answered') return claim.answer;",
    "if (claim.verdict === 'answered') { if (claim.answer.headers['idempotent-replayed'] !== undefined) bounds.enter(account, 0); return claim.answer; }",
  ]),
  fault('a keyed call keeps its place', [
    'run.ts',
    '      leave();\n',
    "      if (call.header('idempotency-key') === undefined) leave();\n",
  ]),
  fault(
    'a dropped call keeps the spend that it committed',
    [
      'run.ts',
      '      leave();\n',
      '      leave();\n      if (call.gone.aborted) { const again = bounds.enter({ ...account, calls: Infinity }, model.cents); void again; bounds.free(account); }\n',
    ],
    [
      'bounds.ts',
      'return {\n    enter(',
      'return {\n    free(account: Account) { const load = held.get(account.name); if (load) load.calls -= 1; },\n    enter(',
    ],
  ),
  fault('the deadline gives back the place only once', stated('run.ts', 'let ended = 0;'), [
    'run.ts',
    '      leave();\n',
    "      if (model.id !== 'onyx.labs/endless' || (ended += 1) < 2) leave();\n",
  ]),
  // --- credits
  fault('a refused input of a provider that shows credits shows credits', [
    'run.ts',
    "return failure(400, 'invalid_input', 'The body does not fit the schema of the model.');",
    "return failure(400, 'invalid_input', 'The body does not fit the schema of the model.', creditsShownFor.has(id.split('/')[0] ?? '') ? { 'x-service-credits-used': '0' } : {});",
  ]),
  unseen(
    'which providers show credits is not shown, and a call may cost nothing',
    fault('the call after one that shows credits shows them too', stated('run.ts', 'let shown = false;'), [
      'run.ts',
      "const credits = creditsShownFor.has(model.id.split('/')[0] ?? '')",
      "const own = creditsShownFor.has(model.id.split('/')[0] ?? '');\n    const was = shown;\n    shown = own;\n    const credits = own || was",
    ]),
  ),
  fault('every unknown model of a provider that shows credits shows credits', [
    'router.ts',
    reply,
    "let reply = await answer(call);\n    if (reply.status === 404 && call.path.startsWith('/v1/models/garnet/')) reply = { ...reply, headers: { ...reply.headers, 'x-service-credits-used': '0.00' } };",
  ]),
  // --- outputs, inputs
  fault('a large output without a key is cut', [
    'run.ts',
    "key === undefined || key === '') return perform(call, account, id);",
    "key === undefined || key === '') { const answer = await perform(call, account, id); return answer.body.length > 65_536 ? { ...answer, body: answer.body.subarray(0, 65_536) } : answer; }",
  ]),
  fault('a refused text is refused no more the second time', stated('run.ts', 'let policy = 0;'), [
    'run.ts',
    dispatched,
    "if (answer.headers['x-service-error-type'] === 'content_policy_violation' && (policy += 1) % 2 === 0) return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };\n    if (answer.status !== 200) return answer;",
  ]),
  fault('the third unknown model is a 400', stated('run.ts', 'let unknown = 0;'), [
    'run.ts',
    'if (model === undefined) return catalogue.unknown(id);',
    "if (model === undefined) return (unknown += 1) % 3 === 0 ? failure(400, 'model_not_found', 'No.') : catalogue.unknown(id);",
  ]),
  fault('the second failure of a list counts its place from one', [
    'rejections.ts',
    "const loc = ['body', 'layers', index, 'opacity'];",
    "const loc = ['body', 'layers', index + 1, 'opacity'];",
  ]),
  fault('a 422 echoes the value of the one before', stated('rejections.ts', 'let echoed: unknown;'), [
    'rejections.ts',
    "input: input['steps'] });",
    "input: echoed ?? input['steps'] });\n    echoed = Number(input['steps']) + 1;",
  ]),
  fault('the path of a failure leads to the list instead of its item', [
    'rejections.ts',
    "const loc = ['body', 'layers', index, 'opacity'];",
    "const loc = ['body', 'layers', 'opacity'];",
  ]),
  fault('numbers below a minimum of the schema are taken', [
    'schemas.ts',
    "if (typeof value === 'number' && value <",
    "if (typeof value === 'number' && value + 1e9 <",
  ]),
  fault('items of lists are not held against the schema', [
    'schemas.ts',
    'return value.every((item) => accepts(schema.items ?? {}, components, item));',
    'return true;',
  ]),
  fault('a null is taken where the schema wants a text', [
    'schemas.ts',
    accepted,
    'if (!hasType(schema.type, value) && value !== null) return false;',
  ]),
  fault('a number is taken where the schema wants a text', [
    'schemas.ts',
    accepted,
    "if (!hasType(schema.type, value) && !(schema.type === 'string' && typeof value === 'number')) return false;",
  ]),
  fault('an object is taken where the schema wants a list', [
    'schemas.ts',
    accepted,
    "if (!hasType(schema.type, value) && !(schema.type === 'array' && hasType('object', value))) return false;",
  ]),
  fault('members that are required may be missing where there are others', [
    'schemas.ts',
    'if ((schema.required ?? []).some((name) => !members.has(name))) return false;',
    'if (members.size === 0 && (schema.required ?? []).length > 0) return false;',
  ]),
  fault(
    'an input is held against its schema the first time only',
    stated('run.ts', 'const held = new Set();'),
    [
      'run.ts',
      'if (schema !== undefined && !accepts(schema, model.schemas ?? {}, input)) {',
      'if (schema !== undefined && !accepts(schema, model.schemas ?? {}, input) && !held.has(id + call.body) && held.add(id + call.body)) {',
    ],
  ),
  fault('a document wants a member that the run does not want', [
    'schemas.ts',
    'components: { schemas: components },',
    "components: { schemas: Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, schema.required ? { ...schema, required: [...schema.required, 'seed'] } : schema])) },",
  ]),
  fault('a document forbids members that the run takes', [
    'schemas.ts',
    'components: { schemas: components },',
    "components: { schemas: Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, schema.properties && name === 'Input' ? { ...schema, properties: { prompt: { type: 'string', maxLength: 3 } } } : schema])) },",
  ]),
  // --- the catalogue
  fault('a clamped limit beside a cursor echoes what was asked', [
    'catalogue.ts',
    page,
    'const page = { limit: start > 0 && Number(asked) > limit ? Number(asked) : limit, has_more: end < places.length, data };',
  ]),
  fault('a page behind a cursor has one entry more than its limit', [
    'catalogue.ts',
    'places.slice(start, end)',
    'places.slice(start, start > 0 ? end + 1 : end)',
  ]),
  fault('a negative limit beside a cursor is one', [
    'catalogue.ts',
    limited,
    "const limit = Number(asked) < 0 && query.has('cursor') ? 1 : sizeOf(asked, broken);",
  ]),
  fault(
    'a page without a limit has that of the page before',
    stated('catalogue.ts', 'let before: number | undefined;'),
    [
      'catalogue.ts',
      limited,
      'const limit = asked === null ? (before ?? sizeOf(asked, broken)) : sizeOf(asked, broken);\n      before = limit;',
    ],
  ),
  fault(
    'the last page of a caller with a bearer has an empty cursor',
    ['catalogue.ts', 'list({ query }) {', 'list({ query, header }) {'],
    [
      'catalogue.ts',
      '? { next_cursor: null, ...page } : page)',
      "? { next_cursor: null, ...page } : header('authorization') === undefined ? page : { ...page, next_cursor: '' })",
    ],
  ),
  fault('a cursor with a broken escape is the first page', [
    'catalogue.ts',
    started,
    "const start = startOf(query.getAll('cursor').filter((text) => !text.includes('%')));",
  ]),
  fault('what follows a zero character in a cursor is dropped', [
    'catalogue.ts',
    "cursors.open(given[0] ?? '', now())",
    "cursors.open((given[0] ?? '').split('\\0')[0], now())",
  ]),
  fault('the refusal of an over-long cursor has another bucket', [
    'catalogue.ts',
    'if (start === undefined) return badCursor;',
    "if (start === undefined) return String(query.get('cursor')).length > 512 ? failure(400, 'internal_error', 'Too long.') : badCursor;",
  ]),
  fault('entries behind the first page lack the end of names with a dot', [
    'catalogue.ts',
    'map(entryOf);',
    "map(entryOf).map((entry) => start > 0 && entry.model.includes('.') ? { ...entry, model: entry.model.split('.')[0] } : entry);",
  ]),
  fault(
    'entries of models that were run say when',
    stated('router.ts', 'const ran = new Set();'),
    [
      'router.ts',
      "if (rest === undefined && call.method === 'POST') return",
      "if (rest === undefined && call.method === 'POST') ran.add(id);\n    if (rest === undefined && call.method === 'POST') return",
    ],
    withReply(
      "if (call.path === '/v1/models' && reply.status === 200) { const page = JSON.parse(reply.body.toString()); for (const entry of page.data) if (ran.has(entry.id)) entry.last_run_at = 'today'; return { ...reply, headers: { 'x-service-request-id': call.requestId, ...reply.headers }, body: Buffer.from(JSON.stringify(page)) }; }",
    ),
  ),
  fault('has_more of a page behind a cursor is a number', [
    'catalogue.ts',
    page,
    'const page = { limit, has_more: (start > 0 && end >= places.length ? 0 : end < places.length), data };',
  ]),
  // --- details and documents
  fault('the schema address is relative for a bearer', [
    'router.ts',
    detail,
    "if (rest === undefined && call.header('authorization') !== undefined) { const shown = JSON.parse(catalogue.detail(found).body.toString()); if (shown.input_schema_url) shown.input_schema_url = `/v1/models/${id}/openapi.json`; const body = Buffer.from(JSON.stringify(shown)); return { status: 200, headers: { 'content-type': 'application/json' }, body }; }\n    " +
      detail,
  ]),
  fault('the 404 of a document suggests a model that is not released', [
    'router.ts',
    `if (found === undefined) ${refused}`,
    `if (found === undefined) return rest === undefined ? catalogue.unknown(id) : { ...catalogue.unknown(id), body: Buffer.from(JSON.stringify({ error_type: 'model_not_found', detail: 'Did you mean topaz/secret?' })) };`,
  ]),
  fault('a 304 to a star echoes the star', [
    'schemas.ts',
    notModified,
    "return { status: 304, headers: condition.trim() === '*' ? { ...headers, etag: '*' } : headers, body: Buffer.alloc(0) };",
  ]),
  fault('a 304 to a list echoes the first of it', [
    'schemas.ts',
    notModified,
    'return { status: 304, headers: { ...headers, ...(condition.includes(\'"\') ? { etag: /(?:W\\/)?"[^"]*"/.exec(condition)[0] } : {}) }, body: Buffer.alloc(0) };',
  ]),
  fault(
    'the read after a 304 is a 304 too',
    stated('schemas.ts', 'const held = new Set();'),
    [
      'schemas.ts',
      'if (condition !== undefined && matches(',
      'if (held.delete(etag)) return { status: 304, headers: { ...caching, etag }, body: Buffer.alloc(0) };\n  if (condition !== undefined && matches(',
    ],
    ['schemas.ts', notModified, `held.add(etag);\n    ${notModified}`],
  ),
  fault('the tag of any document matches', stated('schemas.ts', 'const known = new Set();'), [
    'schemas.ts',
    'if (condition !== undefined && matches(',
    'known.add(etag);\n  if (condition !== undefined && [...known].some((tag) => matches(condition, tag, false))) return { status: 304, headers: { ...caching, etag }, body: Buffer.alloc(0) };\n  if (condition !== undefined && matches(',
  ]),
  fault('a tag without its W/ does not match', [
    'schemas.ts',
    '(strongly ? whole === opaque && whole === etag : `W/${opaque}` === etag)',
    'whole === etag && opaque !== undefined',
  ]),
  fault('a star beside another tag matches', [
    'schemas.ts',
    noMatch,
    `if (/(?:^|,)\\s*"\\*"\\s*(?:,|$)/.test(condition)) return true;\n  ${noMatch}`,
  ]),
  unseen(
    'a schema may be authored at any time, and one that takes any object may be authored',
    fault(
      'a fallback document says that it is authored once the model was run',
      stated('schemas.ts', 'export const ran = new Set();'),
      [
        'router.ts',
        "import { readSchema } from './schemas.ts';",
        "import { ran, readSchema } from './schemas.ts';",
      ],
      [
        'router.ts',
        "if (rest === undefined && call.method === 'POST') return",
        "if (rest === undefined && call.method === 'POST') ran.add(id);\n    if (rest === undefined && call.method === 'POST') return",
      ],
      [
        'schemas.ts',
        "'x-service-input-schema-authored': model.schemas !== undefined",
        "'x-service-input-schema-authored': model.schemas !== undefined || ran.has(model.id)",
      ],
    ),
  ),
  fault('a 304 to a bearer lacks its ETag', [
    'schemas.ts',
    notModified,
    "return { status: 304, headers: call.header('authorization') === undefined ? headers : caching, body: Buffer.alloc(0) };",
  ]),
  fault('a conditional miss has the tag that was sent', [
    'schemas.ts',
    'return { status: 200, headers: { ...caching, etag,',
    'return { status: 200, headers: { ...caching, etag: /^(?:W\\/)?"[^"]*"$/.test(condition ?? \'\') ? condition : etag,',
  ]),
  // --- credentials
  unseen(
    'a real credential in a target would be in every log on its way',
    fault('a key in the query reads', [
      'router.ts',
      authenticated,
      "const inQuery = call.query.get('api_key');\n    const account = authenticate(inQuery === null ? call : { ...call, header: (name) => (name === 'x-api-key' ? inQuery : call.header(name)) }, broken);",
    ]),
  ),
  fault('a key as the name of Basic is good', [
    'credentials.ts',
    'const bearer = /^bearer',
    "const basic = /^basic +(\\S+)$/i.exec(header('authorization') ?? '')?.[1];\n  if (basic !== undefined) return byKey.get(Buffer.from(basic, 'base64').toString().split(':')[0] ?? '');\n  const bearer = /^bearer",
  ]),
  unseen(
    'any name could carry it',
    fault('a key in a cookie is good', [
      'credentials.ts',
      "const key = header('x-api-key');",
      "const key = header('x-api-key') ?? (header('authorization') === undefined ? /api_key=([^;]+)/.exec(header('cookie') ?? '')?.[1] : undefined);",
    ]),
  ),
  open(
    'document 1, Authentication, item 6: the issuance of credentials is not shown',
    fault('a JWT without its signature is good', [
      'credentials.ts',
      'return byToken.get(bearer);',
      "return byToken.get(bearer) ?? [...byToken].find(([token]) => token.slice(0, token.lastIndexOf('.') + 1) === bearer)?.[1];",
    ]),
  ),
  fault('a caller without credits cannot read documents', [
    'router.ts',
    detail,
    `if (!account.hasCredits) return failure(403, 'insufficient_credits', 'The purse is empty.');\n    ${detail}`,
  ]),
  fault(
    'a caller without access is unauthorized',
    [
      'credentials.ts',
      "failure(403, 'forbidden', 'This account is shut out.')",
      "failure(header('authorization') === undefined ? 403 : 401, header('authorization') === undefined ? 'forbidden' : 'unauthorized', 'This account is shut out.')",
    ],
    [
      'credentials.ts',
      'export function authenticate(call: Call,',
      'export function authenticate(call: Call & { header: any },',
    ],
    [
      'credentials.ts',
      'const found = findAccount(call.header, broken);',
      'const { header } = call;\n  const found = findAccount(header, broken);',
    ],
  ),
  fault('a wrong key shuts its caller out for a call', stated('router.ts', 'let wrong = false;'), [
    'router.ts',
    "if ('status' in account) return account;",
    "if ('status' in account) { wrong = true; return account; }\n    if (wrong) { wrong = false; if (call.method === 'GET' && call.path !== '/v1/models') return failure(401, 'unauthorized', 'Who is calling?'); }",
  ]),
  // --- paths, sizes, headers of every answer
  fault('a provider of 65 characters is cut', [
    'router.ts',
    'const refusal = refuseSegment(provider, 64)',
    'if (provider.length === 65) return answer({ ...call, path: call.path.replace(provider, provider.slice(0, 64)) });\n    const refusal = refuseSegment(provider, 64)',
  ]),
  unseen(
    'which size is refused is not shown, and what stands before the router may refuse it first',
    fault('a body that is too large has no request id', [
      'server.ts',
      "failure(413, 'invalid_input', 'That is too much.', named)",
      "failure(413, 'invalid_input', 'That is too much.')",
    ]),
  ),
  fault('a 404 of a run under a key lacks the request id', [
    'router.ts',
    "return { ...reply, headers: { 'x-service-request-id': call.requestId, ...reply.headers } };",
    "if (reply.status === 404 && call.header('idempotency-key') !== undefined) return { ...reply, headers: { ...reply.headers, 'x-service-request-id': '' } };\n    return { ...reply, headers: { 'x-service-request-id': call.requestId, ...reply.headers } };",
  ]),
  fault('errors after a dropped call lack their type', stated('router.ts', 'let dropped = false;'), [
    'router.ts',
    reply,
    `call.gone.addEventListener('abort', () => { dropped = true; });\n    ${reply}\n    if (dropped && reply.status >= 400 && reply.status !== 409) { const { 'x-service-error-type': _, ...rest } = reply.headers; return { ...reply, headers: { 'x-service-request-id': call.requestId, ...rest } }; }`,
  ]),
  fault('the error type of a refused cursor is in capitals', [
    'catalogue.ts',
    'if (start === undefined) return badCursor;',
    "if (start === undefined) return { ...badCursor, headers: { ...badCursor.headers, 'x-service-error-type': query.has('limit') ? 'INVALID_INPUT' : 'invalid_input' } };",
  ]),
];
