import { test as base, type TestAPI } from 'vitest';
import { virtualClock } from './state/clocks.ts';
import { createMock, type Mock, type SteerableMock, type Steered } from './mock.ts';
import type { MockOptions } from './options.ts';

/**
 * A `test` whose tests get a fresh `mock`: `const test = withMock(); test('…', async ({ mock }) => …)`. It is
 * loaded once per file, reset before each test, and closed at the end. By default its clock is virtual, so
 * that tests need not wait.
 */
export function withMock(options?: Steered): TestAPI<{ readonly mock: SteerableMock }>;
export function withMock(options: MockOptions): TestAPI<{ readonly mock: Mock }>;
export function withMock(
  options: MockOptions = {},
): TestAPI<{ readonly mock: Mock }> | TestAPI<{ readonly mock: SteerableMock }> {
  let made: Mock | undefined;
  const extended = base.extend<{ mock: Mock; $loaded: Mock }>({
    $loaded: [
      async ({}, use) => {
        made = createMock({ clock: virtualClock(), ...options });
        await made.ready();
        await use(made);
        made.close();
      },
      { scope: 'file' },
    ],
    mock: async ({ $loaded }, use) => {
      $loaded.reset();
      await use($loaded);
    },
  });
  return extended;
}
