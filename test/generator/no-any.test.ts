import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';
import { documentOf, filesOf } from './generated.ts';
import { wireDocument } from './wire-document.ts';

/**
 * Where a file writes the type `any` in what it exports. An export has no other way to be `any`, since each states its type. Guards
 * look into values of no known type inside, which cannot be imported.
 */
function anyIn({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${String(line + 1)}`);
    }
    ts.forEachChild(node, visit);
  };
  const isExported = (node: ts.Statement): boolean =>
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  for (const statement of file.statements) if (isExported(statement)) visit(statement);
  return found;
}

test('the search finds what it looks for', () => {
  expect(
    anyIn({ path: 'a.ts', text: 'export const any = "any";\nexport let b: Record<string, any>; // any\n' }),
  ).toStrictEqual(['a.ts:2']);
});

test('no export of the code for the built-in contracts is `any`', () => {
  const folder = join(packageRoot(), 'generated');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  expect(paths.length).toBeGreaterThan(50);
  const found = paths.flatMap((path) => anyIn({ path, text: readFileSync(join(folder, path), 'utf8') }));
  expect(found).toStrictEqual([]);
});

test('nothing is `any` in what the code for other documents exports, also where their schemas leave values open', async () => {
  const open = {
    true: true,
    empty: {},
    list: { type: 'array' },
    object: { type: 'object' },
    not: { not: {} },
  };
  const schemas = { Open: { type: 'object', properties: open }, Any: {}, Both: { allOf: [{}, true] } };
  const everything = [
    ...(await filesOf(documentOf(schemas), 'open', { server: true, query: true })),
    ...(await filesOf(wireDocument, 'wire', { server: true, query: true })),
  ];
  const files = everything.filter(({ path }) => /^(?:open|wire)\/.*\.ts$/.test(path));
  expect(files.flatMap((file) => anyIn(file))).toStrictEqual([]);
});
