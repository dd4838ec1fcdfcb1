import { expect, test } from 'vitest';

import { bucketOfAnswer, emitBucket, statedStatus } from '../../../contract/policies/error-buckets.ts';
import type { ErrorBucketsPolicy } from '../../../contract/policies/error-buckets.ts';

const policy = {
  header: 'X-Error-Type',
  bodyMember: 'error_type',
  fallback: 'internal',
  buckets: [
    { name: 'internal', level: 'transport' },
    { name: 'late', level: 'transport', status: 504, billed: 'no' },
    { name: 'partner_late', level: 'request', status: 504, billed: 'yes' },
  ],
  forecast: ['cancelled'],
} as const satisfies Partial<ErrorBucketsPolicy>;
const whole = policy as unknown as ErrorBucketsPolicy;
const names = { ...policy, buckets: policy.buckets.map(({ name }) => name) };

test.each<[string, string | null | undefined, string]>([
  ['a known name', 'late', 'late'],
  ['router.errors.unknown-fallback: an unknown name', 'brand_new', 'internal'],
  ['a forecast name', 'cancelled', 'internal'],
  ['another case', 'Late', 'internal'],
  ['an empty value', '', 'internal'],
  ['no header', null, 'internal'],
  ['nothing', undefined, 'internal'],
  ['a member of every object', 'constructor', 'internal'],
])('a header with %s', (_, value, want) => {
  expect(bucketOfAnswer(names, { headers: { get: () => value ?? null }, body: undefined })).toBe(want);
});

test.each([
  ['late', 'late'],
  ['cancelled', 'internal'],
  ['brand_new', 'internal'],
])('router.errors.forecast-never: emitBucket(%s) is %s', (name, want) => {
  expect(emitBucket(whole, name)).toBe(want);
});

test.each<[string, string | null | undefined, unknown, string]>([
  ['the header decides', 'late', { error_type: 'partner_late' }, 'late'],
  ['router.run.422-bucket-header: a body without the member', 'late', { detail: [] }, 'late'],
  ['an unknown header is not mended by the body', 'brand_new', { error_type: 'late' }, 'internal'],
  ['the body where the header is hidden', null, { error_type: 'late' }, 'late'],
  ['the body where the header is empty', '', { error_type: 'late' }, 'late'],
  ['an unknown body', undefined, { error_type: 'brand_new' }, 'internal'],
  ['a body that is text', undefined, 'late', 'internal'],
  ['a body that is null', undefined, null, 'internal'],
  ['a member that is no text', undefined, { error_type: ['late'] }, 'internal'],
])('bucketOfAnswer: %s', (_, header, body, want) => {
  const get = (name: string): string | null => (name === 'X-Error-Type' ? (header ?? null) : 'wrong header');
  expect(bucketOfAnswer(names, { headers: { get }, body })).toBe(want);
});

test('statedStatus knows only what the contract states', () => {
  expect(statedStatus(whole, 'late')).toBe(504);
  expect(statedStatus(whole, 'internal')).toBeUndefined();
  expect(statedStatus(whole, 'brand_new')).toBeUndefined();
});
