import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { checksOf } from '../../contract/judge.ts';

test.each(ownContractNames)('every schema of %s that the engine names can be judged by', async (name) => {
  const checks = checksOf(await loadOwnContract(name));
  expect(Object.keys(checks).length).toBeGreaterThan(5);
  for (const check of Object.values(checks)) expect(check(Symbol.iterator)).toHaveProperty('ok');
});

test('what is wrong is told with its place', async () => {
  const checks = checksOf(await loadOwnContract('jobs'));
  expect(checks['WorkflowSubmission']?.({ workflow: 7 })).toMatchObject({ ok: false });
});
