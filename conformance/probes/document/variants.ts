import { isRecord } from '../../../contract/index.ts';
import type { Json, JsonObject, Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schema-parts.ts';
import { smallestValue } from '../../smallest-value.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
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

/** A body with more members: optional ones of plain types, as long as the whole is valid. */
export function fullerBody(api: OwnApi, operation: Operation, value: Json): Json {
  const content = sentContent(operation);
  if (content?.schema === undefined || !isRecord(value)) return value;
  let fuller = value as JsonObject;
  for (const [name, schema] of propertiesOf(content.schema, api.root)) {
    if (Object.hasOwn(fuller, name) || !isPlain(api, name, schema)) continue;
    const longer = { ...fuller, [name]: smallestValue(api.root, schema) as Json };
    if (isValid(api, content, longer)) fuller = longer;
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
  const texts = typeof old === 'string' ? [key, shorter, ...longer(old), shorter.slice(-8)] : [key, shorter];
  const numbers = [1e9, 1e4].map((most) => Math.floor(fraction(freshKey) * most));
  const values: readonly Json[] = typeof old === 'number' ? numbers : [...texts, ...numbers];
  return values.map((fresh) => put(value, names, fresh)).find((one) => isValid(api, content, one)) ?? value;
}

/**
 * The same body with another valid value in each member for which the document names several: another value of
 * an `enum`, the other boolean, a list with one item. It detects servers that always store the first value.
 *
 * @param options.isLong whether texts become longer, which detects servers that keep only their beginning
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
    const longer = isLong && typeof varied[name] === 'string' ? longerText(described) : [];
    const other = [...otherNamed(api, described, varied[name]), ...longer]
      .map((one) => ({ ...varied, [name]: one }) as JsonObject)
      .find((one) => isValid(api, content, one));
    varied = other ?? varied;
  }
  return varied;
}

/** A text of the same form: digits for digits, letters for letters. Its first `kept` characters stay. */
export function textOfSameForm(text: string, freshKey: () => string, kept = 0): string {
  const isHex = /^[0-9a-f-]*$/i.test(text.slice(kept));
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

// --- internal ---

const MOST_MEMBERS = 12;
const SHORT = 12;

/** Names of members whose values a server may check beyond the schema: references, times, addresses, states. */
const OF_ANOTHER_THING = /(?:id|date|time|url|uri|key|token|email|phone|state|status|_at)$|At$|^at$/;

function isOfAnotherThing(name: string): boolean {
  return OF_ANOTHER_THING.test(name) || OF_ANOTHER_THING.test(name.toLowerCase());
}

/**
 * A number in [0, 1). Not from the seed of a run, because a second run must not repeat the values of the
 * first.
 */
function fraction(freshKey: () => string): number {
  return Number.parseInt(freshKey().replaceAll('-', '').slice(0, 8), 16) / 2 ** 32;
}

function isPlain(api: OwnApi, name: string, schema: Schema): boolean {
  const target = followed(api.root, schema);
  if (!isRecord(target) || isOfAnotherThing(name)) return false;
  const { type, format, readOnly, deprecated, $ref: reference } = target;
  if (readOnly === true || deprecated === true || reference !== undefined) return false;
  return (
    format === undefined && ['string', 'integer', 'number', 'boolean'].includes(String([type].flat()[0]))
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

function put(value: unknown, [name, ...rest]: readonly string[], fresh: Json): Json {
  if (name === undefined) return fresh;
  return (isRecord(value) ? { ...value, [name]: put(value[name], rest, fresh) } : value) as Json;
}
