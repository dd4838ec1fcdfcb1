import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { detectTools, requirementFailure } from './test/tools.ts';

const tools = detectTools(process.env);
const failure = requirementFailure(tools, process.env);
if (failure !== undefined) {
  console.error(`✖ ${failure}`);
  process.exit(1);
}

/** Which of the two tiers run: `quick`, `slow`, or both. Slow tests are in files called `*.slow.test.ts`. */
const tier = process.env['TALLYSTICK_TESTS'];
const slow = 'test/**/*.slow.test.ts';
const quick = ['test/**/!(*.slow).test.ts'];

const run = {
  // Against tests that hang: a busy machine takes ten times as long.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Slow tests start engines, browsers and processes, each of which a busy machine can starve. One that passes only the
  // second time is named in the closing line: it has a race that wants mending.
  retry: tier === 'quick' ? 0 : 1,
  // What is polled for comes when a busy machine gets to it: the second of the default is an assertion about time.
  expect: { poll: { timeout: 20_000 } },
  exclude: [
    'test/bench/**',
    'test/fixtures/**',
    '**/node_modules/**',
    ...(tier === 'quick' ? [slow] : []),
    ...(tier === 'slow' ? quick : []),
  ],
  setupFiles: ['test/set-up.ts'],
};

/** Tests that run what ships: dist/ and the packed package. */
const shipped = [
  'test/cli/**/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/attacks/**/*.test.ts',
  'test/inspector/{page.slow,quick.slow,served,state.slow,composer.slow}.test.ts',
];

/**
 * Tests of the mock in process, in the environments of Vitest that frontends use. Each file has a process of its own:
 * Mock Service Worker replaces globals.
 */
const inProcess = ['test/mock/environments/*.test.ts', 'test/mock/in-process.test.ts'];
const inEnvironment = (environment: 'node' | 'jsdom' | 'happy-dom'): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    ...run,
    name: environment,
    environment,
    include: environment === 'node' ? inProcess : inProcess.slice(0, 1),
    // The same files run in Node in the quick tier, and here in the slow one.
    exclude: environment === 'node' ? run.exclude : run.exclude.filter((path) => !quick.includes(path)),
  },
});

/** What takes longest of all, in this order. The first one installs the package, for which guides and examples wait. */
const longest = [
  'test/e2e/packed-package.slow.test.ts',
  'test/attacks/page.slow.test.ts',
  'test/cli/printed-commands.slow.test.ts',
  'test/inspector/page.slow.test.ts',
  'test/e2e/guides.slow.test.ts',
  'test/e2e/examples.slow.test.ts',
  'test/kill-matrix/kill-matrix.slow.test.ts',
  'test/generator/any-document.slow.test.ts',
  'test/conformance/sick/sick-servers.slow.test.ts',
  'test/conformance/lost-rules.slow.test.ts',
  'test/conformance/second-server.slow.test.ts',
  'test/generator/hostile.slow.test.ts',
  'test/contract/mutations.slow.test.ts',
];

/**
 * What takes longest begins first, so that no worker is left alone with it: where nothing is known of earlier runs, the
 * size of a file decides, and the longest ones are short texts. The projects come one after the other, since only files of
 * the same one share a worker.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification): number => {
      const found = longest.findIndex((path) => moduleId.endsWith(path));
      return (project.name === 'shipped' ? 0 : 100) + (found < 0 ? longest.length : found);
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // By default one core is left idle, which is half of a small machine. Many slow tests wait for servers, browsers and
    // timers: two workers more keep the cores busy meanwhile.
    maxWorkers: availableParallelism() + (tier === 'slow' ? 2 : 0),
    // Compiled modules are kept between runs, and the projects of one run share them.
    experimental: { fsModuleCache: true },
    reporters: ['default', './test/closing-line.ts'],
    // A test that needs a tool has its name as a tag, and is left out where the tool is missing.
    tags: [
      ...tools.map(({ name, title, path }) => ({
        name,
        description: `needs ${title}`,
        ...(path === undefined ? { skip: true } : {}),
      })),
      // For a whole file: `// @module-tag long`.
      { name: 'long', description: 'compiles, installs or judges a lot in each test', timeout: 300_000 },
      { name: 'attack', description: 'an attack that has to go on failing' },
    ],
    projects: [
      {
        extends: true,
        test: {
          ...run,
          name: 'sources',
          // A process and its modules for each file would take longer than many a file.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...run.exclude, ...shipped, ...inProcess],
        },
      },
      {
        extends: true,
        test: {
          ...run,
          name: 'shipped',
          isolate: false,
          include: shipped,
          globalSetup: ['test/e2e/fresh-dist.ts', 'test/e2e/run-folder.ts'],
        },
      },
      inEnvironment('node'),
      ...(tier === 'quick' ? [] : [inEnvironment('jsdom'), inEnvironment('happy-dom')]),
    ],
  },
});
