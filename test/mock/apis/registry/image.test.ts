import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageForm } from '../../../../mock/apis/registry/image.ts';

test.each([
  ['https://files.example.com/portrait.jpg', 'url'],
  ['HTTPS://files.example.com/a?b=c#d', 'url'],
  ['http://files.example.com/portrait.jpg', undefined],
  ['ftp://files.example.com/portrait.jpg', undefined],
  ['javascript:alert(1)', undefined],
  ['file:///etc/hosts', undefined],
  ['https://', undefined],
  ['https://files.example.com/a b.jpg', undefined],
  ['R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'],
  ['QQ==', 'base64'],
  ['QQ', 'base64'],
  ['QUI\r\nDRA==', 'base64'],
  ['data:image/png;base64,iVBORw0KGgo=', 'base64'],
  ['data:image/png;name=a.png;base64,iVBORw0KGgo=', 'base64'],
  ['data:image/png,not-base64', undefined],
  ['data:image/png;base64,', undefined],
  ['', undefined],
  ['Q', undefined],
  ['QQ=', undefined],
  ['QQ==QQ==', undefined],
  ['no picture!', undefined],
])('proxy.skin.image-forms: %j is %s', (text, form) => {
  expect(imageForm(text)).toBe(form);
});

test('proxy.skin.image-forms: a picture of any bytes is accepted as Base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      expect(imageForm(Buffer.from(bytes).toString('base64'))).toBe('base64');
    }),
  );
});
