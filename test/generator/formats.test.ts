import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect, test } from 'vitest';
import { isUrl } from '../../generator/validation/formats.ts';

test.each([
  'https://example.com',
  'https://user@example.com/a',
  'https://user:word@example.com:8080/a?b=c',
  'https://user:@example.com',
  'https://a:b:c@example.com',
  'https://:word@example.com',
  'https://@example.com',
  'ftp://10.0.0.1/',
  'https://user:wo rd@example.com',
  'https://example',
])('%s is a URL where the library that the pattern comes from says so', (text) => {
  expect(isUrl(text)).toBe((fullFormats.url as RegExp).test(text));
});

test('a long text of colons is judged in linear time', () => {
  // 2 MB: with a pattern of quadratic time this test would run for more than an hour.
  expect(isUrl(`https://${':'.repeat(2_000_000)}`)).toBe(false);
});
