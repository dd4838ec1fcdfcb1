import type { Json, JsonObject } from '../../contract/index.ts';
import { typeName } from '../names.ts';
import { isObject } from '../schemas/read-schema.ts';
import { namedShape } from '../schemas/type-shape.ts';
import type { Declaration } from './types.ts';

/**
 * Gives names to long objects that occur several times in the types: documents that are made by programs write every object
 * out in each place. A type gets the name of its first place, such as `PullHeadRepo`.
 *
 * @param claim a name that nothing else has
 */
export function withSharedForms(
  declarations: readonly Declaration[],
  claim: (wish: string) => string,
): Declaration[] {
  const places = new Map<string, number>();
  const counted = (shape: Json): void => {
    const key = keyOf(shape);
    const known = key === undefined ? undefined : places.get(key);
    if (key !== undefined) places.set(key, (known ?? 0) + 1);
    // What a form contains is counted once.
    if (known === undefined) childrenOf(shape).forEach(counted);
  };
  for (const { shape } of declarations) childrenOf(shape).forEach(counted);

  const named = new Map<string, string>();
  return declarations.flatMap((declaration) => {
    const own: Declaration[] = [];
    const replaced = (shape: Json, words: readonly string[]): Json => {
      const key = keyOf(shape);
      if (key === undefined || (places.get(key) ?? 0) < LEAST) return inside(shape, words);
      const name = named.get(key) ?? claim(typeName(words.slice(-MOST_WORDS).join(' ')));
      if (!named.has(key)) {
        named.set(key, name);
        const form = inside(withoutComment(shape as JsonObject), words);
        own.push({ name, shape: form, comment: [], isAlias: true });
      }
      const comment = (shape as JsonObject)['x-comment'];
      return comment === undefined ? namedShape(name) : { ...namedShape(name), 'x-comment': comment };
    };
    const inside = (shape: Json, words: readonly string[]): Json => {
      if (Array.isArray(shape)) return shape.map((inner: Json) => replaced(inner, words));
      if (!isObject(shape) || shape['type'] === 'x-literal') return shape;
      const entries = Object.entries(shape).map(([keyword, inner]): [string, Json] => {
        if (keyword === 'properties' && isObject(inner)) return [keyword, members(inner, words)];
        if (keyword === 'allOf' && Array.isArray(inner))
          return [keyword, inner.map((part: Json) => inside(part, words))];
        return [keyword, replaced(inner, words)];
      });
      return Object.fromEntries(entries);
    };
    const members = (properties: JsonObject, words: readonly string[]): JsonObject =>
      Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, replaced(member, [...words, name])]),
      );
    const shape = inside(declaration.shape, [declaration.name]);
    return [...own, { ...declaration, shape }];
  });
}

// --- internal ---

/** A form that occurs this often is printed once. */
const LEAST = 3;
/** Of the place that names a form: its type and the last members. */
const MOST_WORDS = 3;
/** Shorter objects are easier to read in their place. */
const LONG = 400;

/** The keys of forms: each is asked for twice, and takes the time to print the form. */
const keys = new WeakMap<object, string | undefined>();

function keyOf(shape: Json): string | undefined {
  if (!isObject(shape) || shape['type'] !== 'object' || !isObject(shape['properties'])) return undefined;
  if (keys.has(shape)) return keys.get(shape);
  const text = JSON.stringify(withoutComment(shape));
  const key = text.length < LONG ? undefined : text;
  keys.set(shape, key);
  return key;
}

/** The shapes inside of a shape. The parts of an intersection are printed as one object where they can be. */
function childrenOf(shape: Json): readonly Json[] {
  if (Array.isArray(shape)) return shape;
  if (!isObject(shape) || shape['type'] === 'x-literal') return [];
  return Object.entries(shape).flatMap(([keyword, inner]): readonly Json[] => {
    if (keyword === 'properties' && isObject(inner)) return Object.values(inner);
    if (keyword === 'allOf' && Array.isArray(inner)) return inner.flatMap((part: Json) => childrenOf(part));
    return [inner];
  });
}

function withoutComment(shape: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(shape).filter(([keyword]) => keyword !== 'x-comment'));
}
