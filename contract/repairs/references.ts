import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { componentsOf, type ObjectKind } from '../document/object-kinds.ts';
import { joinPointer, localPointer, parsePointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Source } from '../references/sources.ts';

/**
 * The obvious meaning of a broken reference: `#/definitions/Pet` of Swagger 2.0, `#components/schemas/Pet`
 * and `/components/schemas/Pet` without a character, the bare name `Pet` of a component, or a reference that
 * differs from an existing one only in capitals, spaces, slashes or the number of its section. Some documents
 * point through a reference, into its target. `undefined` for any other reference.
 */
export function plainReference(
  text: string,
  kind: ObjectKind,
  { value, address }: Source,
): string | undefined {
  const section = componentsOf[kind];
  if (section === undefined) return undefined;
  const isThere = (pointer: string): boolean => valueAt(value, pointer) !== undefined;
  const trimmed = text.trim();
  const local = localPointer(trimmed);
  if (local !== undefined) {
    if (local !== '' && parsePointer(local) === undefined && isThere(`/${local}`))
      return `#${encodeURI(`/${local}`)}`;
    if (trimmed === text && local !== '' && parsePointer(local) !== undefined && isThere(local))
      return undefined;
    const now = throughReferences(local, value) ?? inSection(local, section, value);
    return now === undefined ? undefined : `#${encodeURI(now)}`;
  }
  if (/^\/components\//.test(text)) return isThere(text) ? `#${encodeURI(text)}` : undefined;
  const named = joinPointer('/components', section, text);
  if (!/^[^\s./\\#:]+$/.test(text) || !isThere(named)) return undefined;
  return existsSync(resolve(dirname(address), text)) ? undefined : `#${named}`;
}

/** A component that is named like a file that does not exist: `./schemas/Pet.yaml` of another layout. */
export function namedLikeFile(
  text: string,
  kind: ObjectKind,
  { value, address }: Source,
): string | undefined {
  const name = /^[^#:]+\.(?:ya?ml|json)$/i.test(text) ? basename(text).replace(/\.\w+$/, '') : undefined;
  const section = componentsOf[kind];
  if (name === undefined || section === undefined) return undefined;
  const pointer = joinPointer('/components', section, name);
  if (valueAt(value, pointer) === undefined || existsSync(resolve(dirname(address), text))) return undefined;
  return `#${pointer}`;
}

// --- internal ---

/** The place that a pointer leads to if the references on its way are followed. */
function throughReferences(local: string, root: unknown, hops = 0): string | undefined {
  const tokens = parsePointer(local);
  if (tokens === undefined || hops > MOST_HOPS) return undefined;
  for (let length = 1; length < tokens.length; length += 1) {
    const before = valueAt(root, joinPointer('', ...tokens.slice(0, length)));
    if (!isRecord(before) || typeof before['$ref'] !== 'string') continue;
    const target = localPointer(before['$ref']);
    if (target === undefined) return undefined;
    const pointer = joinPointer(target, ...tokens.slice(length));
    const value = valueAt(root, pointer);
    if (value === undefined) return throughReferences(pointer, root, hops + 1);
    // What is nothing but a reference has the name of its target.
    const next = isRecord(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined;
    return (typeof next === 'string' ? localPointer(next) : undefined) ?? pointer;
  }
  return undefined;
}

/** References on the way of one pointer, in documents that are not circular. */
const MOST_HOPS = 10;

/** The pointer that a pointer with slips means: to one component, or into it. */
function inSection(local: string, section: string, root: unknown): string | undefined {
  const tokens = local
    .replace(/^:/, '')
    .split('/')
    .map((token) => token.trim());
  const words = tokens.filter((token) => token !== '').map((token) => parsePointer(`/${token}`)?.[0] ?? '');
  const [first = '', ...others] = words[0]?.toLowerCase() === 'components' ? words.slice(1) : words;
  const given = first.toLowerCase();
  const isOf =
    given === section.toLowerCase() ||
    `${given}s` === section.toLowerCase() ||
    given.replace(/y$/, 'ies') === section.toLowerCase() ||
    (given === 'definitions' && section === 'schemas');
  const [name, ...inside] = others;
  const components = valueAt(root, joinPointer('/components', section));
  if (!isOf || name === undefined || !isRecord(components)) return undefined;
  const [meant, ...further] = Object.hasOwn(components, name) ? [name] : alike(components, name);
  if (meant === undefined || further.length > 0) return undefined;
  const pointer = joinPointer('/components', section, meant, ...inside);
  return valueAt(root, pointer) === undefined ? undefined : pointer;
}

/** The names of a map that differ from a name in capitals alone. */
function alike(components: Record<string, unknown>, name: string): readonly string[] {
  let known = lowered.get(components);
  if (known === undefined) {
    known = new Map();
    for (const each of Object.keys(components)) {
      const lower = each.toLowerCase();
      known.set(lower, [...(known.get(lower) ?? []), each]);
    }
    lowered.set(components, known);
  }
  return known.get(name.toLowerCase()) ?? [];
}

/** The names of maps by their form in lower case: a document can have thousands of broken references. */
const lowered = new WeakMap<object, Map<string, readonly string[]>>();
