// @module-tag long
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { freePort } from '../e2e/free-port.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Prism's own server on one of our documents. */
async function prism(api: string): Promise<string> {
  const port = String(await freePort());
  const child = spawn(
    process.execPath,
    ['node_modules/.bin/prism', 'mock', `specs/${api}.openapi.yaml`, '-h', '127.0.0.1', '-p', port],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.push(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += text.toString();
      if (said.includes('Prism is listening')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', () => reject(new Error(`prism ended: ${said}`)));
  });
  return `http://127.0.0.1:${port}`;
}

const page = await readFile(`${root}/docs/prism-server.md`, 'utf8');

test.each(['router', 'jobs'] as const)(
  "docs/prism-server.md explains exactly what Prism's own server breaks of the %s",
  async (api) => {
    const report = await runConformance({
      contracts: [await loadOwnContract(api)],
      baseUrl: await prism(api),
      credential: { header: 'X-API-Key', value: 'service-no-such-key' },
      fixtures: { cred: { apiKey: 'service-no-such-key' } },
      seed: 1,
    });
    const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    const explained = [...page.matchAll(new RegExp(`^\\| \`(${api}\\.[^\`]+)\` +\\| \\S`, 'gm'))].map(
      ([, id]) => id,
    );
    expect(broken.map(({ id }) => id).sort()).toEqual(explained.sort());
    expect(report.summary.pass).toBeGreaterThan(0);
    expect(report.summary.error).toBe(0);
  },
);
