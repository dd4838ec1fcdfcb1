import { createRequire } from 'node:module';
import type { Matcher } from '../../contract/index.ts';

/** How Ajv makes a regular expression of a pattern. */
export interface PatternCompiler {
  (pattern: string, flags: string): Matcher;
  /** What a validator that is written to a file would call; none is. */
  readonly code: string;
}

/**
 * Lets go of the schemas of documents that are served no more. Prism's Ajv instances live as long as the process and
 * keep every schema that they have ever compiled, though Prism itself remembers what is compiled only as long as its document is there.
 * What is compiled goes on working.
 *
 * @returns how many instances there are
 */
export function forgetSchemas(): number {
  for (const ajv of instances()) {
    ajv.removeSchema();
    const { opts, _prefixes } = ajv.scope;
    ajv.scope = new ajv.scope.constructor({ ...opts, scope: {}, prefixes: _prefixes });
  }
  return instances().length;
}

// --- internal ---

/** Of an Ajv instance, what keeps schemas and what compiles patterns. */
interface Compiler {
  readonly opts: { readonly code: { regExp?: PatternCompiler } };
  removeSchema: () => unknown;
  scope: {
    readonly constructor: new (options: object) => Compiler['scope'];
    readonly opts: object;
    readonly _prefixes: unknown;
  };
}

interface Wording {
  readonly validateAgainstSchema: (value: unknown, schema: object, coerce: boolean) => unknown;
}

const require = createRequire(import.meta.url);
const DRAFTS = ['ajv', 'ajv/dist/2019.js', 'ajv/dist/2020.js'] as const;
const SCHEMA_OF: Readonly<Record<(typeof DRAFTS)[number], object>> = {
  ajv: {},
  'ajv/dist/2019.js': { $schema: 'https://json-schema.org/draft/2019-09/schema' },
  'ajv/dist/2020.js': { $schema: 'https://json-schema.org/draft/2020-12/schema' },
};

let found: readonly Compiler[] | undefined;

/** Prism does not hand them out: each is met once, on its way through its own `compile`. */
export function instances(): readonly Compiler[] {
  if (found !== undefined) return found;
  const path = require.resolve('@stoplight/prism-http/dist/validator/validators/utils.js');
  const { validateAgainstSchema } = require(path) as Wording;
  const requireAsPrism = createRequire(path);
  const met = new Set<Compiler>();
  for (const draft of DRAFTS) {
    const { default: Ajv } = requireAsPrism(draft) as { default: { prototype: { compile?: unknown } } };
    const own = Object.getOwnPropertyDescriptor(Ajv.prototype, 'compile');
    const compile = Ajv.prototype.compile as (...given: unknown[]) => unknown;
    Ajv.prototype.compile = function (this: Compiler, ...given: unknown[]): unknown {
      met.add(this);
      return compile.apply(this, given);
    };
    try {
      for (const coerce of [true, false]) validateAgainstSchema(1, { ...SCHEMA_OF[draft] }, coerce);
    } finally {
      if (own === undefined) delete Ajv.prototype.compile;
      else Object.defineProperty(Ajv.prototype, 'compile', own);
    }
  }
  return (found = [...met]);
}
