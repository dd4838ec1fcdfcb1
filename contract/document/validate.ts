import type { ValidateFunction } from 'ajv';
import type { Diagnostic, Document, Json, JsonObject } from '../model.ts';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import { schemaFrom30 } from '../schemas/dialect.ts';
import { type Locate, locateNear } from '../text/locate.ts';
import { memberNamesAt } from '../schemas/member-names.ts';
import { isInSchema, isReference, kindAt, type PlacedObject, walkObjects } from './object-kinds.ts';
import { builtValidatorOf, validatorOf } from '../built-validators.ts';
import { joinPointer, parsePointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { repairFindings } from '../repairs/findings.ts';
import { isAsciiName } from '../repairs/names.ts';
import type { Repaired } from '../repairs/repair-list.ts';
import { errorsBySwaggerParser } from './swagger-parser-errors.ts';
import {
  type SchemaFinding,
  findingsFrom,
  isAboutName,
  type ValidatorError,
} from '../schemas/schema-findings.ts';

/** A bundled document that has not been validated yet. */
export type ReadDocument = Pick<Document, 'dialect' | 'root'> & { readonly locate: Locate };

/**
 * Validates a bundled document by the JSON Schema of its OpenAPI version, and its schemas by that of JSON
 * Schema 2020-12. Features that 3.1 has but 3.0 lacks, such as `type: 'null'`, are read as in 3.1 and cause
 * only a warning.
 *
 * @param repaired receives removed members that have no meaning; without it these are errors
 */
export async function validateDocument(
  document: ReadDocument,
  report: (diagnostic: Diagnostic) => void,
  repaired?: Repaired,
): Promise<void> {
  const { root, dialect } = document;
  const place = (finding: SchemaFinding) => ({
    pointer: finding.pointer,
    location: locateNear(document.locate, finding.pointer, isAboutName(finding) ? 'name' : undefined),
  });
  const readErrors = (): Promise<readonly ValidatorError[]> =>
    // Under --strict, names have only the characters that OpenAPI allows.
    repaired === undefined ? openApiErrors(root, dialect) : errorsUnderAnyNames(root, dialect);
  let errors = await readErrors();
  for (let round = 0; repaired !== undefined && round < MOST_ROUNDS && errors.length > 0; round += 1) {
    const findings = findingsFrom(errors, root, { known: memberNamesAt, isLegal });
    if (!repairFindings(root, findings, repaired)) break;
    errors = await readErrors();
  }
  const schemaFindings = await schemaErrors(root, dialect);
  const isExplained = sameOrAround(schemaFindings.map(({ pointer }) => pointer));
  for (const finding of findingsFrom(errors, root, { known: memberNamesAt, isLegal })) {
    const details = { ...place(finding), help: finding.help };
    if (!isInSchema(finding.pointer)) {
      report(problem('document-invalid', finding.message, details));
    } else if (dialect === '3.0' && !isExplained(finding.pointer)) {
      const isMisspelt = finding.help?.startsWith('did you mean') === true;
      const help = isMisspelt
        ? finding.help
        : 'it is read as OpenAPI 3.1: declare that with `openapi: 3.1.0`';
      report(problem('schema-not-3.0', `not valid in OpenAPI 3.0: ${finding.message}`, { ...details, help }));
    }
  }
  for (const finding of schemaFindings) {
    report(problem('schema-invalid', finding.message, { ...place(finding), help: finding.help }));
  }
}

// --- internal ---

/** A wrong member can hide another wrong one from the validator. */
const MOST_ROUNDS = 4;

/** The errors of a document whose components may have names with letters of any script. */
async function errorsUnderAnyNames(
  root: JsonObject,
  dialect: Document['dialect'],
): Promise<readonly ValidatorError[]> {
  const { components } = root;
  const given = new Map<string, string>();
  const plainNames = (section: Json): Json => {
    if (!isRecord(section) || Object.keys(section).every((name) => isAsciiName(name))) return section;
    return Object.fromEntries(
      Object.entries(section as JsonObject).map(([name, value]) => {
        if (isAsciiName(name)) return [name, value];
        const plain = `tallystick-name-${String(given.size)}`;
        given.set(plain, name);
        return [plain, value];
      }),
    );
  };
  const sections = isRecord(components)
    ? Object.entries(components as JsonObject).map(([name, section]) => [name, plainNames(section)])
    : [];
  if (given.size === 0) return await openApiErrors(root, dialect);
  const errors = await openApiErrors({ ...root, components: Object.fromEntries(sections) }, dialect);
  return errors.map((error) => {
    const [start = '', ...tokens] = parsePointer(error.instancePath) ?? [];
    const named = tokens.map((token) => given.get(token) ?? token);
    return { ...error, instancePath: start === '' ? error.instancePath : joinPointer('', start, ...named) };
  });
}

async function openApiErrors(
  root: JsonObject,
  dialect: Document['dialect'],
): Promise<readonly ValidatorError[]> {
  const { api, errors } = withoutStumblingBlocks(root, dialect);
  const judge = await validatorOf(`OpenAPI ${dialect}`);
  if (judge(api)) return errors;
  const every = await builtValidatorOf(`OpenAPI ${dialect}, every error`);
  const found = [...errors];
  for (const slice of slicesOf(api)) {
    if (found.length > MOST_FINDINGS) break;
    const inSlice = every === undefined ? await errorsBySwaggerParser(slice) : errorsBy(every, slice);
    found.push(...inSlice.slice(0, MOST_FINDINGS * 5));
  }
  return found;
}

function errorsBy(judge: ValidateFunction, slice: JsonObject): readonly ValidatorError[] {
  return judge(slice) ? [] : (judge.errors ?? []);
}

/**
 * The validator's time grows with the square of the number of errors, so large maps are validated in slices.
 */
function* slicesOf(api: JsonObject): Generator<JsonObject> {
  const components = isRecord(api['components']) ? Object.entries(api['components'] as JsonObject) : [];
  const maps = [['paths', api['paths']] as const, ...components].map(([name, map]) => ({
    name,
    entries: isRecord(map) ? Object.entries(map as JsonObject) : undefined,
    map,
  }));
  const largest = Math.max(...maps.map(({ entries }) => entries?.length ?? 0));
  if (largest <= SLICE) return yield api;
  for (let from = 0; from < largest; from += SLICE) {
    const [paths, ...sections] = maps.map(({ name, entries, map }): [string, Json] => [
      name,
      entries === undefined ? (map ?? {}) : Object.fromEntries(entries.slice(from, from + SLICE)),
    ]);
    const rest = from === 0 ? api : { openapi: api['openapi'] ?? '', info: api['info'] ?? {} };
    yield {
      ...rest,
      paths: paths?.[1] ?? {},
      ...(sections.length === 0 ? {} : { components: Object.fromEntries(sections) }),
    };
  }
}

const SLICE = 5000;

/**
 * The document as the library expects it. Problems that would stop the library are reported and fixed here:
 * it supports only some patch versions, and throws for a version number or missing paths before it validates
 * anything.
 */
function withoutStumblingBlocks(
  root: JsonObject,
  dialect: Document['dialect'],
): { readonly api: JsonObject; readonly errors: readonly ValidatorError[] } {
  const errors: ValidatorError[] = [];
  const api: Record<string, Json> = { ...root, openapi: dialect === '3.0' ? '3.0.3' : '3.1.0' };
  const { info, paths, webhooks, components } = root;
  if (isRecord(info) && typeof info['version'] === 'number') {
    api['info'] = { ...(info as JsonObject), version: String(info['version']) };
    const params = { type: 'string' };
    errors.push({ instancePath: '/info/version', schemaPath: '#/type', keyword: 'type', params });
  }
  if (paths === undefined) {
    api['paths'] = {};
    const suffices = dialect === '3.1' && (webhooks !== undefined || components !== undefined);
    const params = { missingProperty: 'paths' };
    if (!suffices) errors.push({ instancePath: '', schemaPath: '#/required', keyword: 'required', params });
  }
  // Names of schemes are case-insensitive (RFC 9110, section 11.1), but the library's schema of 3.0 accepts
  // only lower-case `bearer`.
  const schemes = isRecord(components) ? components['securitySchemes'] : undefined;
  if (isRecord(components) && isRecord(schemes)) {
    const lowered = Object.entries(schemes as JsonObject).map(([name, scheme]): [string, Json] => [
      name,
      isRecord(scheme) && String(scheme['scheme']).toLowerCase() === 'bearer'
        ? { ...(scheme as JsonObject), scheme: 'bearer' }
        : scheme,
    ]);
    api['components'] = { ...(components as JsonObject), securitySchemes: Object.fromEntries(lowered) };
  }
  // The library's schema of 3.1 is an early one that does not require the name of a parameter.
  const outside = walkObjects(
    { kind: 'document', value: root, pointer: '' },
    ({ kind }) => kind !== 'schema',
  );
  const variables: PlacedObject[] = [];
  for (const object of outside) {
    if (object.kind === 'server variable') variables.push(object);
    if (object.kind !== 'parameter' || isReference(object) || Object.hasOwn(object.value, 'name')) continue;
    const params = { missingProperty: 'name' };
    errors.push({ instancePath: object.pointer, schemaPath: '#/required', keyword: 'required', params });
  }
  if (dialect === '3.0') return { api, errors };
  errors.push(...variables.flatMap(descriptionErrors));
  return { api: withoutDescriptions(api, variables), errors };
}

/**
 * The `description` of a server variable is validated here: the library's schema of 3.1 calls it
 * `descriptions`.
 */
function descriptionErrors({ value, pointer }: PlacedObject): ValidatorError[] {
  const errors: ValidatorError[] = [];
  if (value['description'] !== undefined && typeof value['description'] !== 'string') {
    const instancePath = joinPointer(pointer, 'description');
    errors.push({ instancePath, schemaPath: '#/type', keyword: 'type', params: { type: 'string' } });
  }
  if (Object.hasOwn(value, 'descriptions')) {
    const keyword = 'unevaluatedProperties';
    const params = { unevaluatedProperty: 'descriptions' };
    errors.push({ instancePath: pointer, schemaPath: `#/${keyword}`, keyword, params });
  }
  return errors;
}

function withoutDescriptions(api: JsonObject, variables: readonly PlacedObject[]): JsonObject {
  const described = variables.filter(({ value }) => 'description' in value || 'descriptions' in value);
  if (described.length === 0) return api;
  const copy = structuredClone(api);
  for (const { pointer } of described) {
    const variable = valueAt(copy, pointer) as Record<string, Json>;
    delete variable['description'];
    delete variable['descriptions'];
  }
  return copy;
}

/** Whether a value is one of those that discriminate between the alternatives of OpenAPI 3.0. */
function isLegal(pointer: string, value: unknown): boolean {
  const end = pointer.lastIndexOf('/');
  const values = TAGS[`${kindAt(pointer.slice(0, end)) ?? ''}.${pointer.slice(end + 1)}`];
  return values?.includes(String(value)) === true;
}

const TAGS: Readonly<Record<string, readonly string[]>> = {
  'parameter.in': ['path', 'query', 'header', 'cookie'],
  'security scheme.type': ['apiKey', 'http', 'oauth2', 'openIdConnect'],
};

/** The limit for reported problems. */
const MOST_FINDINGS = 1000;

/** Validates every outermost schema as JSON Schema 2020-12. */
async function schemaErrors(root: JsonObject, dialect: Document['dialect']): Promise<SchemaFinding[]> {
  const judge = await validatorOf('JSON Schema');
  const found: SchemaFinding[] = [];
  const start = { kind: 'document', value: root, pointer: '' } as const;
  for (const { kind, value, pointer } of walkObjects(start, ({ within }) => within !== 'schema')) {
    if (found.length >= MOST_FINDINGS) break;
    if (kind !== 'schema') continue;
    const schema = dialect === '3.0' ? schemaFrom30(value) : value;
    if (judge(schema)) continue;
    found.push(...findingsFrom(judge.errors ?? [], schema, { at: pointer }));
  }
  return found;
}

/** Whether a pointer is one of those, inside one, or around one. */
function sameOrAround(pointers: readonly string[]): (pointer: string) => boolean {
  const exact = new Set(pointers);
  const around = new Set<string>();
  for (const pointer of pointers) {
    for (let at = pointer; at !== '' && !around.has(at); at = at.slice(0, at.lastIndexOf('/')))
      around.add(at);
  }
  return (pointer) => {
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (exact.has(at)) return true;
    return around.has(pointer);
  };
}
