// @module-tag long
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClockShape } from '../../mock/control/steering-shape.ts';
import type { ControlState, JournalPage } from '../../mock/control/shape.ts';
import type { JournalEntry } from '../../mock/journal/journal.ts';
import { startMock } from '../../mock/index.ts';
import { ended, root, run, start } from '../cli/command.ts';
import { launch } from './browser.ts';
import { linkedProject } from './linked-project.ts';

describe('frontend-with-mock', { tags: 'browser' }, () => {
  let cwd: string;
  let inspector: string;
  let mockUrl: string;
  let server: ChildProcess;
  let site: string;
  let chromium: Browser;
  let page: Page;
  let palette: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    cwd = await linkedProject(join(root, 'examples/frontend-with-mock/project'));
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
    palette = await chromium.newPage();
    await palette.goto(`${inspector}/#/scenarios`);
  }, 180_000);
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

  /** The page with a mock on another origin. */
  const direct = (url: string): string => `/?api=${encodeURIComponent(url)}&key=service-mock-ok`;

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
    ['from another origin', () => direct(mockUrl)],
  ])('%s the page distinguishes the outcomes', async (_how, query) => {
    await open(query());
    expect(await runModel('mock/ok')).toStrictEqual(['200', 'A picture.']);
    const outcome = async (model: string): Promise<string | undefined> => (await runModel(model)).at(-1);
    expect(await outcome('mock/provider-timeout')).toBe('The partner did not answer. You were charged.');
    expect(await outcome('mock/policy-refused-billed')).toBe('The partner refuses this picture.');
    expect(await outcome('mock/unknown-bucket')).toBe('Something went wrong: InternalError');
    await force('no-credits');
    expect(await outcome('mock/ok')).toBe('You are out of credits.');
  });

  test('router.idem.charged-once: two presses cause one run', async () => {
    await open();
    await page.evaluate(
      "for (let times = 0; times < 2; times += 1) document.querySelector('#run').requestSubmit()",
    );
    await page.getByText('A picture.').waitFor();
    expect((await journal()).filter(({ operation }) => operation === 'runModel')).toHaveLength(1);
  });

  /** Presses a state of the palette, which the next call shows. */
  const press = async (state: string): Promise<void> => {
    const button = palette.getByRole('group', { name: 'Outcome of the next call' }).getByRole('button', {
      name: state,
      exact: true,
    });
    await button.click();
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  };

  // How often a browser sends a call again by itself, over a connection that it had open, is its own affair.
  test('each state of the palette that a run can show is shown, and charged once at most', async () => {
    await open();
    for (const [state, outcome, charged] of [
      ['Offline', 'A picture.', 1],
      ['Half-loaded', 'The picture was generated but got lost in transit. It cannot be retrieved.', 1],
      ['Refused', 'Something went wrong: ForbiddenError', 0],
      ['No credits', 'You are out of credits.', 0],
      ['Rate-limited', 'A picture.', 1],
      ['Unavailable', 'A picture.', 1],
      ['Server error', 'A picture.', 1],
      ['Charged twice?', 'A picture.', 1],
    ] as const) {
      await control('POST', 'reset');
      await press(state);
      expect.soft((await runModel('mock/ok')).at(-1), state).toBe(outcome);
      const runs = (await journal()).filter(({ operation }) => operation === 'runModel');
      expect
        .soft(
          runs.some(({ scenario }) => scenario !== undefined),
          state,
        )
        .toBe(true);
      expect.soft(runs.filter(({ billed }) => billed === true).length, state).toBe(charged);
    }
  });

  test('of the palette, Slow: the page shows that it waits', async () => {
    await open();
    await control('POST', 'clock', { speed: 0 });
    await press('Slow');
    const outcome = runModel('mock/ok');
    await expect
      .poll(() => control<ClockShape>('GET', 'clock'))
      .toMatchObject({
        nextWake: expect.any(Number) as number,
      });
    expect(await page.locator('#outcome').textContent()).toBe('Running …');
    await control('POST', 'clock', { advance: 'PT3S' });
    await control('POST', 'clock', { speed: 1 });
    expect(await outcome).toStrictEqual(['200', 'A picture.']);
  });

  test('of the palette, Half-loaded: a list that breaks off is read again', async () => {
    await press('Half-loaded');
    await open();
    expect(await page.getByRole('combobox', { name: 'Model' }).locator('option').count()).toBeGreaterThan(50);
  });

  test('each state of the palette that a job can show is shown', async () => {
    await open();
    for (const [state, end] of [
      ['Failed job', /^failed, 0 outputs$/],
      ['Queue full', /^succeeded, \d+ outputs$/],
      ['Stream breaks', /^succeeded, \d+ outputs$/],
    ] as const) {
      await control('POST', 'reset');
      await press(state);
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.locator('#result').getByText(end).waitFor();
      const { entries } = await control<JournalPage>('GET', 'journal');
      expect
        .soft(
          entries.some(({ scenario }) => scenario !== undefined),
          state,
        )
        .toBe(true);
      await page.getByRole('button', { name: 'Submit', disabled: false }).waitFor();
    }
  });

  const publish = async (version: string): Promise<void> => {
    await page.getByLabel('Version', { exact: true }).fill(version);
    await page.getByLabel('Token', { exact: true }).fill('pat-mock-ok');
    await page.getByLabel('Archive', { exact: true }).setInputFiles({
      ...{ name: 'node.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\u0005\u0006 an archive') },
    });
    await page.getByRole('button', { name: 'Publish' }).click();
  };

  test('the page contains no key, and sends none', async () => {
    const built = join(cwd, 'dist');
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:html|js|css|map)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((name) => /service-mock-/.test(readFileSync(join(built, name), 'utf8')))).toEqual([]);
    const credentials: string[] = [];
    await open();
    page.on('request', (request) => {
      const sent = Object.keys(request.headers());
      credentials.push(...sent.filter((name) => /^(?:authorization|x-api-key|cookie)$/i.test(name)));
    });
    expect(await runModel('mock/ok')).toStrictEqual(['200', 'A picture.']);
    await publish('1.0.0');
    await page.getByText('Published, 15 bytes.').waitFor();
    expect(credentials).toStrictEqual([]);
  });

  test('of the palette, Expired upload: the page says so, and another version is uploaded', async () => {
    await open();
    await press('Expired upload');
    await publish('1.0.0');
    await page.getByText('The address of the archive has expired.').waitFor();
    await control('POST', 'scenarios', { name: 'cut-before', after: 1 });
    await publish('1.0.1');
    await page.getByText('Published, 15 bytes.').waitFor();
    type Registry = { nodes: { versions: { version: string; archive: object | null }[] }[] };
    const { nodes } = await control<Registry>('GET', 'registry');
    const versions = nodes
      .flatMap((node) => node.versions)
      .filter(({ version }) => version.startsWith('1.0.'));
    expect(versions).toMatchObject([
      { version: '1.0.0', archive: null },
      { version: '1.0.1', archive: { size: 15 } },
    ]);
  });

  test('of the palette, Broken upload: the page uploads the archive again, and it is stored once', async () => {
    await open();
    await press('Broken upload');
    await publish('1.0.2');
    await page.getByText('Published, 15 bytes.').waitFor();
    const uploads = (await journal()).filter(({ method }) => method === 'PUT');
    expect(uploads.map(({ delivery }) => delivery)).toStrictEqual(['dropped', 'delivered']);
  });

  test('over https, from another origin, the page lists, runs, follows and uploads', async () => {
    const mock = await startMock({ https: true });
    try {
      page = await chromium.newPage({ ignoreHTTPSErrors: true });
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${site}${direct(mock.url)}`);
      await page.locator('body[data-ready]').waitFor();
      expect(await runModel('mock/ok')).toStrictEqual(['200', 'A picture.']);
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText(/^succeeded, \d+ outputs$/).waitFor();
      await publish('1.0.0');
      await page.getByText('Published, 15 bytes.').waitFor();
    } finally {
      await mock.stop();
    }
  });

  test('without a mock the page says what is missing', async () => {
    await open(direct('http://127.0.0.1:9'));
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
