import { expect, test } from 'vitest';
import { renderDiagnostics } from '../../contract/index.ts';
import { maskedAddresses, secretsOfAddresses } from '../../contract/secrecy/index.ts';

test.each([
  ['at https://user:pass-word@h.example/x?token=abcdef&page=2.', 'at https://…@h.example/x?token=…&page=2.'],
  ['"http://h.example:80/?X-Amz-Signature=abc"', '"http://h.example:80/?X-Amz-Signature=…"'],
  ['unknown property "password": string, token=abcdef', undefined],
  ['postgres://user:pass@h/x, redis://:pass@h', 'postgres://…@h/x, redis://…@h'],
  ['http://USER:PASSWORD@proxy.example.com', undefined],
  ['https://api.example.com/v1?limit=3', undefined],
])('addresses in %j lose their secrets, and nothing else changes', (text, masked = text) => {
  expect(maskedAddresses(text)).toBe(masked);
  expect(maskedAddresses(masked)).toBe(masked);
  expect(maskedAddresses(text, { sameLength: true })).toHaveLength(text.length);
});

test('the secrets of addresses as they are spelt', () => {
  expect(secretsOfAddresses('https://user:p%40ss@h.example/?sig=a%2Fb&x=1')).toStrictEqual([
    'user:p%40ss',
    'a%2Fb',
  ]);
});

test.each([0, 40, 90, 300])(
  'a line of a diagnostic that begins %i characters later has no secret',
  (before) => {
    const line = `${' '.repeat(before)}{"url": "https://user:mark7Qk3fZ9pW5d@h.example", "port": x}`;
    for (const column of [1, line.indexOf('mark'), line.indexOf('h.example'), line.indexOf('x}') + 1]) {
      const location = { file: 'a.json', line: 1, column };
      const diagnostic = { code: 'syntax', severity: 'error', message: 'unexpected x', location } as const;
      const shown = renderDiagnostics([diagnostic], { colour: false, source: () => line });
      expect(shown).not.toContain('mark7');
      expect(shown).not.toContain('ark7Qk');
    }
  },
);
