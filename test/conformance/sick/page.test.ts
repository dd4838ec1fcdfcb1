import { expect, test } from 'vitest';
import { illnesses } from './illnesses.ts';
import { pageMisfits } from './page.ts';

test('docs/sick-servers.md has every sick server with its exit code and the kind of its first finding', () => {
  expect(pageMisfits(illnesses)).toEqual([]);
});
