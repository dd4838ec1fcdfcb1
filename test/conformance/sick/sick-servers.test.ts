import { test } from 'vitest';
import { expectDiagnosis } from './expectations.ts';
import { illnesses } from './illnesses.ts';

test.each(illnesses.filter(({ slow }) => slow === undefined))(
  'a server that $name: exit code $exit, told first, and no rule is blamed wrongly',
  async (illness) => expectDiagnosis(illness),
);
