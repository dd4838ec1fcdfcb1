import { open, stated } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });

const field = (from: string, to: string): Edit => ['registry-fields.ts', from, to];
const version = "const version = String(given['version'] ?? '');";
const versionAs = (text: string): Edit => ['registry.ts', version, `const version = ${text};`];
const name = 'const name = `${publisherId}/${nodeId}/${version}`;';
const nameAs = (text: string): Edit => ['registry.ts', name, `const name = ${text};`];
const taken = "return refusal(400, 'TAKEN', 'This version is published.');";
const read = "if ('status' in read) return read;";
const owned = "if (!owns && !broken.has('publish.foreign-publisher')) return";
const given = '...given,\n        id: newUuid(),';
const registryBody = 'return JSON.parse(body.toString());';
const who = "name === 'authorization' ? call.header(name) : undefined;";
const strength = "if (typeof value !== 'number' || value < 0) return false;";
const sharpen = 'sharpen !== undefined && !isStrength(sharpen, broken)';
const grain = 'grain !== undefined && !isStrength(grain, broken)';
const images = String.raw`return /^https:\/\/\S+$/.test(value) || `;
const imagesAs = (test: string): Edit => ['proxy.ts', images, `return ${test} || `];
const done = "return json(200, { data: { task_id: task, status: 'IN_THE_DARKROOM', generated: [] } });";
const doneAs = (code: string): Edit => ['proxy.ts', done, code];

/** Written from document 2 after a close reading, without a look at the suite or at the lists before. */
export const latestRegistryFaults: readonly Fault[] = [
  fault('build metadata may have empty parts', [
    'registry.ts',
    '\\\\+[0-9A-Za-z-]+(?:\\\\.[0-9A-Za-z-]+)*',
    '\\\\+[0-9A-Za-z.-]+',
  ]),
  fault('blanks around a version are trimmed', versionAs("String(given['version'] ?? '').trim()")),
  fault(
    'a capital V before a version is taken away',
    versionAs("String(given['version'] ?? '').replace(/^V/, '')"),
  ),
  fault('capitals in a pre-release are refused', [
    'registry.ts',
    '[A-Za-z-][0-9A-Za-z-]*)`',
    '[a-z-][0-9a-z-]*)`',
  ]),
  open(
    'semver.org, item 2, sets no bound, and libraries of it refuse such numbers',
    fault('numbers of a version above 53 bits are refused', [
      'registry.ts',
      'if (!semanticVersion.test(version)',
      'if ((!semanticVersion.test(version) || version.split(/[.+-]/).some((part) => Number(part) > Number.MAX_SAFE_INTEGER))',
    ]),
  ),
  fault('a version is taken for all nodes of a publisher', nameAs('`${publisherId}/${version}`')),
  fault(
    'versions that differ in their case are one',
    nameAs('`${publisherId}/${nodeId}/${version.toLowerCase()}`'),
  ),
  fault('the third try of a version is taken', [
    'registry.ts',
    taken,
    `published.delete(name);\n      ${taken}`,
  ]),
  fault('a version whose node has a bad member is taken from then on', [
    'registry.ts',
    read,
    "if ('status' in read) {\n      const lost = parse(call.body);\n      if (isObject(lost) && isObject(lost['node']) && isObject(lost['node_version'])) published.add(`${publisherId}/${nodeId}/${String(lost['node_version']['version'])}`);\n      return read;\n    }",
  ]),
  fault('a version that came with a wrong token is taken from then on', [
    'registry.ts',
    owned,
    'if (!owns) published.add(`${publisherId}/${nodeId}/${version}`);\n    if (!owns) return',
  ]),
  fault('the address of a user is not looked at', field("name: 'text', email: 'text' }", "name: 'text' }")),
  fault(
    'objects inside a node are not looked at',
    field("if ('one' in form) return fits(form.one, value);", "if ('one' in form) return isObject(value);"),
  ),
  fault(
    'a date without a time is a time',
    field(String.raw`/^\d{4}-\d\d-\d\dT/.test(value)`, String.raw`/^\d{4}-\d\d-\d\d/.test(value)`),
  ),
  fault(
    'a time may be of no day',
    field('/.test(value) && !Number.isNaN(Date.parse(value));', '/.test(value);'),
  ),
  fault('a search ranking may be a fraction', field("search_ranking: 'whole'", "search_ranking: 'number'")),
  fault('a rating that is no whole number is refused', field("rating: 'number'", "rating: 'whole'")),
  fault(
    'a node may be pending',
    field(
      "['Active', 'Deleted', 'Banned'].map((name) => `NodeStatus",
      "['Active', 'Deleted', 'Banned', 'Pending'].map((name) => `NodeStatus",
    ),
  ),
  fault(
    'a publisher may be deleted',
    field("'PublisherStatusBanned'", "'PublisherStatusBanned', 'PublisherStatusDeleted'"),
  ),
  fault('a flagged version is refused', field("'Pending', 'Flagged'", "'Pending'")),
  fault(
    'a list without an item is refused',
    field(
      'return Array.isArray(value) && value.every((item) => typeof item',
      'return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item',
    ),
  ),
  open(
    'document 2, tables: it is not stated whether null means that a member is absent',
    fault(
      'a flag may be null',
      field("return typeof value === 'boolean';", "return value === null || typeof value === 'boolean';"),
    ),
  ),
  fault(
    'a translation may be a list',
    field(
      'return isObject(value) && Object.values(value).every(isObject);',
      "return isObject(value) && Object.values(value).every((one) => typeof one === 'object' && one !== null);",
    ),
  ),
  fault(
    'the second publication gets the signed address of the first',
    ['registry.ts', 'signedUrl: `${origin}', 'signedUrl: firstAddress ??= `${origin}'],
    stated('registry.ts', 'let firstAddress: string | undefined;'),
  ),
  fault('the published version has lost its build metadata', [
    'registry.ts',
    given,
    `...given, version: version.split('+')[0],\n        id: newUuid(),`,
  ]),
  fault('the changelog comes back in another encoding', [
    'registry.ts',
    registryBody,
    "return JSON.parse(body.toString('latin1'));",
  ]),
  fault('the refusal of a foreign publisher has a message of null', [
    'registry.ts',
    "refusal(403, 'NOT_YOURS', 'Not your publisher.')",
    "json(403, { error: 'NOT_YOURS', message: null })",
  ]),
  fault('a token without its scheme is taken for a publication', [
    'registry.ts',
    who,
    "name === 'authorization' ? call.header(name)?.replace(/^(?!bearer )/i, 'Bearer ') : undefined;",
  ]),
  open(
    'document 2 names no credential without access; that of the fixtures has none to the router',
    fault('a key without access may publish when it has the right token', [
      'registry.ts',
      'if (account?.hasAccess === false) return',
      "if (account?.hasAccess === false && !call.body.includes('pat-2nd-alpha')) return",
    ]),
  ),
  fault('personal access tokens are taken in any case', [
    'registry.ts',
    'ownerByToken.get(token)',
    'ownerByToken.get(token.toLowerCase())',
  ]),
  fault('blanks after a personal access token are trimmed', [
    'registry.ts',
    'ownerByToken.get(token)',
    'ownerByToken.get(token.trim())',
  ]),
  fault('a body without a Content-Length is taken for empty', [
    'server.ts',
    'const body = await readBody(request);',
    "const whole = await readBody(request);\n    const body = request.headers['content-length'] === undefined ? Buffer.alloc(0) : whole;",
  ]),
  fault(
    'of two publications at once, the second is refused',
    [
      'registry.ts',
      'lastNode = nodeId;',
      "if (busy) return refusal(400, 'BUSY', 'One after the other.');\n    busy = true;\n    await pause(30);\n    busy = false;\n    lastNode = nodeId;",
    ],
    stated('registry.ts', 'let busy = false;'),
  ),
  fault('a media type with a parameter is refused for a publication', [
    'registry.ts',
    'const read = readBody(call.body);',
    "if (call.header('content-type') !== 'application/json') return refusal(400, 'NO_JSON', 'Only JSON.');\n    const read = readBody(call.body);",
  ]),
  fault('strengths up to 101 are taken', ['proxy.ts', 'return value <= 100 ||', 'return value < 101 ||']),
  open(
    'document 2, Limits, item 1: a number of single precision cannot be told from 100',
    fault('strengths just above 100 are rounded', [
      'proxy.ts',
      'return value <= 100 ||',
      'return Math.round(value * 1e6) / 1e6 <= 100 ||',
    ]),
  ),
  fault('strengths just below 0 are rounded', [
    'proxy.ts',
    strength,
    "if (typeof value !== 'number' || value <= -0.5) return false;",
  ]),
  fault('smart_grain may be a number in a text', [
    'proxy.ts',
    grain,
    "grain !== undefined && !isStrength(typeof grain === 'string' && grain !== '' ? Number(grain) : grain, broken)",
  ]),
  fault('smart_grain of 0 is refused', [
    'proxy.ts',
    grain,
    'grain !== undefined && (grain === 0 || !isStrength(grain, broken))',
  ]),
  fault('sharpen has to be whole', [
    'proxy.ts',
    sharpen,
    'sharpen !== undefined && (!Number.isInteger(sharpen) || !isStrength(sharpen, broken))',
  ]),
  open(
    'document 2, tables: it is not stated whether null means that a member is absent',
    fault('sharpen of null counts as left out', [
      'proxy.ts',
      sharpen,
      'sharpen !== undefined && sharpen !== null && !isStrength(sharpen, broken)',
    ]),
  ),
  fault(
    'an image may be at an address without encryption',
    imagesAs(String.raw`/^https?:\/\/\S+$/.test(value)`),
  ),
  fault(
    'the address of an image may have no port and no query',
    imagesAs(String.raw`/^https:\/\/[\w.-]+\/[\w./-]*$/.test(value)`),
  ),
  open(
    'document 2, Skin enhancer request, row image: a data address holds Base64',
    fault(
      'an image may be a data address',
      imagesAs(String.raw`value.startsWith('data:image/') || /^https:\/\/\S+$/.test(value)`),
    ),
  ),
  open(
    'document 2, Skin enhancer request, row image: RFC 4648 has two alphabets, and many decoders take both',
    fault('an image may be of the other Base64 alphabet', [
      'proxy.ts',
      '[A-Za-z0-9+/]{4}',
      '[A-Za-z0-9+/_-]{4}',
    ]),
  ),
  fault('a long image is not looked at', [
    'proxy.ts',
    "if (typeof value !== 'string') return false;",
    "if (typeof value !== 'string') return false;\n  if (value.length > 2000) return true;",
  ]),
  open(
    'document 2, tables: it is not stated whether null means that a member is absent',
    fault('a webhook_url may be null', [
      'proxy.ts',
      'webhook !== undefined && typeof',
      'webhook !== undefined && webhook !== null && typeof',
    ]),
  ),
  fault(
    'with a webhook, generated is null',
    doneAs(
      "return json(200, { data: { task_id: task, status: 'IN_THE_DARKROOM', generated: members['webhook_url'] === undefined ? [] : null } });",
    ),
  ),
  fault(
    'with a webhook, the task id has no hyphens',
    doneAs(
      "return json(200, { data: { task_id: members['webhook_url'] === undefined ? task : task.replaceAll('-', ''), status: 'IN_THE_DARKROOM', generated: [] } });",
    ),
  ),
  fault(
    'with both strengths, the status is left out',
    doneAs(
      "return json(200, { data: { task_id: task, ...(members['sharpen'] !== undefined && members['smart_grain'] !== undefined ? {} : { status: 'IN_THE_DARKROOM' }), generated: [] } });",
    ),
  ),
  open(
    'document 2 names no credential without access; that of the fixtures has none to the router',
    fault('a key without access goes through the proxy as a bearer', [
      'proxy.ts',
      'if (!account.hasAccess) return',
      "if (!account.hasAccess && call.header('x-api-key') !== undefined) return",
    ]),
  ),
  fault('the refusal of a bad smart_grain has no error', [
    'proxy.ts',
    'if (wrong !== undefined) return',
    "if (wrong === 'smart_grain') return json(422, { message: 'smart_grain is not what it should be.' });\n  if (wrong !== undefined) return",
  ]),
  fault(
    'an image that was taken once is taken with any strength',
    [
      'proxy.ts',
      'const wrong = misfit(members, broken);',
      "const wrong = seen.has(members['image']) ? undefined : misfit(members, broken);\n  if (wrong === undefined && members['image'] !== undefined) seen.add(members['image']);",
    ],
    stated('proxy.ts', 'const seen = new Set<unknown>();'),
  ),
  fault('a list is taken for an empty request', [
    'proxy.ts',
    'if (!isObject(members)) return',
    "if (typeof members !== 'object' || members === null) return",
  ]),
];
