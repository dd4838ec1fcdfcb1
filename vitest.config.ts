import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

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
  'test/inspector/{page,quick,served,state}.test.ts',
];

export default defineConfig({
  test: {
    // By default one core is left idle, which is half of a small machine.
    maxWorkers: availableParallelism(),
    reporters: ['default', './scripts/closing-line.ts'],
    projects: [
      {
        test: {
          ...run,
          name: 'sources',
          include: ['test/**/*.test.ts'],
          exclude: [...run.exclude, ...shipped],
        },
      },
      { test: { ...run, name: 'shipped', include: shipped, globalSetup: ['test/e2e/fresh-dist.ts'] } },
    ],
  },
});
