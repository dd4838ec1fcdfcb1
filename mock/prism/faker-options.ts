/**
 * `x-json-schema-faker` of a document: configures the generation of values, with the options of
 * json-schema-faker, as in Prism's command line.
 */
import { createRequire } from 'node:module';
import { isRecord } from '../../contract/index.ts';
import type { JsonObject } from '../../contract/model.ts';

/** Applies the options of a document to the next value, because the process has only one generator. */
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
