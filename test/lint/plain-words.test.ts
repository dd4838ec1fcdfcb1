import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

/** Phrases that no message may contain: readers have to translate them first. */
const phrases =
  /\b(?:anew|all the same|is none|(?<!there )is no (?!longer\b)\w+|of ours|tells? of|whoever|leads nowhere|never ends|stands? (?:in|at|for|beside|twice)|knows? no)\b/i;

function filesIn(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.c?tsx?$/.test(name) && !name.includes('dist/'))
    .map((name) => `${folder}/${name}`);
}

function textOf(file: string): string {
  return readFileSync(join(packageRoot(), file), 'utf8');
}

/** The text of every string and template in a file, with its line; comments are not in it. */
function stringsIn(file: string): { readonly line: number; readonly text: string }[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
        : undefined;
    if (text !== undefined)
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const folders = ['cli', 'contract', 'engine', 'generator', 'mock', 'conformance', 'proxy', 'server'];
const files = folders.flatMap(filesIn);

test('no message uses a phrase that has to be read twice', () => {
  // To parse a file takes much longer than to search it.
  const suspected = files.filter((file) => phrases.test(textOf(file)));
  const odd = suspected.flatMap((file) =>
    stringsIn(file)
      .filter(({ text }) => phrases.test(text))
      .map(({ line, text }) => `${file}:${String(line)}: ${text}`),
  );
  expect(odd).toStrictEqual([]);
});

test('strings and templates are seen, comments are not', () => {
  const texts = stringsIn('cli/init.ts').map(({ text }) => text);
  expect(texts).toContain('create tallystick.config.ts');
  expect(texts).toContain('… already exists');
  expect(texts).not.toContain('--- internal ---');
});
