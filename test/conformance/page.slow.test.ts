// @module-tag long
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReport, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { launch } from '../e2e/browser.ts';
import { violations } from '../inspector/open-page.ts';
import { allContracts } from './servers.ts';

describe('the page of a report', { tags: 'browser' }, () => {
  let browser: Browser;
  let url = '';
  let report: Report;
  const hostile = `</script><img src=x onerror=alert(1)>${'long'.repeat(200)}\u202e`;

  beforeAll(async () => {
    const clock = virtualClock({ startAt: 0 });
    const mock = createMock({
      clock,
      deviations: ['router.idem.replay~unmarked', 'router.list.limit-clamped~400'],
    });
    await mock.ready();
    report = await runConformance({
      contracts: await allContracts(),
      baseUrl: 'https://api.example.com',
      transport: inProcess(mock.handle),
      clock,
      credential: { header: 'X-API-Key', value: 'service-mock-ok' },
      fixtures: { model: { ok: { id: 'mock/ok', input: { prompt: 'a' } } } },
      allow: ['billed'],
    });
    mock.close();
    const odd = report.rules.map((rule) =>
      rule.id === 'router.list.limit-clamped'
        ? {
            ...rule,
            observed: hostile,
            failures: [{ expected: hostile, observed: hostile, exchanges: rule.exchanges }],
          }
        : rule,
    );
    const file = join(await mkdtemp(join(tmpdir(), 'tallystick-')), 'index.html');
    await writeFile(file, renderReport({ ...report, rules: odd }, 'html'));
    url = pathToFileURL(file).href;
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function open(width: number): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    await page.goto(url);
    return { page, faults };
  }

  test.each([1280, 390])(
    'at %i px the page fits, with every rule open, and is accessible',
    async (width) => {
      const { page, faults } = await open(width);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await violations(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.close();
    },
    60_000,
  );

  test('a rule that compares two answers shows the first beside the second', async () => {
    const { page, faults } = await open(1280);
    const rule = page.locator('details[id="router.idem.replay"]');
    expect(await rule.locator('dd').first().textContent()).toContain(
      'Model Router API (document 1), Idempotency key handling',
    );
    await rule.locator('button', { hasText: 'beside' }).first().click();
    const titles = await page.locator('dialog h2').allTextContents();
    expect(titles.map((title) => title.replace(/ x\d+ .*/, ''))).toEqual(['first:', 'second:']);
    expect(await page.locator('dialog pre').count()).toBe(4);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the exchange of a failed check is marked, and those of checks that passed are not', async () => {
    const { page } = await open(1280);
    const marked = await page
      .locator('details.rule button.failed')
      .evaluateAll((all) => all.map((one) => one.closest('details')?.dataset['verdict']));
    expect(marked.length).toBeGreaterThan(0);
    expect(new Set(marked)).toEqual(new Set(['fail']));
    await page.close();
  });

  test('the fixture that enables most rules comes first, and links to these rules', async () => {
    const { page } = await open(390);
    const first = page.locator('#not-exercised + table tr').nth(1);
    const counts = await page.locator('#not-exercised + table td:first-child').allTextContents();
    const numbers = counts.slice(0, 3).map((text) => Number.parseInt(text, 10));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    await first.locator('summary').click();
    const link = first.locator('a').first();
    const id = await link.textContent();
    await link.click();
    expect(await page.locator(`details[id="${id ?? ''}"]`).getAttribute('open')).toBe('');
    await page.close();
  });
});
