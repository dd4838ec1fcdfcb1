import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlLine } from '../../conformance/replay/curl-line.ts';
import { storeExchange } from '../../conformance/exchanges/evidence.ts';
import { masker } from '../../contract/secrecy/index.ts';
import type { Mask } from '../../contract/secrecy/index.ts';
import { makeExchange } from '../../conformance/exchanges/exchange.ts';
import type { Exchange } from '../../conformance/exchanges/exchange.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function exchange(sent: string | undefined, got: string, status = 200): Exchange {
  return makeExchange({
    id: 'x0001',
    api: 'router',
    scenario: 's',
    request: {
      method: sent === undefined ? 'GET' : 'POST',
      target: '/v1/models/p/m?q=service-secret-1',
      headers: [
        ['Host', 'api.example.com'],
        ['X-API-Key', 'service-secret-1'],
        ['Content-Type', 'application/json'],
      ],
      body: sent === undefined ? undefined : bytes(sent),
      as: 'valid',
    },
    answer: { status, headers: [['X-Echo', 'service-secret-1']], body: bytes(got), informational: [] },
    failure: undefined,
    startedAt: 5,
    endedAt: 8,
  });
}

const masks: readonly Mask[] = [{ secret: 'service-secret-1', placeholder: '$API_KEY' }];

test('a secret is masked in every place and every spelling', () => {
  const hide = masker([{ secret: 'a+b/"c"=d', placeholder: '$API_KEY' }]);
  expect(hide('x a+b/"c"=d y')).toBe('x $API_KEY y');
  expect(hide(`q=${encodeURIComponent('a+b/"c"=d')}`)).toBe('q=$API_KEY');
  expect(hide(JSON.stringify({ k: 'a+b/"c"=d' }))).toBe('{"k":"$API_KEY"}');
});

test('no text of a server brings a secret into the stored evidence', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9_-]{8,30}$/),
      fc.string(),
      fc.string(),
      (secret, before, after) => {
        const stored = storeExchange(exchange(`${before}${secret}`, `${after}${secret}${before}`), 0, {
          masks: [{ secret, placeholder: '$API_KEY' }],
          secrecy: {},
        });
        expect(
          JSON.stringify({ ...stored, id: '', api: '', scenario: '' })
            .split('$API_KEY')
            .join(''),
        ).not.toContain(secret);
      },
    ),
  );
});

test.each([
  [
    'tokens of publishing',
    '{"personal_access_token":"pat-1\\"2","x":1}',
    '{"personal_access_token":"…","x":1}',
  ],
  [
    'queries of signed URLs',
    '{"signedUrl":"https://s.example/f?sig=abc"}',
    '{"signedUrl":"https://s.example/f?…"}',
  ],
  [
    'signatures in the query of any address',
    '{"url":"https://s.example/f?a=1&X-Amz-Signature=abc\\u0026sig=def"}',
    '{"url":"https://s.example/f?a=1&X-Amz-Signature=…\\u0026sig=…"}',
  ],
  [
    'keys and passwords by the name of their member',
    '{"extra_data":{"api_key_partner":"k-1","client_secret":"s"},"monkey":"ape"}',
    '{"extra_data":{"api_key_partner":"$OTHER_KEY","client_secret":"$OTHER_KEY"},"monkey":"ape"}',
  ],
  ['bearer values', 'Authorization: Bearer abcdefghijklmnop0123', 'Authorization: Bearer …'],
  ['JWTs', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_def', 'token …'],
])('%s are masked although they were not declared', (_, text, want) => {
  expect(masker([], { unknown: '$OTHER_KEY' })(text)).toBe(want);
});

test('a secret is masked in Base64, in JSON escapes, and where a text was cut in its middle', () => {
  const hide = masker([{ secret: 'service/secret-4711', placeholder: '$API_KEY' }]);
  expect(hide(`x ${Buffer.from('service/secret-4711').toString('base64')} y`)).toBe('x $API_KEY y');
  expect(hide('{"echo":"service\\/secret-\\u0034711"}')).toBe('{"echo":"$API_KEY"}');
  expect(hide('200 {"echo":"service/secr…')).toBe('200 {"echo":"$API_KEY…');
  expect(hide('{"path":"C:\\u0041"}')).toBe('{"path":"C:\\u0041"}');
});

test('cookies, failures and binary bodies contain no secret', () => {
  const stored = storeExchange(
    makeExchange({
      ...exchange(undefined, ''),
      answer: {
        status: 200,
        headers: [['Set-Cookie', 'session=abcdef; HttpOnly']],
        body: new Uint8Array([255, ...bytes('service-secret-1'), 254]),
        informational: [],
      },
      failure: 'refused service-secret-1',
    }),
    0,
    { masks, secrecy: {} },
  );
  expect(stored.answer?.headers).toEqual([['Set-Cookie', 'session=…; HttpOnly']]);
  expect(Buffer.from(stored.answer?.body?.text ?? '', 'base64').toString('latin1')).toBe('ÿ$API_KEYþ');
  expect(stored.failure).toBe('refused $API_KEY');
});

test('a 422 keeps its shape and loses the echoes of the input', () => {
  const stored = storeExchange(
    exchange('{}', '{"detail":[{"loc":["a"],"msg":"m","type":"t","input":"my face"}]}', 422),
    0,
    { masks, secrecy: {} },
  );
  expect(stored.answer?.body?.text).toBe('{"detail":[{"loc":["a"],"msg":"m","type":"t","input":"…"}]}');
});

test('long bodies are truncated and marked; binary ones are stored in Base64', () => {
  const stored = storeExchange(exchange(undefined, 'a'.repeat(5000)), 0, {
    masks,
    secrecy: {},
    keepBytes: 100,
  });
  expect(stored.answer?.body).toMatchObject({ bytes: 5000, cut: true, encoding: 'text' });
  expect(stored.answer?.body?.text).toHaveLength(100);
  const binary = makeExchange({
    ...exchange(undefined, ''),
    answer: { status: 200, headers: [], body: new Uint8Array([255, 0]), informational: [] },
  });
  expect(storeExchange(binary, 0, { masks, secrecy: {} }).answer?.body).toEqual({
    bytes: 2,
    text: '/wA=',
    encoding: 'base64',
    cut: false,
  });
});

test(
  'the command line has the secret as a variable, but not in the address, and everything else quoted',
  { tags: 'attack' },
  () => {
    const stored = storeExchange(exchange(`{"it's":"$HOME \`x\`"}`, ''), 0, { masks, secrecy: {} });
    expect(curlLine(stored, 'https://api.example.com/base')).toBe(
      `curl -i --no-location --path-as-is --globoff -X POST -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' --data-raw '{"it'\\''s":"$HOME \`x\`"}' 'https://api.example.com/v1/models/p/m?q=$API_KEY'`,
    );
  },
);
