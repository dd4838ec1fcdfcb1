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
      message: 'model.slwo is no member of the fixtures file',
      help: 'Did you mean "slow"?',
      line: 2,
    },
  ],
  [
    'a member of the wrong type',
    {
      text: 'deadlineMs: soon\n',
      code: 'fixtures-type',
      message: 'deadlineMs: expected a number',
      help: "the server's deadline for one run, in milliseconds",
      line: 1,
    },
  ],
  [
    'a secret that is not set',
    {
      text: 'cred:\n  jwt: $NOT_SET\n',
      code: 'fixtures-type',
      message: 'cred.jwt: expected $NOT_SET to be set in the environment',
      help: 'a JWT of the identity provider',
      line: 2,
    },
  ],
  [
    'a fixture without its id',
    {
      text: 'model:\n  ok: { input: {} }\n',
      code: 'fixtures-missing-member',
      message: 'model.ok lacks "id"',
      help: 'a model, as provider/model',
      line: 2,
    },
  ],
  [
    'an unknown surface',
    {
      text: 'surface: moon\n',
      code: 'fixtures-type',
      message: 'surface: expected one of cloud, self-hosted, serverless, demo',
      help: 'cloud, self-hosted, serverless or demo',
      line: 1,
    },
  ],
])('%s is told with its place and what to do', (_, { text, code, message, help, line }) => {
  const read = readFixtures(text, {}, 'f.yaml');
  expect(read.ok).toBe(false);
  if (read.ok) return;
  expect(read.diagnostics).toHaveLength(1);
  expect(read.diagnostics[0]).toMatchObject({ code, message, help, location: { file: 'f.yaml', line } });
});

test('a file that does not parse is told with its place', () => {
  const read = readFixtures('{ "model": ', {}, 'f.json');
  expect(read).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'fixtures-syntax', location: { file: 'f.json', line: 1 } }],
  });
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
