import { ajvInstances } from './patches.ts';

/**
 * Lets go of the schemas of documents that are served no more. Prism's Ajv instances live as long as the process and
 * keep every schema that they have ever compiled, though Prism itself remembers what is compiled only as long as its document is there.
 * What is compiled goes on working.
 *
 * @returns how many instances there are
 */
export function forgetSchemas(): number {
  for (const ajv of ajvInstances()) {
    ajv.removeSchema();
    const { opts, _prefixes } = ajv.scope;
    ajv.scope = new ajv.scope.constructor({ ...opts, scope: {}, prefixes: _prefixes });
  }
  return ajvInstances().length;
}
