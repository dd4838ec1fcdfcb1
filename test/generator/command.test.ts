import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { temporaryFolder } from './generated.ts';

interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A package of a user's with these files. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

class Stream {
  text = '';
  readonly isTTY = false;
  readonly columns = 80;
  write(chunk: string): boolean {
    this.text += chunk;
    return true;
  }
}

/** The command in this process; `signal` gets what asks it to end. */
async function run(
  cwd: string,
  argv: readonly string[],
  onSignal: (listener: (signal: 'SIGINT') => void) => () => void = () => () => undefined,
  streams = { stdout: new Stream(), stderr: new Stream() },
): Promise<Told> {
  const code = await main(argv, {
    ...(streams as unknown as { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }),
    cwd,
    environment: {},
    onSignal,
  });
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

const pets = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['reading'],
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
          },
        },
      },
    },
    '/people': {
      get: {
        operationId: 'listPeople',
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Person' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Pet: { type: 'object', properties: { name: { type: 'string' } } },
      Person: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
});

const written = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

test.each([
  [
    'tallystick.config.ts',
    "export default { generate: { apis: ['pets.json'], out: 'here' satisfies string } };",
  ],
  ['tallystick.config.mjs', "export default { generate: { apis: ['./pets.json'], out: 'here' } };"],
  ['tallystick.config.json', '{ "generate": { "apis": [{ "document": "./pets.json" }], "out": "here" } }'],
  ['package.json', '{ "tallystick": { "generate": { "apis": ["./pets.json"], "out": "here" } } }'],
])('%s says what is generated and where', async (name, text) => {
  const folder = project({ 'pets.json': pets, [name]: text });
  expect(await run(folder, ['generate'])).toMatchObject({ code: 0 });
  expect(written(join(folder, 'here'))).toContain(join('pets', 'client.ts'));
});

test('paths of a configuration count from its folder, and the command line wins', async () => {
  const config = '{ "generate": { "apis": ["./pets.json"], "out": "here", "importExtension": "ts" } }';
  const folder = project({ 'pets.json': pets, 'tallystick.config.json': config, 'src/deep/x.txt': '' });
  const { code } = await run(join(folder, 'src/deep'), ['generate', '--out', 'there']);
  expect(code).toBe(0);
  const client = readFileSync(join(folder, 'src/deep/there/pets/client.ts'), 'utf8');
  expect(client).toContain("from '../runtime/http.ts'");
});

test('a configuration above the package is nobody’s business, and neither is one beside a document', async () => {
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
    'tallystick.config.json: generate.oot means nothing here. Did you mean out?',
  ],
  ['{ "generate": { "out": 7 } }', 'tallystick.config.json: generate.out cannot be 7'],
  ['{ "generate": { "apis": [{ "name": "x" }] } }', 'generate.apis[0] needs a document'],
  ['{ "generate": [] }', 'tallystick.config.json: generate must be an object'],
  ['{', 'tallystick.config.json is no JSON'],
])('a configuration that cannot be used is a fault in usage: %s', async (text, said) => {
  const { code, err } = await run(project({ 'tallystick.config.json': text }), ['generate']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining(said)]);
});

test.each([
  ['an operation', 'listPets'],
  ['a tag', 'reading'],
])('--only with %s leaves out the others, and the schemas that only they use', async (_what, only) => {
  const folder = project({ 'pets.json': pets });
  expect(await run(folder, ['generate', './pets.json', '--out', 'api', '--only', only])).toMatchObject({
    code: 0,
  });
  const types = readFileSync(join(folder, 'api/pets/types.ts'), 'utf8');
  expect([/interface Pet /.test(types), /interface Person /.test(types)]).toStrictEqual([true, false]);
  expect(readFileSync(join(folder, 'api/pets/client.ts'), 'utf8')).not.toContain('listPeople');
});

test('--only with a name that nobody bears says which was probably meant', async () => {
  const folder = project({ 'pets.json': pets });
  const { code, err } = await run(folder, ['generate', './pets.json', '--only', 'listPet']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining('Did you mean "listPets"?')]);
  expect(written(folder).sort()).toStrictEqual(['package.json', 'pets.json']);
});

test('--watch generates again when a document changes, survives a broken one, and ends when it is told to', async () => {
  const folder = project({ 'docs/pets.json': pets });
  const streams = { stdout: new Stream(), stderr: new Stream() };
  let stop = (): void => undefined;
  const running = run(
    folder,
    ['generate', 'docs/pets.json', '--out', 'api', '--watch'],
    (listener) => {
      stop = () => listener('SIGINT');
      return () => undefined;
    },
    streams,
  );
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
  };
  await until(() => streams.stderr.text.includes('watching docs'));
  writeFileSync(join(folder, 'docs/pets.json'), '{');
  await until(() => streams.stderr.text.includes('docs/pets.json cannot be used'));
  writeFileSync(join(folder, 'docs/pets.json'), pets.replace('listPets', 'listAnimals'));
  await until(() => readFileSync(join(folder, 'api/pets/client.ts'), 'utf8').includes('listAnimals'));
  stop();
  expect((await running).code).toBe(0);
});

test('--watch without anything of the user’s to watch is a fault in usage', async () => {
  const { code, err } = await run(project({}), ['generate', 'router', '--watch']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining('nothing to watch')]);
});

test('init writes a configuration that generate uses, and never a second one', async () => {
  const folder = project({ 'pets.json': pets });
  expect(await run(folder, ['init', 'pets.json', '--out', "it's"])).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder, 'tallystick.config.ts'), 'utf8');
  expect(text).toContain("out: 'it\\'s',");
  // The package is not installed there.
  const local = text.replace(/^import.*\n/, 'const defineConfig = (config: object): object => config;\n');
  writeFileSync(join(folder, 'tallystick.config.ts'), local);
  expect(await run(folder, ['generate'])).toMatchObject({ code: 0 });
  expect(written(join(folder, "it's"))).toContain(join('pets', 'index.ts'));
  const again = await run(folder, ['init']);
  expect([again.code, again.err]).toStrictEqual([2, expect.stringContaining('is there already')]);
});
