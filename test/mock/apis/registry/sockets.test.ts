import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../../../mock/index.ts';
import { got, key, publication, versions } from './registry-mock.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ apis: ['registry'], controlPort: false });
});
afterAll(() => mock.stop());

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

async function publish(version: string): Promise<{ status: number; error: unknown; signedUrl: string }> {
  const body = JSON.stringify(publication({ version }));
  const answer = await got(await fetch(mock.url + versions, { method: 'POST', headers, body }));
  return { status: answer.status, error: answer.body['error'], signedUrl: String(answer.body['signedUrl']) };
}

test('registry.publish.version-unique-race: of two hundred publications of one version one is entered', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => publish('3.0.0')));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status, error }) => status === 400 && error === 'version_exists')).toHaveLength(
    199,
  );
});

/** Sends the head and half of the body, then goes away. */
async function halfOf(method: string, target: string, body: string): Promise<void> {
  const { hostname, port } = new URL(mock.url);
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${String(body.length)}`,
  ].join('\r\n');
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('close', () => {
      resolve();
    });
    socket.on('error', () => undefined);
    socket.write(`${head}\r\n\r\n${body.slice(0, body.length / 2)}`, () => socket.resetAndDestroy());
  });
}

test('a publication whose body is cut in half enters nothing', async () => {
  await halfOf('POST', versions, JSON.stringify(publication({ version: '4.0.0' })));
  expect((await publish('4.0.0')).status).toBe(201);
});

test('an archive that is cut in half is not stored, and its address still works', async () => {
  const { signedUrl } = await publish('5.0.0');
  const { pathname, search } = new URL(signedUrl);
  await halfOf('PUT', pathname + search, 'x'.repeat(100_000));
  const answer = await got(await fetch(signedUrl, { method: 'PUT', body: 'whole' }));
  expect(answer.body).toMatchObject({ size: 5 });
});
