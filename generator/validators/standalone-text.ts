import type { Ajv } from 'ajv';
import type { SchemaEnv } from 'ajv/dist/compile/index.js';
import type { ValueScopeName } from 'ajv/dist/compile/codegen/scope.js';

type Source = NonNullable<NonNullable<SchemaEnv['validate']>['source']>;

/**
 * The text that ajv's own `standalone` gives for several exports. Its way of putting functions together takes time that
 * grows with the square of their number; this one does not.
 *
 * @param exported names of exports, each with the id of its schema
 * @throws {Error} for functions that refer to what has no text
 */
export function standaloneText(ajv: Ajv, exported: readonly (readonly [name: string, id: string])[]): string {
  // All of them before any of them is written: they refer to each other.
  for (const [, id] of exported) ajv.getSchema(id);
  const pieces = ['"use strict";\n'];
  const written = new Set<string>();
  // Functions wait for their turn: a chain of them would overflow the stack.
  const waiting: Source[] = [];
  const isNew = (name: string): boolean => !written.has(name) && written.add(name).has(name);

  const wait = (source: Source | undefined): void => {
    if (source !== undefined && isNew(source.validateName.str)) waiting.push(source);
  };
  const writeFunction = (source: Source): void => {
    for (const names of Object.values(source.scopeValues) as Iterable<ReadonlySet<ValueScopeName>>)
      names.forEach(writeValue);
    pieces.push(`\n${source.validateCode}`);
    if (source.evaluated !== undefined)
      pieces.push(`${source.validateName.str}.evaluated = ${source.evaluated.toString()};\n`);
  };
  /** The constants that a function refers to stand before it. */
  const writeValue = ({ str, prefix, value }: ValueScopeName): void => {
    if (prefix === 'validate') {
      wait((value?.ref as SchemaEnv['validate'])?.source);
    } else if (!isNew(str)) {
      return;
    } else if (value?.code !== undefined) {
      pieces.push(`const ${str} = ${value.code.toString()};\n`);
    } else if (prefix === 'root' || prefix === 'wrapper') {
      const { validate, validateName } = value?.ref as SchemaEnv;
      pieces.push(`const ${str} = {validate: ${validateName?.str ?? ''}};\n`);
      wait(validate?.source);
    } else {
      throw new Error(`ajv has no text for ${str}`);
    }
  };

  for (const [name, id] of exported) {
    const source = ajv.getSchema(id)?.source;
    if (source === undefined) throw new Error(`ajv has no function for ${id}`);
    pieces.push(`export const ${name} = ${source.validateName.str};\n`);
    wait(source);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) writeFunction(next);
  }
  return pieces.join('');
}
