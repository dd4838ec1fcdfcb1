import { test as base, type TestAPI } from 'vitest';
import { virtualClock } from './state/clock.ts';
import { createMock, type Mock, type SteerableMock, type Steered } from './mock.ts';
import type { MockOptions } from './options.ts';

/**
 * A `test` whose tests get a fresh `mock`: `const test = withMock(); test('…', async ({ mock }) => …)`. It is loaded once
 * for a file, reset before each test, and closed at the end. Unless the options say otherwise its clock is a virtual
 * one, so that nothing has to be waited for.
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
