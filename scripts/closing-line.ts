import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';

/** Closes a run with one plain line for people and machines that read nothing else: `12 passed, 0 failed`. */
// eslint-disable-next-line import-x/no-default-export -- Vitest loads a reporter by its default export.
export default class ClosingLine implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === 'passed') this.#passed += 1;
    else if (state === 'failed') this.#failed += 1;
    else this.#skipped += 1;
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    // A file that could not even be loaded is a failure without a test case; so is a run that never came to its files.
    const unloaded = modules.filter((module) => module.errors().length > 0).length;
    const seen = this.#failed + unloaded + unhandled.length;
    const failed = reason === 'passed' ? seen : Math.max(seen, 1);
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    console.log(`${this.#passed} passed, ${failed} failed${skipped}`);
  }
}
