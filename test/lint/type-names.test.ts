import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

/** What ships into the repositories of users has names of its own: it is not read beside the tool. */
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

const statements = new Map(
  files.map((file) => {
    const text = readFileSync(join(packageRoot(), file), 'utf8');
    const { statements: all } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    return [file, all.filter(isExported)] as const;
  }),
);

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/** The types that a file declares and exports. */
function typesOf(file: string): readonly string[] {
  return (statements.get(file) ?? []).flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement);
    return isType && statement.name !== undefined ? [statement.name.text] : [];
  });
}

/** The functions that a file declares and exports, each once. */
function functionsOf(file: string): ReadonlySet<string> {
  return new Set(
    (statements.get(file) ?? []).flatMap((statement) => {
      if (ts.isFunctionDeclaration(statement))
        return statement.name === undefined ? [] : [statement.name.text];
      if (!ts.isVariableStatement(statement)) return [];
      return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
        initializer !== undefined && ts.isArrowFunction(initializer) && ts.isIdentifier(name)
          ? [name.text]
          : [],
      );
    }),
  );
}

/** The built-in API to which a file belongs alone. Modules have one shape: the same part has one name in all of them. */
function apiOf(file: string): string | undefined {
  return /^\w+\/apis\/(\w+)\//.exec(file)?.[1];
}

test.each(FOLDERS)('a name of an exported function has one meaning in %s/', (folder) => {
  const places = new Map<string, string[]>();
  for (const file of files) {
    // The page is a program of its own, and an entry point hands on what others declare.
    if (!file.startsWith(`${folder}/`) || /\/inspector\/|\/index\.ts$/.test(file)) continue;
    for (const name of functionsOf(file)) places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(5);
  const several = [...places].filter(([, found]) =>
    found.some((file, index) =>
      found.slice(index + 1).some((other) => {
        const [one, another] = [apiOf(file), apiOf(other)];
        return one === undefined || another === undefined || one === another;
      }),
    ),
  );
  expect(several).toStrictEqual([]);
});

test('a name of an exported type has one meaning', () => {
  const names = files.flatMap(typesOf);
  expect(names.length).toBeGreaterThan(500);
  const several = new Set(names.filter((name, index) => names.indexOf(name) < index));
  expect([...several].sort()).toStrictEqual(Object.keys(SAME_MEANING));
});
