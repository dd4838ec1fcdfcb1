// @module-tag long
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspected } from './inspected.ts';
import { violations } from './open-page.ts';
import { call, run, smallGraph, someTraffic } from './traffic.ts';

describe('the inspector, of what is still to come and what was', { tags: 'browser' }, () => {
  const here = inspected();
  const { open } = here;

  test('a call without an answer is a row that becomes an exchange where it stands', async () => {
    const answer = run(here.mock, 'mock/slow', { idempotencyKey: 'order-1' });
    const page = await open('');
    const row = page.locator('tbody tr', { hasText: '/v1/models/mock/slow' });
    await row.getByText('in progress').waitFor();
    await row.getByText('order-1').waitFor();
    await row.getByText(/^\d+ s/).waitFor();
    await row.getByRole('link').click();
    const detail = page.getByRole('complementary', { name: 'Exchange in progress' });
    await detail.getByText('Decisions so far').waitFor();
    await detail.getByText(/in progress for \d+ s/).waitFor();
    expect(await violations(page)).toStrictEqual([]);
    await here.clock.advance(1_000);
    expect(await answer).toBe(200);
    await page.getByRole('heading', { name: '200 POST /v1/models/mock/slow' }).waitFor();
    await page.getByText('Why this answer').waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/journal/${String(here.mock.journal.latest)}`);
    await row.getByText('billed').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  test.each([
    ['beside an open call', 1_280, true],
    ['beside an open call, on a wide screen', 1_800, true],
    ['alone', 1_280, false],
    ['alone, where some columns are hidden', 1_000, false],
  ])('the columns of the journal fill it, however many rows there are: %s', async (_where, width, isOpen) => {
    const columns = async (rows: number): Promise<unknown> => {
      const page = await open(isOpen ? `journal/${String(here.mock.journal.latest)}` : 'journal', {
        width,
        height: 800,
      });
      await page.locator('.rail .count', { hasText: new RegExp(`^${String(rows)}$`) }).waitFor();
      await page.locator('tbody a').first().waitFor();
      const gaps = await page.locator('tbody tr[aria-hidden]').count();
      const measured = (await page.evaluate(`(() => {
        const shown = [...document.querySelectorAll('.rows th')].filter((cell) => cell.offsetWidth > 0);
        return {
          widths: shown.map((cell) => cell.offsetWidth),
          rest: Math.abs(document.querySelector('.rows table').getBoundingClientRect().right - shown.at(-1).getBoundingClientRect().right) < 1,
        };
      })()`)) as { readonly widths: readonly number[]; readonly rest: boolean };
      expect(measured.rest).toBe(true);
      expect(gaps > 0).toBe(rows > 50);
      return measured.widths;
    };
    await run(here.mock, 'mock/ok');
    const few = await columns(1);
    for (let count = 1; count < 60; count += 1) await run(here.mock, 'mock/ok');
    expect(await columns(60)).toStrictEqual(few);
  });

  test('a call that begins while the page is open appears, can be searched and ends like the others', async () => {
    await run(here.mock, 'mock/ok');
    const page = await open('journal?q=model:mock/slow');
    await page.getByText('0 of 1', { exact: true }).waitFor();
    const answer = run(here.mock, 'mock/slow');
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await page.getByText('in progress').waitFor();
    await here.clock.advance(1_000);
    await answer;
    await page.getByText('in progress').waitFor({ state: 'detached' });
    await page.getByText('1 of 2', { exact: true }).waitFor();
  });

  test('an open stream is shown as in progress with its status until it ends', async () => {
    await call(here.mock, { path: '/api/v2/jobs', body: smallGraph });
    const { id } = JSON.parse(here.mock.journal.entries().at(-1)?.response.body ?? '') as {
      readonly id: string;
    };
    const page = await open('');
    await page.getByRole('link', { name: '/api/v2/jobs' }).waitFor();
    const reader = new AbortController();
    await fetch(`${here.mock.url}/api/v2/jobs/${id}/events`, {
      headers: { Authorization: 'Bearer service-mock-ok' },
      signal: reader.signal,
    });
    const row = page.locator('tbody tr', { hasText: '/events' });
    await row.getByText('in progress').waitFor();
    await row.getByText('200').waitFor();
    reader.abort();
    await row.getByText('short').waitFor();
    await row.getByText('in progress').waitFor({ state: 'detached' });
  });

  test('a snapshot restores the state, can be exported as a file, and its deletion can be undone', async () => {
    await run(here.mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open('snapshots');
    await page.getByText('No snapshots yet.').waitFor();
    await page.getByLabel('Name of the snapshot').fill('one-run');
    await page.getByLabel('Name of the snapshot').press('Enter');
    const row = page.getByRole('row', { name: /one-run/ });
    await row.waitFor();
    expect(await violations(page)).toStrictEqual([]);

    await run(here.mock, 'mock/ok', { idempotencyKey: 'order-2' });
    await here.clock.advance(60_000);
    const then = here.clock.now();
    await row.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Restored: one-run').waitFor();
    expect(here.clock.now()).toBe(then - 60_000);
    await page.getByRole('link', { name: 'Idempotency' }).click();
    await page.getByText('order-1').waitFor();
    expect(await page.getByText('order-2').count()).toBe(0);

    await page.getByRole('link', { name: 'Snapshots' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('link', { name: 'Export' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('one-run.json');
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    const content = readFileSync(await file.path());
    const chooser = page.getByLabel('Snapshot file');
    await chooser.setInputFiles({ name: 'demo (1).json', mimeType: 'application/json', buffer: content });
    await page.getByRole('row', { name: /demo-1/ }).waitFor();
    here.allowFaults(/status of 400/);
    await chooser.setInputFiles({
      name: 'other.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{}'),
    });
    await page.getByText(/not a snapshot of a mock/).waitFor();
    await chooser.setInputFiles({ name: 'text.json', mimeType: 'text/plain', buffer: Buffer.from('no') });
    await page.getByText('text.json is not JSON.').waitFor();
    for (const { name } of here.mock.snapshots.list()) here.mock.snapshots.remove(name);
  });

  test('a deletion of keys, scenarios or calls can be undone', async () => {
    await run(here.mock, 'mock/ok', { idempotencyKey: 'order-1' });
    const page = await open('keys');
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.getByText('order-1').first().waitFor();
    await page.getByRole('button', { name: 'Forget all' }).click();
    await page.getByText('Forgotten: 1 keys.').waitFor();
    await undo.click();
    await page.getByText('order-1').first().waitFor();
    await run(here.mock, 'mock/ok', { idempotencyKey: 'order-1' });
    expect(here.mock.journal.entries().map(({ replayed }) => replayed)).toStrictEqual([false, true]);

    here.mock.scenarios.force({ name: 'unavailable', times: 3 });
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await page.getByRole('button', { name: 'Stop all' }).click();
    await page.getByText('Stopped: unavailable.').waitFor();
    expect(here.mock.scenarios.forced()).toStrictEqual([]);
    await undo.click();
    await expect.poll(() => here.mock.scenarios.forced()).toMatchObject([{ name: 'unavailable', times: 3 }]);

    const calls = here.mock.journal.entries().map(({ number }) => number);
    await page.getByRole('link', { name: /Journal/ }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('The journal is empty.').waitFor();
    expect(here.mock.journal.entries()).toStrictEqual([]);
    await undo.click();
    await page
      .locator(`a[href="#/journal/${String(calls[0])}"]`)
      .first()
      .waitFor();
    expect(here.mock.journal.entries().map(({ number }) => number)).toStrictEqual(calls);
  });

  test('a namespace can be selected and shows only its own calls', async () => {
    const control = `${here.mock.controlUrl ?? ''}/control/v1/namespaces/worker-1`;
    const named = (method: string): Promise<Response> =>
      fetch(control, { method, headers: { 'Content-Type': 'application/json' } });
    await named('PUT');
    const page = await open('journal');
    await fetch(`${here.mock.url}/v1/models?limit=7`, {
      headers: { 'X-API-Key': 'service-mock-ok', 'Tallystick-Namespace': 'worker-1' },
    });
    await page.getByText('No calls yet').waitFor();
    await page.getByLabel('Namespace').selectOption('worker-1');
    await page.getByRole('link', { name: '/v1/models?limit=7', exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe('Journal · worker-1 · tallystick mock');
    expect(await violations(page)).toStrictEqual([]);
    await page.getByLabel('Namespace').selectOption('none');
    await page.getByText('No calls yet').waitFor();
    await named('DELETE');
  });

  test('the duration of a scenario can be chosen, and is part of the copied text', async () => {
    const page = await open('scenarios?q=latency');
    await page.getByLabel('Milliseconds of latency').fill('250');
    await page.getByRole('button', { name: 'Prefer', exact: true }).click();
    await page.getByText('Copied: Prefer').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Prefer: scenario=latency;ms=250');
    await page.getByRole('button', { name: 'Next call' }).click();
    await page.getByText('1 of 1 left, for every caller, 250 ms').waitFor();
    expect(here.mock.scenarios.forced()).toMatchObject([{ name: 'latency', ms: 250, times: 1 }]);
    await page.getByLabel('Search the scenarios').fill('unavailable');
    await page.getByText('mock/unavailable').waitFor();
    expect(await page.getByLabel(/^Milliseconds of/).count()).toBe(0);
  });

  test('the name of a caller links to the calls of this caller only', async () => {
    await run(here.mock, 'mock/ok');
    await run(here.mock, 'mock/ok', { key: 'service-mock-ok+alice' });
    const page = await open('callers');
    await page.getByRole('link', { name: 'ok', exact: true }).click();
    await page.getByText('1 of 2', { exact: true }).waitFor();
  });

  test('an invalid document is reported until it is fixed', async () => {
    const page = await open('callers');
    await page.getByText('No callers yet.').waitFor();
    const documents = ['library.yaml'];
    here.mock.reloads.tell({ ok: false, documents, problems: ['library.yaml:3:1 is no mapping'] });
    await page.getByText('invalid document').click();
    await page.getByText('library.yaml:3:1 is no mapping').waitFor();
    expect(await violations(page)).toStrictEqual([]);
    here.mock.reloads.tell({ ok: true, documents, problems: [] });
    await page.getByText('invalid document').waitFor({ state: 'detached' });
  });

  const views = [
    ['journal', '/v1/models?limit=3'],
    ['journal/{fifth}', 'Why this answer'],
    ['keys', 'order-1'],
    ['jobs', 'Next step'],
    ['scenarios?q=timeout', 'mock/provider-timeout-collectable'],
    ['clock', 'Scheduled events'],
    ['ledger', 'By caller'],
    ['catalogue?q=acme', 'acme/easel-2.1-fast'],
    ['reference/A-08?q=A-08', 'A-08'],
    ['callers', 'ok+alice'],
    ['snapshots', 'No snapshots yet.'],
  ] as const;

  test.each([
    ['a phone', { width: 390, height: 844 }, violations],
    ['an enlarged page', { width: 640, height: 400 }, () => Promise.resolve([])],
  ] as const)('on %s every view fits, and everybody can read it', async (_name, size, violationsOf) => {
    const fifth = String(here.mock.journal.latest + 5);
    await someTraffic(here.mock);
    await run(here.mock, 'mock/ok', {
      idempotencyKey: 'a-key-that-is-as-long-as-some-are-0123456789-0123456789',
    });
    const page = await open('', size);
    const found: string[] = [];
    for (const [hash, shown] of views) {
      await page.evaluate(`location.hash = '#/${hash.replace('{fifth}', fifth)}'`);
      await page.getByText(shown).first().waitFor();
      found.push(...(await violationsOf(page)).map((violation) => `${hash}: ${violation}`));
      const sideways = await page.evaluate(
        `[document.documentElement, ...document.querySelectorAll('.scroll, .rows, .exchange, .job')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ className, tagName }) => className || tagName)`,
      );
      found.push(...(sideways as string[]).map((place) => `${hash}: ${place} has to be moved sideways`));
    }
    expect(found).toStrictEqual([]);
  });
});
