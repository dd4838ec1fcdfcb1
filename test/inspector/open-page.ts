import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface OpenPage {
  readonly page: Page;
  /** What a page must not do: talk to elsewhere, break its security policy, throw. Empty at the end. */
  readonly faults: readonly string[];
}

/** Pages of one theme, on a screen of usual size. */
export function newContext(browser: Browser, theme: 'light' | 'dark'): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 1_280, height: 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

/** A page; everything that it does wrong is written down. */
export async function openPage(context: BrowserContext, url: string): Promise<OpenPage> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') faults.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds against the page, each with the places. */
export async function violations(page: Page): Promise<readonly string[]> {
  // By the debugger: the security policy of the page lets no other script in.
  await page.evaluate(`if (!window.axe) { ${axeSource} }`);
  const found: unknown = await page.evaluate("window.axe.run(document, { resultTypes: ['violations'] })");
  const results = found as {
    readonly violations: readonly {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
    }[];
  };
  return results.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} at ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary ?? ''})`).join('; ')}`,
  );
}
