import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

/** What ships into the repositories of users has names of its own: nobody reads it beside the tool. */
const SHIPPED = ['generator/runtime/', 'generator/server-runtime/', 'generator/validation/'];

/** Folders that may not import each other say these words alike. */
const SAME_MEANING: Readonly<Record<string, string>> = {
  Clock: 'time, as the mock and as the suite see it',
  Exchange: 'one request and what came back',
  Fetch: 'the part of the global fetch that is used',
  Fixtures: 'what a live server has to offer to the suite',
  Policy: 'a typed fact of a sheet',
  StreamEvent: 'one event of an event stream',
};

const FOLDERS = ['cli', 'conformance', 'contract', 'engine', 'generator', 'mock', 'proxy', 'server'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
).filter((file) => !SHIPPED.some((folder) => file.startsWith(folder)));

/** The types that a file declares and exports. */
function typesOf(file: string): readonly string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(packageRoot(), file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  return source.statements.flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement);
    const isExported =
      isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported === true && statement.name !== undefined ? [statement.name.text] : [];
  });
}

test('a name of an exported type has one meaning', () => {
  const names = files.flatMap(typesOf);
  expect(names.length).toBeGreaterThan(500);
  const several = new Set(names.filter((name, index) => names.indexOf(name) < index));
  expect([...several].sort()).toStrictEqual(Object.keys(SAME_MEANING));
});
