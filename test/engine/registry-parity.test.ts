import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '../../engine/delivery.ts';
import { createServer, refuse } from '../../generated/registry/server.ts';
import { createMock, virtualClock, type Mock } from '../../mock/index.ts';

// Publications to the mock of the registry and to a server that is generated from its contract. Which status refuses what is
// open for most of them, so only what a publication came to is compared.

interface Publication {
  readonly node?: string;
  readonly version?: unknown;
  /** In place of the usual body. */
  readonly body?: string;
  /** `false`: no credential. */
  readonly isKnown?: boolean;
  readonly method?: string;
  readonly delivery?: Delivery;
}

let mock: Mock;
let server: ReturnType<typeof createServer>;
beforeAll(async () => {
  mock = createMock({ apis: ['registry'], clock: virtualClock() });
  await mock.ready();
});
beforeEach(() => {
  mock.reset();
  server = registryServer();
});
afterAll(() => {
  mock.close();
});

/** A server whose own part is what no document says: which versions there are. */
function registryServer(): typeof server {
  const taken = new Set<string>();
  return createServer(
    {
      startSkinEnhancement: () => {
        throw new Error('not part of this test');
      },
      publishNodeVersion: ({ nodeId, body }) => {
        const { version = '' } = body.node_version;
        if (!/^\d+\.\d+\.\d+([-+].*)?$/.test(version)) throw refuse('invalid_version', 'No version.', BAD);
        if (taken.has(`${nodeId} ${version}`)) throw refuse('version_exists', 'It is there already.', BAD);
        taken.add(`${nodeId} ${version}`);
        return {
          status: 201,
          body: { node_version: { version }, signedUrl: 'https://files.example.com/archive.zip' },
        };
      },
    },
    { authenticate: () => ({ id: 'caller' }) },
  );
}

const BAD = { status: 400 };

const targetOf = ({ node = 'acme-upscaler' }: Publication): string =>
  `/publishers/acme/nodes/${node}/versions`;

const headersOf = ({ isKnown = true }: Publication): Record<string, string> => ({
  'Content-Type': 'application/json',
  ...(isKnown ? { Authorization: 'Bearer service-mock-ok' } : {}),
});

const bodyOf = ({ body, version = '1.2.3' }: Publication): Buffer =>
  Buffer.from(
    body ?? JSON.stringify({ personal_access_token: 'pat-mock-ok', node: {}, node_version: { version } }),
  );

type Told = 'published' | 'taken' | 'refused';

function toldBy(status: number, body: unknown): Told {
  if (status === 201) return 'published';
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
  const { error, message } = JSON.parse(text) as Record<string, unknown>;
  expect([typeof error, typeof message, status < 500]).toStrictEqual(['string', 'string', true]);
  return error === 'version_exists' ? 'taken' : 'refused';
}

async function byMock(publication: Publication): Promise<Told> {
  const { reply, settle } = await mock.handle({
    method: publication.method ?? 'POST',
    target: targetOf(publication),
    rawHeaders: Object.entries(headersOf(publication)).flat(),
    body: bodyOf(publication),
  });
  settle(publication.delivery ?? 'delivered');
  return toldBy(reply.status, reply.body);
}

async function byServer(publication: Publication): Promise<Told> {
  const { status, body, settle } = await server.exchange({
    method: publication.method ?? 'POST',
    target: targetOf(publication),
    headers: new Headers(headersOf(publication)),
    body: () => Promise.resolve(bodyOf(publication)),
    signal: new AbortController().signal,
  });
  await settle(publication.delivery ?? 'delivered');
  return toldBy(status, body);
}

const inBody = (members: object): Publication => ({
  body: JSON.stringify({
    ...{ personal_access_token: 'pat-mock-ok', node: {}, node_version: { version: '1.2.3' } },
    ...members,
  }),
});

const bad: readonly [name: string, publication: Publication][] = [
  ['no credential', { isKnown: false }],
  ['no JSON', { body: '{' }],
  ['no body', { body: '' }],
  ['a list', { body: '[]' }],
  ['no access token', inBody({ personal_access_token: undefined })],
  ['no node', inBody({ node: undefined })],
  ['no version', inBody({ node_version: undefined })],
  ['a member of another type', inBody({ node: { tags: 'image' } })],
  ['a version that is none', { version: 'v1' }],
  ['a method that is not served', { method: 'DELETE' }],
  ['a path that is not served', { node: 'a/b' }],
];

const courses: readonly [name: string, all: readonly Publication[], want: readonly Told[]][] = [
  ['a version twice', [{}, {}], ['published', 'taken']],
  ['a version of two nodes', [{}, { node: 'acme-denoiser' }], ['published', 'published']],
  [
    'two versions that differ by their build alone',
    ['1.2.3+a', '1.2.3+b'].map((version) => ({ version })),
    ['published', 'published'],
  ],
  ...(['delivered', 'short', 'dropped'] as const).map((delivery): (typeof courses)[number] => [
    `an answer that is ${delivery}`,
    [{ delivery }, {}],
    ['published', 'taken'],
  ]),
  ...bad.flatMap(([name, publication]): typeof courses => [
    [`${name} takes no version`, [publication, {}], ['refused', 'published']],
  ]),
];

test.each(courses)('mock and generated server answer publications alike: %s', async (_name, all, want) => {
  for (const answer of [byMock, byServer]) {
    const told: Told[] = [];
    for (const publication of all) told.push(await answer(publication));
    expect(told).toStrictEqual(want);
  }
});

test('registry.publish.version-unique-race: of publications at the same moment one is entered on both sides', async () => {
  const five = Array.from({ length: 5 }, (): Publication => ({}));
  for (const answer of [byMock, byServer]) {
    const all = await Promise.all(five.map(answer));
    expect(all.sort()).toStrictEqual(['published', 'taken', 'taken', 'taken', 'taken']);
  }
});
