// @module-tag attack
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeExchange } from '../../conformance/exchanges/evidence.ts';
import { makeExchange } from '../../conformance/exchanges/exchange.ts';
import { masker } from '../../contract/secrecy/index.ts';
import type { Mask, SecrecyFacts } from '../../contract/secrecy/index.ts';

const MEGABYTE = 1_000_000;
const times = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));

const facts: SecrecyFacts = { unknown: '$OTHER_KEY' };
const masks: readonly Mask[] = [
  { secret: 'service-secret-4711', placeholder: '$API_KEY' },
  { secret: 'aaaaaaaaaaaaaaaaaaab', placeholder: '$JWT' },
  { secret: `eyJ${'eyJ-'.repeat(300)}.x.y`, placeholder: '$SECOND_KEY' },
];

// Each took hours when patterns looked at a text again from each of its places.
test.each<[string, string]>([
  ['names of secrets in one name', `{"${times('secret')}`],
  ['names of secrets, each begun', times('"api_key')],
  ['members of secrets', times('"client_secret":"x",')],
  ['members that do not end', times('"client_secret":"x')],
  ['a member that does not end', `{"client_secret":"${times('x\\"')}`],
  ['blanks after a name', `"client_secret"${times(' ')}`],
  ['beginnings of web tokens', times('eyJ-')],
  ['beginnings of web tokens with dots', times('eyJabcdefgh.')],
  ['dots', times('.')],
  ['bearers', times('bearer ')],
  ['a bearer and blanks', `bearer${times(' ')}`],
  ['signatures in queries', times('?sig=')],
  ['signatures that are variables', times('?sig=$')],
  ['signed addresses', times('"signedUrl":"https://x/?')],
  ['escapes', times('\\/')],
  ['escaped letters', times('\\u0041')],
  ['backslashes', times('\\')],
  ['quotes', times('"')],
  ['beginnings of a declared secret', times('aaaaaaaaaaaaaaaaaaa')],
  ['beginnings of declared secrets, each cut', times('aaaaaaaaaaaaaaaaaaa…service-secret…')],
  ['one line', times('x')],
  ['many lines', times('"secret": "x"\n')],
  ['many fields', `{${times('"password_1":"x",')}`],
  ['deep nesting', times('[')],
  ['deep nesting with names', times('{"secret":')],
])('a megabyte of %s is masked in time that grows with its length alone', (_, text) => {
  const hide = masker(masks, facts);
  expect(hide(text).length).toBeGreaterThan(0);
  expect(hide(text.slice(0, 4096 + hide.margin), 4096, true).length).toBeLessThan(20_000);
});

test.each<[string, { before?: string; secret: string; by: string }]>([
  ['a declared one', { secret: 'service-secret-4711', by: '$API_KEY' }],
  ['in JSON escapes', { secret: 'service\\u002dsecret\\u002d4711', by: '$API_KEY' }],
  ['in Base64', { secret: Buffer.from('service-secret-4711').toString('base64'), by: '$API_KEY' }],
  ['a bearer that nobody declared', { before: 'Bearer ', secret: 'abcdefghijklmnop0123456789', by: '…' }],
  ['a member', { before: '"client_secret":"', secret: 'abcdefghijklmnop', by: '$OTHER_KEY' }],
  ['a web token', { secret: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_def', by: '…' }],
  ['the signature of an address', { before: '?X-Amz-Signature=', secret: 'abcdef0123456789', by: '…' }],
])(
  'a secret that crosses the end of the kept text is masked completely: %s',
  (_, { before = '', secret, by }) => {
    const hide = masker(masks, facts);
    const start = `x ${before}`;
    for (let keep = start.length + 1; keep < start.length + secret.length; keep += 1)
      expect(hide(`${start}${secret} z`, keep)).toBe(`${start}${by}`);
  },
);

test('no part of a secret is kept, regardless of its place and of where the text is cut', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/),
      fc.nat(200),
      fc.nat(300),
      fc.constantFrom<(secret: string) => string>(
        (secret) => secret,
        (secret) => Buffer.from(secret).toString('base64'),
        (secret) => [...secret].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(''),
      ),
      fc.boolean(),
      (secret, before, keep, spell, isBeginning) => {
        const spelled = spell(secret);
        const whole = `${'.'.repeat(before)}${spelled}${'.'.repeat(20)}${spelled}`;
        const hide = masker([{ secret, placeholder: '$API_KEY' }]);
        const window = whole.slice(0, keep + hide.margin);
        const kept = hide(window, Math.min(keep, window.length), isBeginning || window.length < whole.length);
        for (let at = 0; at + 6 <= spelled.length; at += 1)
          expect(kept).not.toContain(spelled.slice(at, at + 6));
      },
    ),
  );
});

test('a part of a secret at the end of a truncated body is masked', () => {
  const body = new TextEncoder().encode('{"echo":"service-secret-47');
  const stored = storeExchange(
    makeExchange({
      id: 'x0001',
      api: 'router',
      scenario: 's',
      request: { method: 'GET', target: '/', headers: [], body: undefined, as: 'valid' },
      answer: { status: 200, headers: [], body, truncated: 'was truncated at 26 bytes', informational: [] },
      failure: undefined,
      startedAt: 0,
      endedAt: 1,
    }),
    0,
    { masks, secrecy: {} },
  );
  expect(stored.answer).toMatchObject({
    body: { text: '{"echo":"$API_KEY', cut: true },
    unreadable: 'was truncated at 26 bytes',
  });
});

test('nothing of a 422 that cannot be read completely is shown: it may echo the input anywhere', () => {
  const deep = `{"detail":[{"loc":[],"msg":"m","type":"t","input":"my face"}],"x":${'['.repeat(1000)}${']'.repeat(1000)}}`;
  const stored = storeExchange(
    makeExchange({
      id: 'x0001',
      api: 'router',
      scenario: 's',
      request: { method: 'POST', target: '/', headers: [], body: undefined, as: 'valid' },
      answer: { status: 422, headers: [], body: new TextEncoder().encode(deep), informational: [] },
      failure: undefined,
      startedAt: 0,
      endedAt: 1,
    }),
    0,
    { masks, secrecy: {} },
  );
  expect(stored.answer?.body).toMatchObject({ text: '', cut: true });
});
