import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, type LoadOptions, packageRoot, renderDiagnostics } from '../../contract/index.ts';

/** The expected output for each of these files is in `expected/`, word by word. */
const broken = join(import.meta.dirname, '../fixtures/broken');

const documents: readonly (readonly [title: string, file: string])[] = [
  ['an empty file', 'empty.yaml'],
  ['a file of comments', 'only-comments.yaml'],
  ['a binary file', 'binary.yaml'],
  ['a file in another encoding', 'latin-1.yaml'],
  ['a file in UTF-16', 'utf-16.yaml'],
  ['a list', 'list.yaml'],
  ['a letter', 'prose.yaml'],
  ['JSON that is no OpenAPI document', 'package.json'],
  ['a missing colon', 'no-colon.yaml'],
  ['a line indented too far', 'bad-indent.yaml'],
  ['a tab', 'tab.yaml'],
  ['a quote that is never closed', 'open-quote.yaml'],
  ['a brace that is never closed', 'open-brace.yaml'],
  ['a trailing comma in JSON', 'trailing-comma.json'],
  ['JSON that is cut short', 'cut-short.json'],
  ['keys that stand twice in YAML', 'duplicate-keys.yaml'],
  ['members that stand twice in JSON', 'duplicate-keys.json'],
  ['two YAML documents in one file', 'two-documents.yaml'],
  ['values that JSON does not know', 'not-json.yaml'],
  ['a tag that asks for code', 'foreign-tag.yaml'],
  ['an alias without an anchor', 'alias-unknown.yaml'],
  ['an alias inside of what it repeats', 'alias-cycle.yaml'],
  ['aliases that stand for half a billion values', 'alias-bomb.yaml'],
  ['Swagger 2.0', 'swagger-2.yaml'],
  ['OpenAPI 3.2', 'openapi-3.2.yaml'],
  ['OpenAPI 4', 'openapi-4.yaml'],
  ['a version that is a number', 'version-is-number.yaml'],
  ['a version without its last number', 'version-without-patch.yaml'],
  ['a misspelt first member', 'version-misspelt.yaml'],
  ['references that lead nowhere, all of them', 'dangling.yaml'],
  ['references that leave the folder or the machine', 'refused-refs.yaml'],
  ['references to files that cannot be used', 'unusable-files.yaml'],
  ['references that are no paths, or lead to other things', 'odd-refs.yaml'],
  ['references that lead back to themselves', 'loops.yaml'],
  ['what OpenAPI 3.0 ignores or does not know yet', 'ref-siblings.yaml'],
  ['misspelt, missing and mistyped members in OpenAPI 3.0', 'members-3.0.3.yaml'],
  ['misspelt, missing and mistyped members in OpenAPI 3.1', 'members-3.1.0.yaml'],
  ['security schemes that lack what their type needs', 'security-schemes.yaml'],
  ['names of paths, parameters, operations and schemes that do not agree', 'paths.yaml'],
  ['patterns that are none', 'patterns.yaml'],
  ['a document without operations', 'nothing-to-do.yaml'],
];

const sheets: readonly (readonly [title: string, file: string])[] = [
  ['a sheet that is cut short', 'cut-short.yaml'],
  ['a sheet of the wrong shape', 'wrong-shape.yaml'],
  ['names that nothing bears', 'unknown-names.yaml'],
  ['states that a lifecycle does not have', 'unknown-states.yaml'],
  ['facts that the document states otherwise', 'contradictions.yaml'],
];

test.each(documents)('%s: every problem is reported, with its place and what to do', async (_, file) => {
  await expectTranscript('documents', file, { document: file, name: 'shop', cwd: join(broken, 'documents') });
});

test.each(sheets)('%s: every problem is reported, with its place and what to do', async (_, file) => {
  const sheet = join('test/fixtures/broken/sheets', file);
  await expectTranscript('sheets', file, {
    document: 'specs/router.openapi.yaml',
    sheet,
    cwd: packageRoot(),
  });
});

test('each broken file has a case', () => {
  const files = (folder: string): string[] =>
    readdirSync(join(broken, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? entry.name : [],
    );
  const parts = ['parts.yaml'];
  expect(
    files('documents')
      .filter((file) => !parts.includes(file))
      .sort(),
  ).toStrictEqual(documents.map(([, file]) => file).sort());
  expect(files('sheets').sort()).toStrictEqual(sheets.map(([, file]) => file).sort());
});

async function expectTranscript(folder: string, file: string, options: LoadOptions): Promise<void> {
  const result = await loadContract({ ...options, strict: true });
  const told = renderDiagnostics(result.ok ? result.warnings : result.diagnostics, {
    colour: false,
    source: result.source,
  });
  const transcript = `${result.ok ? 'read' : 'refused'}\n\n${told}\n`;
  await expect(transcript).toMatchFileSnapshot(join(broken, folder, 'expected', `${file}.txt`));
}
