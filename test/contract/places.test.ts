import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, renderDiagnostics, sharedPaths } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';

const user = { type: 'object', properties: { name: { $ref: '#/components/schemas/Nmae' } } };
const answer = (schema: object): object => ({
  description: 'Well.',
  content: { 'application/json': { schema } },
});
const filler = Object.fromEntries(
  [...'abcdef'].map((name) => [`/${name}`, { get: { responses: { 200: { description: 'A thing.' } } } }]),
);
const documentOf = (paths: object, schemas: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'Users', version: '1' },
  paths: { ...filler, ...paths },
  components: { schemas },
});

/** What is printed about files, of which the first is the document. */
async function printed(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'tallystick-places-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const [document = ''] = Object.keys(files);
    const loaded = await loadContract({ document, cwd });
    const found = loaded.ok ? loaded.warnings : loaded.diagnostics;
    return renderDiagnostics(found, { colour: false, source: (file) => files[file] });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const fault = documentOf(
  { '/users': { post: { responses: { 201: answer({ $ref: '#/components/schemas/User' }) } } } },
  { User: user },
);

test('a place far within a document on one line is a JSON pointer, beside the part of the line', async () => {
  const text = await printed({ 'api.json': JSON.stringify(fault) });
  expect(text).toContain('(api.json#/components/schemas/User/properties/name/$ref)  ref-dangling');
  expect(text).toMatch(/ {3}1 \| ….*"#\/components\/schemas\/Nmae"/);
  expect(text).not.toMatch(/api\.json:\d/);
});

test('of a document with lines, the line and the column are shown', async () => {
  expect(await printed({ 'api.json': JSON.stringify(fault, null, 2) })).toMatch(
    /\(api\.json:\d+:\d+\)  ref-dangling/,
  );
});

test('in another file the pointer leads from the root of that file', async () => {
  const parts = JSON.stringify({ about: 'x'.repeat(300), User: user });
  const main = documentOf({
    '/users': { get: { responses: { 200: answer({ $ref: 'parts.json#/User' }) } } },
  });
  const text = await printed({ 'api.json': JSON.stringify(main, null, 2), 'parts.json': parts });
  expect(text).toContain('(parts.json#/User/properties/name/$ref)');
});

test('a path of two documents is at pointers, if these have one line', async () => {
  const paths = {
    '/users/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'A user.' } },
      },
    },
  };
  const text = JSON.stringify(documentOf(paths));
  const [found] = sharedPaths([await own('one', text), await own('other', text)]).filter(({ message }) =>
    message.includes('users'),
  );
  expect(found?.message).toBe(
    'GET /users/{id} is at one.yaml#/paths/~1users~1{id}/get as well, which answers it',
  );
});
