import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ownContractNames, packageRoot } from '../../contract/index.ts';

/** The code that serves any contract: what it knows of the built-in ones comes from `specs/` and `mock/apis/`. */
const FOLDERS = ['cli', 'contract', 'engine', 'generator', 'mock', 'proxy', 'server', 'templates'];
const NAME = new RegExp(`(?<![\\w./-])(?:${ownContractNames.join('|')})(?![\\w-]|\\.\\w)`);

/** Files and folders that may name an API, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'cli/conform/permission-names.ts': 'a permission of the suite is called jobs',
  'contract/own-contracts.ts': 'the list of the packaged contracts',
  'mock/inspector/': 'jobs are a resource of the control API, with a view for it',
};

const isExcepted = (path: string): boolean =>
  Object.keys(EXCEPTIONS).some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name));

/** The lines on which a text of the program names an API; comments and names of variables do not count. */
function namesIn(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    const isModule = ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
    if (isText && !isModule && NAME.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1}: ${node.text.trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** Of every file of these folders. */
const named = FOLDERS.flatMap((folder) =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('mock/apis/'))
    .map((path) => ({ path, lines: namesIn(path, readFileSync(join(packageRoot(), path), 'utf8')) })),
);

test('code for any contract names no built-in API', () => {
  expect(named.filter(({ path }) => !isExcepted(path)).flatMap(({ lines }) => lines)).toEqual([]);
});

test.each(Object.keys(EXCEPTIONS))('the exception %s is needed', (name) => {
  expect(named.some(({ path, lines }) => path.startsWith(name) && lines.length > 0)).toBe(true);
});

test.each([
  ["const api = 'router';", true],
  ['say(`jobs of ${name}`);', true],
  ['// the router', false],
  ["const example = 'router.list.limit-zero';", false],
  ["import { x } from './registry/x.ts';", false],
  ['const router = routerOf(operations);', false],
])('%s', (text, isFound) => {
  expect(namesIn('mock/x.ts', text).length > 0).toBe(isFound);
});
