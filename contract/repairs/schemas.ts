import { canonical } from '../canonical-json.ts';
import { orNull } from '../schemas/dialect.ts';
import type { JsonObject } from '../model.ts';
import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { compiles, fromForeignPattern } from './foreign-pattern.ts';
import type { Repaired } from './repair-list.ts';
import { readType } from './type-names.ts';

type Value = Record<string, unknown>;

/** Repairs slips in one schema, without its subschemas. */
export function repairSchema(object: PlacedObject, dialect: '3.0' | '3.1', repaired: Repaired): void {
  const { value, pointer } = object;
  const tell: Tell = (kind, member, wrong, read, part) => {
    repaired({
      kind,
      pointer: joinPointer(pointer, member),
      wrong,
      read,
      ...(part === undefined ? {} : { part }),
    });
  };
  if (typeof value['$ref'] === 'string' && dialect === '3.0') return;
  repairWords(value, tell);
  repairRequired(value, tell);
  repairTypes(value, tell);
  repairLists(value, tell);
  repairBounds(value, dialect, tell);
  repairNumbers(value, tell);
  repairPatterns(value, tell);
  repairOldKeywords(value, tell);
  if (dialect === '3.1') repairNullable(value, tell);
}

// --- internal ---

type Tell = (kind: string, member: string, wrong: string, read: string, part?: 'name') => void;

/** Schemas that are not objects: the name of a type, or null. */
function repairWords(value: Value, tell: Tell): void {
  const properties = isRecord(value['properties']) ? value['properties'] : {};
  for (const [name, schema] of Object.entries(properties)) {
    const isEmpty = schema === null || (Array.isArray(schema) && schema.length === 0);
    const [only]: readonly unknown[] = Array.isArray(schema) && schema.length === 1 ? schema : [];
    const read = isEmpty
      ? {}
      : typeof schema === 'string'
        ? readType(schema)
        : isRecord(only)
          ? only
          : undefined;
    if (read === undefined) continue;
    properties[name] = read;
    const wrong = isEmpty
      ? `the property ${name} has no schema`
      : `the schema of ${name} is ${JSON.stringify(schema).slice(0, 60)}`;
    const shown = isEmpty ? 'any value' : JSON.stringify(read).slice(0, 60);
    tell('a schema that is not an object', 'properties', wrong, shown);
  }
  for (const name of ['items', 'additionalProperties', 'not', 'contains']) {
    const schema = value[name];
    const read = typeof schema === 'string' ? readType(schema) : undefined;
    if (read === undefined) continue;
    value[name] = read;
    tell(
      'a schema that is not an object',
      name,
      `${name} is ${JSON.stringify(schema)}`,
      JSON.stringify(read),
    );
  }
  if (typeof value['discriminator'] === 'string') {
    const propertyName = value['discriminator'];
    value['discriminator'] = { propertyName };
    tell(
      'a discriminator in the form of Swagger 2.0',
      'discriminator',
      'discriminator is a string',
      `{ propertyName: ${propertyName} }`,
    );
  }
}

/** `required: true` in a property means that the enclosing object requires it. */
function repairRequired(value: Value, tell: Tell): void {
  if (typeof value['required'] === 'string') {
    const name = value['required'];
    if (name === 'true' || name === 'false') value['required'] = name === 'true';
    else {
      value['required'] = [name];
      tell('required as a string', 'required', `required is ${JSON.stringify(name)}`, JSON.stringify([name]));
    }
  }
  const { required } = value;
  if (
    Array.isArray(required) &&
    required.some((name) => typeof name === 'number' || typeof name === 'boolean')
  ) {
    value['required'] = required.map((name: unknown) => (typeof name === 'object' ? name : String(name)));
    tell(
      'required that is not of strings',
      'required',
      'required contains other values than strings',
      'strings',
    );
  }
  const properties = value['properties'];
  for (const [name, schema] of isRecord(properties) ? Object.entries(properties) : []) {
    if (!isRecord(schema)) continue;
    const given = schema['required'];
    if (typeof given !== 'boolean' && given !== 'true' && given !== 'false') continue;
    const isRequired = String(given) === 'true';
    delete schema['required'];
    const names: unknown = value['required'] ?? [];
    if (isRequired && Array.isArray(names) && !names.includes(name))
      value['required'] = [...(names as unknown[]), name];
    tell(
      'required in a property',
      'properties',
      `required of the property ${name} is ${String(given)}`,
      isRequired ? `required: [${name}] of its object` : 'absent',
    );
  }
  if (typeof value['required'] === 'boolean') {
    // Only the schema of a property can be required here.
    tell('required of no property', 'required', `required is ${String(value['required'])}`, 'absent', 'name');
    delete value['required'];
  }
}

function repairTypes(value: Value, tell: Tell): void {
  const { type } = value;
  if (Array.isArray(type)) {
    const named = type.map((each: unknown) => (each === null ? 'null' : each));
    const read = [...new Set<unknown>(named)];
    if (read.length === type.length && !type.includes(null)) return;
    value['type'] = read;
    tell(
      'a list of types',
      'type',
      type.includes(null) ? 'type contains null and not "null"' : 'type contains the same type twice',
      JSON.stringify(read),
    );
    return;
  }
  if (isRecord(type) && Object.hasOwn(type, 'type')) {
    delete value['type'];
    for (const [name, member] of Object.entries(type)) if (value[name] === undefined) value[name] = member;
    tell('a schema in the place of its type', 'type', 'type is an object', 'the schema itself');
    return repairTypes(value, tell);
  }
  if (typeof type !== 'string') return;
  // Another word in this place is a name that the document does not define.
  const read = readType(type) ?? {};
  if (read['type'] === type) return;
  delete value['type'];
  for (const [name, member] of Object.entries(read)) if (value[name] === undefined) value[name] = member;
  tell(
    'the name of a type',
    'type',
    `there is no type ${JSON.stringify(type)}`,
    Object.keys(read).length === 0 ? 'any value' : JSON.stringify(read),
  );
}

function repairLists(value: Value, tell: Tell): void {
  for (const name of ['required', 'enum']) {
    const list: unknown = value[name];
    if (!Array.isArray(list)) continue;
    const distinct = distinctOf(list);
    if (distinct.length < list.length) {
      value[name] = distinct;
      tell(`a value twice in ${name}`, name, `${name} contains the same item twice`, 'one of them', 'name');
    }
  }
  const values = value['enum'];
  if (values === null && typeof value['type'] === 'string') {
    delete value['enum'];
    tell('a member without a value', 'enum', 'enum has no value', 'absent', 'name');
  }
  if (Array.isArray(values) && values.length === 0) {
    delete value['enum'];
    const parts = Array.isArray(value['allOf']) ? (value['allOf'] as unknown[]) : [];
    value['allOf'] = [...parts, { not: {} }];
    tell('an enum without values', 'enum', 'enum is empty', 'a schema that no value matches', 'name');
  }
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list: unknown = value[name];
    if (!Array.isArray(list) || list.length > 0) continue;
    Reflect.deleteProperty(value, name);
    tell(`an empty ${name}`, name, `${name} is empty`, 'absent', 'name');
  }
}

function distinctOf(list: readonly unknown[]): unknown[] {
  const seen = new Set<string | undefined>();
  return list.filter((item) => {
    const text = canonical(item);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

function repairBounds(value: Value, dialect: '3.0' | '3.1', tell: Tell): void {
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const given = value[exclusive];
    const bound = value[inclusive];
    if (typeof given === 'boolean') {
      if (dialect === '3.0' && (given === false || typeof bound === 'number')) continue;
      Reflect.deleteProperty(value, exclusive);
      if (given && typeof bound === 'number') {
        value[exclusive] = bound;
        Reflect.deleteProperty(value, inclusive);
        tell(
          'an exclusive bound as in OpenAPI 3.0',
          exclusive,
          `${exclusive} is true`,
          `${exclusive}: ${String(bound)}`,
        );
      } else {
        const wrong = given ? `${exclusive} is true without ${inclusive}` : `${exclusive} is false`;
        tell('an exclusive bound as in OpenAPI 3.0', exclusive, wrong, 'absent', 'name');
      }
    }
  }
  for (const name of ['minLength', 'minItems', 'minProperties']) {
    const least = value[name];
    if (typeof least !== 'number' || !(least < 0)) continue;
    Reflect.deleteProperty(value, name);
    tell(
      'a negative minimum of a length',
      name,
      `${name} is ${String(least)}`,
      'absent: no length is negative',
      'name',
    );
  }
}

/** Bounds that no value is compared with, and counts that are not whole. */
function repairNumbers(value: Value, tell: Tell): void {
  for (const name of NUMBERS) {
    const bound = value[name];
    const isNothing = typeof bound === 'string' || (name === 'multipleOf' && bound === 0);
    if (!isNothing) continue;
    Reflect.deleteProperty(value, name);
    tell('a bound without effect', name, `${name} is ${JSON.stringify(bound)}`, 'absent', 'name');
  }
  for (const name of COUNTS) {
    const bound = value[name];
    if (typeof bound !== 'number' || Number.isInteger(bound) || !Number.isFinite(bound)) continue;
    const read = name.startsWith('min') ? Math.ceil(bound) : Math.floor(bound);
    value[name] = read;
    tell('a count that is not whole', name, `${name} is ${String(bound)}`, String(read));
  }
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', ...COUNTS];

function repairPatterns(value: Value, tell: Tell): void {
  const { pattern, patternProperties } = value;
  const read = typeof pattern === 'string' ? fromForeignPattern(pattern) : undefined;
  if (read !== undefined) {
    value['pattern'] = read;
    tell(
      'a pattern of another language',
      'pattern',
      `the pattern ${String(pattern)} is not one of JavaScript`,
      read,
    );
  }
  if (read === undefined && typeof pattern === 'string' && !compiles(pattern)) {
    delete value['pattern'];
    const wrong = `the pattern ${pattern} is not one of JavaScript`;
    tell('a pattern that cannot be checked', 'pattern', wrong, 'absent: any text', 'name');
  }
  for (const [name, schema] of isRecord(patternProperties) ? Object.entries(patternProperties) : []) {
    const readName = fromForeignPattern(name);
    if (readName === undefined || Object.hasOwn(patternProperties as Value, readName)) continue;
    Reflect.deleteProperty(patternProperties as Value, name);
    (patternProperties as Value)[readName] = schema;
    tell(
      'a pattern of another language',
      'patternProperties',
      `the pattern ${name} is not one of JavaScript`,
      readName,
    );
  }
}

/** Keywords of earlier drafts that have another name in JSON Schema 2020-12. */
function repairOldKeywords(value: Value, tell: Tell): void {
  const { items, dependencies } = value;
  const isTuple = Array.isArray(items) && (items.length > 1 || value['additionalItems'] !== undefined);
  if (isTuple && value['prefixItems'] === undefined) {
    value['prefixItems'] = items;
    delete value['items'];
    if (value['additionalItems'] !== undefined) value['items'] = value['additionalItems'];
    delete value['additionalItems'];
    tell('items as a list', 'items', 'items is a list', 'prefixItems, a schema for each position');
  }
  if (isRecord(dependencies)) {
    const [names, schemas]: [Value, Value] = [{}, {}];
    for (const [name, needed] of Object.entries(dependencies))
      (Array.isArray(needed) ? names : schemas)[name] = needed;
    delete value['dependencies'];
    for (const [keyword, found] of [
      ['dependentRequired', names],
      ['dependentSchemas', schemas],
    ] as const) {
      if (Object.keys(found).length > 0)
        value[keyword] = { ...found, ...(isRecord(value[keyword]) ? value[keyword] : {}) };
    }
    tell(
      'dependencies',
      'dependencies',
      'dependencies is a keyword of earlier drafts',
      'dependentRequired and dependentSchemas',
      'name',
    );
  }
  if (typeof value['id'] === 'string') {
    delete value['id'];
    tell(
      'id',
      'id',
      'id is a keyword of an earlier draft',
      'absent: references resolve against the file',
      'name',
    );
  }
  if (Object.hasOwn(value, '$recursiveAnchor')) {
    delete value['$recursiveAnchor'];
    tell(
      '$recursiveAnchor',
      '$recursiveAnchor',
      '$recursiveAnchor is a keyword of an earlier draft',
      'absent: what refers to it refers to this schema',
      'name',
    );
  }
}

/** In 3.1: `type: [string, 'null']`. */
function repairNullable(value: Value, tell: Tell): void {
  const { nullable } = value;
  if (typeof nullable !== 'boolean') return;
  const { nullable: _gone, ...rest } = value;
  if (nullable) {
    const read = orNull(rest as JsonObject) as JsonObject;
    for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
    Object.assign(value, read);
  } else delete value['nullable'];
  tell(
    'nullable in OpenAPI 3.1',
    'nullable',
    'OpenAPI 3.1 has no nullable',
    nullable ? 'null as one more type' : 'absent',
    'name',
  );
}
