// @module-tag long
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { inspected } from './inspected.ts';
import { call, run, smallGraph, someTraffic } from './traffic.ts';

/** What a hand, a network or another program can do in the wrong moment: nothing of it may get lost or be done twice. */
describe('the inspector, when things happen at once', { tags: 'browser' }, () => {
  const here = inspected();
  const { open } = here;

  /** As fast as the browser can report them: between two there is time for what is due at once, and for nothing else. */
  const press = (page: Page, ...keys: readonly string[]): Promise<unknown> =>
    page.evaluate(
      `(async () => { for (const key of ${JSON.stringify(keys)}) {
        dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await null;
      } })()`,
    );
  const focused = (page: Page): Promise<unknown> =>
    page.evaluate("document.activeElement.getAttribute('href') ?? document.activeElement.textContent");
  /** The page knows of so many exchanges. */
  const counted = (page: Page, count: number): Promise<void> =>
    page.locator('.rail .count', { hasText: new RegExp(`^${String(count)}$`) }).waitFor();
  const hashOf = (page: Page): string => new URL(page.url()).hash;
  /** The page has drawn, and has done what it does after that. */
  const settled = (page: Page): Promise<unknown> =>
    page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))))',
    );

  test('a key that comes before a view has its rows moves through them when they are there', async () => {
    await call(here.mock, { path: '/api/v2/jobs', body: smallGraph });
    await call(here.mock, { path: '/api/v2/jobs', body: smallGraph });
    const page = await open('');
    await page.locator('tbody a').first().waitFor();
    await press(page, '4', 'j', 'j');
    const { jobs } = (await (await fetch(`${here.mock.controlUrl ?? ''}/control/v1/jobs`)).json()) as {
      readonly jobs: readonly { readonly id: string }[];
    };
    await expect.poll(() => hashOf(page)).toBe(`#/jobs/${jobs[0]?.id ?? ''}`);
  });

  test('help that is closed before it is shown stays closed', async () => {
    await run(here.mock, 'mock/ok');
    const page = await open('');
    await page.locator('tbody a').first().waitFor();
    await press(page, '?', 'Escape', '7');
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    await settled(page);
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
  });

  test.each([
    ['Send again, same key', 'journal/{latest}', /\/replay$/],
    ['Send again, new key', 'journal/{latest}', /\/replay$/],
    ['Next call', 'scenarios?q=unavailable', /\/scenarios$/],
    ['To the next event', 'clock', /\/clock$/],
    ['Expire now', 'keys', /\/keys\/./],
  ])('%s: two presses at once are one', async (name, hash, path) => {
    await run(here.mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open(hash.replace('{latest}', String(here.mock.journal.latest)));
    const sent: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'POST' && path.test(pathname)) sent.push(pathname);
    });
    const button = page.getByRole('button', { name, exact: true }).first();
    await button.waitFor();
    const answered = page.waitForResponse(
      (response) =>
        response.request().method() === 'POST' && path.test(new URL(response.request().url()).pathname),
    );
    await page.evaluate(
      `const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === '${name}');
       button.click();
       button.click();`,
    );
    await answered;
    expect(sent).toHaveLength(1);
  });

  test('a late answer does not change the view that the reader has opened since', async () => {
    const first = run(here.mock, 'mock/slow');
    await expect.poll(() => here.mock.pending.calls().length).toBe(1);
    await here.clock.advance(1_000);
    await first;
    const page = await open(`journal/${String(here.mock.journal.latest)}`);
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => here.mock.pending.calls().length).toBe(1);
    await press(page, '7');
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
    await here.clock.advance(1_000);
    await page.getByText(`Sent again as #${String(here.mock.journal.latest)}: 200`).waitFor();
    expect(hashOf(page)).toBe('#/ledger');
  });

  test('a request that is sent while the journal is paused is shown anyway', async () => {
    await run(here.mock, 'mock/ok');
    const page = await open(`journal/${String(here.mock.journal.latest)}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('complementary', { name: `Exchange ${String(here.mock.journal.latest)}` }).waitFor();
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor();
  });

  test('a call that ends while the page begins to listen is shown as ended', async () => {
    await call(here.mock, { path: '/api/v2/jobs', body: smallGraph });
    const [job] = here.mock.journal.entries().slice(-1);
    const { id } = JSON.parse(job?.response.body ?? '{}') as { readonly id: string };
    const reader = new AbortController();
    await fetch(`${here.mock.url}/api/v2/jobs/${id}/events`, {
      headers: { Authorization: 'Bearer service-mock-ok' },
      signal: reader.signal,
    });
    const page = await open(undefined);
    await page.route(/\/control\/v1\/journal/, async (route) => {
      const before = await route.fetch();
      reader.abort();
      await expect.poll(() => here.mock.journal.entries().at(-1)?.delivery).toBe('short');
      await route.fulfill({ response: before });
    });
    await page.goto(`${here.mock.controlUrl ?? ''}/`);
    await page.locator('tr', { hasText: '/events' }).getByText('short').waitFor();
  });

  test('a mock that takes the place of another is taken for no other, however many calls it has had', async () => {
    const list = async (what: string, count: number): Promise<void> => {
      const headers = { 'X-API-Key': 'service-mock-ok' };
      for (let made = 0; made < count; made += 1)
        await here.mock.fetch(new Request(`${here.mock.url}/v1/models?${what}`, { headers }));
    };
    await here.startAnew();
    await list('before', 60);
    const page = await open('');
    await counted(page, 60);
    // That the mock was away is the browser's to say.
    here.allowFaults(/net::ERR_/);
    await page.route(/\/control\/v1\//, (route) => route.abort());
    await here.startAnew();
    await list('after', 70);
    await page.unroute(/\/control\/v1\//);
    await counted(page, 70);
    await page.getByLabel('Search the journal').fill('before');
    await page.getByText('0 of 70', { exact: true }).waitFor();
  });

  test('a resource that changes continuously is shown', async () => {
    await run(here.mock, 'mock/ok');
    const page = await open('');
    await counted(page, 1);
    let calls = 1;
    await page.route(/\/control\/v1\/ledger/, async (route) => {
      await run(here.mock, 'mock/ok');
      calls += 1;
      await counted(page, calls);
      await settled(page);
      await route.continue();
    });
    await press(page, '7');
    await page.locator('.answer').waitFor();
  });

  test('a row that is selected by keys keeps its position while others arrive', async () => {
    await run(here.mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open('');
    const row = page.getByRole('link', { name: '/v1/models/mock/ok' });
    await row.focus();
    const before = await focused(page);
    for (let count = 0; count < 60; count += 1)
      await here.mock.fetch(
        new Request(`${here.mock.url}/v1/models`, { headers: { 'X-API-Key': 'service-mock-ok' } }),
      );
    await counted(page, 61);
    expect(await focused(page)).toBe(before);
    expect(await row.isVisible()).toBe(true);
  });

  test('a pressed button keeps its position, and closing returns to the row', async () => {
    await run(here.mock, 'mock/ok');
    const page = await open(`journal/${String(here.mock.journal.latest)}`);
    await page.getByRole('button', { name: 'Send again' }).focus();
    for (let count = 2; count <= 3; count += 1) {
      const next = here.mock.journal.latest + 1;
      await page.keyboard.press('Enter');
      await page.getByRole('complementary', { name: `Exchange ${String(next)}` }).waitFor();
      expect(await focused(page)).toBe('Send again');
    }
    await page.getByRole('link', { name: 'Close' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(`#/journal/${String(here.mock.journal.latest)}`);
  });

  test('a number can be deleted and typed again', async () => {
    await run(here.mock, 'mock/ok');
    const page = await open('scenarios?q=unavailable');
    const calls = page.getByLabel('calls');
    await calls.press('Backspace');
    await calls.press('5');
    await page.getByRole('button', { name: 'Next 5 calls' }).first().waitFor();
  });

  test('a search stays active while rows arrive', async () => {
    await someTraffic(here.mock);
    const page = await open('');
    await counted(page, 13);
    await press(page, '/');
    for (const [index, letter] of [...'op:list'].entries()) {
      await page.keyboard.type(letter);
      await call(here.mock, { path: '/v1/models' });
      await page.getByText(new RegExp(`of ${String(14 + index)}$`)).waitFor();
    }
    await page.getByText('9 of 20').waitFor();
  });

  test('a change that the mock refuses is not shown as made', async () => {
    const page = await open('catalogue?q=acme/echo');
    const state = page.getByLabel('State of acme/echo-1');
    await state.waitFor();
    here.allowFaults(/status of 500/);
    await page.route(/\/control\/v1\/models\//, (route) =>
      route.fulfill({ status: 500, body: '{"error":"not today"}' }),
    );
    await state.selectOption('trimmed');
    await page.getByText('not today').waitFor();
    expect(await state.inputValue()).toBe('listed');
  });

  test('text that is typed during a request stays in the field', async () => {
    const page = await open('catalogue?q=acme');
    const id = page.getByLabel('Id of a new model');
    await id.fill('acme/first');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/control\/v1\/models\//, async (route) => {
      await held;
      await route.continue();
    });
    await id.press('Enter');
    await id.fill('acme/second');
    release();
    await page.getByText('acme/first').waitFor();
    expect(await id.inputValue()).toBe('acme/second');
  });
});
