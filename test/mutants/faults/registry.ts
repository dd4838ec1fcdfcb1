import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });

const answered = '...given,\n        id: newUuid(),';
const withMember = (member: string): Edit => [
  'registry.ts',
  answered,
  `...given,\n        ${member}\n        id: newUuid(),`,
];
const named = 'const name = `${publisherId}/${nodeId}/${version}`;';
const tested = 'if (!semanticVersion.test(version) &&';
const createdAt = "createdAt: new Date(now()).toISOString().replace('Z', '+00:00'),";
const texts = "Array.isArray(value) && value.every((item) => typeof item === 'string');";
const time = '/^\\d{4}-\\d\\d-\\d\\dT/.test(value)';
const notOwned = "if (!owns && !broken.has('publish.foreign-publisher'))";
const owner = 'ownerByToken.get(token)';
const task = "const task = broken.has('proxy.short-task-id') ? newUuid().slice(0, 8) : newUuid();";
const started = "data: { task_id: task, status: 'IN_THE_DARKROOM', generated: [] }";

/** Found by reading document 2 sentence by sentence, without a look at any probe. */
export const registryFaults: readonly Fault[] = [
  fault('the answer lacks the build of a version', withMember("version: version.split('+')[0],")),
  fault('a number of a pre-release may begin with zero', ['registry.ts', '`(?:${number}|', '`(?:\\\\d+|']),
  fault('the patch number may begin with zero', ['registry.ts', '\\\\.${number}(?:-', '\\\\.\\\\d+(?:-']),
  fault('a pre-release may be empty', [
    'registry.ts',
    '(?:\\\\+[0-9A-Za-z-]+(?:',
    '-?(?:\\\\+[0-9A-Za-z-]+(?:',
  ]),
  fault('a pre-release with a build is refused', [
    'registry.ts',
    tested,
    'if ((!semanticVersion.test(version) || /-.*\\+/.test(version)) &&',
  ]),
  fault('a number of five digits is refused', [
    'registry.ts',
    tested,
    'if ((!semanticVersion.test(version) || /\\d{5}/.test(version)) &&',
  ]),
  fault('versions in another case are the same', [
    'registry.ts',
    named,
    named.replace('version}', 'version.toLowerCase()}'),
  ]),
  fault('a pre-release counts as its release', [
    'registry.ts',
    named,
    named.replace('version}', "version.split('-')[0]}"),
  ]),
  fault('only the version published last is taken', [
    'registry.ts',
    'published.add(name);',
    'published.clear();\n    published.add(name);',
  ]),
  fault('a version that was forbidden is taken', [
    'registry.ts',
    notOwned,
    `if (!owns) published.add(\`\${publisherId}/\${nodeId}/\${version}\`);\n    ${notOwned}`,
  ]),
  fault('a version that was refused is taken', [
    'registry.ts',
    "if ('status' in read) return read;",
    "if ('status' in read) {\n      published.add(`${publisherId}/${nodeId}/${(parse(call.body) as any)?.node_version?.version}`);\n      return read;\n    }",
  ]),
  fault('the refusal of a second publication frees the version', [
    'registry.ts',
    "return refusal(400, 'TAKEN'",
    "published.delete(name);\n      return refusal(400, 'TAKEN'",
  ]),
  fault('the upload address has no host', [
    'registry.ts',
    'signedUrl: `${origin}${path}',
    'signedUrl: `${path}',
  ]),
  fault('createdAt is a day', [
    'registry.ts',
    createdAt,
    'createdAt: new Date(now()).toISOString().slice(0, 10),',
  ]),
  fault('createdAt has no offset', [
    'registry.ts',
    createdAt,
    "createdAt: new Date(now()).toISOString().replace('Z', ''),",
  ]),
  fault('node_id has the publisher in front', [
    'registry.ts',
    'node_id: nodeId,',
    'node_id: `${publisherId}/${nodeId}`,',
  ]),
  fault(
    'deprecated comes back as a string',
    withMember("...('deprecated' in given ? { deprecated: String(given.deprecated) } : {}),"),
  ),
  fault('dependencies that were not given are null', [
    'registry.ts',
    answered,
    `dependencies: null,\n        ${answered}`,
  ]),
  fault(
    'supported_os comes back as one string',
    withMember("...('supported_os' in given ? { supported_os: String(given.supported_os) } : {}),"),
  ),
  fault(
    'a long changelog is cut',
    withMember("...('changelog' in given ? { changelog: String(given.changelog).slice(0, 120) } : {}),"),
  ),
  fault('a given downloadUrl on https is kept', [
    'registry.ts',
    'downloadUrl: `${origin}${path}`,',
    "downloadUrl: String((given as any).downloadUrl ?? '').startsWith('https') ? (given as any).downloadUrl : `${origin}${path}`,",
  ]),
  fault('a list may be a node', [
    'registry.ts',
    'if (!isObject(node) ||',
    "if (typeof node !== 'object' || node === null ||",
  ]),
  fault('a null node_version is a 500', ['registry.ts', '!isObject(given) ||', 'given === undefined ||']),
  fault('a personal access token may be in another case', [
    'registry.ts',
    owner,
    'ownerByToken.get(token.toLowerCase())',
  ]),
  fault('a personal access token may have blanks around it', [
    'registry.ts',
    owner,
    'ownerByToken.get(token.trim())',
  ]),
  fault('any known personal access token will do', [
    'registry.ts',
    `publisher.owner === ${owner}`,
    'ownerByToken.has(token)',
  ]),
  fault('a JWT may come with any scheme', ['credentials.ts', '/^bearer +(\\S+)$/i', '/^\\w+ +(\\S+)$/']),
  fault('a 403 lacks its message', [
    'registry.ts',
    'json(status, { message, error, retry: false })',
    'json(status, { ...(status === 403 ? {} : { message }), error, retry: false })',
  ]),
  fault('the error of a version that is taken is null', [
    'registry.ts',
    "refusal(400, 'TAKEN',",
    'refusal(400, null as never,',
  ]),
  fault('a body that is no JSON gets plain text', [
    'registry.ts',
    'if (!isObject(members)) return',
    "if (members === undefined) return { status: 400, headers: { 'content-type': 'text/plain' }, body: Buffer.from('bad') };\n    if (!isObject(members)) return",
  ]),
  fault('only the first of a list is looked at', [
    'registry-fields.ts',
    texts,
    "Array.isArray(value) && (value.length === 0 || typeof value[0] === 'string');",
  ]),
  fault('downloads may have a fraction', [
    'registry-fields.ts',
    'return Number.isInteger(value);',
    "return typeof value === 'number';",
  ]),
  fault('a rating has no fraction', [
    'registry-fields.ts',
    "return typeof value === 'number';",
    'return Number.isInteger(value);',
  ]),
  fault('a rating may be a string of digits', [
    'registry-fields.ts',
    "return typeof value === 'number';",
    "return typeof value === 'number' || (typeof value === 'string' && /^\\d+$/.test(value));",
  ]),
  fault('a time may be a day', ['registry-fields.ts', time, '/^\\d{4}-\\d\\d-\\d\\d/.test(value)']),
  fault('a time with an offset or a fraction is refused', [
    'registry-fields.ts',
    time,
    '/^\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z$/.test(value)',
  ]),
  fault('the email of a member may be a number', [
    'registry-fields.ts',
    "name: 'text', email: 'text' }",
    "name: 'text' }",
  ]),
  fault('translations may be anything', [
    'registry-fields.ts',
    'isObject(value) && Object.values(value).every(isObject)',
    'isObject(value)',
  ]),
  fault('a status may be in another case', [
    'registry-fields.ts',
    'form.includes(value)',
    'form.some((name) => name.toLowerCase() === value.toLowerCase())',
  ]),
  fault('a node may have the status of a version', [
    'registry-fields.ts',
    "['Active', 'Deleted', 'Banned'].map((name) => `NodeStatus${name}`)",
    "['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned', 'NodeVersionStatusActive']",
  ]),
  fault('the status of latest_version is not looked at', [
    'registry-fields.ts',
    'latest_version: { one: nodeVersion }',
    "latest_version: { one: { ...nodeVersion, status: 'text' } }",
  ]),
  fault('a banned publisher is refused', [
    'registry-fields.ts',
    "['PublisherStatusActive', 'PublisherStatusBanned']",
    "['PublisherStatusActive']",
  ]),
  fault('an empty list is refused', [
    'registry-fields.ts',
    texts,
    "Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');",
  ]),
  fault('a strength may be a string of digits', [
    'proxy.ts',
    "if (typeof value !== 'number' ||",
    "if (typeof value === 'string') value = Number(value);\n  if (typeof value !== 'number' ||",
  ]),
  fault('a strength a little above 100 is rounded', [
    'proxy.ts',
    'return value <= 100 ||',
    'return Math.round(value) <= 100 ||',
  ]),
  fault('a strength a little below 0 is taken', ['proxy.ts', 'value < 0)', 'value <= -1)']),
  fault('smart_grain beside sharpen is not looked at', [
    'proxy.ts',
    'if (grain !== undefined &&',
    'if (sharpen === undefined && grain !== undefined &&',
  ]),
  fault('an image address needs no host', ['proxy.ts', '/^https:\\/\\/\\S+$/', '/^https:\\/\\/\\S*$/']),
  fault('a webhook_url may be a number', [
    'proxy.ts',
    "if (webhook !== undefined && typeof webhook !== 'string')",
    "if (webhook !== undefined && typeof webhook !== 'string' && typeof webhook !== 'number')",
  ]),
  fault(
    'an image that was seen before gets the same task',
    ['proxy.ts', 'const refusal =', 'const tasks: Record<string, string> = {};\nconst refusal ='],
    ['proxy.ts', task, "const task = (tasks[String(members['image'])] ??= newUuid());"],
  ),
  fault('a task id has no hyphens', ['proxy.ts', task, "const task = newUuid().replaceAll('-', '');"]),
  fault('generated is null in the beginning', ['proxy.ts', started, started.replace('[]', 'null')]),
  fault('the status of a task is missing', ['proxy.ts', started, 'data: { task_id: task, generated: [] }']),
  fault('a start with a webhook is a 202', [
    'proxy.ts',
    'return json(200,',
    'return json(members.webhook_url === undefined ? 200 : 202,',
  ]),
  fault('the refusal of a strength has another form', [
    'proxy.ts',
    "return refusal(422, 'misfit',",
    "return json(422, { error: { message: 'misfit' } }); refusal(422, 'misfit',",
  ]),
  open(
    'document 2, POST /proxy/…: which of its error responses have the body is not shown',
    fault('a 401 of the proxy lacks its message', [
      'proxy.ts',
      "refusal(401, 'who', 'Who is it?')",
      "refusal(401, 'who', undefined as never)",
    ]),
  ),
  fault(
    'an image address needs no credential',
    [
      'proxy.ts',
      'if (account === undefined) return',
      "if (account === undefined && !call.body.includes('https://')) return",
    ],
    ['proxy.ts', 'if (!account.hasAccess)', 'if (account?.hasAccess === false)'],
  ),
];
