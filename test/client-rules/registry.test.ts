import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, expectTypeOf, test } from 'vitest';
import { loadOwnContract } from '../../contract/index.ts';
import {
  ApiError,
  createRegistry,
  UploadError,
  type Node,
  type PublishNodeVersionParameters,
  type RegistryClient,
  type RegistryOptions,
  type UploadProgress,
} from '../../generated/registry/index.ts';
import { checkNode, isNode } from '../../generated/registry/validators.ts';
import type { MockOptions } from '../../mock/index.ts';
import { type Between, world, type World } from './in-process.ts';

const worlds: World[] = [];
afterEach(() => {
  for (const { mock } of worlds.splice(0)) mock.close();
});

function here(options: MockOptions = {}, between?: Between): World {
  const made = world({ apis: ['registry'], ...options }, between);
  worlds.push(made);
  return made;
}

const secret = 'service-mock-ok';
const client = ({ connection }: World, options: Partial<RegistryOptions> = {}): RegistryClient =>
  createRegistry({
    ...connection,
    credentials: { BearerAuth: secret },
    headers: { 'x-team': 'a' },
    ...options,
  });

const version: PublishNodeVersionParameters = {
  publisherId: 'acme',
  nodeId: 'upscaler',
  body: {
    node: { id: 'upscaler' },
    node_version: { version: '97.0.0' },
    personal_access_token: 'pat-mock-ok',
  },
};

const archive = new Blob(['P', 'K', 'x'.repeat(300_000)]);

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const proofs: Readonly<Record<string, { outcome: string; prove: () => Promise<void> }>> = {
  'registry.node.no-required': {
    outcome: 'a node of nothing at all is a node',
    async prove() {
      expectTypeOf<object>().toExtend<Node>();
      expect(isNode({})).toBe(true);
      const empty = { ...version, nodeId: 'nameless', body: { ...version.body, node: {} } };
      expect((await client(here()).publishNodeVersion(empty)).status).toBe(201);
    },
  },
  'registry.node.category-deprecated': {
    outcome: 'the category is still there, with a mark that it will go',
    async prove() {
      expectTypeOf<Node['category']>().toEqualTypeOf<string | undefined>();
      const { readFile } = await import('node:fs/promises');
      const types = await readFile(new URL('../../generated/registry/types.ts', import.meta.url), 'utf8');
      expect(/\/\*\*(?:(?!\*\/)[^])*?\*\/\s+category\?: string;/.exec(types)?.[0]).toContain('@deprecated');
      expect(checkNode({ category: 'image' }).ok).toBe(true);
    },
  },
  'proxy.skin.status-open': {
    outcome: 'a status that nobody has heard of reaches the caller as it came',
    async prove() {
      const place = here({}, async (request, go) => {
        const { status, headers, ...response } = await go(request).then(async (answer) => ({
          status: answer.status,
          headers: answer.headers,
          text: await answer.text(),
        }));
        return new Response(response.text.replace('CREATED', 'BRAND_NEW'), { status, headers });
      });
      const body = { image: 'https://files.example.com/portrait.jpg' };
      const { data } = await client(place).startSkinEnhancement({ partner: 'northwind', body });
      expect(data.data?.status).toBe('BRAND_NEW');
    },
  },
};

for (const [rule, { outcome, prove }] of Object.entries(proofs)) test(`${rule}: ${outcome}`, prove);

test('every rule of the registry and the proxy that a client keeps or relies on is proven here', async () => {
  const { sheet } = await loadOwnContract('registry');
  const rules = (sheet?.rules ?? []).filter(({ audience }) => audience === 'client' || audience === 'both');
  expect(Object.keys(proofs).sort()).toStrictEqual(rules.map(({ id }) => id).sort());
});

test('one call publishes a version, uploads its archive and reports the progress', async () => {
  const place = here();
  const progress: UploadProgress[] = [];
  const { answer, upload } = await client(place).publishNodeVersion.withUpload(version, archive, {
    onProgress: (step) => progress.push(step),
  });
  expect([answer.status, upload.status]).toStrictEqual([201, 200]);
  expect(answer.data.node_version?.version).toBe('97.0.0');
  expect(place.sent.map(({ method }) => method)).toStrictEqual(['POST', 'PUT']);
  expect(place.sent[1]?.headers.get('content-type')).toBe('application/zip');
  expect(progress.at(-1)).toStrictEqual({ sent: archive.size, total: archive.size });
  expect(progress.length).toBeGreaterThan(2);
  expect(progress.every(({ sent }, index) => sent >= (progress[index - 1]?.sent ?? 0))).toBe(true);
});

test('an upload carries neither credentials nor headers of the client, only the signed address', async () => {
  const place = here();
  await client(place).publishNodeVersion.withUpload(version, new TextEncoder().encode('PK'));
  const [publication, upload] = place.sent;
  expect(publication?.headers.get('authorization')).toContain(secret);
  expect(publication?.headers.get('x-team')).toBe('a');
  expect([upload?.headers.get('authorization'), upload?.headers.get('x-team')]).toStrictEqual([null, null]);
});

test('the caller chooses the method and the media type of an upload', async () => {
  let seen: Request | undefined;
  const place = here({}, (request, go) => {
    if (!request.url.includes('/publishers/')) {
      seen = request;
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    return go(request);
  });
  const options = { method: 'POST', mediaType: 'application/gzip', headers: { 'x-size': '2' } };
  const { upload } = await client(place).publishNodeVersion.withUpload(version, new Blob(['PK']), options);
  expect(upload.status).toBe(204);
  expect(seen?.method).toBe('POST');
  expect([seen?.headers.get('content-type'), seen?.headers.get('x-size')]).toStrictEqual([
    'application/gzip',
    '2',
  ]);
});

test('an upload that fails keeps the answer, so that the file can be sent again without a second version', async () => {
  let failures = 3;
  const place = here({}, (request, go) =>
    request.method === 'PUT' && (failures -= 1) >= 0
      ? Promise.resolve(new Response('busy', { status: 503 }))
      : go(request),
  );
  const { publishNodeVersion } = client(place);
  const error = await errorOf(publishNodeVersion.withUpload(version, archive));
  if (!(error instanceof UploadError)) throw new Error('no upload error', { cause: error });
  expect([error.attempts, error.cause instanceof ApiError]).toStrictEqual([3, true]);
  expect(error.message).not.toContain('?');
  const answer = error.answer as Awaited<ReturnType<RegistryClient['publishNodeVersion']>>;
  expect((await publishNodeVersion.upload(answer, archive)).status).toBe(200);
  expect(place.sent.map(({ method }) => method)).toStrictEqual(['POST', 'PUT']);
});

test('a refused publication sends no file', async () => {
  const place = here();
  const taken = { ...version, body: { ...version.body, node_version: { version: 'not a version' } } };
  const error = await errorOf(client(place).publishNodeVersion.withUpload(taken, archive));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).not.toBeInstanceOf(UploadError);
  expect(place.sent).toHaveLength(1);
});

test('an answer without an address is an upload that failed', async () => {
  const place = here({}, () => Promise.resolve(Response.json({ node_version: {} }, { status: 201 })));
  const error = await errorOf(client(place).publishNodeVersion.withUpload(version, archive));
  expect(error).toBeInstanceOf(UploadError);
});

test('an upload over a socket declares its length, sends every byte and reports the progress', async () => {
  const got: { length: string | undefined; bytes: number }[] = [];
  const store = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      got.push({ length: request.headers['content-length'], bytes });
      response.end();
    });
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((store.address() as AddressInfo).port)}/a.zip?signature=x`;
  const place = here();
  const answer = await client(place).publishNodeVersion(version);
  const direct = createRegistry({ baseUrl: place.connection.baseUrl });
  await direct.publishNodeVersion.upload(
    { ...answer, data: { ...answer.data, signedUrl: address } },
    archive,
    {
      onProgress: () => undefined,
    },
  );
  store.close();
  expect(got).toStrictEqual([{ length: String(archive.size), bytes: archive.size }]);
});
