import { expect, test } from 'vitest';
import { renderReport, runConformance } from '../../conformance/index.ts';
import type { Credential, Report } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const page = { 'Content-Type': 'text/html; charset=utf-8' };
/** Without what a format escapes. */
const FIRST_WORDS = /^[\w ]+/;
const document = (security = '', type = 'application/json'): string => `
openapi: 3.1.0
info: { title: Things, version: '1' }
${security}
paths:
  /up: { get: { operationId: up, responses: { '204': { description: Well. } } } }
  /things: { get: { operationId: listThings, responses: { '200': { description: Things., content: { ${type}: { schema: { type: ${type === 'text/html' ? 'string' : 'array'} } } } } } } }
`;

async function judge(answer: Scripted, text = document(), credential?: Credential): Promise<Report> {
  const { transport } = scripted(({ target }) =>
    target === '/things' ? answer : { status: target === '/up' ? 204 : 404 },
  );
  const contracts = [await own('things', text)];
  return runConformance({ contracts, baseUrl: 'http://localhost', transport, credential });
}

test.each<[string, Scripted, string]>([
  [
    'a login',
    { status: 302, headers: { Location: 'https://sso.example.com/login?next=secret-place' } },
    'It redirects to https://sso.example.com/login: perhaps a login for people is in front of the API',
  ],
  [
    'a page of a proxy, by its server',
    { status: 500, headers: { ...page, Server: 'nginx/1.27' }, body: '<h1>500</h1>' },
    'It is an HTML page with Server: nginx/1.27: perhaps a proxy in front of the API answered.',
  ],
  [
    'a page of a proxy, by its way',
    { status: 404, headers: { ...page, Via: '1.1 edge' }, body: '<h1>404</h1>' },
    'It is an HTML page with Via: 1.1 edge: perhaps a proxy in front of the API answered.',
  ],
  [
    'a development mode',
    { status: 500, headers: page, body: '<pre>Error at line 5</pre>' },
    'It is an HTML page: some servers answer so in their development mode.',
  ],
  [
    'a web application',
    { status: 200, headers: page, body: '<div id=app></div>' },
    'perhaps a login page, or the page of a web application that answers every path',
  ],
])('%s is named as what may explain the cause', async (_, answer, help) => {
  const report = await judge(answer);
  expect(report.causes?.[0]?.help).toContain(help);
  for (const format of ['text', 'markdown', 'html', 'ndjson'] as const)
    expect(renderReport(report, format).replaceAll(/\s+/g, ' '), format).toContain(
      FIRST_WORDS.exec(help)?.[0],
    );
  expect(JSON.stringify(report.causes)).not.toContain('secret-place');
});

test.each<[string, Scripted, string]>([
  [
    'an error that is JSON',
    { status: 500, headers: { 'Content-Type': 'application/json' }, body: {} },
    document(),
  ],
  ['a redirect to a thing', { status: 302, headers: { Location: '/authors/12' } }, document()],
  [
    'a page that the document declares',
    { status: 201, headers: page, body: '<p>' },
    document('', 'text/html'),
  ],
])('%s is not explained', async (_, answer, text) => {
  const { causes = [] } = await judge(answer, text);
  expect(causes).toHaveLength(1);
  expect(causes[0]?.help).toBeUndefined();
});

const secured = (scheme: string): string =>
  document(`security: [{ main: [] }]\ncomponents: { securitySchemes: { main: ${scheme} } }`);
const SECRET = 'abcdefghijklmnop';

test.each<[string, string, string, string]>([
  ['{ type: apiKey, in: header, name: Authorization }', 'Authorization', SECRET, 'API key …mnop'],
  ['{ type: apiKey, in: header, name: X-Key }', 'X-Key', SECRET, 'API key …mnop'],
  ['{ type: http, scheme: bearer }', 'Authorization', `Bearer ${SECRET}`, 'bearer …mnop'],
  ['{ type: http, scheme: Basic }', 'Authorization', `Basic ${SECRET}`, 'basic'],
  [
    '{ type: openIdConnect, openIdConnectUrl: https://x.example }',
    'Authorization',
    `Bearer ${SECRET}`,
    'OpenID Connect token …mnop',
  ],
])('of %s the report names the kind', async (scheme, header, value, identity) => {
  const { target } = await judge(
    { status: 200, headers: { 'Content-Type': 'application/json' }, body: [] },
    secured(scheme),
    { header, value },
  );
  expect(target.identity).toBe(identity);
});
