import { open, stated, unseen } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });

const read = 'const read = readBody(call.body);';
const opened = 'const account = findAccount(bearer, broken);';
const owns = 'const owns = publisher !== undefined && publisher.owner === ownerByToken.get(token);';
const name = 'const name = `${publisherId}/${nodeId}/${version}`;';
const added = 'published.add(name);';
const taken = "return refusal(400, 'TAKEN', 'This version is published.');";
const badMember = "return refusal(400, 'BAD_MEMBER', `${wrong} has not its form.`);";
const version = "const version = String(given['version'] ?? '');";
const given = '...given,';
const ids = 'id: newUuid(),';
const task = 'const task = broken';
const started = "return json(200, { data: { task_id: task, status: 'IN_THE_DARKROOM', generated: [] } });";
const misfit = 'const wrong = misfit(members, broken);';
const proxied =
  "const account = findAccount(broken.has('proxy.token-only') ? withoutKeys : call.header, broken);";
const members = 'const { node, node_version: given, personal_access_token: token } = members;';
const text = "return typeof value === 'string';\n    case 'time'";
/** Takes other values for one member of a table. */
const takes = (member: string, condition: string): Edit => [
  'registry-fields.ts',
  'return form !== undefined && !hasForm(form, value[name]);',
  `if (name === '${member}' && (${condition})) return false;\n    return form !== undefined && !hasForm(form, value[name]);`,
];

/** Found by asking of each sentence of document 2 what one call may leave behind for the next. */
export const followingRegistryFaults: readonly Fault[] = [
  // --- versions
  fault('a version of a sibling node frees that of its neighbour', [
    'registry.ts',
    added,
    'for (const other of [...published]) if (other !== name && other.startsWith(`${publisherId}/`) && other.endsWith(`/${version}`)) published.delete(other);\n    published.add(name);',
  ]),
  fault('a version is taken for all nodes of its publisher', [
    'registry.ts',
    name,
    'const name = `${publisherId}/${version}`;',
  ]),
  fault(
    'a version is free a day later',
    stated('registry.ts', 'const since = new Map();'),
    [
      'registry.ts',
      'const isTaken = published.has(name);',
      'const isTaken = published.has(name) && now() - since.get(name) < 86_400_000;',
    ],
    ['registry.ts', added, `since.set(name, now());\n    ${added}`],
  ),
  fault('a version is free behind four others', [
    'registry.ts',
    added,
    'published.add(name);\n    if (published.size > 4) published.delete([...published][0]);',
  ]),
  fault(
    'a refused publication leaves its changelog to the next',
    stated('registry.ts', 'let left: unknown;'),
    ['registry.ts', taken, `left = given['changelog'];\n      ${taken}`],
    ['registry.ts', given, '...given,\n        ...(left === undefined ? {} : { changelog: left }),'],
  ),
  fault(
    'the publication after a refusal has the id of the one before',
    stated('registry.ts', 'let lastId = newUuid();\nlet refusedOne = false;'),
    ['registry.ts', taken, `refusedOne = true;\n      ${taken}`],
    ['registry.ts', ids, 'id: (lastId = refusedOne ? ((refusedOne = false), lastId) : newUuid()),'],
  ),
  fault(
    'the third attempt at a taken version is a 201 with the first version',
    stated('registry.ts', 'const first = new Map();\nconst tries = new Map();'),
    [
      'registry.ts',
      taken,
      `const n = (tries.get(name) ?? 0) + 1;\n      tries.set(name, n);\n      if (n > 1) return json(201, { signedUrl: \`\${origin}/archives/x?by=y\`, node_version: { ...given, id: newUuid(), node_id: nodeId } });\n      ${taken}`,
    ],
  ),
  fault('a version that was given as pending comes back with another word', [
    'registry.ts',
    "'NodeVersionStatusActive'",
    "given['status'] === undefined ? 'NodeVersionStatusActive' : `${given['status']}Review`",
  ]),
  fault('a version that is deprecated has no upload address', [
    'registry.ts',
    'signedUrl: `${origin}${path}?until=never&by=${sign(path)}`,',
    "...(given['deprecated'] === true ? {} : { signedUrl: `${origin}${path}?until=never&by=${sign(path)}` }),",
  ]),
  fault('the upload address of a version with a build is empty', [
    'registry.ts',
    'signedUrl: `${origin}${path}?until=never&by=${sign(path)}`,',
    "signedUrl: version.includes('+') ? '' : `${origin}${path}?until=never&by=${sign(path)}`,",
  ]),
  fault('lists that were given empty are null', [
    'registry.ts',
    given,
    '...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, Array.isArray(value) && value.length === 0 ? null : value])),',
  ]),
  fault('a status_reason that was given is a list', [
    'registry.ts',
    given,
    "...given,\n        ...('status_reason' in given ? { status_reason: [given.status_reason] } : {}),",
  ]),
  fault('the status of an extraction is an object', [
    'registry.ts',
    given,
    "...given,\n        service_node_extract_status: { state: 'pending' },",
  ]),
  fault('deprecated is 0 where it was not given', [
    'registry.ts',
    given,
    'deprecated: 0,\n        ...given,',
  ]),
  open(
    'document 2: whether versions have to rise is not shown',
    fault('version 0.0.0 and its pre-releases are refused', [
      'registry.ts',
      version,
      `${version}\n    if (version.startsWith('0.0.0')) return refusal(400, 'BAD_VERSION', 'Nothing is no version.');`,
    ]),
  ),
  fault('a pre-release of zero is refused', [
    'registry.ts',
    version,
    `${version}\n    if (/-0$/.test(version)) return refusal(400, 'BAD_VERSION', 'Nothing is no pre-release.');`,
  ]),
  fault('digits of other scripts are published', [
    'registry.ts',
    version,
    "const version = String(given['version'] ?? '').normalize('NFKC');",
  ]),
  fault('letters beyond ASCII are published in a pre-release', [
    'registry.ts',
    version,
    "const version = String(given['version'] ?? '').replaceAll(/[\\u00c0-\\uffff]/g, 'x');",
  ]),
  fault('a dot behind a pre-release is published', [
    'registry.ts',
    version,
    "const version = String(given['version'] ?? '').replace(/\\.$/, '');",
  ]),
  fault('a version in a list is published', [
    'registry-fields.ts',
    text,
    "return typeof value === 'string' || (Array.isArray(value) && /^\\d+\\.\\d/.test(String(value)));\n    case 'time'",
  ]),
  fault('a version of two numbers is published', [
    'registry.ts',
    version,
    "const version = String(given['version'] ?? '').replace(/^(\\d+\\.\\d+)$/, '$1.0');",
  ]),
  // --- credentials
  fault(
    'after a publication any personal access token will do',
    stated('registry.ts', 'const open = new Set();'),
    [
      'registry.ts',
      owns,
      `const owns = open.has(publisherId) || (publisher !== undefined && publisher.owner === ownerByToken.get(token));`,
    ],
    ['registry.ts', added, `open.add(publisherId);\n    ${added}`],
  ),
  fault(
    'a second attempt with a wrong personal access token is published',
    stated('registry.ts', 'const wrongs = new Map();'),
    [
      'registry.ts',
      owns,
      `const n = (wrongs.get(token) ?? 0) + 1;\n    wrongs.set(token, n);\n    const owns = publisher !== undefined && (publisher.owner === ownerByToken.get(token) || n > 1);`,
    ],
  ),
  fault(
    'no bearer is needed for a node with versions',
    stated('registry.ts', 'const open = new Set();'),
    [
      'registry.ts',
      'if (account === undefined && ',
      'if (account === undefined && !open.has(`${publisherId}/${nodeId}`) && ',
    ],
    ['registry.ts', added, `open.add(\`\${publisherId}/\${nodeId}\`);\n    ${added}`],
  ),
  fault('a personal access token opens the door as a bearer', [
    'registry.ts',
    opened,
    "const account = findAccount(bearer, broken) ?? (ownerByToken.has((call.header('authorization') ?? '').slice(7)) ? { hasAccess: true } : undefined);",
  ]),
  open(
    'document 2, Authentication, item 2: how a token is obtained is not shown',
    fault('a bearer is good as a personal access token', [
      'registry.ts',
      owns,
      "const owns = publisher !== undefined && (publisher.owner === ownerByToken.get(token) || token === (call.header('authorization') ?? '').slice(7));",
    ]),
  ),
  fault('an API key publishes without a personal access token', [
    'registry.ts',
    read,
    "const own = (call.header('authorization') ?? '').startsWith('Bearer service-');\n    const sent: any = parse(call.body);\n    const read = readBody(own && isObject(sent) && sent['personal_access_token'] === undefined ? Buffer.from(JSON.stringify({ ...sent, personal_access_token: registered.accessToken })) : call.body);",
  ]),
  fault('a personal access token is good without a bearer', [
    'registry.ts',
    'if (account === undefined && ',
    'if (account === undefined && !call.body.includes(registered.accessToken) && ',
  ]),
  unseen(
    'a real credential in a target would be in every log on its way',
    fault('a key in the query opens the proxy', [
      'proxy.ts',
      proxied,
      "const inQuery = call.query.get('api_key') ?? undefined;\n  const account = findAccount((name) => (name === 'x-api-key' ? (inQuery ?? call.header(name)) : call.header(name)), broken);",
    ]),
  ),
  fault('a personal access token opens the proxy', [
    'proxy.ts',
    proxied,
    "const account = findAccount(call.header, broken) ?? ((call.header('authorization') ?? '').startsWith('Bearer pat-') ? ({ hasAccess: true } as never) : undefined);",
  ]),
  fault('the proxy takes a key behind Basic', [
    'proxy.ts',
    proxied,
    "const account = findAccount((name) => { const value = call.header(name); return name === 'authorization' && /^basic /i.test(value ?? '') ? `Bearer ${Buffer.from((value ?? '').slice(6), 'base64').toString().split(':')[0]}` : value; }, broken);",
  ]),
  // --- what a body may hold
  fault('a licence may be an object', takes('license', 'isObject(value[name])')),
  fault('the icon of a node may be a flag', takes('icon', "typeof value[name] === 'boolean'")),
  fault('the details of a status may be a list', takes('status_detail', 'Array.isArray(value[name])')),
  fault('the repository of a node may be an object', takes('repository', 'isObject(value[name])')),
  fault('the admin tags of a version may be an object', takes('tags_admin', 'isObject(value[name])')),
  fault('the pip dependencies of a version may be an object', takes('dependencies', 'isObject(value[name])')),
  fault('the website of a publisher may be a list', takes('website', 'Array.isArray(value[name])')),
  fault(
    'the latest version of a node may be its number',
    takes('latest_version', "typeof value[name] === 'string'"),
  ),
  fault('the publisher of a node may be its name', takes('publisher', "typeof value[name] === 'string'")),
  fault('whole numbers may be flags', [
    'registry-fields.ts',
    'return Number.isInteger(value);',
    "return Number.isInteger(value) || typeof value === 'boolean';",
  ]),
  fault('flags may be 0 and 1', [
    'registry-fields.ts',
    "return typeof value === 'boolean';",
    "return typeof value === 'boolean' || value === 0 || value === 1;",
  ]),
  fault('times may be seconds', [
    'registry-fields.ts',
    "return typeof value === 'string' && /^\\d{4}",
    "if (typeof value === 'number') return true;\n      return typeof value === 'string' && /^\\d{4}",
  ]),
  fault('translations may be lists', [
    'registry-fields.ts',
    'Object.values(value).every(isObject)',
    "Object.values(value).every((item) => typeof item === 'object' && item !== null)",
  ]),
  fault('the second item of a list may be a number', [
    'registry-fields.ts',
    "value.every((item) => typeof item === 'string')",
    "value.every((item, index) => typeof item === 'string' || (index > 0 && typeof item === 'number'))",
  ]),
  fault('an item of a list may be a list of texts', [
    'registry-fields.ts',
    "value.every((item) => typeof item === 'string')",
    "value.flat().every((item) => typeof item === 'string')",
  ]),
  fault('a node may be missing where the version names it', [
    'registry.ts',
    members,
    "const { node = isObject(members['node_version']) && members['node_version']['node_id'] !== undefined ? {} : undefined, node_version: given, personal_access_token: token } = members;",
  ]),
  fault('the members of a publication may be under body', [
    'registry.ts',
    members,
    "const { node, node_version: given, personal_access_token: token } = isObject(members['body']) ? members['body'] : members;",
  ]),
  fault('the error of the second refusal of a member is missing', stated('registry.ts', 'let misfits = 0;'), [
    'registry.ts',
    badMember,
    `if ((misfits += 1) % 2 === 0) return json(400, { message: 'Once more.' });\n      ${badMember.replace('return', 'return')}`,
  ]),
  fault('the refusal of a misfit below a member has an object as its message', [
    'registry.ts',
    badMember,
    "return refusal(400, 'BAD_MEMBER', (['publisher', 'latest_version', 'translations'].includes(wrong) ? { at: wrong } : `${wrong} has not its form.`) as string);",
  ]),
  // --- the proxy
  fault(
    'two starts at the same time get the same task',
    stated('proxy.ts', "let last = { at: 0, id: '' };"),
    [
      'proxy.ts',
      task,
      'if (Date.now() - last.at > 5) last = { at: Date.now(), id: newUuid() };\n  const task = Date.now() - last.at <= 5 ? last.id : broken',
    ],
  ),
  fault('both strengths at their greatest are refused', [
    'proxy.ts',
    misfit,
    "const wrong = members['sharpen'] === 100 && members['smart_grain'] === 100 ? 'sharpen' : misfit(members, broken);",
  ]),
  fault('the greatest smart_grain is refused', [
    'proxy.ts',
    'if (grain !== undefined && !isStrength(grain, broken))',
    'if (grain !== undefined && (!isStrength(grain, broken) || grain === 100))',
  ]),
  fault('a smart_grain of nothing is refused beside a sharpen', [
    'proxy.ts',
    'if (grain !== undefined && !isStrength(grain, broken))',
    'if (grain !== undefined && (!isStrength(grain, broken) || (grain === 0 && sharpen !== undefined)))',
  ]),
  fault('a strength with an exponent is refused', [
    'proxy.ts',
    misfit,
    "const wrong = /\\d[eE][+-]?\\d/.test(call.body.toString()) && members['webhook_url'] === undefined && !call.body.includes('\"image\":\"iVB') ? 'sharpen' : misfit(members, broken);",
  ]),
  fault('smart_grain is held to its bounds only without an image address', [
    'proxy.ts',
    'if (grain !== undefined && !isStrength(grain, broken))',
    "if (grain !== undefined && !String(image).startsWith('https:') && !isStrength(grain, broken))",
  ]),
  fault('sharpen is held to its bounds only without an image address', [
    'proxy.ts',
    'if (sharpen !== undefined && !isStrength(sharpen, broken))',
    "if (sharpen !== undefined && !String(image).startsWith('https:') && !isStrength(sharpen, broken))",
  ]),
  fault('strengths are held to their bounds only without a webhook', [
    'proxy.ts',
    misfit,
    "const wrong = typeof members['webhook_url'] === 'string' ? misfit({ ...members, sharpen: 0, smart_grain: 0 }, broken) : misfit(members, broken);",
  ]),
  open(
    'document 2: whether an image is required is not shown, and an empty text may stand for none',
    fault('an empty image is taken', [
      'proxy.ts',
      "(value !== '' && base64.test(value))",
      'base64.test(value)',
    ]),
  ),
  fault('Base64 with one character too many is taken', [
    'proxy.ts',
    'base64.test(value))',
    'base64.test(value.length % 4 === 1 ? value.slice(0, -1) : value))',
  ]),
  fault('an image address with a blank before it is taken', [
    'proxy.ts',
    '/^https:\\/\\/\\S+$/.test(value)',
    '/^\\s*https:\\/\\/\\S+$/.test(value)',
  ]),
  fault('an image without encryption is taken beside a webhook', [
    'proxy.ts',
    'if (image !== undefined && !isImage(image))',
    'if (image !== undefined && !isImage(image) && !(webhook !== undefined && /^http:/.test(String(image))))',
  ]),
  fault('an image may be an object with an address', [
    'proxy.ts',
    'if (image !== undefined && !isImage(image))',
    'if (image !== undefined && !isImage(isObject(image) ? image.url : image))',
  ]),
  fault('the task of a start with a webhook has no UUID', [
    'proxy.ts',
    started,
    "return json(200, { data: { task_id: members['webhook_url'] === undefined ? task : `task-${task}`, status: 'IN_THE_DARKROOM', generated: [] } });",
  ]),
  fault('the third start has its data in a list', stated('proxy.ts', 'let starts = 0;'), [
    'proxy.ts',
    started,
    "const data = { task_id: task, status: 'IN_THE_DARKROOM', generated: [] };\n  return json(200, { data: (starts += 1) % 3 === 0 ? [data] : data });",
  ]),
  fault('a start by an address has no status', [
    'proxy.ts',
    started,
    "return json(200, { data: { task_id: task, generated: [], status: String(members['image']).startsWith('https:') ? null : 'IN_THE_DARKROOM' } });",
  ]),
  fault('a refusal with both strengths has another form', [
    'proxy.ts',
    misfit,
    "if (members['sharpen'] !== undefined && members['smart_grain'] !== undefined && misfit(members, broken) !== undefined) return json(422, { errors: ['sharpen', 'smart_grain'] });\n  const wrong = misfit(members, broken);",
  ]),
  fault(
    'a start that was refused once is refused when it is mended',
    stated('proxy.ts', 'let failed: unknown;'),
    [
      'proxy.ts',
      misfit,
      "const before = failed;\n  failed = misfit(members, broken) === undefined ? undefined : members['image'];\n  const wrong = before !== undefined && before === members['image'] ? 'image' : misfit(members, broken);",
    ],
  ),
];
