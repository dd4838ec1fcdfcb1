import { expect, test } from 'vitest';
import { isPlain, type PlainSegmentsPolicy } from '../../../contract/policies/plain-segments.ts';

const policy: PlainSegmentsPolicy = {
  kind: 'plain-segments',
  operations: ['getModel'],
  parameters: ['provider', 'model'],
};

test.each([
  [policy, 'model', 'easel-2.1', true],
  [policy, 'model', '%65asel-2.1', false],
  [policy, 'provider', 'acme%2F', false],
  [policy, 'model', 'easel%', false],
  [policy, 'other', '%65', true],
  [undefined, 'model', '%65', true],
] as const)(
  'router.ids.segment-revalidated: with %o, %s may be sent as %s: %s',
  (facts, parameter, raw, plain) => {
    expect(isPlain(facts, parameter, raw)).toBe(plain);
  },
);
