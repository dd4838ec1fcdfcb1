import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pets, project, run, written } from './command-run.ts';

test.each([
  [
    'tallystick.config.ts',
    "export default { generate: { apis: ['pets.json'], out: 'here' satisfies string } };",
  ],
  ['tallystick.config.mjs', "export default { generate: { apis: ['./pets.json'], out: 'here' } };"],
  ['tallystick.config.json', '{ "generate": { "apis": [{ "document": "./pets.json" }], "out": "here" } }'],
  ['package.json', '{ "tallystick": { "generate": { "apis": ["./pets.json"], "out": "here" } } }'],
])('%s prints the generated folders', async (name, text) => {
  const folder = project({ 'pets.json': pets, [name]: text });
  expect(await run(folder, ['generate'])).toMatchObject({ code: 0 });
  expect(written(join(folder, 'here'))).toContain(join('pets', 'client.ts'));
});

test('--without validators leaves them out, also by configuration, and is refused where they are needed', async () => {
  const folder = project({
    'pets.json': pets,
    'tallystick.config.json':
      '{ "generate": { "apis": ["./pets.json"], "out": "here", "without": "validators" } }',
  });
  const typed = await run(folder, ['generate', 'pets.json', '--out', 'there', '--without', 'validators']);
  expect([typed.code, (await run(folder, ['generate'])).code]).toStrictEqual([0, 0]);
  for (const out of ['here', 'there'])
    expect(written(join(folder, out)).filter((path) => path.endsWith('validators.ts'))).toStrictEqual([]);
  for (const flag of ['--server', '--model=acme/echo-1']) {
    const refused = await run(folder, [
      'generate',
      'pets.json',
      '--out',
      'no',
      '--without',
      'validators',
      flag,
    ]);
    expect([refused.code, refused.err]).toStrictEqual([2, expect.stringContaining('need validators')]);
  }
});

test('paths of a configuration count from its folder, and the command line wins', async () => {
  const config = '{ "generate": { "apis": ["./pets.json"], "out": "here", "importExtension": "ts" } }';
  const folder = project({ 'pets.json': pets, 'tallystick.config.json': config, 'src/deep/x.txt': '' });
  const { code } = await run(join(folder, 'src/deep'), ['generate', '--out', 'there']);
  expect(code).toBe(0);
  const client = readFileSync(join(folder, 'src/deep/there/pets/client.ts'), 'utf8');
  expect(client).toContain("from '../runtime/http.ts'");
});

test('a configuration above the package is not used, nor is one beside a document', async () => {
  const bad = 'throw new Error("loaded")';
  const folder = project({
    'tallystick.config.mjs': bad,
    'inner/package.json': '{}',
    'inner/docs/tallystick.config.mjs': bad,
    'inner/docs/pets.json': pets,
  });
  const { code } = await run(join(folder, 'inner'), ['generate', 'docs/pets.json', '--out', 'api']);
  expect(code).toBe(0);
});

test.each([
  [
    '{ "generate": { "oot": "x" } }',
    'tallystick.config.json:1:17: unknown property generate.oot. Did you mean out?',
  ],
  [
    '{ "generate": { "out": 7 } }',
    'tallystick.config.json:1:17: generate.out must be a string that is not empty, not 7',
  ],
  ['{ "generate": { "apis": [{ "name": "x" }] } }', 'missing property document in generate.apis[0]'],
  ['{ "generate": [] }', 'tallystick.config.json: generate must be an object'],
  ['{', 'tallystick.config.json:1:2: unexpected end of file'],
  ['{\n  "generate": {},\n}', 'tallystick.config.json:3:1: trailing comma before }'],
  ['{\n  "generate": }', 'tallystick.config.json:2:15: missing value before }'],
])('a configuration that cannot be used is a fault in usage: %s', async (text, said) => {
  const { code, err } = await run(project({ 'tallystick.config.json': text }), ['generate']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining(said)]);
});

test.each([
  ['an operation', 'listPets'],
  ['a tag', 'reading'],
])('--only with %s leaves out the others, and the schemas that only they use', async (_what, only) => {
  const folder = project({ 'pets.json': pets });
  const { code, out } = await run(folder, [
    ...['generate', './pets.json', '--out', 'api', '--handlers', 'handlers', '--only', only],
  ]);
  expect([code, out]).toStrictEqual([0, expect.stringMatching(/pets +1 operation /)]);
  const types = readFileSync(join(folder, 'api/pets/types.ts'), 'utf8');
  expect([/interface Pet /.test(types), /interface Person /.test(types)]).toStrictEqual([true, false]);
  expect(readFileSync(join(folder, 'api/pets/client.ts'), 'utf8')).not.toContain('listPeople');
  expect(readFileSync(join(folder, 'handlers/pets.ts'), 'utf8')).not.toContain('listPeople');
});

test.each([
  [
    'a folder of templates that is not there',
    ['pets.json', '--templates', 'tpl'],
    'The template folder tpl does not exist',
  ],
  [
    'a template that takes the place of none',
    ['pets.json', '--templates', 'mine'],
    'mine/clients.hbs does not replace any template. Did you mean client.hbs?',
  ],
  [
    'two documents of one name',
    ['pets.json', 'more/pets.json'],
    'two APIs are called pets: pets.json and more/pets.json',
  ],
  [
    'a document from the network that nobody serves',
    ['http://127.0.0.1:1/pets.json'],
    'http://127.0.0.1:1/pets.json cannot be fetched',
  ],
])('%s is a fault in usage, and nothing is written', async (_what, args, said) => {
  const files = { 'pets.json': pets, 'more/pets.json': pets, 'mine/clients.hbs': '' };
  const folder = project(files);
  const { code, err } = await run(folder, ['generate', ...args, '--out', 'api']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining(said)]);
  expect(written(folder)).not.toContain('api');
});

test('a signal while files are written lets them be written, and ends with 130', async () => {
  const folder = project({ 'pets.json': pets });
  const { code } = await run(folder, ['generate', 'pets.json', '--out', 'api'], (listener) => {
    listener('SIGINT');
    return () => undefined;
  });
  expect(code).toBe(130);
  expect(await run(folder, ['generate', 'pets.json', '--out', 'api', '--check'])).toMatchObject({ code: 0 });
});

test('--only suggests a similar name for an unknown operation', async () => {
  const folder = project({ 'pets.json': pets });
  const { code, err } = await run(folder, ['generate', './pets.json', '--only', 'listPet']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining('Did you mean "listPets"?')]);
  expect(written(folder).sort()).toStrictEqual(['package.json', 'pets.json']);
});

test('init writes a configuration that generate uses, also where the package is not installed, and never a second one', async () => {
  const folder = project({ 'pets.json': pets });
  expect(await run(folder, ['init', 'pets.json', '--out', "it's"])).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder, 'tallystick.config.ts'), 'utf8');
  expect(text).toContain("out: 'it\\'s',");
  expect(text).toContain("from 'tallystick'");
  expect(await run(folder, ['generate'])).toMatchObject({ code: 0 });
  expect(written(join(folder, "it's"))).toContain(join('pets', 'index.ts'));
  const again = await run(folder, ['init']);
  expect([again.code, again.err]).toStrictEqual([2, expect.stringContaining('already exists')]);
});

test('a document is read by its address; other hosts are not followed, and no token of the address is written down', async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/away') === true)
      response.writeHead(302, { Location: 'http://other.example/' });
    response.end(pets);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const folder = project({});
  const read = await run(folder, ['generate', `${address}/v1/pets.json?token=tk-123`, '--out', 'api']);
  expect(read.code).toBe(0);
  expect(readFileSync(join(folder, 'api/pets/client.ts'), 'utf8')).toContain(
    `from ${address}/v1/pets.json by`,
  );
  expect(readFileSync(join(folder, 'api/.tallystick.json'), 'utf8')).not.toContain('tk-123');
  const away = await run(folder, ['generate', `${address}/away.json`, '--out', 'other']);
  expect([away.code, away.err]).toStrictEqual([2, expect.stringContaining('redirects to other.example')]);
});

test('--types-only writes types and an index of them, and nothing that runs', async () => {
  const folder = project({ 'pets.json': pets });
  const { code } = await run(folder, ['generate', 'pets.json', '--types-only', '--out', 'api']);
  expect(code).toBe(0);
  expect(written(folder).filter((path) => path.startsWith('api/') && path.includes('.'))).toStrictEqual([
    'api/.tallystick.json',
    'api/pets/index.ts',
    'api/pets/types.ts',
  ]);
  const index = readFileSync(join(folder, 'api/pets/index.ts'), 'utf8');
  expect(index.match(/^export .*/gm)).toStrictEqual(["export type * from './types.js';"]);
  const both = await run(folder, ['generate', 'pets.json', '--types-only', '--server']);
  expect([both.code, both.err]).toStrictEqual([2, expect.stringContaining('need more than types')]);
});

test('files changed by --after-write count as generated, and later edits by hand are still noticed', async () => {
  const config = (...command: readonly string[]): string =>
    JSON.stringify({
      generate: { apis: ['pets.json'], out: 'api', afterWrite: [process.execPath, ...command] },
    });
  const folder = project({
    'pets.json': pets,
    'format.cjs':
      "for (const f of process.argv.slice(2)) require('fs').appendFileSync(f, '// formatted; $(x)\\n');",
    'tallystick.config.json': config('format.cjs'),
  });
  const types = join(folder, 'api/pets/types.ts');
  const formatted = (): number => readFileSync(types, 'utf8').split('// formatted').length - 1;
  expect(await run(folder, ['generate'])).toMatchObject({ code: 0 });
  expect(await run(folder, ['generate'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('0 files written'),
  });
  expect(await run(folder, ['generate', '--check'])).toMatchObject({ code: 0 });
  expect(formatted()).toBe(1);
  writeFileSync(join(folder, 'pets.json'), pets.replaceAll('Pets', 'Cats'));
  expect(await run(folder, ['generate', '--check'])).toMatchObject({ code: 1 });
  expect(await run(folder, ['generate'])).toMatchObject({ code: 0 });
  expect(formatted()).toBe(1);
  writeFileSync(types, 'mine');
  expect(await run(folder, ['generate'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('edited by hand'),
  });
  rmSync(types);
  writeFileSync(
    join(folder, 'tallystick.config.json'),
    config('-e', 'console.error("no rule"); process.exit(3)'),
  );
  const { code, err } = await run(folder, ['generate']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining('it ended with 3')]);
  expect(err).toContain('no rule');
});

test('an operation by TRACE and a body with GET, which no client can send, are left out and named with their places', async () => {
  const document = JSON.parse(pets) as { paths: Record<string, object> };
  document.paths['/echo'] = { trace: { operationId: 'echo', responses: { 200: { description: 'ok' } } } };
  const requestBody = { required: true, content: { 'application/json': { schema: { type: 'string' } } } };
  document.paths['/found'] = {
    get: { operationId: 'find', requestBody, responses: { 200: { description: 'ok' } } },
  };
  const folder = project({ 'pets.json': JSON.stringify(document, undefined, 1) });
  const { code, err } = await run(folder, ['generate', 'pets.json', '--out', 'api']);
  expect(code).toBe(0);
  expect(err).toMatch(
    /the body of find is left out: fetch sends no body with GET \/found {2}\(pets\.json:\d+:\d+\)/,
  );
  expect(readFileSync(join(folder, 'api/pets/types.ts'), 'utf8')).not.toContain('FindBody');
  expect(err).toMatch(/echo is left out: no client can send TRACE \/echo {2}\(pets\.json:\d+:\d+\)/);
  expect(readFileSync(join(folder, 'api/pets/client.ts'), 'utf8')).not.toContain('echo');
});
