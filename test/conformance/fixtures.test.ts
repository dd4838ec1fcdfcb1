import { expect, test } from 'vitest';
import { fixtureLine, fixturesTemplate, readFixtures } from '../../conformance/index.ts';

test('an empty file is a valid one', () => {
  expect(readFixtures('', {})).toEqual({ ok: true, fixtures: {} });
});

test('JSON and YAML read alike, and secrets come from the environment', () => {
  const json =
    '{ "cred": { "valid": { "header": "X-API-Key", "value": "$API_KEY" } }, "model": { "ok": { "id": "p/m", "input": { "n": 1.5 } } } }';
  const yaml =
    'cred:\n  valid: { header: X-API-Key, value: $API_KEY }\nmodel:\n  ok:\n    id: p/m\n    input: { n: 1.5 }\n';
  const want = {
    ok: true,
    fixtures: {
      cred: { valid: { header: 'X-API-Key', value: 'k-1' } },
      model: { ok: { id: 'p/m', input: { n: 1.5 } } },
    },
  };
  expect(readFixtures(json, { API_KEY: 'k-1' })).toEqual(want);
  expect(readFixtures(yaml, { API_KEY: 'k-1' })).toEqual(want);
});

test.each<[string, { text: string; code: string; message: string; help: string; line: number }]>([
  [
    'a misspelt member',
    {
      text: 'model:\n  slwo: { id: p/m, input: {} }\n',
      code: 'fixtures-unknown-member',
      message: 'unknown property model.slwo',
      help: 'did you mean slow?',
      line: 2,
    },
  ],
  [
    'a member of the wrong type',
    {
      text: 'deadlineMs: soon\n',
      code: 'fixtures-type',
      message: 'deadlineMs must be a number, not "soon"',
      help: "the server's deadline for one run, in milliseconds",
      line: 1,
    },
  ],
  [
    'a secret that is not set',
    {
      text: 'cred:\n  jwt: $NOT_SET\n',
      code: 'fixtures-type',
      message: 'cred.jwt reads $NOT_SET, which is not set',
      help: 'set it: export NOT_SET=…',
      line: 2,
    },
  ],
  [
    'a fixture without its id',
    {
      text: 'model:\n  ok: { input: {} }\n',
      code: 'fixtures-missing-member',
      message: 'missing property id in model.ok',
      help: 'a model ID, provider/model',
      line: 2,
    },
  ],
  [
    'an unknown surface',
    {
      text: 'surface: moon\n',
      code: 'fixtures-type',
      message: 'surface must be one of cloud, self-hosted, serverless, demo, not "moon"',
      help: 'cloud, self-hosted, serverless or demo',
      line: 1,
    },
  ],
])('%s is reported with its place and a fix', (_, { text, code, message, help, line }) => {
  const read = readFixtures(text, {}, 'f.yaml');
  expect(read.ok).toBe(false);
  if (read.ok) return;
  expect(read.diagnostics).toHaveLength(1);
  expect(read.diagnostics[0]).toMatchObject({ code, message, help, location: { file: 'f.yaml', line } });
});

test('a file that does not parse is reported with its place', () => {
  const read = readFixtures('{ "model": ', {}, 'f.json');
  expect(read).toMatchObject({
    ok: false,
    diagnostics: [
      { code: 'fixtures-syntax', message: 'unexpected end of file', location: { file: 'f.json', line: 1 } },
    ],
  });
});

test.each<[string, string, string]>([
  ['an alias bomb', bomb(), 'fixtures-syntax 7:12 aliases expand to more than 100000 values'],
  [
    'a number in the place of a secret',
    'cred:\n  jwt: 12345\n',
    'fixtures-type 2:8 cred.jwt must be a string, or $NAME for an environment variable',
  ],
  ['a list', '- a\n', 'fixtures-type 1:1 the file must be an object, not an array'],
  ['a key that occurs twice', 'baseUrl: x\nbaseUrl: y\n', 'fixtures-syntax 2:1 duplicate key "baseUrl"'],
])('%s is reported, never thrown', (_, text, want) => {
  const read = readFixtures(text, {});
  const [first] = read.ok ? [] : read.diagnostics;
  const { line = 0, column = 0 } = first?.location ?? {};
  expect(`${first?.code ?? ''} ${line}:${column} ${first?.message ?? ''}`).toBe(want);
});

test('values of the JSON input stay as they are, dollar signs too', () => {
  const read = readFixtures('{ "model": { "ok": { "id": "p/m", "input": { "price": "$FIVE" } } } }', {});
  expect(read).toMatchObject({ ok: true, fixtures: { model: { ok: { input: { price: '$FIVE' } } } } });
});

test('the template is valid and says nothing', () => {
  expect(readFixtures(fixturesTemplate(), {})).toEqual({ ok: true, fixtures: {} });
});

test('the template is valid with every comment sign taken away', () => {
  const all = fixturesTemplate()
    .replace(/^#(?! )/gm, '')
    .replace(/^#( +\S+:)/gm, '$1');
  const names = [...all.matchAll(/"?\$([A-Z_]+)"?/g)].map(([, name]) => [name ?? '', 'a-secret'] as const);
  const read = readFixtures(all, Object.fromEntries(names));
  expect(read).toMatchObject({ ok: true });
  if (read.ok) expect(Object.keys(read.fixtures)).toContain('job');
});

test.each([
  ['model.slow', '"model": { "slow": { "id": "provider/model", "input": {}, "minMs": 700 } }'],
  ['cursor.expired', '"cursor": { "expired": "…" }'],
  ['cred.jwt', '"cred": { "jwt": "$JWT" }'],
  ['pages>=2', undefined],
])('the line to add for %s', (need, line) => {
  expect(fixtureLine(need)).toBe(line);
});

// --- internal ---

/** Nine lists of nine aliases each: half a billion values in ten lines. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => {
    const inner = n === 0 ? 'x' : `*a${n - 1}`;
    return `  a${n}: &a${n} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
  });
  return `job:\n${lines.join('\n')}\n`;
}
