import { ajvInstances } from './patches.ts';

/**
 * Releases the schemas of documents that are no longer served. Prism's Ajv instances live as long as the process and
 * keep every schema that they have ever compiled, although Prism itself caches a compiled schema only as long as its
 * document exists. Compiled functions continue to work.
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
