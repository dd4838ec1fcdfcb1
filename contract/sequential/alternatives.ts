import { schemaFrom30 } from '../schemas/dialect.ts';
import type { Document, JsonObject, Schema } from '../model.ts';
import { referredValue } from '../pointer.ts';
import { isRecord } from '../record.ts';

/** Schemas that all apply to a value. */
export type Together = readonly JsonObject[];

/**
 * The alternatives of a schema: of each, the schemas that apply together. References are followed, and `allOf` is joined
 * with what is beside it. `undefined` if there are too many, or if the schema contains itself.
 */
export function alternativesOf(
  schema: Schema | undefined,
  document: Document,
): readonly Together[] | undefined {
  return at(schema, document, []);
}

/** A schema in the dialect of OpenAPI 3.1 after its references. */
export function followedSchema(schema: Schema | undefined, document: Document): Schema | undefined {
  let found = schema;
  for (let hops = 0; hops < MOST_HOPS && isRecord(found) && typeof found['$ref'] === 'string'; hops += 1)
    found = targetOf(found['$ref'], document);
  return found;
}

// --- internal ---

const MOST_HOPS = 100;
const MOST_ALTERNATIVES = 100;

function at(schema: unknown, document: Document, seen: readonly string[]): readonly Together[] | undefined {
  if (schema === false) return [];
  if (!isRecord(schema)) return [[]];
  let joined: readonly Together[] | undefined = [[schema as JsonObject]];
  const add = (others: readonly Together[] | undefined): void => {
    const product = joined?.flatMap((one) => (others ?? []).map((other) => [...one, ...other]));
    joined = others === undefined || (product?.length ?? 0) > MOST_ALTERNATIVES ? undefined : product;
  };
  const { $ref: reference, allOf, anyOf, oneOf } = schema;
  if (typeof reference === 'string') {
    if (seen.includes(reference) || seen.length > MOST_HOPS) return undefined;
    add(at(targetOf(reference, document), document, [...seen, reference]));
  }
  for (const part of Array.isArray(allOf) ? allOf : []) add(at(part, document, seen));
  for (const union of [anyOf, oneOf]) {
    if (!Array.isArray(union)) continue;
    const found = union.slice(0, MOST_ALTERNATIVES + 1).map((part) => at(part, document, seen));
    add(found.some((one) => one === undefined) ? undefined : found.flatMap((one) => one ?? []));
  }
  return joined;
}

function targetOf(reference: string, document: Document): Schema {
  const target = referredValue(document.root, reference);
  return document.dialect === '3.0' ? schemaFrom30(target) : (target as Schema);
}
