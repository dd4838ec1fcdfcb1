import { isNestedDeeperThan, JSON_DEPTH } from './nesting.ts';
import type { WireType } from './served-api.ts';

/** What the single texts of a request stand for, by the types that the document declares. */

/** A decoded name and a raw value. */
export type RawPair = readonly [name: string, raw: string];

/** The type of a member of an object, if the document declares it. */
export function memberType({ members = {}, rest }: WireType, name: string): WireType | undefined {
  return Object.hasOwn(members, name) ? members[name] : rest;
}

/** The type of an item of a list. */
export function itemType({ items = TEXT, first = [] }: WireType, index: number): WireType {
  return first[index] ?? items;
}

/** Parses a text by its type; returns the text itself if it does not match. */
export function valueOf(text: string, { kinds }: WireType): unknown {
  if (kinds.includes('number') && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (kinds.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  // Where texts are allowed too, these are texts: the one without characters, and the name of a person.
  const isNull = text === '' || text === 'null';
  if (isNull && kinds.includes('null') && !kinds.includes('string')) return null;
  return text;
}

/** Objects and lists inside a list are written as JSON; OpenAPI leaves that open. */
export function itemOf(text: string, type: WireType): unknown {
  const isStructured = type.kinds.some((kind) => kind === 'object' || kind === 'array');
  return isStructured && !type.kinds.includes('string') ? jsonOf(text) : valueOf(text, type);
}

/**
 * The value of a text that occurs once where a list is possible too: a client sends a single value without a list.
 *
 * @returns `undefined` if the text can only be an item of a list
 */
export function singleOf(text: string, { kinds }: WireType): unknown {
  const single = kinds.filter((kind) => kind === 'string' || kind === 'number' || kind === 'boolean');
  const value = valueOf(text, { kinds: single });
  return typeof value === 'string' && !single.includes('string') ? undefined : value;
}

export function jsonOf(text: string): unknown {
  if (isNestedDeeperThan(JSON_DEPTH, text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The type if the document declares none. */
export const TEXT: WireType = { kinds: ['string'] };

/** The decoded text of a part of a URL; broken escapes stay as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
