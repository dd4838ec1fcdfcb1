import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { renderReport, runConformance } from '../../conformance/index.ts';
import { createMock, virtualClock } from '../../mock/index.ts';
import { freshFolder } from '../cli/command.ts';
import { routerContract } from '../conformance/servers.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { launch } from './browser.ts';

async function page(): Promise<string> {
  const clock = virtualClock({ startAt: 0 });
  const mock = createMock({ clock, deviations: ['router.list.limit-clamped~400'] });
  await mock.ready();
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    transport: inProcess(mock.handle),
    clock,
    credential: { header: 'X-API-Key', value: 'service-mock-ok' },
  });
  mock.close();
  return renderReport(report, 'html');
}

test(
  'the report page works offline, in both colour schemes, by search, filter and click',
  { tags: 'browser' },
  async () => {
    const file = join(await freshFolder(), 'index.html');
    await writeFile(file, await page());
    const running = await launch();
    try {
      const grounds: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const tab = await running.newPage({ colorScheme });
        const complaints: string[] = [];
        tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        tab.on('pageerror', (error) => complaints.push(error.message));
        tab.on('request', (request) => request.url().startsWith('file:') || complaints.push(request.url()));
        await tab.goto(pathToFileURL(file).href);
        grounds.push(await tab.evaluate('getComputedStyle(document.body).backgroundColor'));

        expect(await tab.textContent('.lead')).toMatch(/^1 rule of \d+ is broken; .*\d+ passed/);
        const shown = tab.locator('details.rule:not([hidden])');
        const all = await shown.count();
        await tab.keyboard.press('/');
        await tab.keyboard.type('clamped');
        expect(await shown.first().getAttribute('id')).toBe('router.list.limit-clamped');
        expect(await shown.count()).toBeLessThan(4);
        await tab.fill('#search', '');
        await tab.click('.chip[data-verdict="pass"]');
        expect(await shown.count()).toBeLessThan(all);
        expect(await tab.locator('details.rule[data-verdict="pass"]:not([hidden])').count()).toBe(0);

        await tab.click('details.rule[open] button.exchange');
        const dialog = await tab.textContent('dialog[open]');
        expect(dialog).toContain('GET /v1/models?limit=');
        expect(dialog).toContain('X-API-Key: $API_KEY');
        expect(complaints).toEqual([]);
        await tab.close();
      }
      expect(grounds[0]).not.toBe(grounds[1]);
    } finally {
      await running.close();
    }
  },
);
