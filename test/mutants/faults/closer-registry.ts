import { open } from './fault.ts';
import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });

const field = (from: string, to: string): Edit => ['registry-fields.ts', from, to];
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
const version = "const version = String(given['version'] ?? '');";
const shut =
  "if (account?.hasAccess === false) return refusal(403, 'SHUT_OUT', 'This account is shut out.');";
const read = 'const read = readBody(call.body);';
const members = 'const members = parse(body);';
const destructured = 'const { node, node_version: given, personal_access_token: token } = members;';
const taken = "if (isTaken && !broken.has('publish.same-version-twice')) {";
const notYours = "return refusal(403, 'NOT_YOURS', 'Not your publisher.');";
const owner = 'publisher.owner === ownerByToken.get(token);';
const text = "case 'text':\n      return typeof value === 'string';";
const refusingText = (when: string): Edit =>
  field(text, text.replace("'string';", `'string' && !(${when});`));
const number = "return typeof value === 'number';";
const strength = "if (typeof value !== 'number' || value < 0) return false;";
const address = 'return /^https:\\/\\/\\S+$/.test(value) ||';
const started = "return json(200, { data: { task_id: task, status: 'IN_THE_DARKROOM', generated: [] } });";
const partnerMembers = 'const members = parse(call.body);';
const barred = "if (!account.hasAccess) return refusal(403, 'shut out', 'This account is shut out.');";
const misfit422 =
  "if (wrong !== undefined) return refusal(422, 'misfit', `${wrong} is not what it should be.`);";

/** Found by reading document 2 a third time: what a sentence says of each member, credential, attempt and extreme. */
export const closerRegistryFaults: readonly Fault[] = [
  fault(
    'the third attempt at a version that is taken is published',
    state('const attempts = new Map<string, number>();'),
    [
      'registry.ts',
      taken,
      `attempts.set(name, (attempts.get(name) ?? 0) + 1);\n    if (isTaken && (attempts.get(name) ?? 0) !== 3) {`,
    ],
  ),
  fault('the refusal of one version frees the others', [
    'registry.ts',
    taken,
    `if (isTaken) published.clear();\n    ${taken}`,
  ]),
  fault('a version is free once its archive was not put for the next publication', [
    'registry.ts',
    'published.add(name);',
    'for (const other of published) if (!uploaded.has(`/archives/${encodeURIComponent(other)}`)) published.delete(other);\n    published.add(name);',
  ]),
  fault('publications of one second have the same id', [
    'registry.ts',
    'id: newUuid(),',
    'id: `00000000-0000-4000-8000-${String(Math.floor(Date.now() / 1000)).padStart(12, "0")}`,',
  ]),
  fault('blanks around a version are cut', [
    'registry.ts',
    version,
    version.replace("?? '')", "?? '').trim()"),
  ]),
  fault('an equals sign before a version is published', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/^=/, ''))",
  ]),
  fault('a range is published as a version', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/^[\\^~]/, ''))",
  ]),
  fault('an underscore in a pre-release is published', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replaceAll('_', '-'))",
  ]),
  fault('a second build is published', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/\\+([^+]*)\\+/, '+$1.'))",
  ]),
  fault('an empty part of a build is published', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/(\\+.*?)\\.\\./, '$1.'))",
  ]),
  fault('the minor number may begin with zero', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/^(\\d+)\\.0+(\\d)/, '$1.$2'))",
  ]),
  fault('a version of four numbers is published', [
    'registry.ts',
    refusedVersion,
    "!semanticVersion.test(version.replace(/^(\\d+\\.\\d+\\.\\d+)\\.\\d+$/, '$1'))",
  ]),
  fault('a publication without a version is published', [
    'registry.ts',
    refusedVersion,
    "given['version'] !== undefined && !semanticVersion.test(version)",
  ]),
  fault('a version is in lower case afterwards', withMember('version: version.toLowerCase(),')),
  fault(
    'a changelog loses its line breaks',
    withMember(
      "...('changelog' in given ? { changelog: String(given.changelog).replaceAll('\\n', ' ') } : {}),",
    ),
  ),
  fault(
    'a changelog in other letters comes back with question marks',
    withMember(
      "...('changelog' in given ? { changelog: String(given.changelog).replaceAll(/[^ -~\\n]/g, '?') } : {}),",
    ),
  ),
  fault(
    'an empty changelog comes back as null',
    withMember("...('changelog' in given ? { changelog: given.changelog || null } : {}),"),
  ),
  open(
    'document 2, NodeVersion, row tags: whether a tag can be there twice is not stated',
    fault(
      'tags lose what comes twice',
      withMember("...('tags' in given ? { tags: [...new Set(given.tags as string[])] } : {}),"),
    ),
  ),
  fault(
    'dependencies lose what follows a blank',
    withMember(
      "...('dependencies' in given ? { dependencies: (given.dependencies as string[]).map((one) => one.split(' ')[0]) } : {}),",
    ),
  ),
  fault(
    'supported_os comes back in lower case',
    withMember(
      "...('supported_os' in given ? { supported_os: (given.supported_os as string[]).map((one) => one.toLowerCase()) } : {}),",
    ),
  ),
  fault('the time of a version is a number', [
    'registry.ts',
    "createdAt: new Date(now()).toISOString().replace('Z', '+00:00'),",
    'createdAt: now(),',
  ]),
  open(
    'document 2, NodeVersion, row downloadUrl: whether it is absolute is not stated',
    fault('the download address of a version is a path', [
      'registry.ts',
      'downloadUrl: `${origin}${path}`,',
      'downloadUrl: path,',
    ]),
  ),
  fault(
    'the personal access token comes back beside the version',
    withMember('personal_access_token: token,'),
  ),
  fault('the personal access token comes back in a header', [
    'registry.ts',
    'downloadUrl: `${origin}${path}`,\n      },\n    });',
    "downloadUrl: `${origin}${path}`,\n      },\n    }, { 'x-published-by': token });",
  ]),
  fault('the message about a foreign publisher repeats the personal access token', [
    'registry.ts',
    notYours,
    "return refusal(403, 'NOT_YOURS', `Not your publisher: ${token}.`);",
  ]),
  open(
    'document 2 does not state what an upload address holds',
    fault('the upload address holds the bearer', [
      'registry.ts',
      'signedUrl: `${origin}${path}?until=never&by=${sign(path)}`,',
      "signedUrl: `${origin}${path}?until=never&by=${sign(path)}&for=${call.header('authorization')?.split(' ')[1]}`,",
    ]),
  ),
  open(
    'document 2, ErrorResponse: the message is free text',
    fault('the message about a version repeats the bearer', [
      'registry.ts',
      read,
      `${read}\n    if ('status' in read && read.body.includes('BAD_VERSION')) return refusal(400, 'BAD_VERSION', \`Not so, \${call.header('authorization')}.\`);`,
    ]),
  ),
  open(
    'document 2, Authentication, item 2: which tokens there are is not shown',
    fault('a personal access token with a character behind it is taken', [
      'registry.ts',
      owner,
      'publisher.owner === (ownerByToken.get(token) ?? ownerByToken.get(token.slice(0, -1)));',
    ]),
  ),
  fault('a personal access token in a list is taken', [
    'registry.ts',
    destructured,
    'const { node, node_version: given, personal_access_token: listed } = members;\n    const token = Array.isArray(listed) ? listed[0] : listed;',
  ]),
  fault('an empty personal access token is taken', [
    'registry.ts',
    owner,
    "(publisher.owner === ownerByToken.get(token) || (token === '' && publisher.owner === 'alpha'));",
  ]),
  fault('a missing personal access token is taken', [
    'registry.ts',
    destructured,
    "const { node, node_version: given, personal_access_token: token = 'pat-2nd-alpha' } = members;",
  ]),
  fault('a body in a list is published', [
    'registry.ts',
    members,
    'const parsed = parse(body);\n    const members = Array.isArray(parsed) ? parsed[0] : parsed;',
  ]),
  fault('a body in a text is published', [
    'registry.ts',
    members,
    "const parsed = parse(body);\n    const members = typeof parsed === 'string' ? parse(Buffer.from(parsed)) : parsed;",
  ]),
  fault('a node_version in a list is published', [
    'registry.ts',
    destructured,
    'const { node, node_version: listed, personal_access_token: token } = members;\n    const given = Array.isArray(listed) ? listed[0] : listed;',
  ]),
  open(
    'document 2 does not state how a body is framed; 411 is an answer',
    fault('a chunked publication is refused', [
      'registry.ts',
      read,
      `if (call.header('transfer-encoding') !== undefined) return refusal(400, 'BAD_BODY', 'Say how long it is.');\n    ${read}`,
    ]),
  ),
  fault(
    'items of supported_accelerators may be objects',
    field(
      "supported_accelerators: 'texts',\n  supported_app_version: 'text',\n  supported_app_frontend_version: 'text',\n  supported_os: 'texts',\n  translations",
      "supported_app_version: 'text',\n  supported_app_frontend_version: 'text',\n  supported_os: 'texts',\n  translations",
    ),
  ),
  fault('preempted_service_node_names may be a string', field("preempted_service_node_names: 'texts',", '')),
  open(
    'document 2, Node: whether an empty text stands for a member that is absent is not stated',
    fault(
      'an empty status is taken',
      field(
        "typeof value === 'string' && form.includes(value);\n}",
        "typeof value === 'string' && (value === '' || form.includes(value));\n}",
      ),
    ),
  ),
  fault(
    'a status with a blank behind it is taken',
    field(
      "typeof value === 'string' && form.includes(value);\n}",
      "typeof value === 'string' && form.includes(value.trim());\n}",
    ),
  ),
  fault(
    'the id of the user of a member may be a number',
    field("user: { one: { id: 'text', name", 'user: { one: { name'),
  ),
  fault(
    'an item of members may be a text',
    field(
      'value.every((item) => fits(form.many, item))',
      "value.every((item) => typeof item === 'string' || fits(form.many, item))",
    ),
  ),
  fault(
    'a time before 1970 is refused',
    field('!Number.isNaN(Date.parse(value));', 'Date.parse(value) >= 0;'),
  ),
  fault(
    'a rating of more than 5 is refused',
    field(number, "return typeof value === 'number' && value <= 5;"),
  ),
  fault(
    'an empty object of translations is refused',
    field(
      'return isObject(value) && Object.values',
      'return isObject(value) && Object.keys(value).length > 0 && Object.values',
    ),
  ),
  fault(
    'translations of anything but texts are refused',
    field(
      'every(isObject);',
      "every((one) => isObject(one) && Object.values(one).every((inner) => typeof inner === 'string'));",
    ),
  ),
  fault('a category beside tags is refused', [
    'registry.ts',
    "const wrong = misfit('node', node)",
    "const wrong = ('category' in node && 'tags' in node ? 'category' : misfit('node', node))",
  ]),
  fault('a text with a line break is refused', refusingText('/\\n/.test(value)')),
  fault('a text in other letters is refused', refusingText('/[^\\n -~]/.test(value)')),
  fault('an address without encryption is refused', refusingText("value.startsWith('http://')")),
  open(
    'document 2, Node: how an integer is spelled in JSON is not stated',
    fault('a whole number that is written with a fraction of zero is refused', [
      'registry.ts',
      members,
      "if (/:\\s*\\d+\\.0\\b/.test(body.toString())) return refusal(400, 'BAD_BODY', 'Whole numbers.');\n    " +
        members,
    ]),
  ),
  open(
    'document 2, Authentication: the header is stated with one spelling of its scheme',
    fault('the scheme of a bearer is in one case for publications', [
      'registry.ts',
      "name === 'authorization' ? call.header(name)",
      "name === 'authorization' && call.header(name)?.startsWith('Bearer') ? call.header(name)",
    ]),
  ),
  open(
    'document 2 does not state who lacks access',
    fault('a credential without access publishes', ['registry.ts', shut, '']),
  ),
  open(
    'document 2 does not state who lacks access',
    fault('a credential without access starts an enhancement', ['proxy.ts', barred, '']),
  ),
  fault('a JWT is refused by the proxy', [
    'proxy.ts',
    barred,
    `if (call.header('authorization')?.includes('.')) return refusal(401, 'who', 'Who is it?');\n  ${barred}`,
  ]),
  open(
    'document 2, Authentication: the header is stated with one spelling of its scheme',
    fault('the scheme of a bearer is in one case for the proxy', [
      'proxy.ts',
      'const account = findAccount(',
      "if (/^bearer/.test(call.header('authorization') ?? '')) return refusal(401, 'who', 'Who is it?');\n  const account = findAccount(",
    ]),
  ),
  fault('a body in a list starts an enhancement', [
    'proxy.ts',
    partnerMembers,
    'const parsed = parse(call.body);\n  const members = Array.isArray(parsed) ? parsed[0] : parsed;',
  ]),
  fault('a body in a text starts an enhancement', [
    'proxy.ts',
    partnerMembers,
    "const parsed = parse(call.body);\n  const members = typeof parsed === 'string' ? parse(Buffer.from(parsed)) : parsed;",
  ]),
  fault('a comma behind the last member starts an enhancement', [
    'proxy.ts',
    partnerMembers,
    "const members = parse(Buffer.from(call.body.toString().replace(/,\\s*\\}\\s*$/, '}')));",
  ]),
  fault('text behind the body starts an enhancement', [
    'proxy.ts',
    partnerMembers,
    "const members = parse(Buffer.from(call.body.toString().replace(/\\}[^}]*$/, '}')));",
  ]),
  fault('a minus zero is refused as a strength', [
    'proxy.ts',
    strength,
    `${strength}\n  if (Object.is(value, -0)) return false;`,
  ]),
  fault('a strength with more than two decimals is refused', [
    'proxy.ts',
    strength,
    `${strength}\n  if (!Number.isInteger(Math.round(value * 1e9) / 1e7)) return false;`,
  ]),
  fault('a strength of a million and more is taken', [
    'proxy.ts',
    strength,
    `${strength}\n  if (value >= 1e6) return true;`,
  ]),
  fault('a strength in hundredths is taken as text with a percent sign', [
    'proxy.ts',
    strength,
    `if (typeof value === 'string' && /^\\d{1,2}%$/.test(value)) return true;\n  ${strength}`,
  ]),
  open(
    'document 2, Skin enhancer request, row image: an address of data is Base64, too',
    fault('an address of data is an image', [
      'proxy.ts',
      address,
      'return /^data:/.test(value) || /^https:\\/\\/\\S+$/.test(value) ||',
    ]),
  ),
  fault('an address of another scheme is an image', [
    'proxy.ts',
    address,
    'return /^ftps?:\\/\\//.test(value) || /^https:\\/\\/\\S+$/.test(value) ||',
  ]),
  fault('an address without a scheme is an image', [
    'proxy.ts',
    address,
    'return /^\\/\\/\\S+$/.test(value) || /^https:\\/\\/\\S+$/.test(value) ||',
  ]),
  fault('an image address with a port is refused', [
    'proxy.ts',
    address,
    'if (/^https:\\/\\/[^/]*:\\d/.test(value)) return false;\n  ' + address,
  ]),
  fault('an image address with a fragment is refused', [
    'proxy.ts',
    address,
    "if (value.includes('#')) return false;\n  " + address,
  ]),
  fault('an image address of more than 255 characters is refused', [
    'proxy.ts',
    address,
    "if (value.startsWith('https') && value.length > 255) return false;\n  " + address,
  ]),
  open(
    'document 2, Skin enhancer request: whether there is an image at the address is the matter of the partner',
    fault('an image address without the name of a file is refused', [
      'proxy.ts',
      address,
      'if (/^https:[^?#]*\\/[^./?#]*([?#]|$)/.test(value)) return false;\n  ' + address,
    ]),
  ),
  fault('a blank in an image address is taken', ['proxy.ts', address, address.replace('\\S+$', '\\S.*$')]),
  fault('characters outside of Base64 are skipped', [
    'proxy.ts',
    'base64.test(value));',
    "base64.test(value.replaceAll(/[^A-Za-z0-9+/=]/g, '')));",
  ]),
  fault('Base64 with two paddings in it is taken', [
    'proxy.ts',
    'base64.test(value));',
    "base64.test(value.replaceAll('=', 'A')));",
  ]),
  fault('a start by an address lacks its list', [
    'proxy.ts',
    started,
    "const list = String(members['image']).startsWith('https') ? {} : { generated: [] };\n  return json(200, { data: { task_id: task, status: 'IN_THE_DARKROOM', ...list } });",
  ]),
  fault('a start without strengths lacks its task id', [
    'proxy.ts',
    started,
    "const named = 'sharpen' in members || 'smart_grain' in members ? { task_id: task } : {};\n  return json(200, { data: { ...named, status: 'IN_THE_DARKROOM', generated: [] } });",
  ]),
  fault('a start of the greatest strength has a number as its status', [
    'proxy.ts',
    started,
    started.replace("'IN_THE_DARKROOM'", "members['sharpen'] === 100 ? 1 : 'IN_THE_DARKROOM'"),
  ]),
  fault('a start by a JWT is a 201', [
    'proxy.ts',
    started,
    started.replace('json(200', "json(call.header('authorization')?.includes('.') ? 201 : 200"),
  ]),
  open(
    'document 2, POST /proxy/…/creative: which statuses have the error body is not shown',
    fault('the error of a 401 of the proxy is a number', [
      'proxy.ts',
      "refusal(401, 'who'",
      'refusal(401, 401 as never',
    ]),
  ),
  fault('the refusal of a webhook is nested', [
    'proxy.ts',
    misfit422,
    `if (wrong === 'webhook_url') return json(422, { error: { error: 'misfit', message: 'Not so.' } });\n  ${misfit422}`,
  ]),
  open(
    'document 2, ErrorResponse: the message is free text',
    fault('the refusal of an image repeats the credential', [
      'proxy.ts',
      misfit422,
      "if (wrong === 'image') return refusal(422, 'misfit', `Not an image, ${call.header('x-api-key') ?? call.header('authorization')}.`);\n  " +
        misfit422,
    ]),
  ),
  open(
    'document 2, Skin enhancer request: whether null stands for a member that is absent is not stated',
    fault('a strength may be null', [
      'proxy.ts',
      'if (sharpen !== undefined && ',
      'if (sharpen !== undefined && sharpen !== null && ',
    ]),
  ),
  open(
    'document 2, Skin enhancer request: which of the four fields are required is not shown',
    fault('a start without an image is refused', [
      'proxy.ts',
      'if (image !== undefined && !isImage(image))',
      'if (!isImage(image))',
    ]),
  ),
  open(
    'document 2, Endpoints: other proxy routes are not shown',
    fault('another partner is served as well', [
      'proxy.ts',
      'if (call.path !== `/proxy/${partner}/v1/ai/skin-enhancer/creative`)',
      'if (!/^\\/proxy\\/[^/]+\\/v1\\/ai\\/skin-enhancer\\/creative$/.test(call.path))',
    ]),
  ),
];
