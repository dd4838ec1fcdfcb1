import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { detectTools, installCommand, type Tool } from './tools.ts';

/**
 * Closes a run with plain lines for people and machines that read nothing else: which tests were left out for want of a
 * tool, with the command that installs it, which passed only when they were run again, and then `12 passed, 0 failed`.
 */
// eslint-disable-next-line import-x/no-default-export -- Vitest loads a reporter by its default export.
export default class ClosingLine implements Reporter {
  readonly #missing = detectTools(process.env).filter(({ path }) => path === undefined);
  readonly #lacked = new Set<Tool>();
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #leftOut = 0;
  readonly #secondRuns: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (test.diagnostic()?.flaky === true)
      this.#secondRuns.push(`${test.module.relativeModuleId} > ${test.fullName}`);
    if (state === 'passed') this.#passed += 1;
    else if (state === 'failed') this.#failed += 1;
    else {
      this.#skipped += 1;
      const lacked = this.#missing.filter(({ name }) => test.tags.includes(name));
      if (lacked.length > 0) this.#leftOut += 1;
      for (const tool of lacked) this.#lacked.add(tool);
    }
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    if (this.#leftOut > 0) console.log(leftOut(this.#leftOut, [...this.#lacked]));
    for (const name of this.#secondRuns) console.log(`Passed only when run again: ${name}`);
    // A file that could not even be loaded is a failure without a test case; so is a run that never came to its files.
    const unloaded = modules.filter((module) => module.errors().length > 0).length;
    const seen = this.#failed + unloaded + unhandled.length;
    const failed = reason === 'passed' ? seen : Math.max(seen, 1);
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    console.log(`${this.#passed} passed, ${failed} failed${skipped}`);
  }
}

/** `Left out 12 tests that need Chromium or curl. To run them: apt-get install chromium curl` */
export function leftOut(count: number, tools: readonly Tool[]): string {
  const titles = new Intl.ListFormat('en', { type: 'disjunction' }).format(tools.map(({ title }) => title));
  return `Left out ${String(count)} ${count === 1 ? 'test' : 'tests'} for lack of ${titles}. To run them: ${installCommand(tools)}`;
}
