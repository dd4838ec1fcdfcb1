// @module-tag long
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import { root, run as runProgram } from '../cli/command.ts';
import { launch } from '../e2e/browser.ts';
import { freePort } from '../e2e/free-port.ts';
import { newContext, openPage, violations, type OpenPage } from './open-page.ts';
import { call, run, smallGraph, someTraffic } from './traffic.ts';

describe('the inspector in a browser', { tags: 'browser' }, () => {
  let chromium: Browser;
  let mock: RunningMock;
  let opened: OpenPage | undefined;
  let contexts: Record<'light' | 'dark', BrowserContext>;

  const start = (controlPort: number): Promise<RunningMock> =>
    startMock({ clock: virtualClock({ auto: false }), journalSize: 2_000, controlPort });

  beforeAll(async () => {
    chromium = await launch();
    contexts = { light: await newContext(chromium, 'light'), dark: await newContext(chromium, 'dark') };
    // A port that no other process gets by chance while the mock is stopped.
    mock = await start(await freePort());
  });
  beforeEach(() => {
    mock.reset();
  });
  afterEach(async () => {
    const faults = opened?.faults ?? [];
    await opened?.page.close();
    opened = undefined;
    expect(faults).toStrictEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    await mock.stop();
  });

  const open = async (
    hash = '',
    { theme = 'light', at = mock }: { theme?: 'light' | 'dark'; at?: RunningMock } = {},
  ): Promise<OpenPage['page']> => {
    opened = await openPage(contexts[theme], `${at.controlUrl ?? ''}/#/${hash}`);
    return opened.page;
  };

  const views = [
    ['Journal', 'journal', 'a[href^="#/journal/"]'],
    ['Exchange', 'journal/{fifth}', '.exchange .findings'],
    ['Composer', 'composer/router/runModel', '.editor textarea'],
    ['Idempotency', 'keys', 'text=claimed'],
    ['Jobs', 'jobs', '.machine svg'],
    ['Scenarios', 'scenarios?q=timeout', 'text=mock/provider-timeout'],
    ['Clock', 'clock', 'text=key order-1 expires'],
    ['Ledger', 'ledger', '.answer'],
    ['Catalogue', 'catalogue?q=acme', 'text=acme/easel-2.1-fast'],
    ['Reference', 'reference/A-08?q=A-08', '.facts-list .chosen'],
    ['Callers', 'callers', 'text=ok+alice'],
  ] as const;

  describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
    test('every view shows its purpose, in readable colours and words', async () => {
      const fifth = String(mock.journal.latest + 5);
      await someTraffic(mock);
      const page = await open('journal', { theme });
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(ground).toBe(theme === 'dark' ? 'rgb(18, 21, 20)' : 'rgb(244, 245, 243)');
      const found: string[] = [];
      for (const [title, hash, shown] of views) {
        await page.evaluate(`location.hash = '#/${hash.replace('{fifth}', fifth)}'`);
        await page.locator(shown).first().waitFor();
        found.push(...(await violations(page)).map((violation) => `${title}: ${violation}`));
      }
      expect(found).toStrictEqual([]);
    });

    test('before the first call, the page shows how to send one', { tags: 'curl' }, async () => {
      const page = await open('', { theme });
      await page.getByText('No calls yet').waitFor();
      expect(await violations(page)).toStrictEqual([]);
      const curl = (await page.getByLabel('A first call').textContent()) ?? '';
      const { stdout } = await runProgram('sh', ['-c', `${curl} -sS`]);
      expect(stdout).toMatch(/^HTTP\/1\.1 200/);
      await page.getByRole('link', { name: '/v1/models' }).first().click();
      await page.getByText('Why this answer').waitFor();
    });
  });

  test('the first call can be sent from the page', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.locator('.exchange .status', { hasText: '200' }).first().waitFor();
  });

  test('exchanges appear as they end, and wait while the journal is paused', async () => {
    const page = await open();
    await page.getByText('No calls yet').waitFor();
    await run(mock, 'mock/ok');
    await page.getByRole('link', { name: '/v1/models/mock/ok' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await run(mock, 'mock/unavailable');
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await page.getByRole('link', { name: '/v1/models/mock/unavailable' }).waitFor();
  });

  test('the journal answers searches', async () => {
    await someTraffic(mock);
    const page = await open();
    await page.getByLabel('Search the journal').fill('key:order-1 is:replayed');
    await page.getByText('1 of 13').waitFor();
    await page.getByLabel('Search the journal').fill('status:5xx');
    await expect
      .poll(() => page.locator('tbody a').allTextContents())
      .toStrictEqual(['/v1/models/mock/provider-timeout']);
    await page.getByLabel('Search the journal').fill('nothing like it');
    await page.getByText('No exchange matches this search.').waitFor();
  });

  test('router.idem.mismatch-409: an answer is explained by rules with their citation and by open points', async () => {
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1', body: { prompt: 'another' } });
    const [, conflict] = mock.journal.entries();
    const page = await open(`journal/${String(conflict?.number)}`);
    const exchange = page.getByRole('complementary');
    await exchange.getByRole('link', { name: 'router.idem.mismatch-409' }).waitFor();
    await exchange.getByText(/document 1, Idempotency key handling/).waitFor();
    await exchange.getByText('assumed A-08').first().waitFor();
    await expect.poll(() => exchange.locator('.attempts li').count()).toBe(2);
  });

  test('the faults of a request are marked at their places', async () => {
    await run(mock, 'acme/easel-2.1', { body: { prompt: 'x', steps: 0, size: 'no size' } });
    await call(mock, { path: '/v1/models?limit=abc' });
    const page = await open('journal');
    await page.getByRole('link', { name: '/v1/models/acme/easel-2.1' }).click();
    await page.locator('.line.marked').first().waitFor();
    await expect.poll(() => page.locator('.line.marked').allTextContents()).toContain('"steps": 0,\n');
    await page.getByRole('link', { name: '/v1/models?limit=abc' }).click();
    await page.locator('.pairs .marked', { hasText: 'abc' }).waitFor();
  });

  test('router.idem.replay: a call can be sent again with its key, and with a new one', async () => {
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open(`journal/${String(mock.journal.entries().at(-1)?.number)}`);
    await page.getByRole('button', { name: 'Send again, same key' }).click();
    await page.locator('.exchange > .badges', { hasText: 'replayed' }).waitFor();
    await page.getByRole('button', { name: 'Send again, new key' }).click();
    await page.locator('.exchange > .badges', { hasText: 'billed' }).waitFor();
    expect(mock.dispatches()).toStrictEqual({ 'mock/ok': 2 });
  });

  test('a call can be copied as curl, and runs', { tags: 'curl' }, async () => {
    await run(mock, 'mock/ok', { key: 'service-mock-ok+alice' });
    const page = await open(`journal/${String(mock.journal.entries().at(-1)?.number)}`);
    await page.getByRole('button', { name: 'curl' }).click();
    await page.getByText('Copied: curl').waitFor();
    const curl = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect((await runProgram('sh', ['-c', `${curl} -sS`])).stdout).toMatch(/^HTTP\/1\.1 200/);
    expect(mock.journal.entries().at(-1)?.caller).toBe('key ok+alice');
  });

  test('every control can be reached by keyboard', async () => {
    await someTraffic(mock);
    const page = await open();
    await page.locator('tbody a').first().waitFor();
    const { keyboard } = page;
    await keyboard.press('/');
    await keyboard.type('op:runModel');
    await page.getByText('8 of 13').waitFor();
    await keyboard.press('Escape');
    await keyboard.press('j');
    await keyboard.press('j');
    await page.getByRole('heading', { name: /drops-connection/ }).waitFor();
    await keyboard.press('k');
    await page.getByRole('heading', { name: '402 POST /v1/models/mock/ok' }).waitFor();
    await keyboard.press('Escape');
    await page.locator('.exchange').waitFor({ state: 'detached' });
    await keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await violations(page)).toStrictEqual([]);
    await keyboard.press('Escape');
    await keyboard.press('7');
    await page.getByRole('heading', { name: 'Ledger' }).waitFor();
  });

  test('two keys in quick succession both have their effect', async () => {
    await someTraffic(mock);
    const page = await open();
    await page.locator('tbody a').first().waitFor();
    await page.evaluate(
      "for (const key of ['j', 'j', 'j']) dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))",
    );
    const third = mock.journal.entries().at(-3);
    await page.getByRole('heading', { name: `${String(third?.status)} POST` }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/journal/${String(third?.number)}`);
  });

  test('of two thousand rows only the visible ones are drawn, and each can be reached', async () => {
    const keyed = { headers: { 'X-API-Key': 'service-mock-ok' } };
    for (let count = 0; count < 2_000; count += 1)
      await mock.fetch(new Request(`${mock.url}/v1/models?limit=${String(count)}`, keyed));
    const page = await open();
    await page.getByText('2000', { exact: true }).first().waitFor();
    const oldest = mock.journal.entries()[0]?.number ?? 0;
    const newest = page.getByRole('link', { name: '/v1/models?limit=1999', exact: true });
    await newest.waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    await page.getByLabel('Exchanges').press('End');
    await page.locator(`a[href="#/journal/${String(oldest)}"]`).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    await run(mock, 'mock/ok');
    await page.getByLabel('Search the journal').fill('limit=77 -limit=777');
    await page.getByText('10 of 2000').waitFor();
  });

  test('every part of a request is shown as text on the page', { tags: 'attack' }, async () => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await run(mock, 'mock/ok', { idempotencyKey: evil, body: { prompt: evil, [evil]: evil } });
    await call(mock, { path: `/v1/models?cursor=${encodeURIComponent(evil)}&${evil.replaceAll(' ', '+')}` });
    const page = await open(`journal/${String(mock.journal.entries()[0]?.number)}`);
    await page.locator('.exchange .json-string', { hasText: '<img src=x' }).first().waitFor();
    for (const view of ['keys', 'ledger', 'clock', 'journal']) {
      await page.evaluate(`location.hash = '#/${view}'`);
      await page
        .getByText(/<img src=x|cursor=/)
        .first()
        .waitFor();
      expect(await page.locator('#inspector img, #inspector script').count()).toBe(0);
    }
  });

  test('a scenario applies to the next call', async () => {
    await run(mock, 'mock/ok');
    const page = await open('scenarios?q=unavailable');
    await page.getByRole('button', { name: 'Next call' }).first().click();
    await page.getByText('1 of 1 left').waitFor();
    expect(await run(mock, 'mock/ok')).toBe(503);
    expect(await run(mock, 'mock/ok')).toBe(200);
    await page.getByRole('heading', { name: 'Active' }).waitFor({ state: 'detached' });
  });

  test('router.idem.record-24h: a day on the clock ends the record of a key', async () => {
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open('clock');
    await page.getByText('key order-1 expires').waitFor();
    await page.getByRole('button', { name: '+24 h' }).click();
    await page.getByText('Nothing is scheduled.').waitFor();
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    expect(mock.dispatches()).toStrictEqual({ 'mock/ok': 2 });
  });

  test('a key can be forgotten before its time', async () => {
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open('keys');
    await page.getByRole('button', { name: 'Expire now' }).click();
    await page.getByText('expired').waitFor();
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByText('Forgotten: order-1.').waitFor();
    await page.getByRole('button', { name: 'Forget', exact: true }).waitFor({ state: 'detached' });
  });

  test('jobs.state.success: a job can be led to its end, and the picture shows the way', async () => {
    await call(mock, { path: '/api/v2/jobs', body: smallGraph });
    const page = await open('jobs');
    await page.getByRole('img', { name: 'State machine: the job is queued' }).waitFor();
    await page.getByRole('button', { name: 'Next step' }).click();
    await page.getByRole('img', { name: 'State machine: the job is running, after queued' }).waitFor();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Succeed' }).click();
    await page.getByRole('img', { name: /the job is succeeded, after queued, running/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Fail' }).isDisabled()).toBe(true);
  });

  test('the ledger says whether a retry is charged twice', async () => {
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    await run(mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open('ledger');
    await page.getByRole('heading', { name: 'No: no run is charged more than once' }).waitFor();
    await run(mock, 'mock/ok');
    await run(mock, 'mock/ok');
    await page.getByRole('heading', { name: 'Yes: 1 run is charged more than once' }).waitFor();
  });

  test('router.list.unreleased-excluded: a model can be hidden without losing what it does', async () => {
    const page = await open('catalogue?q=mock/unavailable');
    const state = page.getByLabel('State of mock/unavailable');
    await state.selectOption('unreleased');
    await expect.poll(() => run(mock, 'mock/unavailable')).toBe(404);
    await state.selectOption('listed');
    await expect.poll(() => run(mock, 'mock/unavailable')).toBe(503);
  });

  test("the page of a user's own document shows its resources without an error", async () => {
    const document = join(root, 'test/fixtures/documents/library.yaml');
    const loaded = await loadContract({ document });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    const foreign = await startMock({ contracts: [loaded.contract] });
    try {
      const page = await open('', { at: foreign });
      await page.getByText('No calls yet').waitFor();
      for (const [view, words] of [
        ['jobs', 'This mock does not serve workflow jobs.'],
        ['catalogue', 'This mock does not serve models.'],
        ['keys', 'This mock does not serve idempotency keys.'],
        ['ledger', 'No model runs yet.'],
        ['reference', loaded.contract.title],
      ] as const) {
        await page.evaluate(`location.hash = '#/${view}'`);
        await page.getByText(words).first().waitFor();
      }
    } finally {
      await opened?.page.close();
      await foreign.stop();
    }
  });

  test('a mock that starts again is followed without a reload', async () => {
    const port = Number(new URL(mock.controlUrl ?? '').port);
    await run(mock, 'mock/ok');
    const page = await open();
    await page.getByRole('link', { name: '/v1/models/mock/ok' }).waitFor();
    await mock.stop();
    mock = await start(port);
    await page.getByText('No calls yet').waitFor();
    await run(mock, 'mock/unavailable');
    await page.getByRole('link', { name: '/v1/models/mock/unavailable' }).waitFor();
    // That the mock was away is the browser's to say.
    if (opened !== undefined)
      opened = { page, faults: opened.faults.filter((fault) => !fault.includes('net::ERR_')) };
  });
});
