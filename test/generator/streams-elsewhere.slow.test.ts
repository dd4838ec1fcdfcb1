import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { launch } from '../e2e/browser.ts';
import { toolPath } from '../tools.ts';
import { filesOf, temporaryFolder } from './generated.ts';
import { streamsDocument } from './streams-document.ts';

/** A generated server writes each kind of stream piece by piece; a generated client reads it. */
const PROGRAM = `
  import { createSample } from './sample/index.ts';
  import { createServer } from './sample/server.ts';
  async function* each(...items) {
    for (const item of items) yield await Promise.resolve(item);
  }
  const rows = () => each({ n: 1 }, { n: 2 });
  const events = () => each({ event: 'message', data: { n: 1 } }, { event: 'message', data: { n: 2 } });
  const kinds = () => each({ event: 'add', data: { n: 1 } }, { event: 'say', data: 'two\\nlines' });
  const serve = createServer(
    {
      lines: () => ({ status: 200, items: rows() }),
      sequence: () => ({ status: 200, items: rows() }),
      parts: () => ({ status: 200, items: rows() }),
      images: () => ({ status: 200, items: each(new Blob([Uint8Array.of(0, 255)], { type: 'image/png' })) }),
      listed: () => ({ status: 200, events: events() }),
      printed: () => ({ status: 200, events: events() }),
      either: () => ({ status: 200, events: kinds() }),
    },
    { checkResponses: true, authenticate: () => ({ id: 'ada' }) },
  );
  const fetch = (url, init) => serve(new Request(url, init));
  const client = createSample({ baseUrl: 'http://localhost', fetch });
  const read = async (operation) => {
    const arrived = [];
    for await (const item of (await client[operation]()).data) arrived.push(item);
    return arrived;
  };
  const abort = new AbortController();
  const { data } = await client.lines({ signal: abort.signal });
  const before = [];
  try {
    for await (const item of data) {
      before.push(item);
      abort.abort(new Error('seen enough'));
    }
  } catch (reason) {
    before.push(reason.message);
  }
  const said = { before };
  const images = await read('images');
  said.images = await Promise.all(images.map(async (each) => [each.type, ...new Uint8Array(await each.arrayBuffer())]));
  for (const operation of ['lines', 'sequence', 'parts', 'listed', 'printed', 'either']) said[operation] = await read(operation);
  globalThis.said = JSON.stringify(said);
  console.log(globalThis.said);
`;

const rows = [{ n: 1 }, { n: 2 }];
const events = rows.map((data) => ({ event: 'message', data }));
const WANT = {
  before: [{ n: 1 }, 'seen enough'],
  lines: rows,
  images: [['image/png', 0, 255]],
  sequence: rows,
  parts: rows,
  listed: events,
  printed: events,
  either: [
    { event: 'add', data: { n: 1 } },
    { event: 'say', data: 'two\nlines' },
  ],
};

/** The program and what it imports, as one file. */
async function bundled(): Promise<string> {
  const folder = temporaryFolder();
  const files = await filesOf(streamsDocument, 'sample', { server: true, importExtension: 'ts' });
  for (const { path, text } of [...files, { path: 'run.js', text: PROGRAM }]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const outfile = join(folder, 'bundle.mjs');
  await build({
    entryPoints: [join(folder, 'run.js')],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
  });
  return outfile;
}

async function said(runtime: string, args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' };
  return JSON.parse(execFileSync(runtime, [...args, await bundled()], { env, encoding: 'utf8' }));
}

test('streams of every framing, in Node', async () => {
  expect(await said(process.execPath, [])).toStrictEqual(WANT);
});

test('streams of every framing, in Bun', { tags: ['bun'] }, async () => {
  expect(await said(toolPath('bun'), ['run'])).toStrictEqual(WANT);
});

test('streams of every framing, in Deno', { tags: ['deno'] }, async () => {
  const args = ['run', '--no-lock', '--no-remote', '--no-prompt'];
  expect(await said(toolPath('deno'), args)).toStrictEqual(WANT);
});

test('streams of every framing, in Chromium', { tags: ['browser'] }, async () => {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    // A page of a secure origin, as each deployed one is.
    await page.route('https://page.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '' }),
    );
    await page.goto('https://page.example/');
    await page.addScriptTag({ type: 'module', path: await bundled() });
    await page.waitForFunction('globalThis.said !== undefined');
    expect(JSON.parse(await page.evaluate('globalThis.said'))).toStrictEqual(WANT);
  } finally {
    await browser.close();
  }
});
