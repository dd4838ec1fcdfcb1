import { build } from 'esbuild';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

// Edge platforms have web standards, no module of Node's, and no code that is made of texts.
const WEB_STANDARDS = [
  ...['AbortController', 'AbortSignal', 'Blob', 'File', 'FormData', 'Headers', 'Request', 'Response', 'URL'],
  ...[
    'URLSearchParams',
    'ReadableStream',
    'TransformStream',
    'TextDecoder',
    'TextDecoderStream',
    'TextEncoder',
  ],
  ...['atob', 'btoa', 'clearTimeout', 'console', 'crypto', 'queueMicrotask', 'setTimeout', 'structuredClone'],
] as const;

const program = `
  import { createRouter, followRedirects, settle } from './generated/router/index.ts';
  import { isRouterModelListEntry } from './generated/router/validators.ts';
  import { createJobs } from './generated/jobs/index.ts';
  import { createServer } from './generated/router/server.ts';
  export async function run(fetch) {
    const options = { baseUrl: 'https://api.example.com', credentials: { ApiKeyAuth: 'k', BearerAuth: 'k' }, fetch: followRedirects({ fetch }) };
    const router = createRouter(options);
    const ran = await router.runModel({ provider: 'a', model: 'b', body: { prompt: 'p' } });
    const gone = await settle(router.runModel({ provider: 'a', model: 'none', body: {} }));
    return [ran.status, ran.idempotencyKey.length, gone.ok, gone.error.name, isRouterModelListEntry({}), typeof createJobs(options), typeof createServer];
  }
`;

test('clients, guards and servers load and run where there are web standards alone', async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: packageRoot(), loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'edge',
    platform: 'neutral',
    write: false,
  });
  const globals = Object.fromEntries(
    WEB_STANDARDS.map((name) => [name, (globalThis as unknown as Record<string, unknown>)[name]]),
  );
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
  const seen: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    seen.push(url);
    if (url.endsWith('/none'))
      return Promise.resolve(new Response('{}', { status: 404, headers: { 'x-error-type': 'x' } }));
    return Promise.resolve(
      seen.length === 1
        ? new Response(null, { status: 307, headers: { location: '/moved' } })
        : Response.json({ images: [] }),
    );
  };
  const run = runInContext(`${outputFiles[0]?.text ?? ''}; edge.run`, context) as (
    fetch: unknown,
  ) => Promise<unknown[]>;
  const [status, keyLength, ...rest] = await run(fetch);
  expect([status, keyLength, ...rest]).toStrictEqual([
    200,
    36,
    false,
    expect.any(String),
    false,
    'object',
    'function',
  ]);
  expect(seen[1]).toBe('https://api.example.com/moved');
});
