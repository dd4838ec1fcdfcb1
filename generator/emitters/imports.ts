import { type Code, code, jsString } from '../printing.ts';

/** Collects what a module imports and prints it in a stable order. */
export interface Imports {
  value(module: string, name: string): void;
  type(module: string, name: string): void;
  lines(): Code[];
}

/**
 * @param specifier returns the specifier of a module such as `./types`
 * @param publicName returns the name that the module exports a type under
 */
export function imports(
  specifier: (module: string) => string,
  publicName: (type: string) => string = (type) => type,
): Imports {
  const typeIn = (module: string, name: string): string => {
    const declared = module === './types' ? publicName(name) : name;
    return declared === name ? name : `${declared} as ${name}`;
  };
  const values = new Map<string, Set<string>>();
  const types = new Map<string, Set<string>>();
  const add = (to: Map<string, Set<string>>, module: string, name: string): void => {
    to.set(module, (to.get(module) ?? new Set()).add(name));
  };
  return {
    value: (module, name) => add(values, module, name),
    type: (module, name) => add(types, module, typeIn(module, name)),
    lines() {
      const modules = [...new Set([...values.keys(), ...types.keys()])].sort();
      return modules.flatMap((module) => {
        const line = (keyword: string, names: Set<string> | undefined): Code[] =>
          names === undefined
            ? []
            : [code(`${keyword} ${braces([...names].sort())} from ${jsString(specifier(module))};`)];
        return [...line('import', values.get(module)), ...line('import type', types.get(module))];
      });
    },
  };
}

// --- internal ---

function braces(names: readonly string[]): string {
  const line = `{ ${names.join(', ')} }`;
  return line.length <= 90 ? line : `{\n${names.map((name) => `  ${name},\n`).join('')}}`;
}
