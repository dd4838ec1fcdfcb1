import { expect, test } from 'vitest';

import { clientTimeoutMs, deadlineAt } from '../../../contract/policies/deadline.ts';
import type { DeadlinePolicy } from '../../../contract/policies/deadline.ts';

const policy: DeadlinePolicy = {
  kind: 'deadline',
  operations: ['runModel'],
  default: 'PT10M',
  status: 504,
  bucket: 'deadline_exceeded',
};

test('a call is held for ten minutes unless the server is configured otherwise (router.run.504-deadline)', () => {
  expect(deadlineAt(policy, 1_000)).toBe(601_000);
  expect(deadlineAt(policy, 1_000, 250)).toBe(1_250);
  expect(deadlineAt(policy, 1_000, 0)).toBe(1_000);
});

test('a client waits longer than the server (router.client.timeout-exceeds-deadline)', () => {
  expect(clientTimeoutMs(policy)).toBeGreaterThan(600_000);
  expect(clientTimeoutMs(policy, 3_600_000)).toBeGreaterThan(3_600_000);
});
