// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { loadOwnContract } from '../../../../contract/index.ts';
import { registryDeviations } from '../../../../mock/apis/registry/deviations/index.ts';
import { virtualClock } from '../../../../mock/index.ts';
import { MOCK_JWT } from '../../../../mock/call/caller.ts';
import { enhancer, publication, registryMock, versions, type Got, type Sent } from './registry-mock.ts';

const image = 'QQ==';
const foreign = '/publishers/birch/nodes/birch-toolbox/versions';
const second = '/publishers/acme/nodes/acme-denoiser/versions';
const inChunks = { headers: { 'transfer-encoding': 'chunked' } };
const noBearer = { authorization: null };
const byKey = { authorization: null, headers: { 'x-api-key': 'service-mock-ok' } };

/** A JWT about an unknown user. */
const madeUp = [{ alg: 'HS256', kid: 'tallystick' }, { sub: 'tallystick-nobody' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('q'.repeat(43))
  .join('.');

/** Requests in which every break shows. Each of them is another one for a faithful mock. */
const battery: readonly (readonly [target: string, body: unknown, sent?: Sent])[] = [
  [versions, publication({ version: '1.0.0', downloadUrl: 'https://files.example.com/marker.zip' })],
  [versions, publication({ version: '1.0.0' })],
  [second, publication({ version: '1.0.0' })],
  [versions, publication({ version: '1.0.1-rc.1+b5' })],
  [versions, publication({ version: '1.0.1-rc.1+b5' })],
  [versions, publication({ version: 'latest' })],
  [versions, publication({ version: '1.1.0' }, { node: undefined })],
  [versions, { node: {}, personal_access_token: 'pat-mock-ok' }],
  [versions, { node: {}, node_version: { version: '1.2.0' } }],
  [versions, publication({ version: '1.3.0' }, { personal_access_token: 'of nobody' })],
  [versions, publication({ version: '1.4.0', tags: 'x' })],
  [versions, undefined],
  [versions, '{'],
  [versions, publication({ version: '1.6.0' }, { node: null })],
  [
    versions,
    publication({ version: '1.7.0' }, { node: { id: 'acme-upscaler', status: 'NodeStatusBanned' } }),
  ],
  [versions, publication({ version: '1.8.0', status: 'NodeVersionStatusFlagged' })],
  [versions, publication({ version: '1.9.0', deprecated: false })],
  [versions, publication({ version: '1.4.0' })],
  [versions, publication({ version: '2.0.0' }, { node: { id: 'acme-upscaler', downloads: 0 } })],
  [versions, publication({ version: '2.1.0', createdAt: '2026-01-05T10:00:00+02:00' })],
  [versions, publication({ version: '2.2.0' }, { node: {} })],
  [versions, publication({ version: '2.3.0', dependencies: ['first', 'second'] })],
  [versions, publication({ version: '2.4.0' }, { personal_access_token: 'pat-' })],
  [versions, publication({ version: '3.0.0-rc.10' })],
  [versions, '{"node":{},}'],
  [versions, [publication({ version: '2.5.0' })]],
  [
    versions,
    publication({ version: '2.6.0' }, { node: { id: 'acme-upscaler', status: 'NodeStatusActive ' } }),
  ],
  [versions, publication({ version: '2.7.0', changelog: 'first\nsecond' })],
  [versions, publication({ version: '2.8.0' }, { node: { id: 'acme-upscaler', rating: 1000.5 } })],
  [versions, publication({ version: '^2.9.0' })],
  [versions, publication({ version: undefined })],
  [versions, publication({ version: '2.9.0' }, { personal_access_token: ['pat-mock-ok'] })],
  [versions, publication({ version: '2.9.1' }), inChunks],
  [versions, publication({ version: '2.9.8', changelog: 'caf\u00e9' }), inChunks],
  [
    versions,
    publication({ version: '2.9.2' }, { node: { publisher: { members: [{ user: [{ id: 'u1' }] }] } } }),
  ],
  [versions, publication({ version: '2.9.\u0661' })],
  [
    versions,
    publication({ version: '2.9.3', tags: Array.from({ length: 30 }, (_, index) => `tag-${index}`) }),
  ],
  [
    versions,
    publication({ version: '2.9.4' }, { node: { id: 'acme-upscaler', status: 'NodeStatusPending' } }),
  ],
  [versions, publication({ version: 'V2.9.5' })],
  [versions.replace('upscaler', 'upscal%65r'), publication({ version: '1.0.0' })],
  [versions, publication({ version: '2.9.6' }), { authorization: MOCK_JWT }],
  [versions, publication({ version: '2.9.7' }), { authorization: `Bearer ${madeUp}` }],
  [versions, publication({ version: '2.9.8' }), { authorization: `Bearer${MOCK_JWT}` }],
  [versions, publication({ version: '1.0.0' }), inChunks],
  [versions, 'null'],
  [versions, publication({ version: '3.1.0', tags: ['x', null] })],
  [foreign, publication({ version: '1.0.0' })],
  [foreign, publication({ version: '1.0.1' })],
  [versions, publication({ version: '1.5.0' }), noBearer],
  [enhancer, { image }],
  [enhancer, { image: 'https://files.example.com/a.jpg', webhook_url: 'https://example.com/done' }],
  [enhancer, { image, webhook_url: 7 }],
  [enhancer, { image: 7 }],
  [enhancer, { image: 'http://files.example.com/a.jpg' }],
  [enhancer, { image: 'no image at all' }],
  [enhancer, { image: 'Pj4+' }],
  [enhancer, { image: 'QU*JD' }],
  [enhancer, { image: 'QUJD'.repeat(40) }],
  [enhancer, { image: 'HTTP://files.example.com/a.jpg' }],
  [enhancer, { image, smart_grain: 1e21 }],
  [enhancer, { image: 'https://files.example.com/a.jpg?size=2' }],
  [enhancer, [{ image }]],
  [enhancer, `{"image":"${image}",}`],
  [enhancer, { image, sharpen: 1e-7 }],
  [enhancer, { image }, { authorization: `Bearer ${MOCK_JWT}` }],
  [enhancer, { image, sharpen: 101 }],
  [enhancer, { image, sharpen: 101 }, inChunks],
  [enhancer, { image, sharpen: 100.4 }],
  [enhancer, { image, smart_grain: -1 }],
  [enhancer, { image, sharpen: 100 }],
  [enhancer, { image, sharpen: 0 }],
  [enhancer, `{"image":"${image}","sharpen":-0}`],
  [enhancer, { image, sharpen: '50%' }],
  [enhancer, { image, sharpen: 0.5 }],
  [enhancer, { image }, noBearer],
  [enhancer, { image }, byKey],
  [enhancer, { image: 'https://files.example.com/a.jpg' }, byKey],
  [enhancer, { image, webhook_url: 'tallystick' }],
  [enhancer, { sharpen: 50 }, byKey],
  [enhancer, '{', byKey],
  [enhancer, { image, sharpen: 100.00001 }],
  [enhancer, { image, smart_grain: -1e-30 }],
  [enhancer, { image: `${image.replace('=', '*')}${'A'.repeat(3000)}` }],
  [enhancer, { image }, { authorization: MOCK_JWT }],
  [enhancer, { image }, { authorization: `Bearer${MOCK_JWT}` }],
  [enhancer, { image }, { authorization: `Bearer ${madeUp}` }],
];

async function answersOf(deviations: readonly string[]): Promise<readonly string[]> {
  const { send, mock } = await registryMock({ deviations });
  const answers: string[] = [];
  for (const [target, body, sent] of battery) answers.push(comparable(await send(target, body, sent)));
  mock.close();
  return answers;
}

/** An answer without what differs from one mock to the next. */
function comparable({ status, headers, text }: Got): string {
  const named = text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/signature=[\w-]+/g, 'signature');
  const lines = ['content-type', 'x-published-by'].map((name) => String(headers.get(name)));
  return [String(status), ...lines, named].join(' ');
}

let faithful: readonly string[];

beforeAll(async () => {
  faithful = await answersOf([]);
});

test('two mocks without a deviation give the same answers', async () => {
  expect(await answersOf([])).toStrictEqual(faithful);
});

test.each(
  registryDeviations
    .filter(
      ({ id }) =>
        !['check-then-set', 'one-at-a-time', 'one-for-all'].some((variant) => id.endsWith(`~${variant}`)),
    )
    .map(({ id }) => [id] as const),
)('%s shows in some answer, and leaves others as they were', async (id) => {
  const deviant = await answersOf([id]);
  const changed = deviant.filter((answer, index) => answer !== faithful[index]);
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.length).toBeLessThan(deviant.length);
});

test('registry.publish.version-unique-race~check-then-set lets two that arrive together win', async () => {
  const deviations = ['registry.publish.version-unique-race~check-then-set'];
  const { publish } = await registryMock({ deviations, clock: virtualClock() });
  const together = await Promise.all([1, 2].map(() => publish('5.0.0')));
  expect(together.map(({ status }) => status)).toStrictEqual([201, 201]);
  expect((await publish('5.0.0')).status).toBe(400);
});

test('registry.publish.201~one-at-a-time refuses the second of two versions that arrive together', async () => {
  const deviations = ['registry.publish.201~one-at-a-time'];
  const { publish } = await registryMock({ deviations, clock: virtualClock() });
  const together = await Promise.all(['5.0.0', '5.0.1'].map((version) => publish(version)));
  expect(together.map(({ status }) => status).sort()).toStrictEqual([201, 400]);
});

test('proxy.skin.task-per-call~one-for-all gives two calls one task', async () => {
  const { send } = await registryMock({ deviations: ['proxy.skin.task-per-call~one-for-all'] });
  const tasks = await Promise.all([1, 2].map(async () => (await send(enhancer, { image })).text));
  expect(new Set(tasks).size).toBe(1);
});

test('every rule of the registry with a verdict on a live server has a deviation', async () => {
  const { sheet } = await loadOwnContract('registry');
  const broken = new Set(registryDeviations.map(({ rule }) => rule));
  const judged = (sheet?.rules ?? []).filter(
    ({ level, audience }) => !['info', 'client'].includes(level) && ['server', 'both'].includes(audience),
  );
  expect(judged.length).toBeGreaterThan(30);
  expect(judged.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toStrictEqual([]);
});
