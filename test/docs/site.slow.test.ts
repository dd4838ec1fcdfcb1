// @module-tag long
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';
import { sections } from '../../scripts/site/sections.ts';
import { launch } from '../e2e/browser.ts';
import { newContext, openPage, violations } from '../inspector/open-page.ts';

const dist = join(packageRoot(), '.site', 'dist');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.json': 'application/json',
};

let server: Server;
let address: string;

beforeAll(async () => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/site/site.ts'], {
    cwd: packageRoot(),
    stdio: 'pipe',
  });
  server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').replace(/[?#].*/, ''));
    const file = join(dist, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain' })
      .end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}, 600_000);
afterAll(() => {
  server.close();
});

const built = (): readonly string[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.html') && path !== '404.html',
  );

test('every page of docs/ has a place in the sidebar', () => {
  const listed = sections.flatMap(({ pages }) => pages);
  const pages = readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  expect(
    pages.filter(
      (page) => !listed.some((each) => page === each || (each.endsWith('/') && page.startsWith(each))),
    ),
  ).toStrictEqual([]);
});

test('every link inside the site leads to a page, a heading or a file', () => {
  const texts = new Map(built().map((path) => [`/${path}`, readFileSync(join(dist, path), 'utf8')]));
  const broken: string[] = [];
  for (const [page, text] of texts)
    for (const [, link = ''] of text.matchAll(/ href="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${page}`);
      if (origin !== 'http://site') continue;
      const path = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      const isThere = texts.has(path) || existsSync(join(dist, path));
      const id = decodeURIComponent(hash.slice(1));
      if (!isThere || (id !== '' && texts.get(path)?.includes(` id="${id}"`) !== true))
        broken.push(`${page}: ${link}`);
    }
  expect(texts.size).toBeGreaterThan(60);
  expect(broken).toStrictEqual([]);
});

describe('the site in a browser', { tags: 'browser' }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each([
    ['How do I mock my own API?', '/docs/questions.html#how-do-i-mock-my-own-api'],
    ['What does a 409 mean for my money?', '/docs/questions.html#what-does-a-409-mean-for-my-money'],
    ['How do I run it in CI?', '/docs/questions.html#how-do-i-run-it-in-ci'],
    ['What breaks when the contract changes?', '/docs/questions.html#what-breaks-when-the-contract-changes'],
    ['Where do I add a rule?', '/docs/questions.html#where-do-i-add-a-rule'],
    ['Which TypeScript do I need?', '/docs/questions.html#which-typescript-do-i-need'],
    ['How do I trace a call?', '/docs/questions.html#how-do-i-trace-a-call'],
    ['mock own API', '/docs/questions.html#how-do-i-mock-my-own-api'],
    ['router.idem.charged-once', '/docs/rules.html#router-idem-charged-once'],
  ])('search for %j finds one heading first', async (question, link) => {
    const context = await newContext(browser, 'light');
    const { page, faults } = await openPage(context, `${address}/`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('#localsearch-input').fill(question);
    await expect.poll(() => page.locator('a.result').first().getAttribute('href')).toBe(link);
    expect(faults).toStrictEqual([]);
    await context.close();
  });

  /** One page of each kind. */
  const samples = [
    '/',
    '/docs/questions.html',
    '/docs/guides/mock.html',
    '/docs/rules.html',
    '/docs/reference/cli.html',
  ];
  const widths = [
    ['desktop', 1_280, 800],
    ['phone', 360, 740],
  ] as const;

  test.each(
    samples.flatMap((path) => widths.map(([name, width, height]) => ({ path, name, width, height }))),
  )(
    '$path on a $name: no sideways scrolling, nothing for axe, no request to elsewhere',
    { timeout: 120_000 },
    async ({ path, name, width, height }) => {
      for (const theme of ['light', 'dark'] as const) {
        const context = await newContext(browser, theme);
        const { page, faults } = await openPage(context, `${address}${path}`);
        await page.setViewportSize({ width, height });
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        // One theme each: axe takes long on long pages.
        if ((name === 'phone') === (theme === 'dark')) expect(await violations(page)).toStrictEqual([]);
        expect(faults).toStrictEqual([]);
        await context.close();
      }
    },
  );
});

async function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
