import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });

const split = "= call.path.split('/');";
const pathAs = (path: string): Edit => ['router.ts', split, `= ${path}.split('/');`];
const reprinted = "broken.has('run.reformats-output')";
const unnamed = "if (reply.status === 401 && broken.has('auth.401-without-request-id')) return reply;";
const replayed = "const { 'x-service-credits-used': credits, ...kept } = marked;";
const otherBody = "return conflict('This key stands for another body.');";
const usedUp = "return conflict('This key is used up; take a new one.');";
const released = '(status >= 500 || releasing.has(status));';
const billing = 'billing: { charges_on_policy_rejection: charges },';
const opened = "cursors.open(given[0] ?? '', now())";

/** Found by reading document 1 sentence by sentence, without a look at any probe. */
export const routerFaults: readonly Fault[] = [
  fault('a large output is printed again', ['run.ts', reprinted, 'answer.body.length > 4000']),
  fault('the output of a keyed call is printed again', [
    'run.ts',
    reprinted,
    "call.header('idempotency-key') !== undefined",
  ]),
  fault('a replay lacks its content type', [
    'keys.ts',
    replayed,
    "const { 'x-service-credits-used': credits, 'content-type': _type, ...kept } = marked;",
  ]),
  fault('a 304 lacks the request id', ['router.ts', unnamed, 'if (reply.status === 304) return reply;']),
  fault('a replay lacks the request id', [
    'router.ts',
    unnamed,
    "if ('idempotent-replayed' in reply.headers) { const { 'x-service-request-id': _id, ...headers } = reply.headers; return { ...reply, headers }; }",
  ]),
  fault('the 409 for another body lacks the error type', [
    'keys.ts',
    otherBody,
    "return { ...conflict('Another body.'), headers: {} };",
  ]),
  fault('the 409 of a used-up key lacks the error type', [
    'keys.ts',
    usedUp,
    "return { ...conflict('Used up.'), headers: {} };",
  ]),
  fault('the longest model segment is refused', [
    'router.ts',
    'refuseSegment(model, 128)',
    'refuseSegment(model, 127)',
  ]),
  fault('ids in upper case are lowered', pathAs('call.path.toLowerCase()')),
  fault('repeated separators become one', pathAs("call.path.replace(/([._-])\\1+/g, '$1')")),
  fault(
    'percent-encoded paths are decoded',
    pathAs(
      'call.path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))',
    ),
  ),
  fault('a variant can be run', [
    'router.ts',
    'if (more.length > 0 ||',
    "if (rest !== undefined && more.length === 0 && call.method === 'POST') return runner.run(call, account, `${provider}/${model}`);\n    if (more.length > 0 ||",
  ]),
  fault('the last entry is lost for some page sizes', [
    'catalogue.ts',
    'has_more: end < places.length,',
    'has_more: end < places.length - 1,',
  ]),
  open(
    'document 1, GET /v1/models, rule 1: a walk ends with has_more; that no entry comes twice is not stated',
    fault('large pages overlap by one entry', [
      'catalogue.ts',
      'cursors.issue(end, now())',
      'cursors.issue(limit > 50 ? end - 1 : end, now())',
    ]),
  ),
  fault('the limit beside a cursor is ignored', [
    'catalogue.ts',
    'const limit = sizeOf(asked, broken);',
    "const limit = query.has('cursor') ? pageSize : sizeOf(asked, broken);",
  ]),
  fault('a limit of 1000 and more selects the default', [
    'catalogue.ts',
    'return asked <= 0 ?',
    'return asked <= 0 || asked > 999 ?',
  ]),
  fault('a negative limit loses its sign', [
    'catalogue.ts',
    'return asked <= 0 ? pageSize : Math.min(asked, largestPage)',
    'return asked === 0 ? pageSize : Math.min(Math.abs(asked), largestPage)',
  ]),
  fault(
    'cursors of later pages leave the alphabet',
    [
      'catalogue.ts',
      'next_cursor: cursors.issue(end, now())',
      "next_cursor: `${end > 60 ? '!' : ''}${cursors.issue(end, now())}`",
    ],
    ['catalogue.ts', opened, "cursors.open((given[0] ?? '').replace(/^!/, ''), now())"],
  ),
  fault('an empty cursor beside a limit is the first page', [
    'catalogue.ts',
    "startOf(query.getAll('cursor'))",
    "startOf(asked !== null && query.get('cursor') === '' ? [] : query.getAll('cursor'))",
  ]),
  fault('blanks around a cursor are trimmed', [
    'catalogue.ts',
    opened,
    "cursors.open((given[0] ?? '').trim(), now())",
  ]),
  fault('an over-long cursor begins from the start', [
    'cursors.ts',
    'if (text.length > 512 || !text.startsWith(mark)) return undefined;',
    'if (text.length > 512) return 0;\n      if (!text.startsWith(mark)) return undefined;',
  ]),
  fault('a cursor may lack its padding', [
    'cursors.ts',
    "bytes.toString('base64') === hidden && given.toString('base64') === tag;",
    "bytes.toString('base64') === hidden && given.toString('base64').replace(/=+$/, '') === tag.replace(/=+$/, '');",
  ]),
  fault('billing is empty for a model without a schema', [
    'catalogue.ts',
    billing,
    'billing: model.schemas === undefined ? {} : { charges_on_policy_rejection: charges },',
  ]),
  fault('billing of a model that charges names a price', [
    'catalogue.ts',
    billing,
    "billing: { charges_on_policy_rejection: charges, ...(charges === 'yes' ? { cost_cents: 12 } : {}) },",
  ]),
  fault('the schema address of a long id is too long', [
    'catalogue.ts',
    'encodeURIComponent(model.id)}`;',
    'encodeURIComponent(model.id).repeat(12)}`;',
  ]),
  fault('a model without a schema has a schema address', [
    'catalogue.ts',
    '...(model.linksSchema ?',
    '...(model.linksSchema || model.schemas === undefined ?',
  ]),
  fault('the detail cuts a provider at its dot', [
    'catalogue.ts',
    '...entryOf(model),\n        billing',
    "...entryOf(model),\n        provider: entryOf(model).provider.split('.')[0],\n        billing",
  ]),
  fault('the longest model segment is cut', [
    'catalogue.ts',
    'return { model, provider, id };',
    'return { model: model.slice(0, 127), provider, id };',
  ]),
  fault('a fallback document does not say that it is one', [
    'schemas.ts',
    "'x-service-input-schema-authored': model.schemas !== undefined,",
    "...(model.schemas === undefined ? {} : { 'x-service-input-schema-authored': true }),",
  ]),
  fault('a fallback document permits no members', [
    'schemas.ts',
    "model.schemas ?? { Input: { type: 'object' } }",
    "model.schemas ?? ({ Input: { type: 'object', additionalProperties: false } } as Components)",
  ]),
  fault('the 304 to a star lacks Cache-Control', [
    'schemas.ts',
    'return { status: 304, headers,',
    "return { status: 304, headers: condition.trim() === '*' ? { etag } : headers,",
  ]),
  fault('the document after a conditional miss lacks Cache-Control', [
    'schemas.ts',
    'headers: { ...caching, etag,',
    'headers: { ...(condition === undefined ? caching : {}), etag,',
  ]),
  fault('replays are marked True', [
    'keys.ts',
    "'idempotent-replayed': 'true'",
    "'idempotent-replayed': 'True'",
  ]),
  fault('a record lives 23 hours', ['keys.ts', 'recordLifetimeMs = 24 *', 'recordLifetimeMs = 23 *']),
  fault('each replay lets a record live longer', [
    'keys.ts',
    'return replay(entry.state.answer);',
    'entry.until = now() + recordLifetimeMs;\n        return replay(entry.state.answer);',
  ]),
  fault('a 503 is recorded', [
    'keys.ts',
    released,
    '((status >= 500 && status !== 503) || releasing.has(status));',
  ]),
  fault('the 504 of the deadline is recorded', [
    'keys.ts',
    released,
    "((status >= 500 && answer.headers['x-service-error-type'] !== 'deadline_exceeded') || releasing.has(status));",
  ]),
  fault('keys in another case are the same key', [
    'run.ts',
    '[account.name, id, key]',
    '[account.name, id, key.toLowerCase()]',
  ]),
  fault('a long key is no key', [
    'run.ts',
    "if (key === undefined || key === '')",
    "if (key === undefined || key === '' || key.length > 64)",
  ]),
  fault('a dropped call keeps its place', [
    'run.ts',
    'finally {\n      leave();',
    'finally {\n      if (!call.gone.aborted) leave();',
  ]),
  fault('a failure without a bound has a null ctx', [
    'rejections.ts',
    "{ type: 'layer_not_see_through', loc,",
    "{ ctx: null, type: 'layer_not_see_through', loc,",
  ]),
  fault('loc begins with the innermost', [
    'rejections.ts',
    "broken.has('run.index-as-string') ? { ...entry, loc: entry.loc.map(String) } : entry",
    '({ ...entry, loc: entry.loc.toReversed() })',
  ]),
  fault('a single failure is no list', [
    'rejections.ts',
    "broken.has('run.error-type-in-422') ? { detail, error_type: bucket } : { detail }",
    '{ detail: detail.length === 1 ? detail[0] : detail }',
  ]),
  fault(
    'both refusals for capacity say the same',
    ['bounds.ts', '`Bound reached: calls under way (${account.calls}).`', "'Bound reached.'"],
    ['bounds.ts', "'Bound reached: spend committed by calls under way.'", "'Bound reached.'"],
  ),
  open(
    'document 1, POST, row 429: how the three figures add up is not stated',
    fault('the remaining spend counts the call that was refused', [
      'bounds.ts',
      'String(account.cents - load.cents)',
      'String(account.cents - load.cents - cents)',
    ]),
  ),
  open(
    'document 1, POST, row 504: Retry-After is optional with either bucket',
    fault('the 504 of the deadline says to try again', [
      'run.ts',
      '`No result within ${deadlineMs} ms.`',
      "'No result.', { 'retry-after': '1' }",
    ]),
  ),
  fault('an unknown model has four suggestions', ['catalogue.ts', '.slice(0, 2);', '.slice(0, 4);']),
  open(
    'document 1, Authentication 6: how credentials are issued, and so which token is a good one, is not shown',
    fault('the signature of a JWT is not looked at', [
      'credentials.ts',
      'return byToken.get(bearer);',
      "const unsigned = (token: string): string => token.split('.').slice(0, 2).join('.');\n  return [...byToken].find(([token]) => unsigned(token) === unsigned(bearer))?.[1];",
    ]),
  ),
  fault('schema documents are public', [
    'router.ts',
    'const account = authenticate(call, broken);',
    "const account = call.path.endsWith('/openapi.json') ? ({ name: 'anybody' } as never) : authenticate(call, broken);",
  ]),
  fault('an empty key is forbidden instead of unauthorized', [
    'credentials.ts',
    'if (found === undefined) {',
    "if (found === undefined && call.header('x-api-key') === '') return failure(403, 'forbidden', 'Who?');\n  if (found === undefined) {",
  ]),
  fault('the queue route runs the model', [
    'router.ts',
    "if (resource === 'queue') return failure(501, 'not_enabled', 'There is no queue.');",
    "if (resource === 'queue') return answer({ ...call, path: call.path.replace('/queue', '') });",
  ]),
  open(
    'document 1, RouterErrorResponse: which members are required is not shown',
    fault('the 504 of the deadline lacks its detail', [
      'run.ts',
      '`No result within ${deadlineMs} ms.`',
      'undefined as never',
    ]),
  ),
  fault('an unknown provider has a bucket of its own', [
    'catalogue.ts',
    "failure(404, 'model_not_found', `",
    "failure(404, near.length === 0 ? ('provider_not_found' as never) : 'model_not_found', `",
  ]),
  fault('characters are broken between the chunks of a body', [
    'server.ts',
    '? Buffer.concat(chunks) : undefined;',
    "? Buffer.from(chunks.map(String).join('')) : undefined;",
  ]),
  fault('a 400 is not recorded', ['keys.ts', 'if (released ||', 'if (released || status === 400 ||']),
  fault('another body uses the key up', [
    'keys.ts',
    otherBody,
    `entry.state = { is: 'consumed' };\n      ${otherBody}`,
  ]),
  fault('bodies are compared at their top level only', [
    'keys.ts',
    'return body.toString().replaceAll(',
    "try {\n    return JSON.stringify(Object.entries(JSON.parse(body.toString())).map(([name, value]) => [name, typeof value === 'object' ? '' : value]));\n  } catch {}\n  return body.toString().replaceAll(",
  ]),
  fault('entries of the last page have a further member', [
    'catalogue.ts',
    '.map(entryOf);',
    '.map((one) => ({ ...entryOf(one), ...(end < places.length ? {} : { released: true }) }));',
  ]),
];
