import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted } from './servers.ts';

const HEADERS =
  'headers: { ETag: { schema: { type: string } }, X-Request-Id: { schema: { type: string } }, Server-Timing: { schema: { type: string } } }';

const contract = own(
  'notes',
  `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /note:
    get:
      operationId: readNote
      responses:
        '200': { description: The note., ${HEADERS}, content: { application/json: { schema: { type: object } } } }
        '304': { description: Not modified., ${HEADERS} }
`,
  `
api: notes
contract: '1'
document: 1
policies:
  - kind: conditional-get
    operations: [readNote]
    status: 304
    keptHeaders: [ETag, X-Request-Id, Server-Timing]
rules: []
unspecified: []
`,
);

/** @param headers of the answer without a body, by the number of the answer */
async function keptBy(headers: (count: number) => Readonly<Record<string, string>>): Promise<unknown> {
  let count = 0;
  const report = await runConformance({
    contracts: [await contract],
    baseUrl: 'http://localhost',
    rules: ['conditional-get.*'],
    transport: scripted((request) => {
      count += 1;
      if (request.target !== '/note') return { status: 404 };
      const tags = headerIn(request, 'If-None-Match') ?? '';
      if (tags === '*' || tags.includes('"one"'))
        return { status: 304, headers: { ETag: '"one"', ...headers(count) } };
      const type = { 'Content-Type': 'application/json', ETag: '"one"' };
      return { status: 200, headers: { ...type, ...perAnswer(count) }, body: { text: 'hello' } };
    }).transport,
  });
  return report.rules.find(({ id }) => id.endsWith('.kept-headers'))?.verdict;
}

const perAnswer = (count: number): Readonly<Record<string, string>> => ({
  'X-Request-Id': `request-${String(count)}`,
  'Server-Timing': 'total;dur=1',
});

test('a header that differs for each answer is kept with another value, and no other header is', async () => {
  expect(await keptBy(perAnswer)).toBe('pass');
  expect(await keptBy(() => ({ 'Server-Timing': 'total;dur=1' }))).toBe('fail');
  expect(await keptBy((count) => ({ ...perAnswer(count), 'Server-Timing': 'total;dur=2' }))).toBe('fail');
});
