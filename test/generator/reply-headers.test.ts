import { beforeEach, expect, test } from 'vitest';
import { filesOf, imported } from './generated.ts';
import { headersDocument } from './headers-document.ts';

type Handle = (request: Request) => Promise<Response>;

let createServer: (handlers: object, options: object) => Handle;
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));

async function make(): Promise<void> {
  const files = await filesOf(headersDocument, 'things', { server: true });
  createServer = (await imported(files, 'things/server.ts'))['createServer'] as typeof createServer;
}

test.each([
  ['all that is declared', { 'X-Total': '3', Level: 'low', 'X-Sizes': '1,2', 'X-Facts': '{"a":1}' }, []],
  ['others beside them', { 'X-Total': '0', Level: 'high', 'X-Else': 'x' }, []],
  ['names in other letters', { 'x-total': '3', LEVEL: 'low' }, []],
  ['nothing', undefined, ['the header X-Total is missing', 'the header Level is missing']],
  ['a number below its bound', { 'X-Total': '-1', Level: 'low' }, [/^the header X-Total must be at least 0/]],
  ['text for a number', { 'X-Total': 'x', Level: 'low' }, [/^the header X-Total must be integer/]],
  ['a value that is not in the list', { 'X-Total': '1', Level: 'no' }, [/^the header Level must be/]],
  [
    'a list with a wrong item',
    { 'X-Total': '1', Level: 'low', 'X-Sizes': '1,x' },
    [/^the header X-Sizes at \/1 must be integer/],
  ],
  [
    'JSON without its member',
    { 'X-Total': '1', Level: 'low', 'X-Facts': '{}' },
    [/^the header X-Facts must have/],
  ],
] as const)('in development, %s as headers is judged by the document', async (_name, headers, misfits) => {
  const findings: { kind: string; misfits?: readonly string[] }[] = [];
  const serve = createServer(
    { listThings: () => ({ status: 200, headers, body: [] }) },
    {
      authenticate: () => ({ id: 'x' }),
      checkResponses: true,
      onFinding: (finding: (typeof findings)[number]) => findings.push(finding),
    },
  );
  const answer = await serve(new Request('http://localhost/things'));
  expect(answer.status).toBe(200);
  const told = findings.filter(({ kind }) => kind === 'response').flatMap((finding) => finding.misfits ?? []);
  expect(told).toHaveLength(misfits.length);
  misfits.forEach((misfit, index) => expect(told[index]).toMatch(misfit));
});

test('streams are held to their headers as well', async () => {
  const misfits: unknown[] = [];
  const serve = createServer(
    { followNews: () => ({ status: 200, events: (async function* () {})() }) },
    {
      authenticate: () => ({ id: 'x' }),
      checkResponses: true,
      onFinding: (finding: { misfits?: unknown }) => finding.misfits && misfits.push(finding.misfits),
    },
  );
  await (await serve(new Request('http://localhost/news'))).text();
  expect(misfits).toStrictEqual([['the header X-From is missing']]);
});
