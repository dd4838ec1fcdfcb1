import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suggest } from '../contract/index.ts';
import { compiler, type TemplateHelper, templateOf } from './built-templates.ts';
import { isIdentifier } from './names.ts';
import {
  Code,
  jsComment,
  jsString,
  jsValue,
  lineComment,
  markdown,
  markdownCode,
  propertyName,
} from './printing.ts';

/** A template referred to a field that its view does not have, or printed a value in a forbidden way. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly template: string;
  constructor(template: string, cause: unknown) {
    super(
      `template "${template}": ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Compare it with the one of the same name in templates/, which shows the fields of its view.',
      { cause },
    );
    this.template = template;
  }
}

export type Render = (template: string, view: object) => string;

/**
 * Makes a renderer for the templates `<folder>/<name>.hbs`. A template with the same name in `overrides`
 * takes precedence. Only templates are compiled, never text of a document. A missing field throws.
 *
 * @throws {RenderError} from the renderer, with the names of template and field
 */
export function templateRenderer(folder: string, overrides: string | undefined): Render {
  const compiled = new Map<string, (view: object) => string>();
  return (template, view) => {
    try {
      const run = compiled.get(template) ?? compile(readTemplate(template, folder, overrides));
      compiled.set(template, run);
      return run(view);
    } catch (cause) {
      throw new RenderError(template, cause);
    }
  };
}

/** The only helpers for printing. A test checks that every built-in template uses no others. */
export const templateHelpers: Readonly<Record<string, TemplateHelper>> = checked({
  /** Code that a view has made. Text of a document is refused here, in every template. */
  code: (value) => {
    if (!(value instanceof Code)) throw new Error(`{{code}} takes code, got ${describe(value)}`);
    return value.text;
  },
  ident: (value) => {
    if (typeof value !== 'string' || !isIdentifier(value)) {
      throw new Error(`{{ident}} takes an identifier, got ${describe(value)}`);
    }
    return value;
  },
  jsString: (value) => jsString(String(value)),
  jsValue: (value) => jsValue(value),
  property: (value) => propertyName(String(value)),
  lineComment: (value) => lineComment(String(value)),
  markdown: (value) => markdown(String(value)),
  markdownCode: (value) => markdownCode(String(value)),
  jsComment: (paragraphs, indent) =>
    jsComment(
      Array.isArray(paragraphs) ? paragraphs.map(String) : [],
      typeof indent === 'number' ? indent : 0,
    ),
});

// --- internal ---

/** Strict mode does not check the arguments of helpers. */
function checked(
  helpers: Readonly<Record<string, TemplateHelper>>,
): Readonly<Record<string, TemplateHelper>> {
  return Object.fromEntries(
    Object.entries(helpers).map(([name, helper]) => [
      name,
      (...given) => {
        const missing = given.slice(0, -1).indexOf(undefined);
        if (missing >= 0) throw new MissingField(locationOf(given.at(-1)), missing);
        return helper(...given);
      },
    ]),
  );
}

/** A helper was given a field that the view does not have. */
class MissingField extends Error {
  readonly location: string;
  readonly parameter: number;
  constructor(location: string, parameter: number) {
    super('the view does not have a field');
    this.location = location;
    this.parameter = parameter;
  }
}

function locationOf(options: unknown): string {
  const { loc } = options as { readonly loc?: hbs.AST.SourceLocation };
  return `${loc?.start.line ?? 0}:${loc?.start.column ?? 0}`;
}

/** Runs a template, and names a missing field in the error. */
function compile(source: string): (view: object) => string {
  const run = knownTemplate(source);
  return (view) => {
    try {
      return run(view);
    } catch (error) {
      const strict = /^"(.*)" not defined in .* - (\d+):\d+$/s.exec(
        error instanceof Error ? error.message : '',
      );
      if (strict !== null) throw unknownField(strict[2] ?? '', strict[1] ?? '', view, error);
      if (!(error instanceof MissingField)) throw error;
      const field = parametersOf(source).get(error.location)?.[error.parameter] ?? 'a field';
      const [line = ''] = error.location.split(':');
      throw unknownField(line, field, view, error);
    }
  };
}

function unknownField(line: string, field: string, view: object, cause: unknown): Error {
  const near = suggest(field, [...fieldsOf(view)]);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return new Error(`line ${line} asks for "${field}", which its view does not have${hint}`, { cause });
}

/** The names of all fields in a view, at any depth. */
function fieldsOf(view: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(view)) for (const item of view.slice(0, 3)) fieldsOf(item, found);
  else if (typeof view === 'object' && view !== null && !(view instanceof Code))
    for (const [name, value] of Object.entries(view)) {
      found.add(name);
      fieldsOf(value, found);
    }
  return found;
}

/** The arguments of each helper call in a template, by position. */
function parametersOf(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const { parse, Visitor: Walk } = compiler();
  class Visitor extends Walk {
    override MustacheStatement({ loc, params }: hbs.AST.MustacheStatement): void {
      found.set(
        locationOf({ loc }),
        params.map((parameter) => (parameter as hbs.AST.PathExpression).original),
      );
    }
  }
  new Visitor().accept(parse(source));
  return found;
}

/** Kept by text, because watch mode renders the same templates repeatedly. */
const templates = new Map<string, HandlebarsTemplateDelegate>();

function knownTemplate(source: string): HandlebarsTemplateDelegate {
  const template = templates.get(source) ?? templateOf(source, templateHelpers);
  templates.set(source, template);
  return template;
}

function readTemplate(name: string, folder: string, overrides: string | undefined): string {
  for (const place of overrides === undefined ? [folder] : [overrides, folder]) {
    try {
      return readFileSync(join(place, `${name}.hbs`), 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    }
  }
  throw new Error(`no such template in ${folder}`);
}

function describe(value: unknown): string {
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : String(value);
}
