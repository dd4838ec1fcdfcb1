import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { isInherited, jsString, memberAccess } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { itemLines, type ValuePlace, valueLines, VALUE_KEYWORDS, type Writer } from './values.ts';

/**
 * Statements for keywords about objects, except `unevaluatedProperties`. The value is known to be an object.
 */
export function memberLines(schema: JsonObject, words: readonly string[], writer: Writer): string[] {
  const { module } = writer;
  const { minProperties, maxProperties, required, propertyNames, dependentRequired } = schema;
  const lines: string[] = [];
  const properties = schemasIn(schema['properties']);
  const patterns = schemasIn(schema['patternProperties']);
  if (typeof maxProperties === 'number')
    lines.push(module.call('mostNames', 'v', 'e', String(maxProperties)));
  if (typeof minProperties === 'number')
    lines.push(module.call('leastNames', 'v', 'e', String(minProperties)));
  if (Array.isArray(required) && required.length > 0) lines.push(requiredLine(required as string[], writer));
  if (propertyNames !== undefined && propertyNames !== true)
    lines.push(module.call('names', 'v', 'e', writer.refer(propertyNames as Schema, [...words, 'name'])));
  lines.push(
    ...unlistedMemberLines(
      schema['additionalProperties'],
      { names: [...properties.keys()], patterns: [...patterns.keys()] },
      [...words, 'member'],
      writer,
    ),
  );
  for (const [name, inner] of properties) {
    const place = {
      value: access(name, writer),
      pointer: jsString(`/${escaped(name)}`),
      words: [...words, name],
    };
    // Without a function of its own the compiler would not know the type of what `own` gives.
    const isJudgedApart = isInherited(name) && isObject(inner);
    lines.push(
      ...(isJudgedApart
        ? writer.judge(inner, place.words, place.value, 'e', place.pointer)
        : memberLine(inner, place, writer)),
    );
  }
  for (const [pattern, inner] of patterns) {
    if (inner === true) continue;
    const validate = writer.refer(inner, [...words, 'member']);
    lines.push(module.call('matching', 'v', 'e', module.pattern(pattern), validate));
  }
  for (const [name, needed] of Object.entries(isObject(dependentRequired) ? dependentRequired : {}))
    if (Array.isArray(needed) && needed.length > 0)
      lines.push(module.call('needs', 'v', 'e', jsString(name), module.names(needed as string[])));
  for (const [name, inner] of schemasIn(schema['dependentSchemas']))
    for (const line of writer.judge(inner, [...words, 'with', name], 'v', 'e'))
      lines.push(`if (${access(name, writer)} !== undefined) ${line}`);
  return lines;
}

/** Statements for members whose names are not listed; none if any are allowed. */
export function unlistedMemberLines(
  rest: Json | undefined,
  { names, patterns }: { readonly names: readonly string[]; readonly patterns: readonly string[] },
  words: readonly string[],
  writer: Writer,
): string[] {
  const { module } = writer;
  if (rest === undefined || rest === true) return [];
  const known = names.length === 0 && patterns.length === 0 ? [] : [module.set(names)];
  const tests = patterns.map((pattern) => module.pattern(pattern));
  const given = [...known, ...(tests.length === 0 ? [] : [module.list('patterns', tests)])];
  return rest === false
    ? [module.call('closed', 'v', 'e', ...given)]
    : [module.call('others', 'v', 'e', writer.refer(rest as Schema, words), ...given)];
}

/** Statements for one member: its own keywords inline if possible, else a call of its schema's function. */
export function memberLine(schema: Schema, place: ValuePlace, writer: Writer): readonly string[] {
  const { module } = writer;
  const { value, pointer, words } = place;
  if (schema === true) return [];
  if (schema === false) return [module.call('never', value, 'e', pointer)];
  const keywords = Object.keys(schema);
  if (keywords.every((keyword) => VALUE_KEYWORDS.has(keyword)))
    return [...valueLines(schema, place, writer), ...itemLines(schema, place, writer)];
  const [only] = keywords;
  if (keywords.length === 1 && (only === 'anyOf' || only === 'oneOf'))
    return [alternativesLine(only, schema, { value, pointer, words }, writer)];
  return writer.judge(schema, words, value, 'e', pointer);
}

export function alternativesLine(
  keyword: 'anyOf' | 'oneOf',
  schema: JsonObject,
  { value, pointer, words }: ValuePlace,
  writer: Writer,
): string {
  const { module } = writer;
  const branches = schema[keyword] as Schema[];
  const [first = true, second] = branches;
  if (keyword === 'anyOf' && branches.length === 2 && isNull(second))
    return module.call('nullOr', value, 'e', pointer, writer.refer(first, words));
  const validators = branches.map((branch, index) => writer.refer(branch, [...words, `option ${index + 1}`]));
  return module.call(keyword, value, 'e', pointer, module.list('either', validators));
}

export function access(name: string, writer: Writer): string {
  return isInherited(name) ? `${writer.module.use('own')}(v, ${jsString(name)})` : `v${memberAccess(name)}`;
}

export function schemasIn(value: Json | undefined): ReadonlyMap<string, Schema> {
  return new Map(isObject(value) ? (Object.entries(value) as [string, Schema][]) : []);
}

// --- internal ---

/** More names than this are walked: a longer condition is more code than it is worth. */
const MOST_WRITTEN = 6;

function requiredLine(names: readonly string[], writer: Writer): string {
  const { module } = writer;
  if (names.length > MOST_WRITTEN) return module.call('lacks', 'v', 'e', module.names(names));
  const missing = names.map((name) => `${access(name, writer)} === undefined`).join(' || ');
  return `if (${missing}) ${module.call('lacks', 'v', 'e', `[${names.map(jsString).join(', ')}]`)}`;
}

function isNull(schema: Schema | undefined): boolean {
  return isObject(schema) && schema['type'] === 'null' && Object.keys(schema).length === 1;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
