/**
 * `x-json-schema-faker` of a document: how values of its schemas are made up, in the options of json-schema-faker, as Prism's
 * command line reads them.
 */
import { createRequire } from 'node:module';
import { isRecord } from '../../contract/index.ts';
import type { JsonObject } from '../../contract/model.ts';

/** Makes the options of a document those of the next value; the process has only one generator. */
export function useFakerOptions(root: JsonObject): void {
  const generator = require(GENERATOR) as { readonly resetGenerator: () => void };
  generator.resetGenerator();
  const stated = root['x-json-schema-faker'];
  if (!isRecord(stated)) return;
  const { JSONSchemaFaker } = createRequire(require.resolve(GENERATOR))('json-schema-faker') as Faker;
  for (const [name, value] of Object.entries(stated)) {
    const option = name.replace(/[-_](\w)/g, (_all, letter: string) => letter.toUpperCase());
    if (OPTIONS.has(option)) JSONSchemaFaker.option(option, value);
  }
}

// --- internal ---

const require = createRequire(import.meta.url);
const GENERATOR = '@stoplight/prism-http/dist/mocker/generator/JSONSchema.js';

interface Faker {
  readonly JSONSchemaFaker: { readonly option: (name: string, value: unknown) => void };
}

/** The options that a document may set: no functions, and nothing that refers to files. */
const OPTIONS: ReadonlySet<string> = new Set([
  ...['alwaysFakeOptionals', 'optionalsProbability', 'fixedProbabilities', 'requiredOnly', 'omitNulls'],
  ...['useExamplesValue', 'useDefaultValue', 'fillProperties', 'replaceEmptyByRandomValue'],
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'refDepthMin', 'refDepthMax', 'defaultRandExpMax'],
  ...['resolveJsonPath', 'reuseProperties', 'sortProperties', 'pruneProperties', 'ignoreProperties'],
  ...['failOnInvalidTypes', 'failOnInvalidFormat', 'ignoreMissingRefs', 'defaultInvalidTypeProduct'],
]);
