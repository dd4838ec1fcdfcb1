import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colouredPng } from '../../../../mock/apis/jobs/pictures.ts';
import { createMock, type Mock } from '../../../../mock/index.ts';

let mock: Mock;
beforeAll(async () => {
  mock = createMock({ apis: ['router'] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

async function pictureFor(prompt: string): Promise<Response> {
  const answer = await mock.fetchBelow('https://gw.example.com/base')('/v1/models/acme/echo-1', {
    method: 'POST',
    headers: {
      'X-API-Key': 'service-mock-ok',
      'Content-Type': 'application/json',
      Prefer: 'scenario=ok',
    },
    body: JSON.stringify({ prompt, seed: 3 }),
  });
  const { images, seed } = (await answer.json()) as { images: { url: string }[]; seed: number };
  expect(seed).toBe(3);
  expect(images[0]?.url).toMatch(/^https:\/\/gw\.example\.com\/base\/pictures\//);
  return mock.fetchBelow('https://gw.example.com/base')(images[0]?.url ?? '');
}

test('the picture of a run opens, without a key, and says its model and prompt', async () => {
  const picture = await pictureFor('a notched stick at dusk');
  expect([picture.status, picture.headers.get('Content-Type')]).toStrictEqual([200, 'image/svg+xml']);
  const text = await picture.text();
  expect(text).toContain('acme-echo-1');
  expect(text).toContain('a notched stick at dusk');
});

test('what a prompt says is text in the picture, and nothing in it runs', async () => {
  const picture = await pictureFor('</text><script>alert(1)</script>\u0000');
  expect(picture.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  const text = await picture.text();
  expect(text).not.toContain('<script');
  expect(text).not.toContain('\u0000');
});

test.each(['/pictures/%.svg', '/pictures/a.svg?seed=x&prompt=%', '/pictures/%E0%A4%A.svg'])(
  'a broken address of a picture breaks nothing: %s',
  async (path) => {
    expect([200, 404]).toContain((await mock.fetch(path)).status);
  },
);

test('the picture of a job is a PNG of 512 x 512', () => {
  const png = Buffer.from(colouredPng(40, 80, 160));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toStrictEqual([512, 512]);
  const data = png.indexOf('IDAT') + 4;
  const pixels = inflateSync(png.subarray(data, data + png.readUInt32BE(data - 8)));
  expect(pixels.length).toBe(512 * (1 + 512 * 3));
  expect([...pixels.subarray(0, 4)]).toStrictEqual([0, 40, 80, 160]);
});
