// @module-tag attack
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { masker, maskedHeaders, secrecyOf, secretsIn } from '../../contract/secrecy/index.ts';
import { isSecretName } from '../../contract/secrecy/secret-names.ts';
import { loadContract } from '../../contract/index.ts';
import { freshFolder } from '../cli/command.ts';

const M = 'marked-s3cret/value+1';
const encoded = encodeURIComponent(M);
const hide = masker([]);

/** Texts in which only the place says that something is a secret. */
const places: readonly (readonly [place: string, text: string, masked: string])[] = [
  ['a member', `{"password":"${M}","x":1}`, '{"password":"…","x":1}'],
  ['a member in camelCase', `{"clientSecret": "${M}"}`, '{"clientSecret": "…"}'],
  ['a member with an escaped quote', `{"password":"a\\"${M}","x":1}`, '{"password":"…","x":1}'],
  ['a name with escapes', `{"pass\\u0077ord":"${M}"}`, '{"pass\\u0077ord":"…"}'],
  ['a number', '{"password": 123456, "x": 1}', '{"password": "…", "x": 1}'],
  ['a list', `{"passwords":["${M}","${M}"],"x":["y"]}`, '{"passwords":["…","…"],"x":["y"]}'],
  ['an object', `{"credentials":{"user":"${M}"},"x":"y"}`, '{"credentials":{"user":"…"},"x":"y"}'],
  ['JSON in a string', `{"log":"{\\"apiKey\\":\\"${M}\\"}","x":1}`, '{"log":"{\\"apiKey\\":\\"…\\"}","x":1}'],
  [
    'JSON in a string in a string',
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ token: M }) }) }),
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ token: '…' }) }) }),
  ],
  ['what Python prints', `{'api_key': '${M}', 'x': 'y'}`, "{'api_key': '…', 'x': 'y'}"],
  [
    'a query of GraphQL',
    `{"query":"{ login(password: \\"${M}\\") }"}`,
    '{"query":"{ login(password: \\"…\\") }"}',
  ],
  ['a form', `user=u&password=${M}&x=1`, 'user=u&password=…&x=1'],
  ['a form with marks', `password=a"b'c<d;e#${M}&x=1`, 'password=…&x=1'],
  ['an encoded name', `api%5Fkey=${encoded}&x=1`, 'api%5Fkey=…&x=1'],
  ['a target', `/x?limit=2&access_token=${encoded}`, '/x?limit=2&access_token=…'],
  ['a long key', '/x?key=AIzaSyD-9tSrke72PouQMnMX&limit=2', '/x?key=…&limit=2'],
  [
    'an address in an address',
    `/x?to=https%3A%2F%2Fy%2F%3Fsig%3D${M}`,
    `/x?to=${encodeURIComponent('https://y/?sig=…')}`,
  ],
  [
    'a signed address',
    `https://s.example/f?X-Amz-Credential=${M}&X-Amz-Signature=${M}`,
    'https://s.example/f?X-Amz-Credential=…&X-Amz-Signature=…',
  ],
  [
    'an address of Azure in JSON',
    `{"at":"https://s.example/f?sv=1\\u0026sig=${M}"}`,
    '{"at":"https://s.example/f?sv=1\\u0026sig=…"}',
  ],
  ['a user of an address', `{"at":"https://user:${encoded}@s.example/f"}`, '{"at":"https://…@s.example/f"}'],
  [
    'a user behind escaped slashes',
    `{"at":"https:\\/\\/user:${encoded}@s.example\\/f"}`,
    '{"at":"https:\\/\\/…@s.example\\/f"}',
  ],
  [
    'an XML element',
    `<a><ns:password x="1">${M}</ns:password></a>`,
    '<a><ns:password x="1">…</ns:password></a>',
  ],
  ['an XML attribute', `<a apiKey="${M}" x="1"/>`, '<a apiKey="…" x="1"/>'],
  ['CDATA', `<secret><![CDATA[${M}<]]></secret>`, '<secret>…</secret>'],
  [
    'a part of a form',
    `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${M}\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--`,
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n…\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--',
  ],
  ['a line', `password: ${M}\nx: y`, 'password: …\nx: y'],
  ['a header in a sentence', `got X-API-Key: ${M} and more`, 'got X-API-Key: … and more'],
  ['Basic', `Basic ${Buffer.from(`user:${M}`).toString('base64')} x`, 'Basic … x'],
  ['Bearer', 'Bearer abcdefghijklmnop x', 'Bearer … x'],
];

test.each(places)('%s is masked, and nothing beside it', (_, text, want) => {
  expect(hide(text)).toBe(want);
  expect(hide(want)).toBe(want);
});

test.each([
  ['{"max_tokens":5,"next_page_token":"abcdef","token_type":"Bearer","monkey":"x","idempotency_key":"k"}'],
  ['{"secretary":"Ada","keys":["a"],"tokens":["a","b"],"expires_in":3600,"password":null,"secret":true}'],
  ['/v1/models?cursor=abcdef&limit=2&key=name&next_token=abc'],
  ['expected 401 without X-API-Key: got 200'],
  ['the answer to a wrong credential: returned 200'],
  ['basic authentication, bearer tokens, and Authorization: Basic'],
  ['{"components":{"schemas":{"A":{"properties":{"password":{"type":"string","format":"password"}}}}}}'],
])('ordinary text stays: %s', (text) => {
  expect(hide(text)).toBe(text);
});

test.each([
  ...['authorization', 'apiKey', 'API_KEY', 'x-api-key', 'XApiKey', 'apikey', 'access_token', 'refreshToken'],
  ...[
    'client-secret',
    'PASSWORD',
    'newPassword2',
    'X-Hub-Signature-256',
    'set-cookie',
    'JSESSIONID',
    'token',
  ],
  ...['X-Auth-Token', 'csrfToken', 'private_key', 'sig', 'jwt', 'session_id', 'aws_secret_access_key'],
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test('headers of both directions: the scheme, the names of cookies and their attributes stay', () => {
  const headers = [
    ['Authorization', `Bearer ${M}`],
    ['Proxy-Authorization', `Digest username="u", response="${M}"`],
    ['X-Auth-Token', M],
    ['Cookie', `a=${M}; b=${M}`],
    ['Set-Cookie', `sid=${M}; Path=/; HttpOnly; other=${M}`],
    ['Referer', `https://x.example/?token=${M}`],
    ['Location', `https://u:${encoded}@x.example/`],
    ['Access-Control-Allow-Credentials', 'true'],
    ['WWW-Authenticate', 'Bearer realm="x"'],
    ['X-Own', M],
  ] as const;
  expect(maskedHeaders(headers, masker([], { names: new Set(['x-own']) }))).toStrictEqual([
    ['Authorization', 'Bearer …'],
    ['Proxy-Authorization', 'Digest …'],
    ['X-Auth-Token', '…'],
    ['Cookie', 'a=…; b=…'],
    ['Set-Cookie', 'sid=…; Path=/; HttpOnly; other=…'],
    ['Referer', 'https://x.example/?token=…'],
    ['Location', 'https://…@x.example/'],
    ['Access-Control-Allow-Credentials', 'true'],
    ['WWW-Authenticate', 'Bearer realm="x"'],
    ['X-Own', '…'],
  ]);
});

test('the secrets of a message are found in its places, and are then masked wherever they occur', () => {
  const message = {
    target: `/x?api_key=in-query-1`,
    headers: [
      ['Authorization', `Basic ${Buffer.from('user:in-basic-1').toString('base64')}`],
      ['Cookie', 'a=in-cookie-1'],
    ] as const,
    body: '{"password":"in-b\\u006fdy-1"}',
  };
  const secrets = secretsIn(message, {});
  expect(secrets).toEqual(expect.arrayContaining(['in-query-1', 'in-basic-1', 'in-cookie-1', 'in-body-1']));
  const known = masker(secrets.map((secret) => ({ secret, placeholder: '…' })));
  expect(known('in-query-1 in-basic-1 in-cookie-1 in-body-1 in-other-1')).toBe('… … … … in-other-1');
});

test('a secret that takes the place of another in a full list is masked too', () => {
  const masks = [{ secret: 'first-secret', placeholder: '…' }] as const;
  const list: { secret: string; placeholder: '…' }[] = [...masks];
  expect(masker(list)('first-secret second-secret')).toBe('… second-secret');
  list.push({ secret: 'second-secret', placeholder: '…' });
  list.shift();
  expect(masker(list)('second-secret')).toBe('…');
});

test('what a document publishes is no secret, and what it declares as a credential is', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {
      '/x': { get: { operationId: 'x', security: [{ k: [] }], responses: { 200: { description: 'd' } } } },
    },
    components: {
      securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'who' } },
      schemas: {
        A: { type: 'object', properties: { password: { type: 'string', example: 'open-sesame' } } },
      },
    },
  };
  const folder = await freshFolder();
  await writeFile(join(folder, 'x.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'x.json', cwd: folder });
  if (!loaded.ok) throw new Error('the document is refused');
  const { contract } = loaded;
  const facts = secrecyOf([contract]);
  expect(masker([], facts)('{"password":"open-sesame"}')).toBe('{"password":"open-sesame"}');
  expect(masker([], facts)('{"password":"closed"}')).toBe('{"password":"…"}');
  expect(masker([], facts)('/x?who=me-1&x=1')).toBe('/x?who=…&x=1');
});

test('JSON stays JSON, nothing marked stays in it, and what is masked stays as it is', () => {
  const names = fc.constantFrom('password', 'apiKey', 'x-auth-token', 'client_secret', 'Authorization');
  const value = fc.oneof(
    fc.string().map((text) => `${text}${M}${text}`),
    fc.array(fc.constant(M), { maxLength: 3 }),
    fc.integer(),
  );
  fc.assert(
    fc.property(fc.string(), names, value, fc.nat(3), (other, name, secret, depth) => {
      let text = JSON.stringify({ [`x${other}`]: other, [name]: secret, y: other });
      for (let at = 0; at < depth; at += 1) text = JSON.stringify({ z: text });
      const masked = hide(text);
      expect(() => JSON.parse(masked) as unknown).not.toThrow();
      expect(masked).not.toContain(M);
      expect(hide(masked)).toBe(masked);
    }),
  );
});

const MEGABYTE = 1_000_000;
const times = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));

// Each would take minutes if a text were looked at again from each of its places.
test.each([
  ['deep secrets', times('{"secret":')],
  ['deep lists of secrets', times('{"secret":[')],
  ['pairs in pairs', `x=1${times('a=b=')}`],
  ['keys', times('key=')],
  ['secret pairs in one', times('token=')],
  ['lines in one', times('x-api-key:')],
  ['lines that look masked', times('x-api-key:$A')],
  ['schemes', `bearer${times(' ')}`],
  ['addresses', times('https://')],
  ['users', times('a@')],
  ['elements', times('<password ')],
  ['open elements', times('<password>')],
  ['CDATA', times('<password><![CDATA[')],
  ['parts', times('form-data; name="password"')],
  ['parts with lines', times('form-data; name="password"\r\n\r\n')],
  ['backslashes', `"secret":"${times('\\')}`],
  ['percent signs', `a=${times('%3D')}`],
  ['nested addresses', times(`a=%3D${'%253D'.repeat(200)}&`)],
  ['colons', times(':')],
  ['quoted colons', times('":')],
  ['Basic', times('basic abcd')],
  ['dashes', times('a-a:')],
])('a megabyte of %s takes time that grows with its length alone', (_, text) => {
  expect(hide(text).length).toBeGreaterThan(0);
  expect(secretsIn({ headers: [['Cookie', text]], target: text, body: text }, {}).length).toBeLessThanOrEqual(
    50,
  );
});
