/**
 * All patches of Prism and its dependencies, and the versions for which they were tested; `late-modules.ts` says which
 * modules are not loaded with it. See docs/adr/0008-prism-patches.md. Each patch is applied once per process, and does nothing if it does not find what
 * it changes.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { builtMetaSchema } from '../../contract/built-validators.ts';
import type { Matcher } from '../../contract/index.ts';

/** How Ajv compiles a regular expression of a pattern. */
export interface PatternCompiler {
  (pattern: string, flags: string): Matcher;
  /** Only needed by validators that are written to a file, which does not happen here. */
  readonly code: string;
}

/** The members of an Ajv instance that keep schemas and compile patterns. */
export interface AjvInstance {
  readonly opts: { readonly code: { regExp?: PatternCompiler }; readonly coerceTypes?: boolean };
  readonly schemas: Readonly<Record<string, { validate?: unknown } | undefined>>;
  removeSchema: () => unknown;
  scope: {
    readonly constructor: new (options: object) => AjvInstance['scope'];
    readonly opts: object;
    readonly _prefixes: unknown;
  };
}

/** A schema compiled by Ajv; `errors` has the result of the last call. */
export interface Validate {
  (value: unknown): unknown;
  readonly errors?: readonly unknown[] | null;
}

/**
 * Patches the parts that every validation uses, and warns if a package has a version that the patches were
 * not tested with.
 */
export function patchPrism(): void {
  const wording = require(WORDING) as Wording;
  if (Object.hasOwn(wording.convertAjvErrors, PATCHED)) return;
  for (const words of unknownVersions()) process.emitWarning(words);
  limitFindings(wording);
  useBuiltMetaSchema();
  rememberTemplates();
}

/**
 * A warning for each package whose installed version the patches were not tested with.
 *
 * @param versionOf the installed version of a package, `undefined` if it is unknown
 */
export function unknownVersions(versionOf = installedVersion): readonly string[] {
  return Object.entries(KNOWN).flatMap(([name, known]) => {
    const version = versionOf(name);
    if (version !== undefined && known.test(version)) return [];
    const found = version === undefined ? 'an unknown version' : `version ${version}`;
    return [
      `The mock was tried with another version of ${name} than is installed (${found}). ` +
        'It may be slower or use more memory. Install tallystick again, or update it.',
    ];
  });
}

/** Prism's Ajv instances, which Prism does not expose: each is found when its own `compile` is called. */
export function ajvInstances(): readonly AjvInstance[] {
  if (instances !== undefined) return instances;
  const { validateAgainstSchema } = require(WORDING) as Wording;
  const met = new Set<AjvInstance>();
  // Nothing is compiled: each instance would compile the schema of its schemas first.
  whileCompiling(
    (ajv) => {
      met.add(ajv);
      return () => true;
    },
    () => {
      for (const schema of DRAFTS)
        for (const coerce of [true, false]) validateAgainstSchema(1, { ...schema }, coerce);
    },
  );
  return (instances = [...met]);
}

/**
 * The validator that Prism compiles from a schema; `undefined` for a schema that it cannot compile, for which
 * it reports nothing.
 */
export function compiledByPrism(schema: object, coerce: boolean, bundle: unknown): Validate | undefined {
  const { validateAgainstSchema } = require(WORDING) as Wording;
  let made: Validate | undefined;
  whileCompiling(
    (_ajv, compile) => (made = compile()),
    // A copy, because Prism compiles a schema once.
    () => validateAgainstSchema(undefined, { ...schema }, coerce, 0, undefined, bundle),
  );
  return made;
}

// --- internal ---

/**
 * The versions that the patches were tested with. We pin Prism, and Prism restricts the others to a range.
 */
const KNOWN: Readonly<Record<string, RegExp>> = {
  '@stoplight/prism-http': /^5\.16\.0$/,
  '@stoplight/http-spec': /^7\.1\./,
  'uri-template-lite': /^22\./,
  ajv: /^8\./,
};

const require = createRequire(import.meta.url);
const WORDING = '@stoplight/prism-http/dist/validator/validators/utils.js';
const VALIDATOR = '@stoplight/prism-http/dist/validator/index.js';

/** A file of a package that has no entry of its own. */
const ENTRY: Readonly<Record<string, string>> = {
  '@stoplight/prism-http': VALIDATOR,
  '@stoplight/http-spec': '@stoplight/http-spec/oas3/operation',
};

/** A schema for each of the classes of Ajv that Prism uses. */
const DRAFTS: readonly object[] = [
  {},
  { $schema: 'https://json-schema.org/draft/2019-09/schema' },
  { $schema: 'https://json-schema.org/draft/2020-12/schema' },
];

/** Marks the patched objects, so that this module can be loaded twice in one process. */
const PATCHED = Symbol.for('tallystick.patched');
let instances: readonly AjvInstance[] | undefined;

interface Wording {
  readonly validateAgainstSchema: (
    ...given: [value: unknown, schema: object, coerce: boolean, ...more: unknown[]]
  ) => unknown;
  convertAjvErrors: (errors: readonly unknown[], ...rest: readonly unknown[]) => unknown;
}

/** Asks for the function of every schema that one of Prism's Ajv instances compiles meanwhile. All share one `compile`. */
function whileCompiling(
  compiled: (ajv: AjvInstance, compile: () => Validate) => Validate,
  work: () => unknown,
): void {
  const { default: Ajv } = createRequire(require.resolve(WORDING))('ajv/dist/core.js') as {
    default: { prototype: { compile: (...given: unknown[]) => Validate } };
  };
  const { compile } = Ajv.prototype;
  Ajv.prototype.compile = function (this: AjvInstance, ...given: unknown[]): Validate {
    return compiled(this, () => compile.apply(this, given));
  };
  try {
    work();
  } finally {
    Ajv.prototype.compile = compile;
  }
}

type TemplateMaker = new (template: string) => object;

/** Resolved relative to Prism, whose copy may differ from ours. */
function installedVersion(name: string): string | undefined {
  try {
    const entry = createRequire(require.resolve(VALIDATOR)).resolve(ENTRY[name] ?? name);
    for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
      const manifest = manifestIn(folder);
      if (manifest?.name === name) return manifest.version;
    }
  } catch {
    // Not installed: the code that needs it reports that.
  }
  return undefined;
}

function manifestIn(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  } catch {
    return undefined;
  }
}

/**
 * An instance compiles the schema of schemas before its first schema. The build has done that for one that does not
 * coerce.
 */
function useBuiltMetaSchema(): void {
  const validate = builtMetaSchema('JSON Schema, with formats');
  if (validate === undefined) return;
  for (const { opts, schemas } of ajvInstances()) {
    const environment = schemas['https://json-schema.org/draft/2020-12/schema'];
    if (opts.coerceTypes !== true && environment !== undefined) environment.validate ??= validate;
  }
}

/** A body can have millions of faults, and Prism formats a message for each; the first ones are enough. */
function limitFindings(wording: Wording): void {
  const inWords = wording.convertAjvErrors;
  const limited: Wording['convertAjvErrors'] = (errors, ...rest) =>
    inWords(errors.slice(0, MOST_FINDINGS), ...rest);
  wording.convertAjvErrors = Object.assign(limited, { [PATCHED]: true });
}

const MOST_FINDINGS = 100;

/** Prism compiles the template of a path for every request, although a document has few of them. */
function rememberTemplates(): void {
  const { URI } = createRequire(require.resolve(VALIDATOR))('uri-template-lite') as {
    URI: { Template: TemplateMaker };
  };
  const Made = URI.Template;
  const templates = new Map<string, object>();
  // A constructor that returns another object, which `new` passes on.
  URI.Template = function (template: string): object {
    const known = templates.get(template) ?? new Made(template);
    templates.set(template, known);
    return known;
  } as unknown as TemplateMaker;
}
