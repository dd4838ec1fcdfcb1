import { isRecord } from '../../../contract/index.ts';
import type { Json, JsonObject, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters, sentContent } from '../own-api.ts';
import { isValid } from './values.ts';

/**
 * Another valid body that differs in one text or number; `undefined` if none is found.
 *
 * @param takes whether a member may differ, and may have this value
 */
export function otherBody(
  api: OwnApi,
  operation: Operation,
  value: Json,
  takes: (name: string, value: Json) => boolean = () => true,
): JsonObject | undefined {
  const content = sentContent(operation);
  if (content === undefined || !isRecord(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const changed = othersThan(inner)
      .filter((other) => takes(name, other))
      .map((other) => ({ ...value, [name]: other }) as JsonObject)
      .find((one) => isValid(api, content, one));
    if (changed !== undefined) return changed;
  }
  return undefined;
}

/**
 * Other values for a member, or values for one that is not there: those first that a server has the least reason to refuse.
 * None for a member that only the server sets, or that names something else.
 */
export function otherValues(api: OwnApi, name: string, schema: Schema, value: unknown): readonly Json[] {
  const described = followed(api.root, schema);
  if (!isRecord(described) || described['readOnly'] === true || described['deprecated'] === true) return [];
  if (value === undefined) return plainValues(api, name, schema);
  if (isOfAnotherThing(name)) return [];
  const shorter = Array.isArray(value) && value.length > 0 ? [(value as unknown[]).slice(0, -1)] : [];
  const plain = Array.isArray(described['enum']) ? [] : othersThan(value);
  return [...plain, ...shorter, ...othersOf(api, described, value)] as Json[];
}

/**
 * A body with more members: optional ones of plain types, as long as the whole is valid.
 *
 * @param options.hasLists whether lists and objects of plain values are added, lists with two values if the schema has two
 */
export function fullerBody(
  api: OwnApi,
  operation: Operation,
  value: Json,
  { hasLists }: { readonly hasLists: boolean },
): Json {
  const content = sentContent(operation);
  if (content?.schema === undefined || !isRecord(value)) return value;
  let fuller = value as JsonObject;
  for (const [name, schema] of propertiesOf(content.schema, api.root)) {
    if (Object.hasOwn(fuller, name)) continue;
    const plain = plainValues(api, name, schema);
    const added =
      plain.length > 0
        ? plain
        : hasLists
          ? [...plainLists(api, name, schema), ...plainObjects(api, name, schema)]
          : [];
    fuller =
      added
        .map((one): JsonObject => ({ ...fuller, [name]: one }))
        .find((one) => one[name] !== undefined && isValid(api, content, one)) ?? fuller;
    if (Object.keys(fuller).length >= MOST_MEMBERS) break;
  }
  return fuller;
}

/** A body with a unique value at a dotted path, if such a value is valid there. */
export function freshAt(
  api: OwnApi,
  operation: Operation,
  value: Json,
  path: string,
  freshKey: () => string,
): Json {
  const content = sentContent(operation);
  if (content === undefined) return value;
  const names = path.split('.');
  const old = names.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
  const key = freshKey();
  const shorter = key.replace(/[^0-9a-z]/gi, '').slice(-SHORT);
  // The longer a text of the same form, the less likely it is already in use.
  const longer = (text: string): readonly string[] =>
    [4, 2, 1].map((times) => textOfSameForm(text.repeat(times), freshKey));
  const texts =
    typeof old === 'string'
      ? [...ofItsForm(old, freshKey), key, shorter, ...longer(old), shorter.slice(-8)]
      : [key, shorter];
  const numbers = [1e9, 1e4].map((most) => Math.floor(fraction(freshKey) * most));
  const values: readonly Json[] = typeof old === 'number' ? numbers : [...texts, ...numbers];
  return values.map((fresh) => put(value, names, fresh)).find((one) => isValid(api, content, one)) ?? value;
}

/**
 * The same body with other valid values: another value of an `enum`, the other boolean, another number, a list with one
 * more item. It detects servers that always store the first value, or only a part.
 *
 * @param options.isLong whether texts and lists become longer and numbers change, which detects servers that keep only
 * a part
 */
export function variedBody(
  api: OwnApi,
  operation: Operation,
  value: Json,
  { takes, isLong }: { readonly takes: (name: string) => boolean; readonly isLong: boolean },
): Json {
  const content = sentContent(operation);
  if (content?.schema === undefined || !isRecord(value)) return value;
  let varied = value as JsonObject;
  for (const [name, schema] of propertiesOf(content.schema, api.root).slice(0, MOST_MEMBERS)) {
    const described = followed(api.root, schema);
    if (!isRecord(described) || described['readOnly'] === true || described['deprecated'] === true) continue;
    if (!takes(name) || isOfAnotherThing(name)) continue;
    const others = isLong ? othersOf(api, described, varied[name]) : otherNamed(api, described, varied[name]);
    const other = others
      .map((one) => ({ ...varied, [name]: one }) as JsonObject)
      .find((one) => isValid(api, content, one));
    varied = other ?? varied;
  }
  return varied;
}

/**
 * A text of the same form: digits for digits, letters for letters, and of those only a to f where the text can be a number
 * in base 16. Its first `kept` characters stay.
 */
export function textOfSameForm(text: string, freshKey: () => string, kept = 0): string {
  // A text without a digit is more likely a word: there are too few of six letters for one that is not in use.
  const isHex = /^(?=[^\d]*\d)[0-9a-f-]*$/i.test(text.slice(kept));
  const among = (letters: string): string => letters[Math.floor(fraction(freshKey) * letters.length)] ?? '';
  return [...text]
    .map((letter, index) => {
      if (index < kept) return letter;
      if (/[1-9]/.test(letter)) return among('123456789');
      if (/[a-z]/.test(letter)) return among(isHex ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz');
      if (/[A-Z]/.test(letter)) return among(isHex ? 'ABCDEF' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
      return letter;
    })
    .join('');
}

/**
 * A number in [0, 1). Not from the seed of a run, because a second run must not repeat the values of the first. It is read from
 * the end of a key: the first digit of a key is a letter.
 */
export function fraction(freshKey: () => string): number {
  return Number.parseInt(freshKey().replaceAll('-', '').slice(-8), 16) / 2 ** 32;
}

/** The value with another one at a path. */
export function put(value: unknown, [name, ...rest]: readonly string[], fresh: Json): Json {
  if (name === undefined) return fresh;
  return (isRecord(value) ? { ...value, [name]: put(value[name], rest, fresh) } : value) as Json;
}

// --- internal ---

const MOST_MEMBERS = 12;
const SHORT = 12;

/** Names of members whose values a server may check beyond the schema: references, times, addresses, states. */
const OF_ANOTHER_THING =
  /(?:ids?|dates?|times?|urls?|uris?|keys?|tokens?|emails?|phones?|state|status|_at)$|At$|^at$/;

export function isOfAnotherThing(name: string): boolean {
  return OF_ANOTHER_THING.test(name) || OF_ANOTHER_THING.test(name.toLowerCase());
}

/**
 * Another number or version, for a text that is one: a server may read it as such, although its schema allows any text.
 * None if there are too few of the form for one that is not in use.
 */
function ofItsForm(text: string, freshKey: () => string): readonly string[] {
  const [, before, after] = /^(v?(?:\d+\.)+)\d+(?![.\d])(.*)$/is.exec(text) ?? [];
  if (before !== undefined && after !== undefined)
    return [`${before}${1 + Math.floor(fraction(freshKey) * MOST_OF_A_PART)}${after}`];
  const isNumber = /^[+\d()./:\s-]+$/.test(text) && (text.match(/[1-9]/g)?.length ?? 0) >= ENOUGH_DIGITS;
  return isNumber ? [textOfSameForm(text, freshKey)] : [];
}

/** Of the last number in a version. Readers of versions often keep 32 bits. */
const MOST_OF_A_PART = 1e9;
const ENOUGH_DIGITS = 8;

/** Values of a member of a plain type; none for one of another type. */
function plainValues(api: OwnApi, name: string, schema: Schema): readonly Json[] {
  return isPlain(api, name, schema) ? [notEmpty(api, schema), smallestValue(api.root, schema) as Json] : [];
}

/** A text with at least one character: an empty one is like none. */
function notEmpty(api: OwnApi, schema: Schema): Json {
  const described = followed(api.root, schema);
  const value = smallestValue(api.root, schema) as Json;
  if (value !== '' || !isRecord(described)) return value;
  return smallestValue(api.root, { ...described, minLength: 1 }) as Json;
}

/** An object of plain members, with all of them, or with those that it needs. */
function plainObjects(api: OwnApi, name: string, schema: Schema): readonly Json[] {
  const object = followed(api.root, schema);
  const members = propertiesOf(schema, api.root);
  if (!isRecord(object) || ![object['type']].flat().includes('object') || object['readOnly'] === true)
    return [];
  if (members.length === 0 || isOfAnotherThing(name)) return [];
  if (!members.every(([inner, one]) => isPlain(api, inner, one))) return [];
  const small = smallestValue(api.root, { ...object, type: 'object' } as Schema);
  const whole = Object.fromEntries(members.map(([inner, one]) => [inner, notEmpty(api, one)]));
  return [whole as Json, ...(isRecord(small) && Object.keys(small).length > 0 ? [small as Json] : [])];
}

/** Lists with two different plain values, or with one. */
function plainLists(api: OwnApi, name: string, schema: Schema): readonly Json[] {
  const list = followed(api.root, schema);
  if (!isRecord(list) || ![list['type']].flat().includes('array') || list['readOnly'] === true) return [];
  const items = followed(api.root, list['items']);
  if (!isRecord(items) || !isPlain(api, name, items as Schema)) return [];
  const first = smallestValue(api.root, items as Schema) as Json;
  const others = [...otherNamed(api, items, first), ...othersThan(first)] as Json[];
  return [...others.map((other) => [first, other]), [first]];
}

/** Whether a member is a number that others assign, such as a tax id: it has a pattern and names nothing of this API. */
function isNumberOfOthers(
  api: OwnApi,
  name: string,
  { pattern }: Readonly<Record<string, unknown>>,
): boolean {
  const isOwn = api.operations.some((operation) =>
    pathParameters(operation).some((parameter) => parameter.name.toLowerCase() === name.toLowerCase()),
  );
  return typeof pattern === 'string' && /[a-z]id$/i.test(name) && !isOwn;
}

function isPlain(api: OwnApi, name: string, schema: Schema): boolean {
  const target = followed(api.root, schema);
  if (!isRecord(target) || (isOfAnotherThing(name) && !isNumberOfOthers(api, name, target))) return false;
  const { type, format, readOnly, deprecated, $ref: reference } = target;
  if (readOnly === true || deprecated === true || reference !== undefined) return false;
  return (
    format === undefined && ['string', 'integer', 'number', 'boolean'].includes(String([type].flat()[0]))
  );
}

/** Further values for a member, without the given one: those first that differ most. */
function othersOf(
  api: OwnApi,
  described: Readonly<Record<string, unknown>>,
  value: unknown,
): readonly unknown[] {
  const longer = typeof value === 'string' ? longerText(described) : [];
  if (typeof value === 'number') return otherNumbers(described, value);
  if (Array.isArray(value) && value.length > 0) {
    const item = followed(api.root, described['items']);
    const [first] = value as unknown[];
    const second = isRecord(item) ? othersOf(api, item, first) : [];
    return [...second.map((one) => [...(value as unknown[]), one]), ...otherNamed(api, described, value)];
  }
  if (isRecord(value)) return otherMembers(api, described as Schema, value);
  return [...otherNamed(api, described, value), ...longer];
}

/** The object with the last of its numbers or named values changed, or with the texts under names that the document leaves open. */
function otherMembers(
  api: OwnApi,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const changed = propertiesOf(schema, api.root).reduce((whole, [name, inner]) => {
    const described = followed(api.root, inner);
    const isOpen = isRecord(described) && Object.hasOwn(whole, name) && !isOfAnotherThing(name);
    const [other] = isOpen ? othersOf(api, described, whole[name]) : [];
    return other === undefined ? whole : { ...whole, [name]: other };
  }, value);
  if (changed !== value) return [changed];
  const described = followed(api.root, schema);
  const known = new Set(propertiesOf(schema, api.root).map(([name]) => name));
  const rest = isRecord(described) ? followed(api.root, described['additionalProperties']) : undefined;
  const open = Object.entries(value).find(
    ([name, text]) => typeof text === 'string' && !known.has(name) && !isOfAnotherThing(name),
  );
  if (open === undefined || (isRecord(rest) && 'enum' in rest)) return [];
  return [{ ...value, [open[0]]: `${String(open[1])} 2` }];
}

/** Numbers that a server with another type could not keep, within the bounds of a schema. */
function otherNumbers(
  { type, enum: values, minimum, maximum, multipleOf }: Readonly<Record<string, unknown>>,
  value: number,
): readonly number[] {
  if (Array.isArray(values))
    return values.filter((one) => typeof one === 'number' && one !== value) as number[];
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const isWhole = [type].flat().includes('integer') || Number.isInteger(multipleOf);
  const steps = isWhole ? [3, 1, -1] : typeof multipleOf === 'number' ? [3, 1, -1] : [2.5, 0.5, -0.5];
  return steps
    .map((count) => value + count * step)
    .filter(
      (one) =>
        (typeof minimum !== 'number' || one >= minimum) && (typeof maximum !== 'number' || one <= maximum),
    );
}

/** Further values that the schema of a member names, without the given one. */
function otherNamed(
  api: OwnApi,
  { enum: values, type, items }: Readonly<Record<string, unknown>>,
  value: unknown,
): readonly unknown[] {
  const named = Array.isArray(values) ? (values as unknown[]) : [];
  const first = String([type].flat()[0]);
  if (first === 'boolean') return value === true ? [false] : [true];
  if (first !== 'array') return named.filter((one) => one !== value && one !== null).reverse();
  const item = followed(api.root, items);
  const [own] = Array.isArray(value) ? (value as unknown[]) : [];
  const others = isRecord(item) ? otherNamed(api, item, own) : [];
  return [...others, ...(isRecord(item) ? [smallestValue(api.root, item as Schema)] : [])].map((one) => [
    one,
  ]);
}

/** A plain text as long as the schema allows, within reason. */
function longerText({
  type,
  enum: values,
  format,
  pattern,
  maxLength,
}: Readonly<Record<string, unknown>>): readonly string[] {
  const isPlainText =
    [type].flat().includes('string') && [values, format, pattern].every((one) => one === undefined);
  const most = typeof maxLength === 'number' ? Math.min(maxLength, LONG_TEXT.length) : LONG_TEXT.length;
  return isPlainText && most > 0 ? [LONG_TEXT.slice(0, most).trimEnd()] : [];
}

const LONG_TEXT =
  'A longer text, to see whether the server keeps all of it and not only its beginning, up to the very last word';

function othersThan(value: unknown): readonly Json[] {
  if (typeof value === 'string') return [`${value} 2`, `${value}2`, `2${value}`, value.slice(1)];
  return typeof value === 'number' ? [value + 1, value - 1] : [];
}
