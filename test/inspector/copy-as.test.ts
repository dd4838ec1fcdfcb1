import { execFile, execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asCurl, asFetch, asTest, copied, type Copied } from '../../mock/inspector/copy-as.ts';
import { startMock, type JournalEntry, type RunningMock } from '../../mock/index.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ apis: ['router'], controlPort: false });
});
afterAll(() => mock.stop());

const sample = { method: 'GET', target: '/', headers: [['X-API-Key', 'service-mock-ok']] } as const;
const input = JSON.stringify({ prompt: `it's "quoted" $HOME \`id\` \\ \u2028 ${'\u{1f4d0}'}` });

async function exchange(headers: Record<string, string>): Promise<JournalEntry> {
  await mock.fetch(
    new Request(`${mock.url}/v1/models/mock/ok`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: input,
    }),
  );
  const entry = mock.journal.entries().at(-1);
  if (entry === undefined) throw new Error('the journal is empty');
  return entry;
}

test.each([
  ['an API key', { 'X-API-Key': 'service-mock-ok+alice' }],
  ['a key as a bearer', { Authorization: 'Bearer service-mock-ok' }],
])('a call with %s, copied as curl, is the same call', { tags: 'curl' }, async (_what, credential) => {
  const entry = await exchange(credential);
  expect(entry.status).toBe(200);
  const curl = asCurl(copied(entry, mock.url, sample));
  const answer = await new Promise<string>((resolve, reject) => {
    execFile('sh', ['-c', `${curl} -sS`], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  const again = mock.journal.entries().at(-1);
  expect(again?.number).toBe(entry.number + 1);
  expect(again).toMatchObject({ caller: entry.caller, target: entry.target, request: { body: input } });
});

test('a credential that the journal does not know is left to be filled in', async () => {
  const entry = await exchange({ 'X-API-Key': 'some-secret-of-mine' });
  const curl = asCurl(copied(entry, mock.url, sample));
  expect(curl).toContain('YOUR-CREDENTIAL');
  expect(curl).not.toContain('some-secret');
});

test('a call copied as fetch, or as a test, is code that makes this call', async () => {
  const entry = await exchange({ 'X-API-Key': 'service-mock-ok', 'Idempotency-Key': 'order-1' });
  const request = copied(entry, mock.url, sample);
  const run = new Function(
    `return (async () => { ${asFetch(request)} return response; })()`,
  ) as () => Promise<Response>;
  const response = await run();
  expect(response.headers.get('Idempotent-Replayed')).toBe('true');
  const lines = asTest(request).split('\n');
  expect(lines[0]).toBe("import { expect, test } from 'vitest';");
  expect(lines).toContain('  expect(response.status).toBe(200);');
});

test('every part of a request stays data in a shell', { tags: 'attack' }, () => {
  const words = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(words, words, (body, value) => {
      const request: Copied = {
        method: 'POST',
        url: 'http://localhost/',
        headers: [['x-name', value]],
        body,
        status: 200,
      };
      const command = asCurl(request).replace(/^curl /, "printf '%s\\0' ");
      const words = execFileSync('sh', ['-c', command]).toString('utf8').split('\0');
      // curl sends a header without a value only in this form.
      const header = value === '' ? 'x-name;' : `x-name: ${value}`;
      const expected = [header, ...(body === '' ? [] : [body])];
      for (const text of expected) expect(words).toContain(Buffer.from(text).toString('utf8'));
    }),
    { numRuns: 30 },
  );
});
