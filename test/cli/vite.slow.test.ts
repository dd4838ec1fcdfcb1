// @module-tag long
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import {
  createLogger,
  createServer,
  preview,
  type InlineConfig,
  type PreviewServer,
  type ViteDevServer,
} from 'vite';
import { tallystick, type TallystickOptions } from '../../cli/vite.ts';
import { freshFolder, root } from './command.ts';

const open: (ViteDevServer | PreviewServer)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const said: string[] = [];
const customLogger = createLogger('info');
customLogger.info = (line) => void said.push(line);

async function config(options: TallystickOptions, more: InlineConfig = {}): Promise<InlineConfig> {
  const folder = more.root ?? (await freshFolder());
  await writeFile(join(folder, 'index.html'), '<title>the page</title>');
  const server = { port: 0, host: '127.0.0.1', ...more.server };
  return { customLogger, plugins: [tallystick(options)], ...more, configFile: false, root: folder, server };
}

/** A development server with the mock in it, and its address. */
async function serve(options: TallystickOptions = {}, more?: InlineConfig): Promise<string> {
  said.length = 0;
  const server = await createServer(await config(options, more));
  open.push(server);
  await server.listen();
  server.printUrls();
  return (server.resolvedUrls?.local[0] ?? '').replace(/\/$/, '');
}

const json = { 'Content-Type': 'application/json' };
const graph = '{"workflow":{"1":{"class_type":"WriteText","inputs":{"text":"a notch"}}}}';

test('a page calls every API under its own address, without a key', async () => {
  const site = await serve();
  expect((await fetch(`${site}/v1/models`)).status).toBe(200);
  expect((await fetch(`${site}/api/v2/jobs`, { method: 'POST', headers: json, body: graph })).status).toBe(
    201,
  );
  const refused = await fetch(`${site}/v1/models`, { headers: { Authorization: 'Bearer wrong' } });
  expect(refused.status).toBe(401);
  expect(await (await fetch(`${site}/`)).text()).toContain('the page');
  expect(await (await fetch(`${site}/v1x`, { headers: { Accept: 'text/html' } })).text()).toContain(
    'the page',
  );
});

test('a navigation to a path of an API gets the page, and pictures are displayed', async () => {
  const site = await serve();
  expect((await opened(`${site}/v1/models/acme`)).text).toContain('the page');
  expect((await opened(`${site}/v1/models`, 'cors')).text).toContain('"data"');
  const call = { method: 'POST', headers: json, body: '{"prompt":"a notch"}' };
  const made = (await (await fetch(`${site}/v1/models/mock/ok`, call)).json()) as {
    readonly images: readonly { readonly url: string }[];
  };
  expect((await opened(made.images[0]?.url ?? '')).type).toBe('image/svg+xml');
});

/** The answer to a browser's navigation, which `fetch` cannot send. */
function opened(
  address: string,
  mode = 'navigate',
): Promise<{ readonly type: string | undefined; readonly text: string }> {
  const headers = { Accept: 'text/html,*/*', 'Sec-Fetch-Mode': mode };
  return new Promise((resolve, reject) => {
    get(address, { headers }, (response) => {
      text(response).then((said) => {
        resolve({ type: response.headers['content-type'], text: said });
      }, reject);
    }).on('error', reject);
  });
}

test('it prints the served APIs, and the address of the inspector', async () => {
  await serve();
  const inspector = said.find((line) => line.includes('Inspector:'))?.replace(/.*Inspector: /, '') ?? '';
  expect(said).toContainEqual('  ➜  Mock:    /v1, /pictures, /publishers, /proxy, /uploads, /api/v2');
  expect((await fetch(`${inspector}/control/v1/state`)).status).toBe(200);
});

test('event streams arrive live, and links lead to where the page is', async () => {
  const site = await serve({ below: '/mock' });
  const submitted = await fetch(`${site}/mock/api/v2/jobs`, { method: 'POST', headers: json, body: graph });
  const { urls } = (await submitted.json()) as { urls: { events: string } };
  expect(urls.events).toMatch(/^(?:http:\/\/127\.0\.0\.1:\d+)?\/mock\/api\/v2\/jobs\//);
  const stream = await fetch(new URL(urls.events, site));
  expect(stream.headers.get('Content-Type')).toContain('text/event-stream');
  expect(await stream.text()).toContain('succeeded');
});

test('a cut connection is passed on as a cut, and not as the 502 of a proxy', async () => {
  const site = await serve();
  const call = fetch(`${site}/v1/models`, { headers: { Prefer: 'scenario=cut-before' } });
  await expect(call).rejects.toThrow(TypeError);
});

test('a credential of the page is not changed, and a key can be left to the page', async () => {
  const site = await serve({ credential: false });
  expect((await fetch(`${site}/v1/models`)).status).toBe(401);
  const given = await serve({ credential: { 'X-API-Key': 'service-mock-no-credits' } });
  expect((await fetch(`${given}/v1/models`)).status).toBe(200);
});

const notes = (example: string): string => `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /{id}:
    get:
      operationId: readNote
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: a note, content: { application/json: { example: { text: ${example} } } } }
`;

test('a document of your own is served below a path, and reloaded when it changes', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'notes.yaml'), notes('first'));
  const site = await serve({ apis: ['notes.yaml'], below: '/mock' }, { root: folder });
  const text = async (): Promise<unknown> => (await fetch(`${site}/mock/1`)).json();
  expect(await text()).toStrictEqual({ text: 'first' });
  await writeFile(join(folder, 'notes.yaml'), notes('second'));
  await expect.poll(text, { timeout: 20_000 }).toStrictEqual({ text: 'second' });
});

test('an unusable document is reported before Vite listens', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'notes.yaml'), notes('first'));
  await writeFile(join(folder, 'broken.yaml'), 'openapi: 3.1.0\ninfo: 7\n');
  const start = async (options: TallystickOptions): Promise<unknown> =>
    createServer(await config(options, { root: folder }));
  await expect(start({ apis: ['notes.yaml'] })).rejects.toThrow("Set below: '/mock'");
  await expect(start({ apis: ['broken.yaml'] })).rejects.toThrow(/broken\.yaml:2:/);
  await expect(start({ apis: ['none.yaml'] })).rejects.toThrow('none.yaml');
  await expect(start({ sheet: 'x.yaml' })).rejects.toThrow('exactly one OpenAPI document');
  expect(() => tallystick({ below: 'mock' })).toThrow('below must be a path');
});

test('a restart of Vite keeps the address of the inspector, and a port that is in use does not prevent it', async () => {
  await serve();
  const inspector = (): string => said.findLast((line) => line.includes('Inspector:')) ?? '';
  const first = inspector();
  await (open[0] as ViteDevServer).restart();
  (open[0] as ViteDevServer).printUrls();
  expect(inspector()).toBe(first);
  await serve();
  expect(inspector()).not.toBe(first);
});

test('over HTTP/2 with a certificate, the API and its links are https', async () => {
  const tls = join(root, 'test/fixtures/tls');
  const https = {
    key: readFileSync(join(tls, 'self-signed.key.pem')),
    cert: readFileSync(join(tls, 'self-signed.pem')),
  };
  const site = await serve({}, { server: { https } });
  const session = connect(site, { rejectUnauthorized: false });
  const body = await new Promise<string>((resolve, reject) => {
    let text = '';
    const stream = session.request({
      ':method': 'POST',
      ':path': '/api/v2/jobs',
      'content-type': 'application/json',
    });
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    stream
      .on('end', () => {
        resolve(text);
      })
      .on('error', reject)
      .end(graph);
  });
  session.close();
  expect(JSON.parse(body)).toMatchObject({ status: 'queued' });
});

test('a preview serves the mock as well, and Vitest starts none', async () => {
  const built = await config({}, { build: { outDir: '.' } });
  const server = await preview({ ...built, preview: { port: 0, host: '127.0.0.1' } });
  open.push(server);
  expect((await fetch(`${server.resolvedUrls?.local[0] ?? ''}v1/models`)).status).toBe(200);
  const plugins = [tallystick({ apis: ['none.yaml'] }), { name: 'vitest' }];
  open.push(await createServer(await config({}, { plugins })));
});
