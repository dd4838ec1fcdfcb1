import type Handlebars from 'handlebars';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A helper of templates, with Handlebars' own last argument. */
export type TemplateHelper = (...given: unknown[]) => string;

/**
 * A template that is ready to run: as the build compiled it, or compiled now, such as a template of the user. To compile
 * those of the package takes an eighth of the time in which the code of a small document is generated.
 */
export function templateOf(
  source: string,
  helpers: Readonly<Record<string, TemplateHelper>>,
): HandlebarsTemplateDelegate {
  const built = builtTemplates()[hashOf(source)];
  return built === undefined
    ? withHelpers(compiler(), helpers).compile(source, optionsFor(helpers))
    : withHelpers(require('handlebars/runtime') as typeof Handlebars, helpers).template(built);
}

/** Handlebars with its compiler, which few runs need. */
export function compiler(): typeof Handlebars {
  return require('handlebars') as typeof Handlebars;
}

/** Compiles the templates in a folder, for a build whose modules are in folders beside the one of the module at `base`. */
export function buildTemplates(
  folder: string,
  helpers: Readonly<Record<string, TemplateHelper>>,
  base: string,
): void {
  const members = readdirSync(folder).map((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    const code = compiler().precompile(source, optionsFor(helpers)) as string;
    return `${JSON.stringify(hashOf(source))}: ${code}`;
  });
  writeFileSync(placeOf(base), `module.exports = {\n${members.join(',\n')}\n};\n`);
}

// --- internal ---

const require = createRequire(import.meta.url);

type Built = Readonly<Record<string, TemplateSpecification | undefined>>;
let known: Built | undefined;

/** What the build compiled, by hash; nothing if the code runs from its sources. */
function builtTemplates(): Built {
  const place = placeOf(import.meta.url);
  return (known ??= existsSync(place) ? (require(fileURLToPath(place)) as Built) : {});
}

function placeOf(base: string): URL {
  return new URL('../generator/templates.cjs', base);
}

/** What is compiled fits one version of Handlebars. */
function hashOf(source: string): string {
  const { VERSION } = require('handlebars/runtime') as typeof Handlebars;
  return createHash('sha256')
    .update(JSON.stringify([VERSION, source]))
    .digest('hex');
}

function withHelpers(
  language: typeof Handlebars,
  helpers: Readonly<Record<string, TemplateHelper>>,
): typeof Handlebars {
  const own = language.create();
  own.registerHelper(helpers);
  return own;
}

function optionsFor(helpers: Readonly<Record<string, TemplateHelper>>): CompileOptions {
  return {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
  };
}
