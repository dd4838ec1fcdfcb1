import { createRequire } from 'node:module';
import type { KeywordCxt } from 'ajv';
import type * as CodeModule from 'ajv/dist/compile/codegen/code.js';
import type * as Codegen from 'ajv/dist/compile/codegen/index.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../contract/index.ts';
import { jsValue } from '../printing.ts';
import { wordingOf } from '../../contract/wording.ts';

/** ajv as this generator uses it. */
export interface PrivateAjv {
  readonly Ajv2020: typeof Ajv2020;
  readonly codegen: typeof Codegen;
}

/**
 * ajv with another way of saying what is wrong: emitted code calls `fail(failures, pointer, message)` where ajv would
 * build an object of eight lines, and alternatives that did not hold are cut off `failures`. ajv has no option for that,
 * so some of its functions are replaced, in instances of its modules that nobody else in the process sees.
 */
export function privateAjv(): PrivateAjv {
  loaded ??= load();
  return loaded;
}

// --- internal ---

let loaded: PrivateAjv | undefined;

/** The functions of `ajv/dist/compile/errors`, which every keyword calls. */
interface ErrorsModule {
  reportError: (context: KeywordCxt, error?: unknown, paths?: ErrorPaths) => void;
  reportExtraError: (context: KeywordCxt, error?: unknown, paths?: ErrorPaths) => void;
  resetErrorsCount: (gen: Codegen.CodeGen, count: Codegen.Name) => void;
}

interface ErrorPaths {
  readonly instancePath?: Codegen.Code;
}

function load(): PrivateAjv {
  const require = createRequire(import.meta.url);
  const { cache } = require;
  const isAjv = (path: string): boolean => /[\\/]ajv[\\/]dist[\\/]/.test(path);
  const seen = Object.entries(cache).filter(([path]) => isAjv(path));
  const forget = (): void => {
    for (const path of Object.keys(cache).filter(isAjv)) Reflect.deleteProperty(cache, path);
  };
  forget();
  try {
    const codegen = require('ajv/dist/compile/codegen/index.js') as typeof Codegen;
    const { _Code: Raw } = require('ajv/dist/compile/codegen/code.js') as typeof CodeModule;
    replaceErrors(require('ajv/dist/compile/errors.js') as ErrorsModule, { ...codegen, Raw });
    replaceOptimize(codegen);
    replaceResolve(
      require('ajv/dist/compile/index.js') as CompileModule,
      require('ajv/dist/compile/resolve.js') as ResolveModule,
    );
    return {
      Ajv2020: (require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 }).Ajv2020,
      codegen,
    };
  } finally {
    forget();
    for (const [path, module] of seen) cache[path] = module;
  }
}

function replaceErrors(
  errors: ErrorsModule,
  { _, Name, nil, str, Raw }: typeof Codegen & { readonly Raw: typeof CodeModule._Code },
): void {
  const fail = new Name('fail');
  const failures = new Name('failures');
  const token = new Name('token');
  const report = (context: KeywordCxt, _error?: unknown, paths: ErrorPaths = {}): void => {
    const { gen, it, keyword, schema, parentSchema, params } = context;
    // Inside of `not` and `if` nobody will ever see what was wrong.
    if (it.createErrors === false) {
      gen.code(_`${fail}(${failures}, "", "")`);
      return;
    }
    const { message, allowed, member } = wordingOf({
      keyword,
      schema: schema as Json,
      parentSchema: parentSchema as Json,
      params,
    });
    const inner = paths.instancePath === undefined ? it.errorPath : str`${it.errorPath}${paths.instancePath}`;
    // What is wrong with a name is said of the member that bears it.
    const name =
      (it.propertyName as Codegen.Name | undefined) ??
      (typeof member === 'string' ? member : (member?.code as Codegen.Name | undefined));
    const place =
      name === undefined
        ? inner
        : typeof name === 'string'
          ? str`${inner}/${escaped(name)}`
          : _`${str`${inner}/`} + ${token}(${name})`;
    const text = message.reduce<Codegen.Code>(
      (sum, part) => str`${sum}${typeof part === 'string' ? part : (part.code as Codegen.Name)}`,
      str``,
    );
    if (keyword === 'anyOf' || keyword === 'oneOf') {
      gen.code(_`${new Name('closest')}(${failures}, ${context.errsCount ?? 0}, ${place}, ${text})`);
      return;
    }
    const values = allowed === undefined ? nil : new Raw(`, ${jsValue(allowed)}`);
    gen.code(_`${fail}(${failures}, ${place}, ${text}${values})`);
  };
  errors.reportError = report;
  errors.reportExtraError = report;
  errors.resetErrorsCount = (gen, count) => {
    gen.code(_`${failures}.length = ${count}`);
  };
}

/** Where names stand in code that has other code in it, beside that. */
const COUNTED = ['condition', 'else', 'iteration', 'from', 'to', 'iterable', 'catch', 'finally'] as const;

/** A piece of ajv's code: with other pieces in it, or with the names that it mentions. */
interface CodeNode extends Partial<Readonly<Record<(typeof COUNTED)[number], CodeNode | Codegen.Code>>> {
  readonly nodes?: readonly CodeNode[];
  readonly names: Codegen.Code['names'];
  optimizeNodes(): unknown;
  optimizeNames(names: Record<string, number>, constants: unknown): unknown;
}

/**
 * Leaves out and joins what ajv does. It counts names first, and copies the counts of everything inside at every level;
 * here they are counted in one walk.
 */
function replaceOptimize({ CodeGen }: typeof Codegen): void {
  const add = (all: Record<string, number>, names: Codegen.Code['names']): void => {
    for (const name in names) all[name] = (all[name] ?? 0) + (names[name] ?? 0);
  };
  const count = (all: Record<string, number>, node: CodeNode): void => {
    if (node.nodes === undefined) return add(all, node.names);
    for (const inner of node.nodes) count(all, inner);
    for (const part of COUNTED) {
      const value = node[part];
      if (isNode(value)) count(all, value);
      else if (typeof value === 'object') add(all, value.names);
    }
  };
  CodeGen.prototype.optimize = function optimize(): void {
    const { _root: root, _constants: constants } = this as unknown as {
      readonly _root: CodeNode;
      readonly _constants: unknown;
    };
    root.optimizeNodes();
    const names = {};
    count(names, root);
    root.optimizeNames(names, constants);
  };
}

/** The part of `ajv/dist/compile` that looks up what a reference leads to. */
interface CompileModule {
  resolveRef: (this: Ajv2020, root: unknown, baseId: string, reference: string) => unknown;
}

interface ResolveModule {
  readonly inlineRef: (schema: unknown, limit: boolean | number | undefined) => boolean;
}

/**
 * A schema that is referred to is compiled when its turn comes. ajv compiles it where the reference stands, so that
 * documents whose schemas refer to each other in long chains overflow the stack. Where what a schema has looked at matters, it
 * has to be known at once.
 */
function replaceResolve(compile: CompileModule, { inlineRef }: ResolveModule): void {
  const { resolveRef } = compile;
  compile.resolveRef = function resolve(root, baseId, reference): unknown {
    const found = this.schemas[reference];
    const isLater =
      found !== undefined &&
      found.validate === undefined &&
      this.opts.unevaluated !== true &&
      !inlineRef(found.schema, this.opts.inlineRefs);
    return isLater ? found : resolveRef.call(this, root, baseId, reference);
  };
}

function isNode(part: CodeNode | Codegen.Code | undefined): part is CodeNode {
  return typeof part === 'object' && 'optimizeNodes' in part;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
