// @module-tag long
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pets, project, run, Stream, written } from './command-run.ts';

interface Watch {
  readonly folder: string;
  /** Waits until the output since the last call contains this. */
  readonly says: (text: string) => Promise<void>;
  readonly put: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  readonly end: () => Promise<number>;
}

/** The command with `--watch` in a package with these files, from the moment on that it watches. */
async function watching(files: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Watch> {
  const folder = project(files);
  const streams = { stdout: new Stream(), stderr: new Stream() };
  const listeners = new Set<(signal: 'SIGINT') => void>();
  const stop = (): void => {
    for (const listener of listeners) listener('SIGINT');
  };
  const running = run(
    folder,
    ['generate', ...argv, '--watch'],
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    streams,
  );
  onTestFinished(async () => {
    stop();
    await running;
  });
  const { stdout, stderr } = streams;
  const says = async (text: string): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (!(stdout.text + stderr.text).includes(text)) return;
        stdout.text = '';
        stderr.text = '';
        resolve();
      };
      stdout.heard = look;
      stderr.heard = look;
      look();
      running.then(({ err }) => reject(new Error(`it ended: ${err}`)), reject);
    });
  };
  await says('watching');
  return {
    folder,
    says,
    put: (path, text) => {
      writeFileSync(join(folder, path), text);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    end: async () => {
      stop();
      return (await running).code;
    },
  };
}

const DONE = 'files written';

test('--watch generates again when a document changes, survives a broken one, and ends on a signal', async () => {
  const { put, says, read, end } = await watching(
    { 'docs/pets.json': pets },
    'docs/pets.json',
    '--out',
    'api',
  );
  put('docs/pets.json', '{');
  await says('docs/pets.json is not valid');
  put('docs/pets.json', pets.replace('listPets', 'listAnimals'));
  await says(DONE);
  expect(read('api/pets/client.ts')).toContain('listAnimals');
  expect(await end()).toBe(0);
});

test('--watch without anything of the user’s to watch is a fault in usage', async () => {
  const { code, err } = await run(project({}), ['generate', 'router', '--watch']);
  expect([code, err]).toStrictEqual([2, expect.stringContaining('nothing to watch')]);
});

const config = (out: string): string =>
  `export default { generate: { apis: ['pets.json'], out: '${out}' as string } };\n`;

test('--watch continues with the new settings when the configuration changes, and says where a broken one is broken', async () => {
  const { folder, put, says } = await watching({ 'pets.json': pets, 'tallystick.config.ts': config('one') });
  put('tallystick.config.ts', config('two'));
  await says('listed in two/.tallystick.json');
  put('tallystick.config.ts', "export default {\n  generate: { out: 'two' out: 'three' },\n};\n");
  await says('tallystick.config.ts:2:26 cannot be loaded');
  put('tallystick.config.ts', "export default {\n  generate: {\n    uot: 'three' },\n};\n");
  await says('tallystick.config.ts:3:5: unknown property generate.uot. Did you mean out?');
  put('tallystick.config.ts', config('three'));
  await says('listed in three/.tallystick.json');
  expect(written(folder)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
});

test('--watch notices what the configuration imports, and errors in that too', async () => {
  const { put, says } = await watching({
    'pets.json': pets,
    'settings/out.ts': "export const out: string = 'one';\n",
    'tallystick.config.ts': `import { out } from './settings/out.ts';\n${config('x').replace("'x' as string", 'out')}`,
  });
  put('settings/out.ts', "export const out: string = 'two';\n");
  await says('listed in two/.tallystick.json');
  put('settings/out.ts', 'export const out: string = ;\n');
  await says('tallystick.config.ts cannot be loaded: settings/out.ts:1:28: Unexpected token');
  put(
    'settings/out.ts',
    'const nothing: { out?: { put: string } } = {};\nexport const out = nothing.out!.put;\n',
  );
  await says("Cannot read properties of undefined (reading 'put')");
  put('settings/out.ts', "export const out: string = 'three';\n");
  await says('listed in three/.tallystick.json');
});

test('--watch of a configuration that goes away writes nothing else, and continues when it is back', async () => {
  const { folder, says } = await watching({ 'pets.json': pets, 'tallystick.config.ts': config('one') });
  const path = join(folder, 'tallystick.config.ts');
  renameSync(path, `${path}.old`);
  await says('tallystick.config.ts is gone');
  expect(written(folder)).not.toContain('src');
  renameSync(`${path}.old`, path);
  await says(DONE);
});

test('--watch notices a document that the new settings name', async () => {
  const { put, says } = await watching({
    'pets.json': pets,
    'docs/more.json': pets.replace('Pets', 'More'),
    'tallystick.config.ts': config('one'),
  });
  put('tallystick.config.ts', config('one').replace('pets.json', 'docs/more.json'));
  await says('one/more/');
  put('docs/more.json', pets.replace('listPets', 'listMore'));
  await says(DONE);
});

test('--watch of our own contracts alone waits for the configuration to change', async () => {
  const text = "export default { generate: { apis: ['registry'], out: 'one' } };\n";
  const { put, says } = await watching({ 'tallystick.config.mjs': text });
  put('tallystick.config.mjs', text.replace('one', 'two'));
  await says('listed in two/.tallystick.json');
});

test.each([
  ['a folder that begins with the same letters', 'api-docs', 'api'],
  ['the folder of the document itself', '.', '.'],
  ['a folder within that of the document', '.', 'src/api'],
])('--watch notices documents when the output goes into %s', async (_name, documents, out) => {
  const path = join(documents, 'pets.json');
  const { put, says, read } = await watching({ [path]: pets }, `./${path}`, '--out', out);
  put(path, pets.replace('listPets', 'listAnimals'));
  await says(DONE);
  expect(read(join(out, 'pets/client.ts'))).toContain('listAnimals');
});

test('--watch waits for a document that is not there yet', async () => {
  const { put, says } = await watching({}, './pets.json', '--out', 'api');
  put('pets.json', pets);
  await says(DONE);
});

test('--watch waits for a document that goes away for a while', async () => {
  const { folder, put, says } = await watching({ 'pets.json': pets }, './pets.json', '--out', 'api');
  rmSync(join(folder, 'pets.json'));
  await says('pets.json');
  put('pets.json', pets);
  await says(DONE);
});

test('--watch with --json prints each run as a line', async () => {
  const { put, says } = await watching({ 'pets.json': pets }, './pets.json', '--out', 'api', '--json');
  put('pets.json', pets.replace('listPets', 'listAnimals'));
  await says('"changed":["');
});

test('--watch notices changes of a template, and of a file in another folder that the document refers to', async () => {
  const document = JSON.parse(pets) as { components: { schemas: Record<string, object> } };
  document.components.schemas['Shared'] = { $ref: './shared/parts.json#/Part' };
  const { put, says, read } = await watching(
    {
      'docs/pets.json': JSON.stringify(document),
      'docs/shared/parts.json': '{ "Part": { "type": "string" } }',
      'templates/header.hbs': '// first\n',
    },
    'docs/pets.json',
    ...['--out', 'api', '--templates', 'templates'],
  );
  put('docs/shared/parts.json', '{ "Part": { "type": "number" } }');
  await says(DONE);
  expect(read('api/pets/types.ts')).toContain('= number;');
  put('templates/header.hbs', '// second\n');
  await says(DONE);
  expect(read('api/pets/types.ts')).toContain('// second');
});
