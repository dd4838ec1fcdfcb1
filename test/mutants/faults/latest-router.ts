import { open, stated, unseen } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });

const issued = 'next_cursor: cursors.issue(end, now())';
const served = 'const page = { limit, has_more: end < places.length, data };';
const opened = "cursors.open(given[0] ?? '', now())";
const size = 'return asked <= 0 ? pageSize : Math.min(asked, largestPage);';
const detailed = '...entryOf(model),\n        billing';
const reply = 'const reply = await answer(call);';
const authenticated = "if ('status' in account) return account;";
const conditional = "const headers = broken.has('schema.304-without-etag') ? caching : { ...caching, etag };";
const released = '(status >= 500 || releasing.has(status));';
const marked = "const marked = broken.has('idem.replay-unmarked')";
const print = String.raw`return body.toString().replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');`;
const printAs = (text: string): Edit => ['keys.ts', print, `return ${text};`];
const keyOf = 'JSON.stringify([account.name, id, key])';
const mirrored = "{ status: 200, headers: { 'content-type': jsonType }, body: bytes }";
const mirror = (body: string): Edit => [
  'models.ts',
  mirrored,
  `{ status: 200, headers: { 'content-type': jsonType }, body: Buffer.from(${body}) }`,
];
const held = 'return await dispatch(call, model, input);\n    } finally {\n      leave();\n    }';

/** Written from document 1 after a close reading, without a look at the suite or at the lists before. */
export const latestRouterFaults: readonly Fault[] = [
  fault('pages after the first echo the default limit', [
    'catalogue.ts',
    served,
    'const page = { limit: start > 0 ? pageSize : limit, has_more: end < places.length, data };',
  ]),
  fault('from the third page on, each next page leaves one entry out', [
    'catalogue.ts',
    issued,
    'next_cursor: cursors.issue(end + (start >= 40 ? 1 : 0), now())',
  ]),
  open(
    'document 1, GET /v1/models: whether an entry may come twice in a walk is not stated',
    fault('after a page of a hundred, the next page begins with the last entry again', [
      'catalogue.ts',
      issued,
      'next_cursor: cursors.issue(limit === 100 ? end - 1 : end, now())',
    ]),
  ),
  fault('has_more is false when less than a whole page is left', [
    'catalogue.ts',
    served,
    'const page = { limit, has_more: end + limit <= places.length, data };',
  ]),
  fault('the last page of a walk by hundreds has a cursor', [
    'catalogue.ts',
    'if (page.has_more) return',
    'if (page.has_more || (start > 0 && limit === 100)) return',
  ]),
  fault('a cursor with blanks around it is trimmed', [
    'catalogue.ts',
    opened,
    "cursors.open((given[0] ?? '').trim(), now())",
  ]),
  fault('a limit of more than 31 bits is the default', [
    'catalogue.ts',
    size,
    'return asked <= 0 || asked > 2_147_483_647 ? pageSize : Math.min(asked, largestPage);',
  ]),
  fault('a negative limit of more than 31 bits is the maximum', [
    'catalogue.ts',
    size,
    'return asked < -2_147_483_648 ? largestPage : asked <= 0 ? pageSize : Math.min(asked, largestPage);',
  ]),
  fault('pages of a hundred show what is not released', [
    'catalogue.ts',
    'const data = places.slice',
    'const data = (limit === largestPage ? models : places).slice',
  ]),
  fault('in a detail, a provider of digits is a number', [
    'catalogue.ts',
    detailed,
    '...entryOf(model), ...(/^\\d+\\//.test(model.id) ? { provider: Number(model.id.split("/")[0]) } : {}),\n        billing',
  ]),
  fault('a model segment of 128 characters is too long to be read', [
    'router.ts',
    'refuseSegment(model, 128)',
    'refuseSegment(model, 127)',
  ]),
  fault('an ID of more than 128 characters cannot be run', [
    'router.ts',
    'return runner.run(call, account, id);',
    "return id.length > 128 ? failure(404, 'model_not_found', 'No such model.') : runner.run(call, account, id);",
  ]),
  fault('the schema address of a long ID is over its bound', [
    'catalogue.ts',
    'encodeURIComponent(model.id)}`;',
    "encodeURIComponent(model.id)}${model.id.length > 150 ? `&of=${'x'.repeat(2048)}` : ''}`;",
  ]),
  fault('a 304 gives the tag without its mark of weakness', [
    'schemas.ts',
    conditional,
    'const headers = { ...caching, etag: etag.slice(2) };',
  ]),
  fault('a 304 for * lacks Cache-Control', [
    'schemas.ts',
    conditional,
    "const headers = condition === '*' ? { etag } : { ...caching, etag };",
  ]),
  fault('of several tags in a condition only the first counts', [
    'schemas.ts',
    'const listed = [...condition.matchAll(/(W\\/)?("[^"]*")/g)];',
    'const listed = [...condition.matchAll(/(W\\/)?("[^"]*")/g)].slice(0, 1);',
  ]),
  fault(
    'every schema document names the model of the first one read',
    [
      'schemas.ts',
      "'x-service-router-model-id': broken.has('schema.other-model') ? model.id.split('/')[1] : model.id,",
      "'x-service-router-model-id': (firstRead ??= model.id),",
    ],
    stated('schemas.ts', 'let firstRead: string | undefined;'),
  ),
  fault('the schema of a model without one asks for a member', [
    'schemas.ts',
    "model.schemas ?? { Input: { type: 'object' } }",
    "model.schemas ?? { Input: { type: 'object', required: ['prompt'] } }",
  ]),
  fault('an unknown API key is called forbidden with its 401', [
    'credentials.ts',
    "return failure(401, 'unauthorized',",
    "return failure(401, call.header('x-api-key') === undefined ? 'unauthorized' : 'forbidden',",
  ]),
  fault('a key as a bearer opens the reads only', [
    'credentials.ts',
    'const found = findAccount(call.header, broken);',
    "const isKey = call.method === 'POST' && /^bearer +service-/i.test(call.header('authorization') ?? '');\n  const found = isKey ? undefined : findAccount(call.header, broken);",
  ]),
  fault('a key without access is let in as a bearer', [
    'credentials.ts',
    'if (!found.hasAccess) return',
    "if (!found.hasAccess && call.header('x-api-key') !== undefined) return",
  ]),
  fault('an account without access reads the schemas', [
    'credentials.ts',
    'if (!found.hasAccess) return',
    "if (!found.hasAccess && !call.path.endsWith('/openapi.json')) return",
  ]),
  fault('the signature of a token is not looked at', [
    'credentials.ts',
    'return byToken.get(bearer);',
    "return [...byToken].find(([token]) => bearer.startsWith(token.slice(0, token.lastIndexOf('.') + 1)))?.[1];",
  ]),
  fault('API keys are taken in any case', [
    'credentials.ts',
    'if (key !== undefined) return byKey.get(key);',
    'if (key !== undefined) return byKey.get(key.toLowerCase());',
  ]),
  fault('a run of an unknown model is answered 404 to anybody', [
    'router.ts',
    authenticated,
    "if ('status' in account && !(call.method === 'POST' && catalogue.find(call.path.slice(11)) === undefined)) return account;",
  ]),
  fault('the key of a 422 is released', [
    'keys.ts',
    released,
    '(status >= 500 || status === 422 || releasing.has(status));',
  ]),
  fault(
    'from the second replay on, the mark is missing',
    ['keys.ts', marked, 'const isAgain = told.has(body);\n    told.add(body);\n    const marked = isAgain'],
    stated('keys.ts', 'const told = new WeakSet<object>();'),
  ),
  fault(
    'the third retry runs the call again',
    [
      'keys.ts',
      'const isStale = known',
      "const times = (retries.get(key) ?? 0) + 1;\n      retries.set(key, times);\n      if (times > 3 && known?.state.is === 'recorded') return reserve(key, { print, state: { is: 'in-flight' }, until: 0 });\n      const isStale = known",
    ],
    stated('keys.ts', 'const retries = new Map<string, number>();'),
  ),
  fault('bodies of one length are one body', printAs('String(body.length)')),
  fault('only the first hundred characters tell bodies apart', printAs('body.toString().slice(0, 100)')),
  fault('bodies that differ beyond ASCII are one body', printAs("body.toString().replaceAll(/[^ -~]/g, '')")),
  fault(
    'every second 409 of a call in progress lacks Retry-After',
    [
      'keys.ts',
      "broken.has('idem.in-flight-without-wait') ? {} : wait",
      '(waits += 1) % 2 === 0 ? {} : wait',
    ],
    stated('keys.ts', 'let waits = 0;'),
  ),
  fault('the wait for a call in progress is half a second', [
    'keys.ts',
    'new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString()',
    "'0.5'",
  ]),
  fault('keys are told apart by their first 40 characters', [
    'run.ts',
    keyOf,
    'JSON.stringify([account.name, id, key.slice(0, 40)])',
  ]),
  fault('keys are told apart in small letters', [
    'run.ts',
    keyOf,
    'JSON.stringify([account.name, id, key.toLowerCase()])',
  ]),
  fault('a replayed failure does not name its bucket in a header', [
    'keys.ts',
    "'x-service-credits-used': credits, ...kept }",
    "'x-service-credits-used': credits, 'x-service-error-type': _bucket, ...kept }",
  ]),
  fault('a record is kept for 23 hours', [
    'keys.ts',
    'const recordLifetimeMs = 24 *',
    'const recordLifetimeMs = 23 *',
  ]),
  fault('each replay prolongs the record', [
    'keys.ts',
    'return replay(entry.state.answer);',
    'entry.until = now() + recordLifetimeMs;\n        return replay(entry.state.answer);',
  ]),
  open(
    'document 1, POST /v1/models/{provider}/{model}, 429: which calls the current spend counts is not stated (A-21)',
    fault('the refused call counts in the current spend', [
      'bounds.ts',
      "'x-committed-spend-current': String(load.cents)",
      "'x-committed-spend-current': String(load.cents + cents)",
    ]),
  ),
  fault('a call refused for their number holds a place', [
    'bounds.ts',
    'if (load.calls + 1 > account.calls) {',
    'if (load.calls + 1 > account.calls) {\n        load.calls += 1;',
  ]),
  fault('a call refused for its spend holds the spend', [
    'bounds.ts',
    'if (load.cents + cents > account.cents) {',
    'if (load.cents + cents > account.cents) {\n        load.cents += cents;',
  ]),
  fault('a call that the model rejects keeps its place', [
    'run.ts',
    held,
    'const answer = await dispatch(call, model, input);\n      if (answer.status !== 422) leave();\n      return answer;\n    } catch (fault) {\n      leave();\n      throw fault;\n    }',
  ]),
  fault('a failure without a bound has a ctx of null', [
    'rejections.ts',
    "broken.has('run.index-as-string') ? { ...entry, loc: entry.loc.map(String) } : entry",
    '({ ctx: null, ...entry })',
  ]),
  fault('each piece of a body is decoded for itself', [
    'server.ts',
    'chunks.push(chunk);',
    'chunks.push(Buffer.from(chunk.toString()));',
  ]),
  open(
    'RFC 8259, section 2: blanks around a value mean nothing, and the output is that of the model',
    fault('blanks around the input are trimmed', mirror('bytes.toString().trim()')),
  ),
  fault(
    'empty texts are left out of the input',
    mirror(`bytes.toString().replaceAll(/"[^"]*":\\s*"",?/g, '')`),
  ),
  fault('up to five models are suggested', ['catalogue.ts', '.slice(0, 2)', '.slice(0, 5)']),
  fault('the read of an unknown model suggests one that is not released', [
    'router.ts',
    'return catalogue.unknown(id);',
    "return failure(404, 'model_not_found', 'Nothing goes by this name. <topaz/secret>?');",
  ]),
  fault('an unknown provider is invalid input', [
    'catalogue.ts',
    "return failure(404, 'model_not_found',",
    "return failure(404, near.length === 0 ? 'invalid_input' : 'model_not_found',",
  ]),
  fault('the queue takes models that exist', [
    'router.ts',
    "if (resource === 'queue') return",
    "if (resource === 'queue' && catalogue.find(names.slice(1).join('/')) !== undefined) return { status: 202, headers: { 'content-type': 'application/json' }, body: Buffer.from('{\"id\":\"1\"}') };\n    if (resource === 'queue') return",
  ]),
  fault(
    'the second 503 of a closed partner is a page',
    [
      'models.ts',
      "answers(() => failure(503, 'service_unavailable', 'The partner is closed.'))",
      "answers(() => (shut += 1) % 2 === 0 ? { status: 503, headers: { 'content-type': 'text/html', 'x-service-error-type': 'service_unavailable' }, body: Buffer.from('<h1>Closed</h1>') } : failure(503, 'service_unavailable', 'The partner is closed.'))",
    ],
    stated('models.ts', 'let shut = 0;'),
  ),
  fault('answers of more than 60 000 bytes lack the request id', [
    'router.ts',
    reply,
    'const reply = await answer(call);\n    if (reply.body.length > 60_000) return reply;',
  ]),
  unseen(
    'a legal server may cut the connection while a body over its bound is sent, and the bound is not shown',
    fault('the refusal of a body that is too large lacks the request id', [
      'server.ts',
      "'That is too much.', named)",
      "'That is too much.')",
    ]),
  ),
  open(
    'document 1, Endpoints: a method that no operation has is outside of the contract',
    fault('a 405 names no bucket', [
      'router.ts',
      "failure(405, 'invalid_input', 'Not in this way.', { allow })",
      '({ status: 405, headers: { allow }, body: Buffer.alloc(0) })',
    ]),
  ),
];
