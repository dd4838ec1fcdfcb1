// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findOwnedLiterals, ownedLiterals } from './owned-literals.ts';

const root = new URL('../../', import.meta.url);

/** What a probe expects is literal, next to its rule: suite and mock must not share a misreading. */
const literalOnPurpose = /^conformance\/apis\//;

const owned = ownedLiterals();

test.each(['contract', 'generator', 'mock', 'conformance', 'cli', 'server'])(
  '%s/ takes what the sheets say from the sheets',
  (folder) => {
    const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.(ts|tsx|js|mjs)$/.test(file) && !literalOnPurpose.test(file));
    const found = files.flatMap((file) =>
      findOwnedLiterals(file, readFileSync(new URL(file, root), 'utf8'), owned),
    );
    expect(found).toEqual([]);
  },
);

test.each([
  ["header('x-service-error-type')", 'X-Service-Error-Type'],
  ["reply.set(`Idempotent-Replayed: ${'true'}`)", 'Idempotent-Replayed'],
  ['const status = { invalid_input: 400 }', 'invalid_input'],
  ["if (bucket === 'unauthorized') retry()", 'unauthorized'],
  ["token.startsWith('service-')", 'service-'],
  ["const window = 'PT24H'", 'PT24H'],
  ['const announced = /queue_timeout/', 'queue_timeout'],
])('a fact in code is found: %s', (source, literal) => {
  expect(findOwnedLiterals('mock/x.ts', `\n${source};`, owned)).toContain(`mock/x.ts:2 ${literal}`);
});

test.each([
  '// the bucket is invalid_input',
  'const unauthorized = true',
  "const name = 'service'",
  "throw new Error('not a duration such as PT24H')",
])('a comment, an ordinary name and a message are none: %s', (source) => {
  expect(findOwnedLiterals('mock/x.ts', source, owned)).toEqual([]);
});
