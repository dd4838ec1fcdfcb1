import type { Edit, Fault } from './fault.ts';

const fault = (says: string, ...edits: readonly Edit[]): Fault => ({ api: 'registry', says, edits });

/** An earlier list, by those who then wrote probes against it. */
export const earlierRegistryFaults: readonly Fault[] = [
  fault('missing node is 403', [
    'registry.ts',
    "if (!isObject(node) || !isObject(given) || typeof token !== 'string') {",
    "if (!isObject(node)) return refusal(403, 'X', 'x');\n    if (!isObject(node) || !isObject(given) || typeof token !== 'string') {",
  ]),
  fault('wrong types are 403', ['registry.ts', "refusal(400, 'BAD_MEMBER'", "refusal(403, 'BAD_MEMBER'"]),
  fault('base64 without plus', ['proxy.ts', '[A-Za-z0-9+/]{4})*', '[A-Za-z0-9/]{4})*']),
  fault('base64 must have padding', [
    'proxy.ts',
    "typeof value !== 'string') return false;",
    "typeof value !== 'string') return false; if (!value.startsWith('https') && !value.endsWith('=')) return false;",
  ]),
  fault('rounding of intensities', [
    'proxy.ts',
    "if (typeof value !== 'number' || value < 0) return false;",
    "if (typeof value === 'number') value = Math.round(value); if (typeof value !== 'number' || value < 0) return false;",
  ]),
  fault('grain bounded by 10 above 99.5', [
    'proxy.ts',
    "if (grain !== undefined && !isStrength(grain, broken)) return 'smart_grain';",
    "if (grain !== undefined && !isStrength(Math.trunc(grain as number), broken)) return 'smart_grain';",
  ]),
  fault('refused version is taken', [
    'registry.ts',
    'const publisher = publishers.get(publisherId);',
    'const publisher = publishers.get(publisherId); if (ownerByToken.get(token) === undefined) published.add(`${publisherId}/${nodeId}/${version}`);',
  ]),
  fault('version refused for wrong member is taken', [
    'registry.ts',
    "if (wrong !== undefined) return refusal(400, 'BAD_MEMBER'",
    "if (wrong !== undefined) { published.add(`second-press/ink-well/${String(given['version'])}`); }\n    if (wrong !== undefined) return refusal(400, 'BAD_MEMBER'",
  ]),
  fault('prefix of a version is taken', [
    'registry.ts',
    'const isTaken = published.has(name);',
    'const isTaken = [...published].some((one) => name.startsWith(one) );',
  ]),
  fault('pre-release taken means release taken', [
    'registry.ts',
    'const isTaken = published.has(name);',
    'const isTaken = published.has(name) || [...published].some((one) => one.startsWith(`${name}-`));',
  ]),
  fault('node id of another', ['registry.ts', 'node_id: nodeId,', 'node_id: publisherId,']),
  fault(
    'same id for all versions',
    ['registry.ts', 'id: newUuid(),', 'id: fixedId,'],
    [
      'registry.ts',
      'const secret = randomBytes(32);',
      'const secret = randomBytes(32); const fixedId = newUuid();',
    ],
  ),
  fault('same upload address', [
    'registry.ts',
    'signedUrl: `${origin}${path}?until=never&by=${sign(path)}`,',
    'signedUrl: `${origin}/archives/${nodeId}?by=${sign(nodeId)}`,',
  ]),
  fault('same task id', [
    'proxy.ts',
    "const task = broken.has('proxy.short-task-id') ? newUuid().slice(0, 8) : newUuid();",
    "const task = '0190a1b2-1111-7222-8333-444455556666';",
  ]),
  fault(
    'changelog of the first publication',
    [
      'registry.ts',
      'const uploaded = new Set<string>();',
      'const uploaded = new Set<string>(); let firstGiven: unknown;',
    ],
    ['registry.ts', '        ...given,', "        ...given, changelog: (firstGiven ??= given['changelog']),"],
  ),
  fault('dependencies sorted', [
    'registry.ts',
    '        ...given,',
    "        ...given, ...(Array.isArray(given['dependencies']) ? { dependencies: [...given['dependencies']].reverse() } : {}),",
  ]),
  fault('deprecated flipped', [
    'registry.ts',
    '        ...given,',
    "        ...given, ...(given['deprecated'] === undefined ? {} : { deprecated: !given['deprecated'] }),",
  ]),
  fault('empty node refused', [
    'registry.ts',
    'if (!isObject(node) || !isObject(given)',
    "if (isObject(node) && Object.keys(node).length === 0) return refusal(400, 'EMPTY', 'x');\n    if (!isObject(node) || !isObject(given)",
  ]),
  fault('array as node', [
    'registry-fields.ts',
    "typeof value === 'object' && value !== null && !Array.isArray(value);",
    "typeof value === 'object' && value !== null;",
  ]),
  fault('translations: first only', [
    'registry-fields.ts',
    'Object.values(value).every(isObject)',
    'Object.values(value).slice(0, 1).every(isObject)',
  ]),
  fault('members: first only', [
    'registry-fields.ts',
    'value.every((item) => fits(form.many, item))',
    'value.slice(0, 1).every((item) => fits(form.many, item))',
  ]),
  fault('trailing comma published', [
    'registry.ts',
    'return JSON.parse(body.toString());',
    "return JSON.parse(body.toString().replace(/,\\s*}/g, '}'));",
  ]),
  fault('text after body published', [
    'registry.ts',
    'return JSON.parse(body.toString());',
    "const t = body.toString(); return JSON.parse(t.slice(0, t.lastIndexOf('}') + 1) || t);",
  ]),
  fault('half of the token', [
    'registry.ts',
    'publisher.owner === ownerByToken.get(token)',
    "publisher.owner === [...ownerByToken].find(([k]) => token !== '' && k.startsWith(token))?.[1]",
  ]),
  fault('token in other case', [
    'registry.ts',
    'ownerByToken.get(token)',
    'ownerByToken.get(token.toLowerCase())',
  ]),
  fault('rating integer refused', [
    'registry-fields.ts',
    "return typeof value === 'number';",
    "return typeof value === 'number' && !Number.isInteger(value);",
  ]),
  fault('zero downloads refused', [
    'registry-fields.ts',
    'return Number.isInteger(value);',
    'return Number.isInteger(value) && value !== 0;',
  ]),
  fault('empty lists refused', [
    'registry-fields.ts',
    "return Array.isArray(value) && value.every((item) => typeof item === 'string');",
    "return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');",
  ]),
  fault('empty texts refused', [
    'registry-fields.ts',
    "case 'text':\n      return typeof value === 'string';",
    "case 'text':\n      return typeof value === 'string' && value !== '';",
  ]),
  fault('lower-case time refused', [
    'registry-fields.ts',
    '!Number.isNaN(Date.parse(value));',
    "!Number.isNaN(Date.parse(value)) && value.endsWith('Z');",
  ]),
  fault('fraction second refused', [
    'registry-fields.ts',
    '!Number.isNaN(Date.parse(value));',
    "!Number.isNaN(Date.parse(value)) && !value.includes('.');",
  ]),
  fault('only second attempt of duplicate refused by changelog', [
    'registry.ts',
    'const name = `${publisherId}/${nodeId}/${version}`;',
    "const name = `${publisherId}/${nodeId}/${version}/${JSON.stringify(call.header('content-length') && (given['tags'] ?? ''))}`;",
  ]),
  fault('large publications 500', [
    'registry.ts',
    'const read = readBody(call.body);',
    "if (call.body.length > 20000) throw new Error('too large');\n    const read = readBody(call.body);",
  ]),
  fault('multibyte names broken', [
    'registry.ts',
    '        ...given,',
    "        ...given, ...(typeof given['changelog'] === 'string' ? { changelog: Buffer.from(given['changelog'], 'latin1').toString('latin1').replace(/[^\\x00-\\x7f]/g, '?') } : {}),",
  ]),
  fault('null token crashes without body', [
    'registry.ts',
    'const { node, node_version: given, personal_access_token: token } = members;',
    "const { node, node_version: given, personal_access_token: token } = members; if (token === null) throw new Error('null');",
  ]),
];
