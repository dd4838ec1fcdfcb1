import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });

const answered = '...given,\n        id: newUuid(),';
const withMember = (member: string): Edit => [
  'registry.ts',
  answered,
  `...given,\n        ${member}\n        id: newUuid(),`,
];
const state = (declared: string): Edit => [
  'registry.ts',
  'const uploaded = new Set<string>();',
  `const uploaded = new Set<string>();\n  ${declared}`,
];
const refusedVersion = "!semanticVersion.test(version) && !broken.has('publish.any-version')";
const refusing = (pattern: string): Edit => [
  'registry.ts',
  refusedVersion,
  `!semanticVersion.test(version) || ${pattern}.test(version)`,
];
const field = (from: string, to: string): Edit => ['registry-fields.ts', from, to];
const name = 'const name = `${publisherId}/${nodeId}/${version}`;';
const notYours = "return refusal(403, 'NOT_YOURS', 'Not your publisher.');";
const badMember = "return refusal(400, 'BAD_MEMBER', `${wrong} has not its form.`);";
const read = 'const read = readBody(call.body);';
const signed = 'signedUrl: `${origin}${path}?until=never&by=${sign(path)}`,';
const publisher = "status: ['PublisherStatusActive', 'PublisherStatusBanned'],";
const members =
  "members: { many: { id: 'text', role: 'text', user: { one: { id: 'text', name: 'text', email: 'text' } } } },";
const whole = 'return Number.isInteger(value);';
const number = "return typeof value === 'number';";
const strength = "if (typeof value !== 'number' || value < 0) return false;";
const image = "if (typeof value !== 'string') return false;";
const address = 'return /^https:\\/\\/\\S+$/.test(value) ||';
const started = "return json(200, { data: { task_id: task, status: 'IN_THE_DARKROOM', generated: [] } });";
const who = "if (account === undefined) return refusal(401, 'who', 'Who is it?');";

/** Found by reading document 2 a second time, without a look at any probe: combinations, later attempts, deep members. */
export const furtherRegistryFaults: readonly Fault[] = [
  fault('the answer to a pre-release lacks the upload address', [
    'registry.ts',
    signed,
    "...(version.includes('-') ? {} : { signedUrl: `${origin}${path}?by=${sign(path)}` }),",
  ]),
  fault('a pre-release is a 202', [
    'registry.ts',
    'return json(201, {',
    "return json(version.includes('-') ? 202 : 201, {",
  ]),
  fault(
    'the third publication has the upload address of the first',
    state('const addresses: string[] = [];'),
    [
      'registry.ts',
      signed,
      'signedUrl: (addresses.push(`${origin}${path}?by=${sign(path)}`), addresses.length === 3 ? addresses[0] : addresses.at(-1)),',
    ],
  ),
  fault('a version is taken for one credential only', [
    'registry.ts',
    name,
    "const name = `${publisherId}/${nodeId}/${version}${call.header('authorization')}`;",
  ]),
  fault('a version is taken for one personal access token and node name only', [
    'registry.ts',
    name,
    "const name = `${publisherId}/${nodeId}/${version}${JSON.stringify((given as any).tags ?? '')}`;",
  ]),
  open(
    'document 2 does not state whether another build is another version',
    fault('versions that differ in their build are the same', [
      'registry.ts',
      name,
      "const name = `${publisherId}/${nodeId}/${version.split('+')[0]}`;",
    ]),
  ),
  fault(
    'numbers of a version are printed as floating-point ones',
    withMember('version: version.replace(/\\d+$/, (patch) => String(Number(patch))),'),
  ),
  fault('a pre-release with two hyphens or one at its end is refused', refusing('/--|-$/')),
  fault('a build with a leading zero is refused', refusing('/\\+.*\\b0\\d/')),
  fault('a pre-release that begins with zero and has a letter is refused', refusing('/-0\\d*[a-z]/')),
  fault('a version of 60 characters and more is refused', refusing('/.{60}/')),
  fault('a build of one hyphen is refused', refusing('/\\+-/')),
  fault('a line break behind the version is published', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/\\n$/, ''))",
  ]),
  fault('a v before the version is published where the version is a pre-release', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.includes('-') ? version.replace(/^v/, '') : version)",
  ]),
  fault(
    'supported_os of latest_version is not looked at',
    field(
      'latest_version: { one: nodeVersion }',
      'latest_version: { one: (({ supported_os, ...rest }) => rest)(nodeVersion) as Table }',
    ),
  ),
  fault(
    'deprecated of latest_version may be a string',
    field(
      'latest_version: { one: nodeVersion }',
      'latest_version: { one: (({ deprecated, ...rest }) => rest)(nodeVersion) as Table }',
    ),
  ),
  open(
    'document 2, NodeVersion: whether null stands for a member that is absent is not stated',
    fault(
      'the tags of a version may be null',
      field(
        "tags: 'texts',\n  tags_admin: 'texts',\n};\n\nconst publisher",
        "tags_admin: 'texts',\n};\n\nconst publisher",
      ),
    ),
  ),
  fault('the role of a member may be a number', field("role: 'text', user", 'user')),
  fault(
    'the user of a member may be a string',
    field(members, "members: { many: { id: 'text', role: 'text' } },"),
  ),
  fault('the members of a publisher may be an object', field(members, '')),
  fault(
    'createdAt of a publisher may be any text',
    field(`createdAt: 'time',\n  ${publisher}`, `createdAt: 'text',\n  ${publisher}`),
  ),
  fault('a publisher may be a list', field('publisher: { one: publisher },', '')),
  fault('search_ranking may have a fraction', field("search_ranking: 'whole'", "search_ranking: 'number'")),
  fault('code_host_stars may be a string', field("code_host_stars: 'whole',", '')),
  fault(
    'a negative search_ranking is refused',
    field(whole, 'return Number.isInteger(value) && (value as number) >= 0;'),
  ),
  fault(
    'downloads beyond 32 bits are refused',
    field(whole, 'return Number.isInteger(value) && (value as number) < 2 ** 31;'),
  ),
  open(
    'document 2, Node, row rating: whether there are negative ones is not stated',
    fault('a negative rating is refused', field(number, "return typeof value === 'number' && value >= 0;")),
  ),
  fault(
    'translations into a language with a region are refused',
    field(
      'isObject(value) && Object.values(value).every(isObject)',
      'isObject(value) && Object.keys(value).every((one) => /^[a-z]+$/.test(one)) && Object.values(value).every(isObject)',
    ),
  ),
  fault(
    'a list of more than ten texts is refused',
    field(
      "value.every((item) => typeof item === 'string');",
      "value.length <= 10 && value.every((item) => typeof item === 'string');",
    ),
  ),
  fault(
    'a text of more than 1000 characters is refused',
    field(
      "case 'text':\n      return typeof value === 'string';",
      "case 'text':\n      return typeof value === 'string' && value.length <= 1000;",
    ),
  ),
  fault(
    'a single dependency comes back as a text',
    withMember(
      '...((given as any).dependencies?.length === 1 ? { dependencies: (given as any).dependencies[0] } : {}),',
    ),
  ),
  fault(
    'deprecated that is false comes back as null',
    withMember("...('deprecated' in given ? { deprecated: given.deprecated || null } : {}),"),
  ),
  fault(
    'a supported version that is a number comes back as one',
    withMember(
      '...(/^\\d+(\\.\\d+)?$/.test((given as any).supported_app_version) ? { supported_app_version: Number((given as any).supported_app_version) } : {}),',
    ),
  ),
  fault('the error of a foreign publisher is an object', [
    'registry.ts',
    notYours,
    "return refusal(403, { code: 'NOT_YOURS' } as never, 'Not your publisher.');",
  ]),
  fault('the message about a wrong member is a list', [
    'registry.ts',
    badMember,
    "return refusal(400, 'BAD_MEMBER', [wrong] as never);",
  ]),
  fault('the message about a version that is no semantic one is missing', [
    'registry.ts',
    "'The version is not a semantic one.'",
    'undefined as never',
  ]),
  fault(
    'a wrong personal access token closes the publisher for the next call',
    state('let wrong = 0;'),
    ['registry.ts', notYours, `wrong += 1;\n      ${notYours}`],
    [
      'registry.ts',
      'if (publisher?.nodes.includes(nodeId) !== true)',
      `if (owns && wrong > 0) {\n      wrong = 0;\n      ${notYours}\n    }\n    if (publisher?.nodes.includes(nodeId) !== true)`,
    ],
  ),
  fault('a charset beside application/json is refused for a version', [
    'registry.ts',
    read,
    "if (/charset/i.test(call.header('content-type') ?? '')) return refusal(400, 'BAD_BODY', 'JSON only.');\n    " +
      read,
  ]),
  fault('the key prefix alone is a bearer', [
    'credentials.ts',
    'if (bearer === undefined) return undefined;',
    "if (bearer === undefined) return undefined;\n  if (bearer === 'service-') return byKey.get(tokens.apiKey);",
  ]),
  fault('an unknown bearer is the one before', [
    'credentials.ts',
    'return byToken.get(bearer);\n}',
    'return (latest = byToken.get(bearer) ?? latest);\n}\nlet latest: Account | undefined;',
  ]),
  fault(
    'an empty X-API-Key opens the proxy',
    [
      'proxy.ts',
      who,
      `if (account === undefined && call.header('x-api-key') !== '') return refusal(401, 'who', 'Who is it?');`,
    ],
    ['proxy.ts', 'if (!account.hasAccess)', 'if (account?.hasAccess === false)'],
  ),
  fault(
    'any key with the prefix opens the proxy',
    [
      'proxy.ts',
      who,
      "if (account === undefined && !/^(Bearer )?service-/.test(call.header('x-api-key') ?? call.header('authorization') ?? '')) return refusal(401, 'who', 'Who is it?');",
    ],
    ['proxy.ts', 'if (!account.hasAccess)', 'if (account?.hasAccess === false)'],
  ),
  fault('a very small strength is refused', [
    'proxy.ts',
    strength,
    `${strength}\n  if (value > 0 && value < 1e-3) return false;`,
  ]),
  fault('a strength may be true', ['proxy.ts', strength, `if (value === true) return true;\n  ${strength}`]),
  fault('a strength in a list is taken', [
    'proxy.ts',
    strength,
    `if (Array.isArray(value) && value.length === 1) return isStrength(value[0], broken);\n  ${strength}`,
  ]),
  fault(
    'a strength that is null is a 500',
    ['proxy.ts', strength, `if (value === null) throw new Error('what?');\n  ${strength}`],
    [
      'server.ts',
      'const ofProxy = answerProxy(call, broken);',
      'const ofProxy = await Promise.resolve().then(() => answerProxy(call, broken));',
    ],
  ),
  fault('an image in a list is taken', [
    'proxy.ts',
    image,
    `if (Array.isArray(value)) return isImage(value[0]);\n  ${image}`,
  ]),
  fault('an image address with a port needs no https', [
    'proxy.ts',
    address,
    'return /^http:\\/\\/[^/]+:\\d+\\/\\S+$/.test(value) || /^https:\\/\\/\\S+$/.test(value) ||',
  ]),
  fault('an image address with a query is refused', [
    'proxy.ts',
    address,
    'return /^https:\\/\\/[^\\s?]+$/.test(value) ||',
  ]),
  fault('an image of more than 20 kB is refused', [
    'proxy.ts',
    image,
    "if (typeof value !== 'string' || value.length > 20_000) return false;",
  ]),
  open(
    'document 2, Skin enhancer request, row image: which Base64 is not stated',
    fault('Base64 of the alphabet for addresses is taken', [
      'proxy.ts',
      'base64.test(value));',
      "base64.test(value.replaceAll('-', '+').replaceAll('_', '/')));",
    ]),
  ),
  fault('a webhook_url may be a list', [
    'proxy.ts',
    "typeof webhook !== 'string')",
    "typeof webhook !== 'string' && !Array.isArray(webhook))",
  ]),
  fault('a start with both strengths and a webhook is refused', [
    'proxy.ts',
    'return undefined;\n}\n\nfunction parse',
    "if (sharpen !== undefined && grain !== undefined && webhook !== undefined) return 'webhook_url';\n  return undefined;\n}\n\nfunction parse",
  ]),
  fault('a task id is in braces', [
    'proxy.ts',
    started,
    started.replace('task_id: task', 'task_id: `{${task}}`'),
  ]),
  fault('generated holds an object', ['proxy.ts', started, started.replace('[]', '[{ url: task }]')]),
  fault(
    'the status of the second task is a number',
    ['proxy.ts', 'const refusal =', 'let count = 0;\nconst refusal ='],
    ['proxy.ts', started, started.replace("'IN_THE_DARKROOM'", "(count += 1) === 2 ? 0 : 'IN_THE_DARKROOM'")],
  ),
  fault(
    'a start after a refusal is refused as well',
    ['proxy.ts', 'const refusal =', 'let refused = false;\nconst refusal ='],
    [
      'proxy.ts',
      'if (wrong !== undefined) return',
      'const again = refused;\n  refused = wrong !== undefined;\n  if (wrong !== undefined || again) return',
    ],
  ),
  fault('the message about a body that is no object is null', [
    'proxy.ts',
    "'The body is no JSON object.'",
    'null as never',
  ]),
];
