import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { checksOf } from '../../contract/judge.ts';

test.each(ownContractNames)('every schema of %s that the engine names can be judged by', async (name) => {
  const checks = checksOf(await loadOwnContract(name));
  expect(Object.keys(checks).length).toBeGreaterThan(5);
  for (const check of Object.values(checks)) expect(check(Symbol.iterator)).toHaveProperty('ok');
});

test('what is wrong is told with its place, in the words of generated guards', async () => {
  const checks = checksOf(await loadOwnContract('router'));
  const judged = checks['RouterModelListResponse']?.({ data: [], has_more: 'no', limit: 1 });
  expect(judged).toMatchObject({
    ok: false,
    errors: expect.arrayContaining([{ pointer: '/has_more', message: 'must be boolean' }]) as unknown,
  });
});
