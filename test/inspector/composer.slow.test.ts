// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { root } from '../cli/command.ts';
import { inspected } from './inspected.ts';
import { violations } from './open-page.ts';
import { run } from './traffic.ts';

describe('the inspector as a tool for states', { tags: 'browser' }, () => {
  const here = inspected();

  test('a request is written from the document, sent, and answered with reasons; the palette sets the next state', async () => {
    const page = await here.open('composer/router/runModel');
    await page.getByLabel('Path and query').fill('/v1/models/mock/ok');
    await page.getByLabel('Caller').fill('alice');
    await page.getByRole('button', { name: 'New key' }).click();
    const answer = page.getByRole('region', { name: 'Answer' });
    for (const replayed of [false, true]) {
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await answer.getByText('Why this answer').waitFor();
      await expect
        .poll(() => answer.getByText('idempotent-replayed', { exact: false }).count())
        .toBe(replayed ? 1 : 0);
      expect(await answer.locator('.status').textContent()).toBe('200');
    }
    expect(here.mock.journal.entries().map(({ caller }) => caller)).toStrictEqual(
      Array(2).fill(expect.stringContaining('alice')),
    );
    const unavailable = page.getByRole('button', { name: 'Unavailable' });
    await unavailable.click();
    await page.getByText('Undo').waitFor();
    await expect.poll(() => unavailable.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await answer.locator('.status', { hasText: '503' }).waitFor();
    await expect.poll(() => unavailable.getAttribute('aria-pressed')).toBe('false');
    for (const size of [
      { width: 1_280, height: 800 },
      { width: 390, height: 800 },
    ]) {
      await page.setViewportSize(size);
      expect(await violations(page)).toStrictEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
    }
  });

  test('a sample job starts with one press, and its stream is seen while it runs', async () => {
    const page = await here.open('jobs');
    await page.getByRole('button', { name: 'Start a sample job' }).click();
    await page.locator('.machine svg').waitFor();
    const id = (await page.locator('.job h2').textContent()) ?? '';
    await page.evaluate("location.hash = '#/composer/jobs/streamJobEvents'");
    const target = page.getByLabel('Path and query');
    await target.waitFor();
    await expect.poll(() => target.inputValue()).toContain('/events');
    await target.fill(`/api/v2/jobs/${id}/events`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const frames = page.locator('.frames li');
    await frames.first().waitFor();
    const before = await frames.count();
    await page.getByText('in progress').waitFor();
    await here.clock.advance('PT1M');
    await page.getByText('succeeded').first().waitFor();
    await expect.poll(() => frames.count()).toBeGreaterThan(before);
    await expect.poll(() => page.getByText('in progress').count()).toBe(0);
  });

  test('the journal keeps its targets readable beside an open call, with more rows than the window', async () => {
    for (let at = 0; at < 60; at += 1) await run(here.mock, 'mock/ok');
    const page = await here.open(`journal/${String(here.mock.journal.latest)}`);
    await page.locator('.exchange').waitFor();
    for (const width of [1_280, 1_440]) {
      await page.setViewportSize({ width, height: 800 });
      const place = async (selector: string): Promise<{ x: number; width: number }> => {
        const box = await page.locator(selector).first().boundingBox();
        return { x: box?.x ?? 0, width: box?.width ?? 0 };
      };
      const rows = await place('.rows');
      expect((await place('td.target')).width).toBeGreaterThan(140);
      const last = await place('td.notes');
      // No stripe: the last column ends where the list ends, but for a scrollbar.
      expect(rows.x + rows.width - (last.x + last.width)).toBeLessThan(20);
    }
  });

  test('the page is small: scripts and styles under 60 kB, compressed', () => {
    const folder = join(root, 'dist/inspector/assets');
    const bytes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });
});
