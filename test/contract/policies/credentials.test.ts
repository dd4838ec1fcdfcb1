import { expect, test } from 'vitest';

import { readCredential } from '../../../contract/policies/credentials.ts';
import type { CredentialsPolicy, PresentedCredential } from '../../../contract/policies/credentials.ts';

const both: CredentialsPolicy = { kind: 'credentials', keyHeader: 'X-API-Key', keyPrefix: 'service-' };
const bearerOnly: CredentialsPolicy = { kind: 'credentials' };

const none: PresentedCredential = { kind: 'none' };
const unusable: PresentedCredential = { kind: 'unusable' };
const key = (value: string): PresentedCredential => ({ kind: 'api-key', value });
const bearer = (value: string): PresentedCredential => ({ kind: 'bearer', value });

test.each<[string, Record<string, string>, PresentedCredential]>([
  ['nothing was sent', {}, none],
  ['router.auth.api-key', { 'x-api-key': 'service-k' }, key('service-k')],
  ['a key without the prefix is a key in its header', { 'x-api-key': 'k' }, key('k')],
  ['router.auth.jwt', { authorization: 'Bearer a.b.c' }, bearer('a.b.c')],
  ['router.auth.key-as-bearer', { authorization: 'Bearer service-k' }, key('service-k')],
  ['the prefix is compared with its case', { authorization: 'Bearer Service-k' }, bearer('Service-k')],
  ['the prefix alone is a key', { authorization: 'Bearer service-' }, key('service-')],
  ['the scheme is read without its case', { authorization: 'bEaReR a.b.c' }, bearer('a.b.c')],
  ['spaces around the token', { authorization: 'Bearer   a.b.c  ' }, bearer('a.b.c')],
  [
    'A-05: a bearer token is judged first',
    { authorization: 'Bearer a.b.c', 'x-api-key': 'k' },
    bearer('a.b.c'),
  ],
  [
    'another scheme beside a key leaves a usable credential',
    { authorization: 'Basic eA==', 'x-api-key': 'k' },
    key('k'),
  ],
  ['router.auth.garbage: another scheme', { authorization: 'Basic eA==' }, unusable],
  ['a scheme without a token', { authorization: 'Bearer' }, unusable],
  ['a scheme with spaces only', { authorization: 'Bearer  ' }, unusable],
  ['two tokens', { authorization: 'Bearer a b' }, unusable],
  ['no space after the scheme', { authorization: 'Bearera.b.c' }, unusable],
  ['an empty header', { authorization: '' }, unusable],
  ['an empty key', { 'x-api-key': '' }, unusable],
  ['a key of spaces', { 'x-api-key': '  ' }, unusable],
])('%s', (_, headers, want) => {
  expect(readCredential(both, (name) => headers[name])).toStrictEqual(want);
});

test('an API with only bearer tokens ignores other headers and has no prefix', () => {
  const read = (headers: Record<string, string>): PresentedCredential =>
    readCredential(bearerOnly, (name) => headers[name]);
  expect(read({ 'x-api-key': 'k' })).toStrictEqual(none);
  expect(read({ authorization: 'Bearer service-k' })).toStrictEqual(bearer('service-k'));
});
