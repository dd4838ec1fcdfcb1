import { expect, test } from 'vitest';
import { illnesses } from './illnesses.ts';
import { pageMisfits } from './page.ts';

test('docs/sick-servers.md lists every sick server with its exit code and its first finding', () => {
  expect(pageMisfits(illnesses)).toEqual([]);
});
