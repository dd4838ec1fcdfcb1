import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as formats from '../../generator/validation/formats.ts';

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
  expect(formats.isUrl(text)).toBe((fullFormats.url as RegExp).test(text));
});

test('a long text of colons is judged in linear time', () => {
  // 2 MB: with a pattern of quadratic time this test would run for more than an hour.
  expect(formats.isUrl(`https://${':'.repeat(2_000_000)}`)).toBe(false);
});

type Full = Readonly<Record<string, { readonly validate: (text: string) => boolean } | undefined>>;

const two = fc.oneof(
  fc.integer({ min: 0, max: 62 }).map((number) => String(number).padStart(2, '0')),
  fc.constantFrom('23', '24', '59', '60', '61', 'a1', '1', ' 1', '+1'),
);
const year = fc.constantFrom('2023', '2024', '1900', '2000', '0000', '9999', '02024', '-024', '20x4');
const date = fc.tuple(year, two, two).map((parts) => parts.join('-'));
const fraction = fc.constantFrom('', '', '.', '.5', '.999', '.999999999999999', '.9a', ',5');
const offset = fc.oneof(
  fc.constantFrom(
    '',
    'Z',
    'z',
    'ZZ',
    '+',
    '-0',
    '+1',
    '+00:00',
    '-24:00',
    '+23:60',
    '+01:0',
    '+1:00',
    '+01:000',
    '+01::00',
  ),
  fc
    .tuple(fc.constantFrom('+', '-'), two, fc.constantFrom(':', ''), fc.oneof(two, fc.constant('')))
    .map((parts) => parts.join('')),
);
const time = fc
  .tuple(two, fc.constantFrom(':', ':', ':', '.'), two, fc.constant(':'), two, fraction, offset)
  .map((parts) => parts.join(''));
const separator = fc.constantFrom('T', 't', ' ', '\n', '\u00a0', '', 'TT', 'x');
const rightly = fc.constantFrom('2024-02-29', '1900-02-28', '2023-12-31', '2023-02-29');
const moment = fc
  .tuple(
    fc.oneof(date, rightly),
    separator,
    fc.oneof(time, fc.constantFrom('23:59:60Z', '00:59:60.5+01:00', '12:00:00', '00:00:00.123-0130')),
  )
  .map((parts) => parts.join(''));

test.each([
  ['date', formats.isDate, date],
  ['time', formats.isTime, time],
  ['iso-time', formats.isIsoTime, time],
  ['date-time', formats.isDateTime, moment],
  ['iso-date-time', formats.isIsoDateTime, moment],
] as const)('a text is a %s where the library that the rule comes from says so', (format, is, texts) => {
  const { validate } = (fullFormats as unknown as Full)[format] ?? {};
  const verdicts = new Set<boolean | undefined>();
  fc.assert(
    fc.property(texts, (text) => {
      const verdict = validate?.(text);
      verdicts.add(verdict);
      expect([text, is(text)]).toStrictEqual([text, verdict]);
    }),
    { numRuns: 3000 },
  );
  expect([...verdicts].sort()).toStrictEqual([false, true]);
});
