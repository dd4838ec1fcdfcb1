import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const run = {
  // Generating, compiling and packing take seconds each on two cores; no test asserts a time.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // What is polled for comes when a busy machine gets to it: the second of the default is an assertion about time.
  expect: { poll: { timeout: 60_000 } },
  exclude: ['test/bench/**', 'test/fixtures/**', '**/node_modules/**'],
};

/** Tests that run what ships: dist/ and the packed package. */
const shipped = [
  'test/cli/**/*.test.ts',
  'test/e2e/**/*.test.ts',
  'test/attacks/**/*.test.ts',
  'test/inspector/{page,quick,served,state}.test.ts',
];

/** What takes longest of all, in this order. */
const longest = [
  'test/kill-matrix/kill-matrix.test.ts',
  'test/generator/any-document.test.ts',
  'test/conformance/second-server.test.ts',
  'test/generator/hostile.test.ts',
  'test/contract/mutations.test.ts',
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
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    reporters: ['default', './scripts/closing-line.ts'],
    projects: [
      {
        test: {
          ...run,
          name: 'sources',
          // A process and its modules for each file would take longer than many a file.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...run.exclude, ...shipped],
        },
      },
      { test: { ...run, name: 'shipped', include: shipped, globalSetup: ['test/e2e/fresh-dist.ts'] } },
    ],
  },
});
