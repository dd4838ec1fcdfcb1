// @module-tag long
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { beforeAll, expect, test } from 'vitest';
import { comesFrom } from '../../scripts/release/checks.ts';
import { root, run } from '../cli/command.ts';
import { linksOf } from '../docs/links.ts';
import { type Packed, packed, packedProject } from './packed.ts';
import { tableTests } from './table.ts';

let made: Packed;
let project = '';

beforeAll(async () => {
  made = await packed();
  project = await packedProject();
}, 300_000);

const bin = (): string => join(project, 'node_modules/.bin/tallystick');
const tallystick = (...args: readonly string[]) => run(bin(), args, { cwd: project });
const tsc = (config: string) => run(join(project, 'node_modules/.bin/tsc'), ['-p', config], { cwd: project });
const manifestOf = async (folder: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;

test('the tarball contains the program and its documentation, and nothing else', () => {
  const allowed =
    /^(dist|specs|templates|docs|examples)\/|^(contract\/policies|engine|generator\/(?:runtime|server-runtime|validation))\/[^/]+\.ts$|^(README|CHANGELOG|ARCHITECTURE|CONTRIBUTING|SECURITY|THIRD-PARTY-NOTICES)\.md$|^mock\/control\/openapi\.json$|^LICENSE$|^package\.json$/;
  expect(made.files.filter((path) => !allowed.test(path))).toEqual([]);
  for (const path of [
    'dist/cli/bin.cjs',
    'specs/router.openapi.yaml',
    'specs/router.behaviour.yaml',
    'LICENSE',
    'README.md',
  ]) {
    expect(made.files).toContain(path);
  }
});

test('every file of the tarball comes from a file that git tracks', () => {
  const tracked = new Set(
    execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0'),
  );
  expect(made.files.filter((path) => !comesFrom(path, tracked))).toEqual([]);
});

test('every relative link of every packed page leads to something that is packed', async () => {
  const folders = new Set(made.files.flatMap(foldersOf));
  const dead: string[] = [];
  for (const page of made.files.filter((path) => path.endsWith('.md'))) {
    for (const link of linksOf(await readFile(join(root, page), 'utf8'))) {
      const path = join(dirname(page), link).replace(/\/$/, '');
      if (!made.files.includes(path) && !folders.has(path)) dead.push(`${page}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});

test('the packed package has no script that npm runs, or asks about, when it installs it', async () => {
  const { scripts } = (await manifestOf(join(project, 'node_modules/tallystick'))) as { scripts: object };
  const events = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare'];
  expect(Object.keys(scripts).filter((name) => events.includes(name))).toEqual([]);
  expect(made.said).not.toMatch(/scripts.*\n*.*tallystick@/);
  // Older versions of npm ask about no package.
  const asked = [...made.said.matchAll(/^npm warn install-scripts +(\S+)@[\d.]+ \(/gm)].map(
    ([, name]) => name,
  );
  expect(asked.filter((name) => name !== '@scarf/scarf')).toEqual([]);
});

test('the README names the version that it installs', async () => {
  const { version } = await manifestOf(root);
  expect(await readFile(join(root, 'README.md'), 'utf8')).toContain(`./tallystick-${String(version)}.tgz`);
});

test('publint reports nothing about the package', async () => {
  const { messages } = await publint({ pkgDir: root, strict: true, pack: false });
  expect(messages).toEqual([]);
});

test('the types of every entry are found and are right, for each module resolution', async () => {
  const bytes = new Uint8Array(await readFile(made.tarball));
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
  const built = await tsc('tsconfig.json');
  expect(built.stdout).toBe('');
  expect(built.code).toBe(0);
});

test('the installed suite passes the installed mock, and fails one with a deviation', async () => {
  const judge = `"${bin()}" conform $TALLYSTICK_MOCK_URL --api-key service-mock-ok --rule "router.list.*"`;
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
  const built = await tsc('tsconfig.typed.json');
  expect(built.stdout).toBe('');
  const ran = await run(process.execPath, ['typed-out/main.js'], { cwd: project });
  expect(ran.stdout).toBe('401 router function function function function\n');
});

tableTests(() => project);

test('by npx the package shows its own version and help, not those of npm', async () => {
  const npx = (flag: string) => run('npx', ['--no', '--', 'tallystick', flag], { cwd: project });
  const { version } = await manifestOf(root);
  expect((await npx('--version')).stdout).toBe(`${String(version)}\n`);
  expect((await npx('--help')).stdout).toContain('Usage: tallystick');
});

// --- internal ---

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
