import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, expect, test } from 'vitest';
import { freshFolder, root, tallystickHere } from './command.ts';

let folder = '';
beforeEach(async () => {
  folder = await freshFolder();
});

const diff = (...args: readonly string[]) => tallystickHere(['diff', ...args], { cwd: folder });

const document = (name: object, more = ''): string => `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      ${more}
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, required: [name], properties: { name: ${JSON.stringify(name)} } }
`;
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

test('diff names what breaks for whom, the places on both sides, and the effect on generated code', async () => {
  write('old.yaml', document({ type: 'string' }));
  write('new.yaml', `# One line more.\n${document({ type: 'integer' }, 'deprecated: true')}`);
  const { stdout, stderr, code } = await diff('old.yaml', 'new.yaml');
  expect(stdout)
    .toBe(`✖ listNotes answer 200.name was string and is integer  breaking for callers and servers · type-changed
    operations: listNotes
    generated code: the type is another one
    old.yaml:13:71 /paths/~1notes/get/responses/200/content/application~1json/schema/properties/name → new.yaml:14:71 /paths/~1notes/get/responses/200/content/application~1json/schema/properties/name
· listNotes is deprecated  harmless · operation-deprecated
    old.yaml:5:5 /paths/~1notes/get → new.yaml:6:5 /paths/~1notes/get
ℹ old.yaml → new.yaml: 1 change breaks callers, 1 change breaks servers; 0 unknown, 1 harmless
`);
  expect([code, stderr]).toStrictEqual([0, '']);
});

test.each([
  ['breaking', { type: 'integer' }, 1],
  ['callers', { type: ['string', 'null'] }, 1],
  ['servers', { type: ['string', 'null'] }, 0],
  ['servers', { type: 'string', maxLength: 3 }, 1],
  ['callers', { type: 'string', maxLength: 3 }, 0],
  ['breaking', { type: 'string' }, 0],
] as const)('--fail-on %s on %j ends with %i', async (whom, schema, expected) => {
  write('old.yaml', document({ type: 'string' }));
  write('new.yaml', document(schema));
  expect((await diff('old.yaml', 'new.yaml', '--fail-on', whom)).code).toBe(expected);
});

test('the JSON output satisfies its schema', async () => {
  write('old.yaml', document({ type: 'string', pattern: 'a' }));
  write('new.yaml', document({ type: 'string', pattern: 'b', enum: ['b'] }, 'tags: [x]'));
  const schema = JSON.parse(readFileSync(join(root, 'docs/diff.schema.json'), 'utf8')) as object;
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
  for (const sides of [
    ['old.yaml', 'new.yaml'],
    ['router', 'router'],
    ['jobs', 'router'],
  ]) {
    const { stdout } = await diff(...sides, '--format', 'json');
    const found = JSON.parse(stdout) as { changes: unknown[] };
    expect(validate(found), JSON.stringify(validate.errors)).toBe(true);
    expect(found.changes.length > 0).toBe(sides[0] !== sides[1]);
  }
});

test('Markdown output is one table, and text of documents in it is not interpreted as markup', async () => {
  write('old.yaml', document({ type: 'string' }));
  write('new.yaml', document({ enum: ['<b>|`x`'] }));
  const { stdout } = await diff('old.yaml', 'new.yaml', '--format', 'markdown');
  const rows = stdout.split('\n').filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(3);
  expect(rows[2]).toContain('| breaking for servers |');
  expect(stdout).not.toContain('<b>');
  expect(rows[2]?.match(/(?<!\\)\|/g)).toHaveLength(7);
});

test('annotations name the place, and a document cannot add commands of its own', async () => {
  write('old.yaml', document({ type: 'string', pattern: 'a' }));
  write('new.yaml', document({ type: 'string', pattern: 'a\n::error::b' }, 'deprecated: true'));
  const { stdout } = await diff('old.yaml', 'new.yaml', '--format', 'github');
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout).toMatch(/^::warning file=new\.yaml,line=13,col=\d+,title=unknown \(pattern-changed\)::/);
});

test('a revision of git is read with its sheet and the files that it refers to, regardless of the working tree', async () => {
  write(
    'specs/notes.openapi.yaml',
    document({ type: 'string' }).replace(/schema: .*/, "schema: { $ref: './parts/note.yaml' }"),
  );
  write('specs/parts/note.yaml', "type: object\nproperties: { text: { $ref: 'text.yaml' } }\n");
  write('specs/parts/text.yaml', 'type: string\n');
  write(
    'specs/notes.behaviour.yaml',
    "api: notes\ncontract: '1'\ndocument: 1\npolicies:\n  - { kind: retry, operations: [listNotes], resend: [503], unanswered: resend }\nrules: []\nunspecified: []\n",
  );
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  write('specs/parts/text.yaml', 'type: integer\n');
  write(
    'specs/notes.behaviour.yaml',
    "api: notes\ncontract: '1'\ndocument: 1\npolicies:\n  - { kind: retry, operations: [listNotes], resend: [429, 503], unanswered: resend }\nrules: []\nunspecified: []\n",
  );
  const { stdout, code, stderr } = await diff(
    'HEAD:specs/notes.openapi.yaml',
    'specs/notes.openapi.yaml',
    '--fail-on',
    'callers',
  );
  expect(stderr).toBe('');
  expect(stdout).toContain('text was string and is integer');
  expect(stdout).toContain('HEAD:specs/parts/text.yaml:1:1');
  expect(stdout).toContain('the policy retry: resend was [503] and is [429,503]');
  expect(code).toBe(1);
  const below = await tallystickHere(['diff', 'HEAD:./notes.openapi.yaml', 'notes.openapi.yaml'], {
    cwd: join(folder, 'specs'),
  });
  expect(below.stdout).toContain('text was string and is integer');
  const none = await diff('HEAD:specs/notes.openapi.yaml,specs/none.yaml', 'specs/notes.openapi.yaml');
  expect([none.code, none.stderr]).toStrictEqual([
    2,
    expect.stringContaining('HEAD has no file specs/none.yaml'),
  ]);
});

test.each([
  ['nope:a.yaml', 'git does not know the revision nope'],
  ['--help:a.yaml', 'Unknown option'],
  ['HEAD:b.yaml', 'HEAD has no file b.yaml'],
  ['$(touch x):a.yaml', 'git does not know the revision $(touch x)'],
  ['HEAD;touch x:a.yaml', 'git does not know the revision HEAD;touch x'],
  ['none.yaml', 'none.yaml does not exist'],
  ['routr', 'Did you mean router?'],
])('%s ends with 2 and says why', async (side, says) => {
  write('a.yaml', document({ type: 'string' }));
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  const { code, stderr } = await diff(side, 'a.yaml');
  expect([code, stderr]).toStrictEqual([2, expect.stringContaining(says)]);
  expect(existsSync(join(folder, 'x'))).toBe(false);
});

test('a revision is refused outside a repository, and a file name with a colon is a file', async () => {
  write('HEAD:a.yaml', document({ type: 'string' }));
  write('a.yaml', document({ type: 'string' }));
  expect((await diff('HEAD:a.yaml', 'a.yaml')).stdout).toContain('no change');
  const { code, stderr } = await diff('main:a.yaml', 'a.yaml');
  expect([code, stderr]).toStrictEqual([2, expect.stringContaining('not in a git repository')]);
});

test('a broken document is reported with its place, and nothing is compared', async () => {
  write('a.yaml', document({ type: 'string' }));
  write('b.yaml', document({ type: 5 }));
  const { code, stderr, stdout } = await diff('a.yaml', 'b.yaml');
  expect([code, stdout]).toStrictEqual([2, '']);
  expect(stderr).toMatch(/\(b\.yaml:13:\d+\)/);
});
