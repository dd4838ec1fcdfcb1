import type { Options } from 'ajv';
import { isBytes } from '../../contract/carriage.ts';
import type { Json, Schema } from '../../contract/index.ts';
import { annotationsOf, isObject } from '../schemas/read-schema.ts';
import { type NamedSchema, referredName } from '../schemas/schema-table.ts';
import { BLOB, replaceKeywords } from './keywords.ts';
import { privateAjv } from './private-ajv.ts';
import { type SharedPart, shareParts } from './shared-parts.ts';
import { standaloneText } from './standalone-text.ts';

export interface CompiledSchemas {
  /** JavaScript that exports a function for each schema, under `v` and its position; the parts come behind. */
  readonly text: string;
  /** Parts of schemas that have functions of their own. */
  readonly parts: readonly SharedPart[];
}

/** What ajv makes of schemas. Loads ajv on the first call. */
export function compileSchemas(entries: readonly NamedSchema[]): CompiledSchemas {
  const { Ajv2020: Ajv, codegen } = privateAjv();
  const ids = new Map(entries.map(({ name }, index) => [name, `S${index}`]));
  const whole = entries.map(({ schema }) => forAjv(schema, ids) as Schema);
  const looksAtOthers = whole.some((schema) =>
    mentions(schema, ['unevaluatedProperties', 'unevaluatedItems']),
  );
  const shared = shareParts(whole, (position) => `S${position}`, !looksAtOthers);
  const schemas = [...shared.schemas, ...shared.parts.map(({ schema }) => schema)];
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    logger: false,
    messages: false,
    meta: false,
    validateSchema: false,
    discriminator: true,
    // Small schemas stand where they are used: a call for each string would cost more.
    inlineRefs: 6,
    // A long list of what is required is walked; a short one is written out, which is faster.
    loopRequired: 15,
    // Where a property is called as one that every object inherits, only own ones count.
    ownProperties: schemas.some(namesInherited),
    // Of a function its text is wanted, never the function: nothing is evaluated.
    code: { source: true, esm: true, lines: true, process: () => 'return () => true' },
  } satisfies Options);
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = looksAtOthers;
  replaceKeywords(ajv, codegen);
  schemas.forEach((schema, index) => {
    ajv.addSchema({ ...(isObject(schema) ? schema : { allOf: [schema] }), $id: `S${index}` });
  });
  const exported = schemas.map((_, index) => [`v${index}`, `S${index}`] as const);
  return { text: standaloneText(ajv, exported), parts: shared.parts };
}

// --- internal ---

/** The schema as ajv gets it: no annotations, references by short ids, bytes under a keyword of their own. */
function forAjv(schema: Json, ids: ReadonlyMap<string, string>): Json {
  if (!isObject(schema)) return schema;
  const annotations = annotationsOf(schema);
  const isBinary = isBytes(schema);
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (keyword in annotations) return [];
    if (keyword === '$ref') return [[keyword, ids.get(referredName(value) ?? '') ?? '']];
    if (isBinary && ['type', 'format', 'contentMediaType'].includes(keyword)) return [];
    return [[keyword, subschemas(keyword, value, ids)]];
  });
  return Object.fromEntries(isBinary ? [...kept, [BLOB, true]] : kept);
}

function subschemas(keyword: string, value: Json, ids: ReadonlyMap<string, string>): Json {
  if (MAPS.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, forAjv(schema, ids)]));
  }
  if (LISTS.has(keyword) && Array.isArray(value)) return value.map((schema: Json) => forAjv(schema, ids));
  return SINGLE.has(keyword) ? forAjv(value, ids) : value;
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLE = new Set([
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]);

function mentions(value: Json, keywords: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => mentions(item, keywords));
  return (
    isObject(value) &&
    Object.entries(value).some(([name, inner]) => keywords.includes(name) || mentions(inner, keywords))
  );
}

function namesInherited(schema: Json): boolean {
  return mentions(schema, INHERITED) || mentionsText(schema, INHERITED);
}

function mentionsText(value: Json, texts: readonly string[]): boolean {
  if (typeof value === 'string') return texts.includes(value);
  if (Array.isArray(value)) return value.some((item: Json) => mentionsText(item, texts));
  return isObject(value) && Object.values(value).some((inner) => mentionsText(inner, texts));
}

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
