// @module-tag long
import { test } from 'vitest';
import { expectDiagnosis } from './expectations.ts';
import { illnesses } from './illnesses.ts';

const table = illnesses.map((illness) => [illness.name, illness] as const);

test.each(table)(
  '%s: the first finding and the exit code say so, and no rule is blamed wrongly',
  async (_, illness) => expectDiagnosis(illness),
);
