/** The compiler that prints types, whichever TypeScript a project has. See docs/adr/0012-own-compiler.md. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type * as TsMorph from 'ts-morph';
import type * as OpenapiTypescript from 'openapi-typescript';
import type * as TypeScript from 'typescript';

export interface OwnCompiler {
  readonly ts: typeof TypeScript;
  /** The part of openapi-typescript that makes the type of a schema; its nodes are nodes of `ts`. */
  readonly transformSchemaObject: typeof OpenapiTypescript.transformSchemaObject;
}

/** Loads the compiler, and openapi-typescript with it. */
export function loadCompiler(): OwnCompiler {
  const ts = ownTypeScript();
  // The part that is used: the whole of it also loads a bundler of documents.
  const path = require.resolve('openapi-typescript/dist/transform/schema-object.cjs');
  const { default: transformSchemaObject } = loadWith(path, new Map([['typescript', ts]])) as {
    readonly default: typeof OpenapiTypescript.transformSchemaObject;
  };
  return { ts, transformSchemaObject };
}

// --- internal ---

// As CommonJS, because importing the compiler as a module takes three times as long.
const require = createRequire(import.meta.url);

/**
 * The TypeScript that the package depends on. Where a project replaces it everywhere, as with `overrides` of npm, it may be
 * one without the functions that make nodes, such as 7. ts-morph contains one that cannot be replaced, but takes longer to
 * load.
 */
function ownTypeScript(): typeof TypeScript {
  const installed = require('typescript') as Partial<typeof TypeScript>;
  return (
    installed.factory === undefined ? (require('ts-morph') as typeof TsMorph).ts : installed
  ) as typeof TypeScript;
}

interface LoadedModule {
  exports: unknown;
}

/**
 * A CommonJS module, and the files that it loads by a relative path, with other packages in place of those that it would
 * find. They are a copy of their own, so that other code in this process keeps what it finds.
 *
 * @param given by the name of a package
 */
function loadWith(
  path: string,
  given: ReadonlyMap<string, unknown>,
  loaded: Map<string, LoadedModule> = new Map(),
): unknown {
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;
  const module: LoadedModule = { exports: {} };
  loaded.set(path, module);
  const requireBeside = createRequire(path);
  const requireInside = (name: string): unknown => {
    if (given.has(name)) return given.get(name);
    return name.startsWith('.')
      ? loadWith(requireBeside.resolve(name), given, loaded)
      : (requireBeside(name) as unknown);
  };
  const run = compileFunction(readFileSync(path, 'utf8'), ['exports', 'require', 'module'], {
    filename: path,
  }) as (exports: unknown, require: (name: string) => unknown, module: LoadedModule) => void;
  run(module.exports, requireInside, module);
  return module.exports;
}
