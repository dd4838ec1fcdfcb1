// @module-tag long
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ControlState, JournalPage } from '../../mock/control/shape.ts';
import type { JournalEntry } from '../../mock/journal/journal.ts';
import { ended, root, run, start } from '../cli/command.ts';
import { launch } from './browser.ts';
import { linkedProject } from './linked-project.ts';

describe('frontend-with-mock', { tags: 'browser' }, () => {
  let inspector: string;
  let mockUrl: string;
  let server: ChildProcess;
  let site: string;
  let chromium: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    const cwd = await linkedProject(join(root, 'examples/frontend-with-mock/project'));
    for (const script of ['generate', 'build']) {
      const { code, stdout, stderr } = await run('npm', ['run', '--silent', script], { cwd });
      expect(code, `${script}\n${stdout}\n${stderr}`).toBe(0);
    }
    const vite = join(cwd, 'node_modules/.bin/vite');
    server = start(vite, ['preview', '--host', '127.0.0.1', '--port', '0'], {
      cwd,
      environment: { NO_COLOR: '1' },
    });
    [site, inspector] = await addressesOf(server);
    ({ url: mockUrl } = await control<ControlState>('GET', 'state'));
    chromium = await launch();
  });
  beforeEach(async () => {
    await control('POST', 'reset');
    faults.length = 0;
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toStrictEqual([]);
  });
  afterAll(async () => {
    await chromium.close();
    const end = ended(server);
    server.kill();
    await end;
  });

  const open = async (query = ''): Promise<void> => {
    page = await chromium.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${site}${query}`);
    await page.locator('body[data-ready]').waitFor();
  };

  const control = async <Shape>(method: string, path: string, body?: object): Promise<Shape> => {
    const response = await fetch(`${inspector}/control/v1/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as Shape;
  };

  /** Lets a scenario meet the next call. */
  const force = (name: string): Promise<unknown> => control('POST', 'scenarios', { name });

  const journal = async (): Promise<readonly JournalEntry[]> =>
    (await control<JournalPage>('GET', 'journal')).entries;

  const runModel = async (model: string): Promise<readonly string[]> => {
    await page.getByRole('combobox', { name: 'Model' }).selectOption(model);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('#outcome:not(:text("Running"))').waitFor();
    const attempts = await page.getByLabel('Attempts').getByRole('listitem').allTextContents();
    return [...attempts, (await page.locator('#outcome').textContent()) ?? ''];
  };

  test('the page lists every model, over as many pages as there are', async () => {
    await open();
    const count = await page.getByRole('combobox', { name: 'Model' }).locator('option').count();
    expect(count).toBeGreaterThan(50);
    const pages = (await journal()).filter(({ operation }) => operation === 'listModels');
    expect(pages.length).toBeGreaterThan(1);
  });

  test('router.idem.release-5xx, router.idem.charged-once: a run is sent again with its key, and is charged once', async () => {
    await open();
    await force('unavailable');
    expect(await runModel('acme/easel-2.1')).toStrictEqual(['503', '200, same key', 'A picture.']);
    const billed = (await journal()).filter((entry) => entry.billed === true);
    expect(billed).toHaveLength(1);
  });

  test.each([
    ['through its own server', () => ''],
    ['from another origin', () => `/?api=${encodeURIComponent(mockUrl)}`],
  ])('%s the page tells one outcome from the other', async (_how, query) => {
    await open(query());
    expect(await runModel('mock/ok')).toStrictEqual(['200', 'A picture.']);
    const outcome = async (model: string): Promise<string | undefined> => (await runModel(model)).at(-1);
    expect(await outcome('mock/provider-timeout')).toBe('The partner did not answer. You were charged.');
    expect(await outcome('mock/policy-refused-billed')).toBe('The partner refuses this picture.');
    expect(await outcome('mock/unknown-bucket')).toBe('Something went wrong: InternalError');
    await force('no-credits');
    expect(await outcome('mock/ok')).toBe('You are out of credits.');
  });

  test('router.idem.charged-once: whoever presses twice runs once', async () => {
    await open();
    await page.evaluate(
      "for (let times = 0; times < 2; times += 1) document.querySelector('#run').requestSubmit()",
    );
    await page.getByText('A picture.').waitFor();
    expect((await journal()).filter(({ operation }) => operation === 'runModel')).toHaveLength(1);
  });

  test('without a mock the page says what is missing', async () => {
    await open(`/?api=${encodeURIComponent('http://127.0.0.1:9')}`);
    await page.getByText('Does the mock run?').waitFor();
  });

  test('jobs.sse.ends-after-terminal: a job is followed live to its end', async () => {
    await open();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText(/^succeeded, \d+ outputs$/).waitFor();
    expect(await page.getByLabel('States').getByRole('listitem').allTextContents()).toStrictEqual([
      'queued',
      'running',
      'succeeded',
    ]);
    expect((await journal()).some(({ operation }) => operation === 'streamJobEvents')).toBe(true);
  });

  test('jobs.cancel.eventually-canceled: a job that runs can be cancelled', async () => {
    await open();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByLabel('States').getByText('running').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/^canceled, /).waitFor();
  });
});

/** The addresses that a development server prints: of the page, and of the inspector. */
function addressesOf(server: ChildProcess): Promise<readonly [site: string, inspector: string]> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: string): void => {
      said += text;
      const [site, inspector] = said.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
      if (site !== undefined && inspector !== undefined) resolve([site, inspector]);
    };
    server.stdout?.setEncoding('utf8').on('data', hear);
    server.stderr?.setEncoding('utf8').on('data', hear);
    server.once('exit', (code) => reject(new Error(`the server ended with ${String(code)}: ${said}`)));
  });
}
