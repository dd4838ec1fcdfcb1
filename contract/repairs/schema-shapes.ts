import { isRecord } from '../record.ts';
import { type RepairedSchema, type TellSlip } from './schema-slip.ts';
import { readType } from './type-names.ts';

/** Schemas that are not objects: the name of a type, or null. */
export function repairWords(value: RepairedSchema, tell: TellSlip): void {
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
export function repairRequired(value: RepairedSchema, tell: TellSlip): void {
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

/** The names of types, in each form in which documents write them. */
export function repairTypes(value: RepairedSchema, tell: TellSlip): void {
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
