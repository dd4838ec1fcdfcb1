import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', '**/node_modules/**'],
    // Generating, compiling and packing take seconds each on two cores; no test asserts a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
