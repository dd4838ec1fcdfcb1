/** For test files: a mock as a fixture, and the rules of a report as tests. */
export { testRules } from '../conformance/vitest.ts';
export { withMock } from '../mock/vitest.ts';
