// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createServer } from 'vite';
import { viteConfig } from '../../mock/inspector/proxy-snippet.ts';
import { startMock } from '../../mock/index.ts';
import type { ControlState } from '../../mock/control/shape.ts';
import { freshFolder } from '../cli/command.ts';

test('the configuration that the page offers passes the calls of a page on, with a credential', async () => {
  const mock = await startMock();
  try {
    const { apis } = (await (
      await fetch(`${mock.controlUrl ?? ''}/control/v1/state`)
    ).json()) as ControlState;
    const statuses = await through(viteConfig(apis, mock.url), async (site) => {
      const submit = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"workflow":{"1":{"class_type":"WriteText","inputs":{"text":"a notch"}}}}',
      };
      const [list, job, nodes] = [
        await fetch(`${site}/v1/models`),
        await fetch(`${site}/api/v2/jobs`, submit),
        await fetch(`${site}/publishers/acme/nodes/none/versions`, { method: 'POST' }),
      ];
      return [list.status, job.status, nodes.status];
    });
    expect(statuses.slice(0, 2)).toStrictEqual([200, 201]);
    expect(mock.journal.entries().map(({ operation }) => operation)).toStrictEqual([
      'listModels',
      'submitJob',
      'publishNodeVersion',
    ]);
  } finally {
    await mock.stop();
  }
});

// --- internal ---

async function through<Value>(config: string, calls: (site: string) => Promise<Value>): Promise<Value> {
  const folder = await freshFolder();
  await writeFile(join(folder, 'vite.config.ts'), config);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const server = await createServer({
    ...{ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'error' },
    ...{ server: { port: 0, host: '127.0.0.1' } },
  });
  try {
    await server.listen();
    return await calls((server.resolvedUrls?.local[0] ?? '').replace(/\/$/, ''));
  } finally {
    await server.close();
  }
}
