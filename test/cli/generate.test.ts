import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { freshFolder, tallystickHere } from './command.ts';

let folder = '';
beforeEach(async () => {
  folder = await freshFolder();
});

const generate = (...args: readonly string[]) => tallystickHere(['generate', ...args], { cwd: folder });

test('prints the written files, and the next commands', async () => {
  const { code, stdout, stderr } = await generate('router', '--out', 'src/api');
  expect(stdout).toMatch(/^✔ router +4 operations .* → src\/api\/router\/$/m);
  expect(stdout).toMatch(
    /^✔ \d+ files written, 0 unchanged, 0 removed in \d+ ms, listed in src\/api\/\.tallystick\.json$/m,
  );
  expect(stderr).toContain("from './api/router/index.js'");
  expect(stderr).toContain('npx --no -- tallystick generate router --out src/api --check   in CI');
  expect(code).toBe(0);
});

test('a second run changes nothing', async () => {
  await generate('router', '--out', 'src/api');
  const { stdout } = await generate('router', '--out', 'src/api');
  expect(stdout).toMatch(/^✔ 0 files written, \d+ unchanged, 0 removed/m);
});

test('--check ends with 0 on fresh code and with 1 on stale code, and writes nothing', async () => {
  await generate('router', '--out', 'api');
  const fresh = await generate('router', '--out', 'api', '--check');
  expect(fresh.stdout).toBe('✔ api is up to date\n');
  expect(fresh.code).toBe(0);
  const stale = await generate('router', '--out', 'elsewhere', '--check');
  expect(stale.stderr).toMatch(/^✖ Generated code is stale: \d+ missing$/m);
  expect(stale.stderr).toContain('run: npx --no -- tallystick generate router --out elsewhere');
  expect(stale.code).toBe(1);
  expect(await readdir(folder)).toEqual(['api']);
});

test('a file that was edited by hand stops the run, and the message says how to continue', async () => {
  await generate('router', '--out', 'api');
  await writeFile(join(folder, 'api/router/client.ts'), '// mine\n');
  const refused = await generate('router', '--out', 'api');
  expect(refused.stderr).toContain(
    '✖ api has 1 file that this run would overwrite: router/client.ts (edited by hand)',
  );
  expect(refused.stderr).toContain('nothing was changed');
  expect(refused.stderr).toContain(
    'npx --no -- tallystick generate router --out api --overwrite router/client.ts',
  );
  expect(refused.code).toBe(2);
  expect(await readFile(join(folder, 'api/router/client.ts'), 'utf8')).toBe('// mine\n');
  const replaced = await generate('router', '--out', 'api', '--overwrite', 'api/router/client.ts');
  expect(replaced.code).toBe(0);
  expect(await readFile(join(folder, 'api/router/client.ts'), 'utf8')).not.toContain('// mine');
});

test('a file of the user at the path of a generated file is not changed', async () => {
  await generate('router', '--out', 'api');
  await writeFile(join(folder, 'api/notes.ts'), 'mine');
  expect((await generate('router', '--out', 'api')).code).toBe(0);
  expect(await readFile(join(folder, 'api/notes.ts'), 'utf8')).toBe('mine');
});

test('--dry-run lists the files and writes none', async () => {
  const { stdout, code } = await generate('router', '--out', 'api', '--dry-run');
  expect(stdout).toContain('   + router/client.ts');
  expect(stdout).toContain('would be written');
  expect(code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('--dry-run tells files that would change from new ones', async () => {
  await generate('router', '--out', 'api');
  const { stdout } = await generate(
    'router',
    'jobs',
    '--out',
    'api',
    '--import-extension',
    'ts',
    '--dry-run',
  );
  expect(stdout).toContain('   + jobs/client.ts');
  expect(stdout).toContain('   ~ router/client.ts');
  expect(stdout).not.toContain('+ router/');
});

test('--json is one document on stdout', async () => {
  const { stdout } = await generate('router', '--out', 'api', '--json');
  const result = JSON.parse(stdout) as Record<string, unknown>;
  expect(result).toMatchObject({ schemaVersion: 1, out: 'api', wrote: true, changed: [], removed: [] });
  expect(result['added']).toContain('router/client.ts');
});

test('--import-extension ts writes specifiers for runtimes that run TypeScript', async () => {
  await generate('router', '--out', 'api', '--import-extension', 'ts');
  const text = await readFile(join(folder, 'api/router/client.ts'), 'utf8');
  expect(text).toContain("from './types.ts'");
  expect(text).not.toMatch(/from '\.[^']*\.js'/);
});

test('a user’s document is named after its file, or as requested', async () => {
  const document = join(import.meta.dirname, '../../specs/router.openapi.yaml');
  await generate(document, '--out', 'api', '--name', 'catalogue');
  expect(await readdir(join(folder, 'api'))).toContain('catalogue');
});

test('a sheet beside a document is used without being named, as the mock and the suite use it', async () => {
  const document = ["openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\npaths:", NOTES].join('\n');
  await writeFile(join(folder, 'notes.openapi.yaml'), document);
  const without = await generate('notes.openapi.yaml', '--out', 'api');
  expect(without.stdout).toContain('no behaviour sheet');
  await writeFile(join(folder, 'notes.behaviour.yaml'), SHEET);
  const beside = await generate('notes.openapi.yaml', '--out', 'api');
  expect(beside.stdout).toContain('1 policies');
  expect(await readFile(join(folder, 'api/notes/api.md'), 'utf8')).toContain('listNotes.pages');
});

test('the sheet beside a document is left out for some of its operations, which it may not be about', async () => {
  const other = "  /pins: { get: { operationId: listPins, responses: { '204': { description: None. } } } }";
  const document = ["openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\npaths:", NOTES, other].join('\n');
  await writeFile(join(folder, 'notes.openapi.yaml'), document);
  await writeFile(join(folder, 'notes.behaviour.yaml'), SHEET);
  const some = await generate('notes.openapi.yaml', '--only', 'listPins', '--out', 'api');
  expect([some.code, some.stderr]).toStrictEqual([0, expect.not.stringContaining('listNotes')]);
});

const NOTES = `
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200':
          description: Notes.
          content: { application/json: { schema: { type: object, properties: { data: { type: array, items: {} }, next: { type: string } } } } }
`;
const SHEET = `
api: notes
contract: '1'
document: 1
policies:
  - { kind: pagination, operations: [listNotes], cursorParameter: cursor, limitParameter: limit, defaultLimit: 5, maximumLimit: 9, page: { items: data, next: next } }
rules: []
unspecified: []
`;
