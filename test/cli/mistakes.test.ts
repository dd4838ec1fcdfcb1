import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { typed } from '../../contract/index.ts';
import { freshFolder, tallystickHere } from './command.ts';

const files: Readonly<Record<string, string | Buffer>> = {
  'binary.yaml': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x00, 0x01]),
  'utf16.yaml': Buffer.from('\ufeffcred: {}\n', 'utf16le'),
  'bom.yaml': '\ufeffcred:\n  apiKye: x\n',
  'crlf.yaml': 'cred:\r\n  apiKye: x\r\n',
  'indent.yaml': 'cred:\n  apiKey: x\n jwt: y\n',
  'comments.json': '{\n  // a comment\n  "cred": {} }\n',
  'twice.yaml': 'cred: {}\ncred: {}\n',
  'list.yaml': '- a\n',
  'unset.yaml': 'cred:\n  jwt: $NOT_SET_ANYWHERE\n',
  'cut.json': '{"schemaVersion":1',
  'other.json': '{"a":1}',
  'newer.json': '{"schemaVersion":2,"rules":[],"exchanges":[]}',
  'baseline.json': '{"known":null}',
  'package.json': '{"name":"x"}',
  'unknown/package.json': '{}',
  'unknown/tallystick.config.json': '{ "generate": { "oot": "x" } }',
  'syntax/package.json': '{}',
  'syntax/tallystick.config.json': '{\n  "generate": {},\n}',
  'manifest/package.json': '{ "name": "x" "version": "1" }',
};

const options = (command: string): string => `   show the options: ${typed(`${command} --help`.trim())}`;
const listings = [
  `   list all: ${typed('explain router')}`,
  `             ${typed('explain registry')}`,
  `             ${typed('explain jobs')}`,
];
const template = `   for a file to start from: ${typed('fixtures --template')}`;
const anonymous = 'conform http://127.0.0.1:9 --anonymous';

/** A command line, and all that is printed. Each ends with exit code 2. */
const rows: readonly (readonly [line: string, ...said: string[]])[] = [
  ['mok', '✖ Unknown command mok. Did you mean mock?', options('')],
  ['fixtures chek x', '✖ Unknown command chek. Did you mean check?', options('fixtures')],
  ['mock --prot 1', '✖ Unknown option --prot. Did you mean --port?', options('mock')],
  ['mock --port abc', '✖ --port abc: expected a whole number from 0 to 65535', options('mock')],
  ['mock --port', '✖ Missing value: --port <n>', options('mock')],
  ['explain', '✖ Missing argument <id>', options('explain')],
  ['explain a b', '✖ Too many arguments: expected 1, got 2', options('explain')],
  [
    'explain router.list.limit-clampd',
    '✖ Unknown rule or assumption router.list.limit-clampd. Did you mean router.list.limit-clamped?',
    ...listings,
    `             ${typed('assumptions')}`,
  ],
  [
    'init ruter',
    '✖ Unknown API ruter. Did you mean router?',
    '   built-in: router, registry, jobs; for an API of your own, give the path of its OpenAPI document',
  ],
  [
    'conform repor',
    '✖ "repor" is not a base URL. Did you mean the command report?',
    '   expected one such as https://api.example.com',
  ],
  [
    'conform http://x --api ruter',
    '✖ --api ruter: expected router, registry, jobs, not ruter. Did you mean router?',
    options('conform'),
  ],
  [
    'conform http://x --api-key a --bearer b',
    '✖ --bearer and --api-key cannot be used together',
    options('conform'),
  ],
  [
    'conform http://x --api-key a --anonymous',
    '✖ --anonymous and --api-key cannot be used together',
    options('conform'),
  ],
  [
    'conform http://u:p@x --anonymous',
    '✖ The base URL must not contain a user, a query or a fragment',
    options('conform'),
  ],
  [
    `${anonymous} --rule router.list.limit-clampd`,
    '✖ No rule matches router.list.limit-clampd. Did you mean router.list.limit-clamped?',
    ...listings,
  ],
  [`${anonymous} --require nothing.*`, '✖ No rule matches nothing.*', ...listings],
  [
    `${anonymous} --rule router.lsit.*`,
    '✖ No rule matches router.lsit.*. Did you mean router.list.*?',
    ...listings,
  ],
  [`${anonymous} --rule ,`, '✖ --rule ,: expected at least one name', options('conform')],
  [
    `${anonymous} --rule router.list.limit-clamped --level should`,
    '✖ No rule has both a chosen name (router.list.limit-clamped) and a chosen level (should)',
    ...listings,
  ],
  [
    `${anonymous} --rule router.cursor.opaque`,
    '✖ No live server is judged by router.cursor.opaque: a rule for clients',
    ...listings,
  ],
  [
    `${anonymous} --shard 3/2`,
    '✖ --shard 3/2: expected i/n with i from 1 to n, such as 1/4',
    options('conform'),
  ],
  [
    `${anonymous} --budget 5`,
    '✖ --budget 5: expected a duration such as 60s or 10m. Did you mean 5s?',
    options('conform'),
  ],
  [
    `${anonymous} --report package.json`,
    '✖ package.json: it exists already, and is not a folder (EEXIST)',
    '   check the path, or remove the file',
  ],
  [
    `${anonymous} --write-baseline folder`,
    '✖ folder is a directory',
    '   give the path of a file for the baseline',
  ],
  [
    `${anonymous} --write-baseline no/base.json`,
    '✖ The folder of no/base.json does not exist',
    '   create the folder first',
  ],
  [
    `${anonymous} --baseline baseline.json`,
    '✖ baseline.json is not a baseline: /known must be an object',
    '   to create one, run the same command with --write-baseline baseline.json',
  ],
  ['fixtures check none.yaml', '✖ none.yaml does not exist', '   check the path', template],
  ['fixtures check twcie.yaml', '✖ twcie.yaml does not exist', '   did you mean twice.yaml?', template],
  ['fixtures check folder', '✖ folder is a directory', '   give the path of a file inside it', template],
  ['fixtures check binary.yaml', '✖ binary.yaml is binary, not text', '   save it as UTF-8 text', template],
  ['fixtures check utf16.yaml', '✖ utf16.yaml is UTF-16, not UTF-8', '   save it as UTF-8 text', template],
  ...(['bom.yaml', 'crlf.yaml'] as const).map((file): [string, ...string[]] => [
    `fixtures check ${file}`,
    `✖ unknown property cred.apiKye  (${file}:2:3)  fixtures-unknown-member`,
    '   1 | cred:',
    '   2 |   apiKye: x',
    '     |   ^',
    '   did you mean apiKey?',
    `✖ ${file} is not a valid fixtures file`,
    '   nothing was sent',
  ]),
  [
    'fixtures check indent.yaml',
    '✖ inconsistent indentation  (indent.yaml:3:1)  fixtures-syntax',
    '   2 |   apiKey: x',
    '   3 |  jwt: y',
    '     | ^',
    '   align this line with the lines around it',
    '✖ indent.yaml is not a valid fixtures file',
    '   nothing was sent',
  ],
  [
    'fixtures check comments.json',
    '✖ JSON does not allow comments  (comments.json:2:3)  fixtures-syntax',
    '   1 | {',
    '   2 |   // a comment',
    '     |   ^',
    '   remove the comment',
    '✖ comments.json is not a valid fixtures file',
    '   nothing was sent',
  ],
  [
    'fixtures check twice.yaml',
    '✖ duplicate key "cred"  (twice.yaml:2:1)  fixtures-syntax',
    '   1 | cred: {}',
    '   2 | cred: {}',
    '     | ^',
    '   remove one of the two; the first is on line 1',
    '✖ twice.yaml is not a valid fixtures file',
    '   nothing was sent',
  ],
  [
    'fixtures check list.yaml',
    '✖ the file must be an object, not an array  (list.yaml:1:1)  fixtures-type',
    '   1 | - a',
    '     | ^',
    '✖ list.yaml is not a valid fixtures file',
    '   nothing was sent',
  ],
  [
    'fixtures check unset.yaml',
    '✖ cred.jwt reads $NOT_SET_ANYWHERE, which is not set  (unset.yaml:2:8)  fixtures-type',
    '   1 | cred:',
    '   2 |   jwt: $NOT_SET_ANYWHERE',
    '     |        ^',
    '   set it: export NOT_SET_ANYWHERE=…',
    '✖ unset.yaml is not a valid fixtures file',
    '   nothing was sent',
  ],
  [
    'fixtures --mock nonsense',
    '✖ "nonsense" is not a base URL',
    '   expected one such as https://api.example.com',
  ],
  [
    'conform report none',
    '✖ There is no report none',
    '   searched for: none, none/report.json, tallystick-report/none',
    `   to make one: ${typed('conform BASE_URL')}`,
  ],
  [
    'conform report other.json',
    '✖ other.json is not a report of tallystick conform: it has no "schemaVersion"',
    '   expected the report.json of a run of conform',
  ],
  [
    'conform report newer.json',
    '✖ newer.json has version 2 of the report format',
    '   this version of tallystick reads version 1: use the version that wrote it',
  ],
  [
    'conform report cut.json',
    '✖ cut.json:1:19: unexpected end of file',
    '   the closing } is missing: the file may be truncated',
    '   expected the report.json of a run of conform',
  ],
  [
    'generate http://[',
    '✖ http://[ is not a valid URL  (http://[:1:1)  ref-malformed',
    '   correct the URL',
    '✖ http://[ is not valid: 1 error',
    '   nothing was changed',
  ],
  [
    'generate binary.yaml',
    '✖ binary.yaml is binary, not text  (binary.yaml:1:1)  file-encoding',
    '   save it as UTF-8 text',
    '✖ binary.yaml is not valid: 1 error',
    '   nothing was changed',
  ],
];

let folder = '';
beforeAll(async () => {
  folder = await freshFolder();
  for (const name of ['folder', 'unknown', 'syntax', 'manifest']) await mkdir(join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});

test.each(rows)('tallystick %s: what happened, where, and what to do', async (line, ...said) => {
  const { code, stdout, stderr } = await tallystickHere(line.split(' '), { cwd: folder });
  expect(`${stdout}${stderr}`.trimEnd().split('\n')).toStrictEqual(said);
  expect(code).toBe(2);
});

test.each([
  [
    'unknown',
    '✖ tallystick.config.json:1:17: unknown property generate.oot. Did you mean out?\n   known: apis, out, only',
  ],
  ['syntax', '✖ tallystick.config.json:3:1: trailing comma before }\n   remove the comma\n'],
  ['manifest', '✖ package.json:1:15: missing comma or }\n   add it before this place\n'],
])('a configuration with a mistake (%s) is reported with its place', async (name, said) => {
  const { code, stderr } = await tallystickHere(['generate'], { cwd: join(folder, name) });
  expect(stderr.startsWith(said), stderr).toBe(true);
  expect(code).toBe(2);
});
