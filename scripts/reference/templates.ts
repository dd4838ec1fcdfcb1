import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { packageRoot } from '../../contract/index.ts';
import { code, page, table, writtenFrom } from './markdown.ts';

/** The fields that each template reads from its view, from the templates themselves. */
export function templatesPage(): string {
  const folder = join(packageRoot(), 'templates');
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.hbs'))
    .sort();
  return page(
    writtenFrom(code('templates/*.hbs')),
    '# Template fields',
    'Your own templates replace those of the package by name ([guide](../guides/generate.md#templates)). A template is Handlebars in strict mode: a field that its view does not have is an error. Every field is printed by a helper:',
    table(['helper', 'takes', 'prints'], helpers),
    'A name with `[]` is a list, and the fields after it belong to each entry; `this` is the entry itself. Templates are not covered by [semantic versioning](../versioning.md).',
    ...names.map((name) =>
      page(
        `## ${name}`,
        table(['field', 'printed by'], rowsOf(fieldsOf(readFileSync(join(folder, name), 'utf8')))),
      ).trimEnd(),
    ),
  );
}

// --- internal ---

const helpers: readonly (readonly string[])[] = [
  ['`code`', 'code that a view has made', 'it unchanged; text of a document is refused'],
  ['`ident`', 'an identifier', 'it unchanged; anything else is refused'],
  ['`property`', 'a name', 'an object key, with quotes where it needs them'],
  ['`jsString`', 'text', 'a string literal'],
  ['`jsValue`', 'a JSON value', 'a literal'],
  ['`jsComment`', 'paragraphs, and an indent', 'a doc comment'],
  ['`lineComment`', 'text', 'text for a `//` comment, on one line'],
  ['`markdown`', 'text', 'escaped Markdown'],
  ['`markdownCode`', 'text', 'a Markdown code span'],
];

type Fields = Map<string, Set<string>>;

function fieldsOf(template: string): Fields {
  const found: Fields = new Map();
  visit(Handlebars.parse(template).body, [], found);
  return found;
}

function visit(statements: readonly hbs.AST.Statement[], scope: readonly string[], found: Fields): void {
  for (const statement of statements) {
    if (statement.type === 'MustacheStatement') {
      const { path, params } = statement as hbs.AST.MustacheStatement;
      for (const parameter of params)
        note(parameter, scope, (path as hbs.AST.PathExpression).original, found);
    } else if (statement.type === 'BlockStatement') {
      const { path, params, program, inverse } = statement as hbs.AST.BlockStatement;
      const [subject] = params;
      const isEach = path.original === 'each';
      const name = subject === undefined ? undefined : note(subject, scope, path.original, found);
      visit(
        program.body,
        isEach && name !== undefined ? [...scopeOf(subject, scope), `${name}[]`] : scope,
        found,
      );
      if (inverse !== undefined) visit(inverse.body, scope, found);
    }
  }
}

/** @returns the field's own name, without the path to it */
function note(
  expression: hbs.AST.Expression,
  scope: readonly string[],
  printedBy: string,
  found: Fields,
): string | undefined {
  if (expression.type !== 'PathExpression') return undefined;
  const name = (expression as hbs.AST.PathExpression).parts.join('.') || 'this';
  const field = [...scopeOf(expression, scope), printedBy === 'each' ? `${name}[]` : name].join('.');
  found.set(field, (found.get(field) ?? new Set()).add(printedBy));
  return name;
}

/** `../name` is a field of the enclosing list. */
function scopeOf(expression: hbs.AST.Expression | undefined, scope: readonly string[]): readonly string[] {
  const depth = (expression as hbs.AST.PathExpression | undefined)?.depth ?? 0;
  return scope.slice(0, scope.length - depth);
}

function rowsOf(fields: Fields): readonly (readonly string[])[] {
  return [...fields].map(([field, printedBy]) => [code(field), [...printedBy].map(code).join(', ')]);
}
