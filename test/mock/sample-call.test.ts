import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { asCurl } from '../../mock/journal/curl.ts';
import { startMock, type StartOptions } from '../../mock/index.ts';

const run = promisify(execFile);

/** The status of what a shell sends when the sample is typed. */
async function typedStatus(options: StartOptions): Promise<string> {
  const mock = await startMock({ controlPort: false, ...options });
  onTestFinished(() => mock.stop());
  const { sample } = mock.state();
  if (sample === undefined) return 'none';
  const line = asCurl({ ...sample, url: `${mock.url}${sample.target}` });
  const { stdout } = await run('sh', ['-c', `${line} -sS -o /dev/null -w '%{http_code}'`]);
  return stdout;
}

test.each<[string, StartOptions, string]>([
  ['all APIs', {}, '200'],
  ['the router', { apis: ['router'] }, '200'],
  ['the jobs', { apis: ['jobs'] }, '201'],
  ['the registry', { apis: ['registry'] }, '200'],
  ['all APIs before the rollout of the router', { profile: 'not-rolled-out' }, '200'],
  ['jobs under a path', { apis: ['jobs'], jobs: { mountPrefix: '/deployment/d-42' } }, '201'],
  ['an instance with a token', { apis: ['jobs'], jobs: { surface: 'self-hosted', staticToken: 't' } }, '201'],
  ['an instance without one', { apis: ['jobs'], jobs: { surface: 'self-hosted' } }, '201'],
  ['a serverless deployment', { apis: ['jobs'], jobs: { surface: 'serverless' } }, '201'],
  ['the demo', { apis: ['jobs'], jobs: { surface: 'demo' } }, '201'],
  ['every address of this machine', { host: '0.0.0.0' }, '200'],
])(
  'the sample of a mock of %s succeeds when it is typed',
  { tags: 'curl' },
  async (_what, options, status) => {
    expect(await typedStatus(options)).toBe(status);
  },
);

const get = "get: { responses: { '200': { description: Fine. } } }";
const withScheme = (scheme: string, rest = get): string =>
  `components: { securitySchemes: { s: ${scheme} } }\nsecurity: [{ s: [] }]\npaths: { /things: { ${rest} } }`;

test.each([
  ['none', `paths: { /things: { ${get} } }`],
  ['a header', withScheme('{ type: apiKey, in: header, name: X-Mine }')],
  ['a query parameter', withScheme('{ type: apiKey, in: query, name: api key }')],
  ['a cookie', withScheme('{ type: apiKey, in: cookie, name: sid }')],
  ['a bearer', withScheme('{ type: http, scheme: bearer }')],
  ['a user and a password', withScheme('{ type: http, scheme: basic }')],
  [
    'OAuth',
    withScheme(
      '{ type: oauth2, flows: { clientCredentials: { tokenUrl: "https://x.example/t", scopes: {} } } }',
    ),
  ],
  [
    'none, with a POST alone',
    `paths: { /things: { post: { requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name, count], properties: { name: { type: string, minLength: 9 }, count: { type: integer, minimum: 3 } } } } } }, responses: { '201': { description: Made. } } } } }`,
  ],
  [
    'none, with required parameters',
    `paths: { '/things/{id}': { get: { parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }, { name: q, in: query, required: true, schema: { type: string }, example: 'a&b?c' }], responses: { '200': { description: Fine. } } } } }`,
  ],
])(
  'a document whose credential is %s has a sample that succeeds when it is typed',
  { tags: 'curl' },
  async (_what, rest) => {
    const cwd = await mkdtemp(join(tmpdir(), 'tallystick-'));
    await writeFile(join(cwd, 'own.yaml'), `openapi: 3.1.0\ninfo: { title: Own, version: '1' }\n${rest}\n`);
    const loaded = await loadContract({ document: 'own.yaml', cwd });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    expect(await typedStatus({ contracts: [loaded.contract] })).toMatch(/^2\d\d$/);
  },
);
