import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { expect, test } from 'vitest';
import { loadOwnContract, packageRoot } from '../../contract/index.ts';
import { generate, RenderError } from '../../generator/index.ts';
import { temporaryFolder, textOf } from './generated.ts';

const folder = join(packageRoot(), 'templates');
const templates = readdirSync(folder).filter((name) => name.endsWith('.hbs'));

/** Every place of a template that prints, as it is written. */
function printed(source: string): hbs.AST.MustacheStatement[] {
  const found: hbs.AST.MustacheStatement[] = [];
  class Visitor extends Handlebars.Visitor {
    override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
      found.push(mustache);
    }
  }
  new Visitor().accept(Handlebars.parse(source));
  return found;
}

test.each(templates)('%s prints nothing but through a helper that says how', (name) => {
  const bare = printed(readFileSync(join(folder, name), 'utf8')).filter(
    ({ params, escaped }) => params.length === 0 || (escaped as boolean | undefined) === false,
  );
  expect(bare.map(({ loc }) => loc.start.line)).toStrictEqual([]);
});

test.each(templates)('%s decides nothing: no condition inside of a condition', (name) => {
  let depth = 0;
  let deepest = 0;
  class Visitor extends Handlebars.Visitor {
    override BlockStatement(block: hbs.AST.BlockStatement): void {
      const isCondition = (block.path as hbs.AST.PathExpression).original !== 'each';
      if (isCondition) depth += 1;
      deepest = Math.max(deepest, depth);
      super.BlockStatement(block);
      if (isCondition) depth -= 1;
    }
  }
  new Visitor().accept(Handlebars.parse(readFileSync(join(folder, name), 'utf8')));
  expect(deepest).toBeLessThanOrEqual(1);
});

test("a user's template replaces the built-in one", async () => {
  const own = temporaryFolder();
  writeFileSync(join(own, 'header.hbs'), '// {{lineComment document}}, our house style\n');
  const files = await generate([await loadOwnContract('registry')], { templates: own });
  expect(textOf(files, 'registry/types.ts')).toMatch(
    /^\/\/ specs\/registry\.openapi\.yaml, our house style\n/,
  );
});

test.each([
  ['a field that is not there', '{{lineComment nothing}}', /template "header": .*nothing/],
  [
    'a field that is not there, printed as it is',
    'a\n{{documant}}',
    /template "header": line 2 asks for "documant", which its view does not have; did you mean "document"\?/,
  ],
  ['a helper that is not there', '{{shout document}}', /template "header"/],
  [
    'text of the document as code',
    '{{code document}}',
    /template "header": \{\{code\}\} takes code, got the text "specs/,
  ],
  ['text of the document as an identifier', '{{ident document}}', /\{\{ident\}\} takes an identifier/],
  ['broken syntax', '{{#each', /template "header"/],
])('a template that asks for %s is named in the error', async (_, source, message) => {
  const own = temporaryFolder();
  writeFileSync(join(own, 'header.hbs'), source);
  const run = generate([await loadOwnContract('registry')], { templates: own });
  await expect(run).rejects.toThrow(RenderError);
  await expect(run).rejects.toThrow(message);
});
