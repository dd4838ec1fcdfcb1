import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';

/** Operations at another host and at another path of the same host, and bodies of several parts. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Files, version: '1' }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /files:
    get: { operationId: listFiles, responses: { '204': { description: None. } } }
  /beta:
    get:
      operationId: readBeta
      servers: [{ url: https://api.example.com/v2 }]
      responses: { '204': { description: None. } }
  /upload:
    servers: [{ url: 'https://{part}.example.com/u', variables: { part: { default: uploads } } }]
    get: { operationId: readUpload, responses: { '204': { description: None. } } }
`;

async function judge(
  baseUrl: string,
  fixtures: Fixtures = {},
  document = DOCUMENT,
): Promise<{ readonly report: Report; readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const { transport } = scripted(({ method, target, headers }: WireRequest) => {
    const host = headers.find(([name]) => name === 'Host')?.[1] ?? '';
    sent.push(`${method} ${host}${target}`);
    return { status: 204 };
  });
  const contracts = [await own('files', document)];
  const rules = ['document.*.answer', 'document.*.status'];
  const report = await runConformance({ contracts, baseUrl, fixtures, rules, transport } as Parameters<
    typeof runConformance
  >[0]);
  return { report, sent };
}

const resultOf = ({ rules }: Report, id: string): readonly (string | undefined)[] => {
  const found = rules.find((rule) => rule.id === id);
  return [found?.verdict, found?.reason, found?.fixtureLine];
};

test.each(['https://api.example.com/v1', 'http://localhost:4010/v1'])(
  'at %s: an operation of another host is not called, and the report says what to do',
  async (baseUrl) => {
    const { report, sent } = await judge(baseUrl);
    const host = new URL(baseUrl).host;
    expect(sent).toContain(`GET ${host}/v1/files`);
    expect(sent).toContain(`GET ${host}/v2/beta`);
    expect(sent.filter((line) => line.includes('upload'))).toStrictEqual([]);
    const [verdict, reason, line] = resultOf(report, 'document.readUpload.answer');
    expect(verdict).toBe('not-exercised');
    expect(reason).toMatch(
      /at https:\/\/uploads\.example\.com\/u, and not at .*run of its own, or state that/,
    );
    expect(line).toBe('server: "*"');
  },
);

test.each<[string, Fixtures]>([
  ['https://uploads.example.com/u', {}],
  ['http://localhost:4011/u', { server: 'https://uploads.example.com' }],
])('at %s with %j: the other host is judged, and the rest is not called', async (baseUrl, fixtures) => {
  const { report, sent } = await judge(baseUrl, fixtures);
  expect(sent).toContain(`GET ${new URL(baseUrl).host}/u/upload`);
  expect(sent.filter((line) => /files|beta/.test(line))).toStrictEqual([]);
  expect(resultOf(report, 'document.listFiles.answer')[0]).toBe('not-exercised');
});

test('a server that serves all of them is asked for all', async () => {
  const { report, sent } = await judge('http://localhost:4010', { server: '*' });
  expect([...new Set(sent)]).toEqual(
    expect.arrayContaining(['files', 'beta', 'upload'].map((path) => `GET localhost:4010/${path}`)),
  );
  expect(report.rules.filter(({ verdict }) => verdict === 'not-exercised')).toStrictEqual([]);
});

test.each<[string, string]>([
  ['no servers', DOCUMENT.replace(/^servers:.*\n/m, '').replace(/^ +servers: \[\{ url: 'https.*\n/m, '')],
  ['relative servers', DOCUMENT.replace('https://api.example.com/v1', '/v1').replace('{part}', 'api')],
])(
  'a document with %s: operations at the host of the target, and without a server, are called',
  async (_, document) => {
    const { sent } = await judge('https://api.example.com', {}, document);
    expect([...new Set(sent.map((line) => line.split('/').at(-1)))]).toEqual(
      expect.arrayContaining(['files', 'beta', 'upload']),
    );
  },
);
