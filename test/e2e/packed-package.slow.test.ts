// @module-tag long
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { publint } from 'publint';
import { beforeAll, expect, test } from 'vitest';
import { freshFolder, root, run } from '../cli/command.ts';
import { tableTests } from './table.ts';

/** What a user gets: the tarball, installed into an empty project with the package client. */
let project = '';
let tarball = '';
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] };

beforeAll(async () => {
  const shelf = await freshFolder();
  // dist/ is fresh; packing must not build it again under the feet of the other tests.
  const { stdout } = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', shelf], root);
  [packed] = JSON.parse(stdout) as [typeof packed];
  project = await freshFolder();
  await writeFile(join(project, 'package.json'), '{ "name": "a-team", "private": true, "type": "module" }');
  tarball = join(shelf, basename(packed.filename));
  await npm(['install', '--save-dev', '--no-audit', '--no-fund', '--prefer-offline', tarball], project);
}, 300_000);

async function npm(args: readonly string[], cwd: string) {
  const environment = { npm_config_update_notifier: 'false', DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false' };
  const ended = await run('npm', args, { cwd, environment });
  if (ended.code === 0) return ended;
  const offline = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(ended.stderr);
  throw new Error(
    `npm ${args[0] ?? ''} failed${offline ? ': the package registry cannot be reached, and this test has to install from it' : ''}\n${ended.stderr}`,
  );
}

const tallystick = (...args: readonly string[]) =>
  run('npx', ['--no', 'tallystick', ...args], { cwd: project });

test('the tarball holds what runs and what is read, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed =
    /^(dist|specs|templates)\/|^(contract\/policies|generator\/(?:runtime|server-runtime|validation))\/[^/]+\.ts$|^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  for (const path of [
    'dist/cli/bin.cjs',
    'specs/router.openapi.yaml',
    'specs/router.behaviour.yaml',
    'LICENSE',
    'README.md',
  ]) {
    expect(paths).toContain(path);
  }
});

test('publint has nothing to say about the package', async () => {
  const { messages } = await publint({ pkgDir: root, strict: true, pack: false });
  expect(messages).toEqual([]);
});

test('the types of every entry are found and are right, wherever modules are', async () => {
  const bytes = new Uint8Array(await readFile(tarball));
  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  const problems = analysis.types === false ? ['no types'] : analysis.problems;
  // Modules only: what loads CommonJS asynchronously is told so, and Node 10 knows no entries.
  const meant = (problem: (typeof problems)[number]): boolean =>
    typeof problem !== 'string' &&
    (problem.kind === 'CJSResolvesToESM' ||
      (problem.kind === 'NoResolution' && problem.resolutionKind === 'node10'));
  expect(problems.filter((problem) => !meant(problem))).toEqual([]);
});

test('the installed package generates code that a plain tsc builds', async () => {
  const generated = await tallystick('generate', 'router', '--out', 'src/api');
  expect(generated.stderr).not.toContain('✖');
  expect(generated.code).toBe(0);
  await writeFile(
    join(project, 'src/main.ts'),
    `import { createRouter } from './api/router/index.js';
export const first = async (baseUrl: string, key: string) =>
  (await createRouter({ baseUrl, credentials: { ApiKeyAuth: key } }).listModels()).data.data[0]?.id;
`,
  );
  const options = { target: 'es2022', module: 'nodenext', strict: true, outDir: 'out', rootDir: 'src' };
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['src'] }),
  );
  const built = await run('npx', ['--no', '--', 'tsc', '-p', 'tsconfig.json'], { cwd: project });
  expect(built.stdout).toBe('');
  expect(built.code).toBe(0);
});

test('the installed suite finds the installed mock conformant, and a bent one not', async () => {
  const judge =
    'npx --no tallystick conform $TALLYSTICK_MOCK_URL --api-key service-mock-ok --rule "router.list.*"';
  const faithful = await tallystick('mock', '--quiet', '--exec', judge);
  expect(faithful.stdout).toMatch(/\d+ pass/);
  expect(faithful.code).toBe(0);
  const { stdout } = await tallystick('deviations', '--json');
  const id = (JSON.parse(stdout) as { id: string }[]).find((deviation) =>
    deviation.id.startsWith('router.list.limit-clamped'),
  )?.id;
  const bent = await tallystick('mock', '--quiet', '--deviate', id ?? 'none', '--exec', judge);
  expect(bent.stdout).toContain('✖ router.list.limit-clamped');
  expect(bent.code).toBe(1);
});

test('every entry of the exports can be imported, with its types', async () => {
  await mkdir(join(project, 'typed'), { recursive: true });
  await writeFile(
    join(project, 'typed/main.ts'),
    `import { loadContract, ownContractNames } from 'tallystick/contract';
import { generate } from 'tallystick/generator';
import { createMock } from 'tallystick/mock';
import { exitCode, runConformance } from 'tallystick/conformance';
const mock = createMock();
await mock.ready();
const response = await mock.fetch(new Request('http://mock.test/v1/models'));
console.log(response.status, ownContractNames[0], typeof loadContract, typeof generate, typeof exitCode, typeof runConformance);
mock.close();
`,
  );
  const options = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    outDir: 'typed-out',
    rootDir: 'typed',
    types: ['node'],
  };
  await writeFile(
    join(project, 'tsconfig.typed.json'),
    JSON.stringify({
      compilerOptions: { ...options, typeRoots: [join(root, 'node_modules/@types')] },
      include: ['typed'],
    }),
  );
  const built = await run('npx', ['--no', '--', 'tsc', '-p', 'tsconfig.typed.json'], { cwd: project });
  expect(built.stdout).toBe('');
  const ran = await run(process.execPath, ['typed-out/main.js'], { cwd: project });
  expect(ran.stdout).toBe('401 router function function function function\n');
});

tableTests(() => project);

test('the version on the command line is that of the package', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  expect((await run('npx', ['--no', '--', 'tallystick', '--version'], { cwd: project })).stdout).toBe(
    `${version}\n`,
  );
});
