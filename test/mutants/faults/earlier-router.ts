import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'router', says, edits });

/** An earlier list, by those who then wrote probes against it. */
export const earlierRouterFaults: readonly Fault[] = [
  fault('spend never given back', ['bounds.ts', 'load.cents -= cents;', 'void cents;']),
  fault('capacity shared by all callers', [
    'bounds.ts',
    'held.get(account.name) ?? { calls: 0, cents: 0 };\n      held.set(account.name, load)',
    "held.get('x') ?? { calls: 0, cents: 0 };\n      held.set('x', load)",
  ]),
  fault('slot leaks on non-200', [
    'run.ts',
    'return await dispatch(call, model, input);\n    } finally {\n      leave();\n    }',
    'const got = await dispatch(call, model, input); if (got.status === 200) leave(); return got;\n    } finally {\n      void 0;\n    }',
  ]),
  fault('slot leaks on 5xx', [
    'run.ts',
    'return await dispatch(call, model, input);\n    } finally {\n      leave();\n    }',
    'const got = await dispatch(call, model, input); if (got.status < 500) leave(); return got;\n    } finally {\n      void 0;\n    }',
  ]),
  fault('spend limit in dollars', [
    'bounds.ts',
    "'x-committed-spend-limit': String(account.cents),",
    "'x-committed-spend-limit': String(account.cents / 100),",
  ]),
  fault('print of a prefix of 512', [
    'keys.ts',
    'return body.toString().replaceAll(',
    'return body.toString().slice(0, 512).replaceAll(',
  ]),
  fault('print is the length', [
    'keys.ts',
    'return body.toString().replaceAll(',
    'return String(body.length); body.toString().replaceAll(',
  ]),
  fault('print ignores case', [
    'keys.ts',
    'return body.toString().replaceAll(',
    'return body.toString().toLowerCase().replaceAll(',
  ]),
  fault('print ignores digits', [
    'keys.ts',
    'return body.toString().replaceAll(',
    "return body.toString().replace(/[0-9]/g,'').replaceAll(",
  ]),
  fault('print of member names', [
    'keys.ts',
    'return body.toString().replaceAll(',
    'try { return JSON.stringify(Object.keys(JSON.parse(body.toString())).sort()); } catch {} return body.toString().replaceAll(',
  ]),
  fault('print ignores null members', [
    'keys.ts',
    'return body.toString().replaceAll(',
    'try { return JSON.stringify(JSON.parse(body.toString()), (_, v) => v === null ? undefined : v); } catch {} return body.toString().replaceAll(',
  ]),
  fault('print sorts arrays', [
    'keys.ts',
    'return body.toString().replaceAll(',
    'try { return JSON.stringify(JSON.parse(body.toString()), (_, v) => Array.isArray(v) ? [...v].map((x) => JSON.stringify(x)).sort() : v); } catch {} return body.toString().replaceAll(',
  ]),
  fault('keys cut at 32', [
    'keys.ts',
    'const print = printOf(body);',
    'key = key.slice(0, 70); const print = printOf(body);',
  ]),
  fault('replay loses error type', [
    'keys.ts',
    "const { 'x-service-credits-used': credits, ...kept } = marked;",
    "const { 'x-service-credits-used': credits, 'x-service-error-type': _t, ...kept } = marked;",
  ]),
  fault('replay with another bucket', [
    'keys.ts',
    "const { 'x-service-credits-used': credits, ...kept } = marked;",
    "const { 'x-service-credits-used': credits, ...kept } = marked['x-service-error-type'] === 'provider_error' ? { ...marked, 'x-service-error-type': 'invalid_input' } : marked;",
  ]),
  fault('4xx but 404/422 released', [
    'keys.ts',
    'const released = !isKept && (status >= 500',
    'const released = !isKept && (status === 400 || status === 403 || status === 451 || status >= 500',
  ]),
  fault('policy released', [
    'keys.ts',
    'const released = !isKept && (status >= 500',
    'const released = !isKept && (status === 451 || status >= 500',
  ]),
  fault('credits refusal released', [
    'keys.ts',
    'const released = !isKept && (status >= 500',
    "const released = !isKept && (answer.headers['x-service-error-type'] === 'insufficient_credits' || status >= 500",
  ]),
  fault('503 keeps key', ['keys.ts', '(status >= 500 ||', '((status >= 500 && status !== 503) ||']),
  fault('504 keeps key', ['keys.ts', '(status >= 500 ||', '((status >= 500 && status !== 504) ||']),
  fault('504 deadline keeps key', [
    'keys.ts',
    '(status >= 500 ||',
    "((status >= 500 && answer.headers['x-service-error-type'] !== 'deadline_exceeded') ||",
  ]),
  fault(
    'second in-flight 409 without retry-after',
    [
      'keys.ts',
      'const entries = new Map<string, Entry>();',
      'const entries = new Map<string, Entry>(); let asked = 0;',
    ],
    [
      'keys.ts',
      "const headers = broken.has('idem.in-flight-without-wait') ? {} : wait;",
      'const headers = (asked += 1) % 2 === 0 ? {} : wait;',
    ],
  ),
  fault('retry-after -1', [
    'keys.ts',
    "{ 'retry-after': new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString() }",
    "{ 'retry-after': '-1' }",
  ]),
  fault('retry-after 1.5', [
    'keys.ts',
    "{ 'retry-after': new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString() }",
    "{ 'retry-after': '1.5' }",
  ]),
  fault(
    'in flight other body runs',
    [
      'keys.ts',
      "if (entry.state.is === 'in-flight') return inFlight();",
      "if (entry.state.is === 'in-flight') return entry.print === print ? inFlight() : conflict('x');",
    ],
    [
      'keys.ts',
      'function answerOf(entry: Entry, print: string): Answer | undefined {',
      "function answerOf(entry: Entry, print: string): Answer | undefined { if (entry.state.is === 'in-flight' && entry.print !== print) return undefined;",
    ],
  ),
  fault('third replay fresh', [
    'keys.ts',
    "case 'recorded':\n        return replay(entry.state.answer);",
    "case 'recorded': { const e = entry as any; e.n = (e.n ?? 0) + 1; if (e.n > 5) return undefined;\n        return replay(entry.state.answer); }",
  ]),
  fault('replay served to anybody', [
    'router.ts',
    'const account = authenticate(call, broken);',
    "const account = authenticate(call.header('idempotency-key') ? { ...call, header: (n) => n === 'x-api-key' ? (call.header(n) ?? 'service-2nd-alpha') : call.header(n) } : call, broken);",
  ]),
  fault('mismatch frees the record after a while', [
    'keys.ts',
    "return conflict('This key stands for another body.');",
    "{ const e = entry as any; e.m = (e.m ?? 0) + 1; if (e.m > 3) return undefined; return conflict('This key stands for another body.'); }",
  ]),
  fault('late result of a dropped call overwrites', [
    'keys.ts',
    'if (isOwn()) entries.delete(key);',
    'entries.delete(key);',
  ]),
  fault(
    'concurrent echo mixes bodies',
    [
      'run.ts',
      'const counts = new Map<string, number>();',
      'const counts = new Map<string, number>(); let latest: Buffer | undefined;',
    ],
    [
      'run.ts',
      '(signal) => model.run({ input, bytes: call.body, signal }),',
      'async (signal) => { latest = call.body; await pause(15); return model.run({ input, bytes: latest, signal }); },',
    ],
  ),
  fault('large body cut', [
    'run.ts',
    'bytes: call.body, signal',
    'bytes: call.body.length > 20000 ? Buffer.from(JSON.stringify({ cut: true })) : call.body, signal',
  ]),
  fault('chunked multibyte broken', [
    'server.ts',
    'return size <= largestBody ? Buffer.concat(chunks) : undefined;',
    "return size <= largestBody ? Buffer.from(chunks.map((c) => c.toString()).join('')) : undefined;",
  ]),
  fault('chunked body ignored', [
    'server.ts',
    'const body = await readBody(request);',
    "const body = request.headers['transfer-encoding'] ? (await readBody(request), Buffer.alloc(0)) : await readBody(request);",
  ]),
  fault('default pages lose the boundary', [
    'catalogue.ts',
    'const end = start + limit;',
    'const end = start + limit + (limit === 20 && start === 20 ? 1 : 0);',
  ]),
  fault('last entry lost on a full last page', [
    'catalogue.ts',
    'has_more: end < places.length,',
    'has_more: end < places.length - 1,',
  ]),
  fault('limit 99 becomes 100', [
    'catalogue.ts',
    'return asked <= 0 ? pageSize : Math.min(asked, largestPage);',
    'return asked <= 0 ? pageSize : asked === 99 ? 100 : Math.min(asked, largestPage);',
  ]),
  fault('limit 21..49 rounded to tens', [
    'catalogue.ts',
    'return asked <= 0 ? pageSize : Math.min(asked, largestPage);',
    'return asked <= 0 ? pageSize : asked > 10 ? Math.min(Math.round(asked/10)*10, 100) : asked;',
  ]),
  fault('huge negative limit', [
    'catalogue.ts',
    'return asked <= 0 ? pageSize',
    'return asked < -1e9 ? 100 : asked <= 0 ? pageSize',
  ]),
  fault('details of dotted models not found', [
    'router.ts',
    'const found = catalogue.find(id);',
    'const found = /\\.\\d/.test(model) ? undefined : catalogue.find(id);',
  ]),
  fault('details of longest ids', [
    'router.ts',
    'const found = catalogue.find(id);',
    'const found = id.length > 150 ? undefined : catalogue.find(id);',
  ]),
  fault('detail of last of the catalogue', [
    'router.ts',
    'const found = catalogue.find(id);',
    "const found = id === 'feldspar/grain-109.0' ? undefined : catalogue.find(id);",
  ]),
  fault('star gives 304 for unknown', [
    'router.ts',
    'if (found === undefined) return catalogue.unknown(id);',
    `if (found === undefined) return call.header('if-none-match') === '*' ? { status: 304, headers: { etag: '"x"', 'cache-control': 'no-cache' }, body: Buffer.alloc(0) } : catalogue.unknown(id);`,
  ]),
  fault('304 without credential', [
    'router.ts',
    'const account = authenticate(call, broken);',
    "if (call.header('if-none-match') === '*') return { status: 304, headers: { etag: '\"x\"', 'cache-control': 'no-cache' }, body: Buffer.alloc(0) };\n    const account = authenticate(call, broken);",
  ]),
  fault('tag prefix matches', [
    'schemas.ts',
    '`W/${opaque}` === etag));',
    "`W/${opaque}` === etag || etag.startsWith(`W/${(opaque ?? '').slice(0, -1)}`)));",
  ]),
  fault('only first two of a list', ['schemas.ts', 'return listed.some(', 'return listed.slice(0, 2).some(']),
  fault('list needs blanks', [
    'schemas.ts',
    'const listed = [...condition.matchAll(/(W\\/)?("[^"]*")/g)];',
    'const listed = [...condition.matchAll(/(?:^|[ ])(W\\/)?("[^"]*")/g)];',
  ]),
  fault('several if-none-match lines: first only', [
    'server.ts',
    'const value = request.headers[name];',
    "const value = name === 'if-none-match' ? request.rawHeaders[request.rawHeaders.findIndex((h, i) => i % 2 === 0 && h.toLowerCase() === name) + 1] : request.headers[name];",
  ]),
  fault('document after a miss is short', [
    'schemas.ts',
    "return { status: 200, headers: { ...caching, etag, 'content-type': jsonType }, body };",
    "return { status: 200, headers: { ...caching, etag, 'content-type': jsonType }, body: condition === undefined ? body : Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString()) as object), components: {} })) };",
  ]),
  fault('fallback document never 304', [
    'schemas.ts',
    'if (condition !== undefined &&',
    'if (condition !== undefined && model.schemas !== undefined &&',
  ]),
  fault('key header in lower case only', [
    'server.ts',
    'const value = request.headers[name];',
    "if (name === 'x-api-key' && request.rawHeaders.includes('x-api-key')) return undefined; const value = request.headers[name];",
  ]),
  fault('idempotency-key case', [
    'server.ts',
    'const value = request.headers[name];',
    "if (name === 'idempotency-key' && request.rawHeaders.includes('idempotency-key')) return undefined; const value = request.headers[name];",
  ]),
  fault('key as bearer on list only', [
    'router.ts',
    'const account = authenticate(call, broken);',
    "if (call.path !== '/v1/models' && /^bearer service-/i.test(call.header('authorization') ?? '')) return failure(401, 'unauthorized', 'x');\n    const account = authenticate(call, broken);",
  ]),
  fault('key as bearer refused on runs', [
    'router.ts',
    'const account = authenticate(call, broken);',
    "if (call.method === 'POST' && /^bearer service-/i.test(call.header('authorization') ?? '')) return failure(401, 'unauthorized', 'x');\n    const account = authenticate(call, broken);",
  ]),
  fault('jwt refused on runs', [
    'router.ts',
    'const account = authenticate(call, broken);',
    "if (call.method === 'POST' && /^bearer ey/i.test(call.header('authorization') ?? '')) return failure(401, 'unauthorized', 'x');\n    const account = authenticate(call, broken);",
  ]),
  fault('scheme not looked at', ['credentials.ts', '/^bearer +(\\S+)$/i', '/^\\S+ +(\\S+)$/i']),
  fault('no scheme needed', ['credentials.ts', '/^bearer +(\\S+)$/i', '/^(?:bearer +)?(\\S+)$/i']),
  fault('only the prefix of the key counts', [
    'credentials.ts',
    'if (key !== undefined) return byKey.get(key);',
    'if (key !== undefined) return byKey.get(key) ?? [...byKey].find(([k]) => key.length > 12 && k.startsWith(key))?.[1];',
  ]),
  fault('trailing comma taken', [
    'run.ts',
    'const value: unknown = JSON.parse(call.body.toString());',
    "const value: unknown = JSON.parse(call.body.toString().replace(/,\\s*}/g, '}'));",
  ]),
  fault('text after a whole body taken', [
    'run.ts',
    'const value: unknown = JSON.parse(call.body.toString());',
    "let text = call.body.toString(); text = text.slice(0, text.lastIndexOf('}') + 1) || text; const value: unknown = JSON.parse(text);",
  ]),
  fault('bad body on a model without schema', [
    'run.ts',
    "if ('refusal' in read) return read.refusal;",
    "if ('refusal' in read && model.schemas !== undefined) return read.refusal;\n    if ('refusal' in read) return model.run({ input: {}, bytes: call.body, signal: call.gone });",
  ]),
  fault('suggestions only of the provider missing', [
    'catalogue.ts',
    'const named = visible',
    'const named = models.filter((m) => !m.released)',
  ]),
  fault('error ids empty on 404', [
    'router.ts',
    "return { ...reply, headers: { 'x-service-request-id': call.requestId, ...reply.headers } };",
    "return { ...reply, headers: { ...(reply.status === 405 ? {} : { 'x-service-request-id': call.requestId }), ...reply.headers } };",
  ]),
  fault('keyed 404 not stored for third', [
    'keys.ts',
    "case 'recorded':\n        return replay(entry.state.answer);",
    "case 'recorded': { const e = entry as any; e.n = (e.n ?? 0) + 1; if (e.n > 1 && entry.state.answer.status >= 400) return undefined;\n        return replay(entry.state.answer); }",
  ]),
  fault('cursor over 512 when it begins right', [
    'cursors.ts',
    'if (text.length > 512 || !text.startsWith(mark)) return undefined;',
    "if (text.length > 512 && text.startsWith(mark)) text = text.slice(0, text.indexOf('=~') > 0 ? text.length : text.length); if (!text.startsWith(mark)) return undefined; if (text.length > 512) return 0;",
  ]),
  fault(
    'credits header on second replay',
    [
      'keys.ts',
      "const { 'x-service-credits-used': credits, ...kept } = marked;",
      "const { 'x-service-credits-used': credits, ...kept0 } = marked; seen += 1; const kept = credits !== undefined && seen2.has(headers) ? { ...kept0, 'x-service-credits-used': credits } : kept0; seen2.add(headers);",
    ],
    [
      'keys.ts',
      'const conflict = (detail: string)',
      'let seen = 0; const seen2 = new Set<unknown>(); const conflict = (detail: string)',
    ],
  ),
  fault('consumed key runs the third time', [
    'keys.ts',
    "case 'consumed':\n        return",
    "case 'consumed': { const e = entry as any; e.n = (e.n ?? 0) + 1; if (e.n > 3) return undefined; }\n        return",
  ]),
  fault('consumed key with another body runs', [
    'keys.ts',
    'if (entry.print !== print &&',
    "if (entry.state.is === 'consumed' && entry.print !== print) return undefined; if (entry.print !== print &&",
  ]),
  fault('unlisted provider detail 200', [
    'router.ts',
    'if (found === undefined) return catalogue.unknown(id);',
    'if (found === undefined && catalogue.find(`quartz/${model}`) !== undefined) return catalogue.detail(catalogue.find(`quartz/${model}`)!);\n    if (found === undefined) return catalogue.unknown(id);',
  ]),
];
