// @module-tag long
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { toolPath } from '../tools.ts';
import { freshFolder, root, run } from './command.ts';

/** A page that calls the API at another port, as pages do, and shows what comes of it. */
const page = (
  api: string,
): string => `<!doctype html><title>orders</title><p role="status"></p><script type="module">
  const answer = await fetch('${api}/v1/models/mock/ok', {
    method: 'POST',
    headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json', 'Idempotency-Key': 'order-1' },
    body: '{"prompt":"a notch"}',
  });
  document.querySelector('p').textContent = answer.status + ' ' + answer.headers.get('Idempotent-Replayed');
</script>`;

const specs = `
import { expect } from '@playwright/test';
import { withMock } from 'tallystick/playwright';
const test = withMock({ seed: 'a', speed: 0 });
for (let worker = 0; worker < 10; worker += 1)
  test('worker ' + worker, async ({ mock }) => {
    await mock.advance(worker * 1_000);
    await mock.force({ name: 'unavailable', times: 1 });
    const run = () => mock.fetch('/v1/models/mock/ok', {
      method: 'POST',
      headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json', 'Idempotency-Key': 'order-1' },
      body: '{"prompt":"a notch"}',
    });
    const statuses = [(await run()).status, (await run()).status];
    expect(statuses).toEqual([503, 200]);
    const calls = await mock.journal('op:runModel');
    expect(calls.map(({ at, replayed }) => [at, replayed])).toEqual(
      [1, 2].map(() => [Date.UTC(2026, 0, 5, 9) + worker * 1_000, false]),
    );
  });
for (const name of ['one', 'two'])
  test('a page, test ' + name, async ({ page, mock }) => {
    await page.goto('/');
    await expect(page.getByRole('status')).toHaveText('200 null');
    await page.reload();
    await expect(page.getByRole('status')).toHaveText('200 true');
    await mock.force({ name: 'unavailable' });
    await mock.reset();
    await page.reload();
    await expect(page.getByRole('status')).toHaveText('200 null');
    expect(await mock.journal()).toHaveLength(1);
  });
`;

test(
  'ten workers of Playwright share one mock, and no test sees the state of another',
  { tags: 'browser', timeout: 240_000 },
  async () => {
    const mock = await startMock();
    const site = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(page(mock.url));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const folder = await freshFolder();
    onTestFinished(async () => {
      site.close();
      await Promise.all([mock.stop(), rm(folder, { recursive: true })]);
    });
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules/tallystick'));
    await symlink(join(root, 'node_modules/@playwright'), join(folder, 'node_modules/@playwright'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'state.spec.js'), specs);
    const config = {
      workers: 10,
      fullyParallel: true,
      reporter: 'line',
      timeout: 120_000,
      use: {
        baseURL: `http://127.0.0.1:${String((site.address() as AddressInfo).port)}`,
        launchOptions: { executablePath: toolPath('browser'), args: ['--no-sandbox'] },
      },
    };
    await writeFile(join(folder, 'playwright.config.js'), `export default ${JSON.stringify(config)}`);
    const ended = await run(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'test'], {
      cwd: folder,
      environment: { TALLYSTICK_MOCK_CONTROL_URL: mock.controlUrl ?? '' },
    });
    expect(ended).toStrictEqual({
      code: 0,
      stdout: expect.stringContaining('12 passed') as string,
      stderr: '',
    });
    expect(mock.state().namespaces).toStrictEqual([]);
    expect(mock.journal.entries()).toStrictEqual([]);
  },
);
