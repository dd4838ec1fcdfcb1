import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadOwnContract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { toolPath } from '../tools.ts';
import { temporaryFolder } from './generated.ts';

const program = `
  import { createRouter, settle } from './router/index.ts';
  import { createServer } from './router/server.ts';
  import { isRouterModelListEntry } from './router/validators.ts';
  const bodies: unknown[] = [];
  const serve = createServer({
    runModel: ({ body }) => {
      bodies.push(body);
      return { status: 200, body: { images: [] } };
    },
  } as Parameters<typeof createServer>[0], { authenticate: () => ({ id: 'ada' }) });
  const fetch = (url: string, init: RequestInit) => serve(new Request(url, init));
  const router = createRouter({ baseUrl: 'http://localhost', credentials: { ApiKeyAuth: 'k' }, fetch });
  const ran = await router.runModel({ provider: 'a', model: 'b', body: { prompt: 'p' } });
  const gone = await settle(router.listModels({}));
  const said = [ran.status, ran.idempotencyKey.length, bodies, gone.ok, isRouterModelListEntry({})];
  console.log(JSON.stringify(said));
`;

async function said(runtime: string, args: readonly string[]): Promise<unknown> {
  const folder = temporaryFolder();
  const files = await generate([await loadOwnContract('router')], { server: true, importExtension: 'ts' });
  for (const { path, text } of [...files, { path: 'run.ts', text: program }]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const env = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };
  return JSON.parse(execFileSync(runtime, [...args, 'run.ts'], { cwd: folder, env, encoding: 'utf8' }));
}

const want = [200, 36, [{ prompt: 'p' }], false, false];

test('a generated client calls a generated server in Bun', { tags: ['bun'] }, async () => {
  expect(await said(toolPath('bun'), ['run'])).toStrictEqual(want);
});

test(
  'a generated client calls a generated server in Deno, without any permission',
  { tags: ['deno'] },
  async () => {
    expect(await said(toolPath('deno'), ['run', '--no-lock', '--no-remote', '--no-prompt'])).toStrictEqual(
      want,
    );
  },
);
