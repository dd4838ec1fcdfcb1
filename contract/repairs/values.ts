import { joinPointer } from '../pointer.ts';
import { childOf, type PlacedObject } from '../document/object-kinds.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/**
 * Members whose value has the wrong type and an obvious meaning, such as `required: "true"` or a title that
 * is a number.
 */
export function repairValues({ kind, value, pointer }: PlacedObject, repaired: Repaired): void {
  for (const [name, given] of Object.entries(value)) {
    if (MAPS.has(name) && isRecord(given)) repairEntries({ kind, name, map: given }, pointer, repaired);
    if (name.startsWith('x-') || NAMED_BY_USERS.has(kind)) continue;
    if (given === null && !MAY_BE_NULL.has(name)) {
      Reflect.deleteProperty(value, name);
      repaired({
        kind: 'a member without a value',
        pointer: joinPointer(pointer, name),
        wrong: `${name} has no value`,
        read: 'absent',
        part: 'name',
      });
      continue;
    }
    const read = isEmptyMap(kind, name, given) ? {} : readingOf(kind, name, given);
    if (read === undefined) continue;
    if (read === '' && name !== 'description') Reflect.deleteProperty(value, name);
    else value[name] = read;
    const shown = read === '' ? 'absent' : `${JSON.stringify(read)}`.slice(0, 60);
    repaired({
      kind: 'a value of the wrong type',
      pointer: joinPointer(pointer, name),
      wrong: `${name} is ${describe(given)}`,
      read: shown,
    });
  }
}

// --- internal ---

/** Members that hold objects by names. */
const MAPS: ReadonlySet<string> = new Set(
  'paths content responses headers schemas requestBodies securitySchemes variables encoding pathItems webhooks'.split(
    ' ',
  ),
);

/** Some languages write an empty object as an empty list. */
function isEmptyMap(kind: string, name: string, given: unknown): boolean {
  if (!Array.isArray(given) || given.length > 0) return false;
  if (kind === 'components') return true;
  return (MAPS.has(name) || OBJECTS.has(name)) && !(kind === 'schema' && name === 'examples');
}

const OBJECTS: ReadonlySet<string> = new Set(
  'components properties patternProperties $defs examples callbacks links scopes schema additionalProperties'.split(
    ' ',
  ),
);

interface NamedMap {
  /** The kind of the object that contains the map, and the name of the map there. */
  readonly kind: PlacedObject['kind'];
  readonly name: string;
  readonly map: Record<string, unknown>;
}

/** A name without a value means an empty object, and a list of one object means that object. */
function repairEntries({ kind, name: member, map }: NamedMap, pointer: string, repaired: Repaired): void {
  const isOfObjects = typeof childOf(kind, member) === 'object';
  for (const [name, entry] of Object.entries(map)) {
    const only = isOfObjects ? onlyItem(entry) : undefined;
    if (entry !== null && only === undefined) continue;
    map[name] = only ?? {};
    const at = joinPointer(pointer, member, name);
    repaired(
      only === undefined
        ? {
            kind: 'a name without a value',
            pointer: at,
            wrong: `${name} has no value`,
            read: '{}',
            part: 'name',
          }
        : { kind: 'a list of one object', pointer: at, wrong: `${name} is a list`, read: 'its only item' },
    );
  }
}

/** The only item of a list, if that is an object. */
function onlyItem(given: unknown): Record<string, unknown> | undefined {
  const [item]: readonly unknown[] = Array.isArray(given) && given.length === 1 ? given : [];
  return isRecord(item) ? item : undefined;
}

const NAMED_BY_USERS: ReadonlySet<string> = new Set(['callback']);

/** The members for which `null` is an ordinary value. */
const MAY_BE_NULL: ReadonlySet<string> = new Set(['default', 'const', 'example', 'value', 'enum']);

const BOOLEANS: ReadonlySet<string> = new Set(
  'required deprecated allowEmptyValue explode allowReserved nullable readOnly writeOnly uniqueItems'.split(
    ' ',
  ),
);
const NUMBERS: ReadonlySet<string> = new Set(
  (
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties ' +
    'maxProperties minContains maxContains'
  ).split(' '),
);
const TEXTS: ReadonlySet<string> = new Set('title summary description operationId format pattern'.split(' '));
const LISTS_OF_OBJECTS: ReadonlySet<string> = new Set(['servers', 'security', 'allOf', 'anyOf', 'oneOf']);

/** The obvious meaning of a value; `undefined` if it is valid, or its meaning is not obvious. */
function readingOf(kind: PlacedObject['kind'], name: string, given: unknown): unknown {
  if (kind === 'request body' && name === 'required' && Array.isArray(given)) return given.length > 0;
  if (BOOLEANS.has(name) && (kind !== 'schema' || name !== 'required')) {
    // With its reason, or with the thing to use instead.
    const isReason = name === 'deprecated' && typeof given === 'string' && given !== '';
    return booleanOf(given) ?? (isReason ? true : undefined);
  }
  if (kind === 'schema' && (name === 'additionalProperties' || name.startsWith('exclusive'))) {
    const read = name.startsWith('exclusive') && typeof given === 'number' ? undefined : booleanOf(given);
    if (read !== undefined) return read;
  }
  if (kind === 'schema' && NUMBERS.has(name)) {
    return typeof given === 'string' && /^-?\d+(?:\.\d+)?$/.test(given) ? Number(given) : undefined;
  }
  if (TEXTS.has(name)) return textOf(name, given);
  if (kind === 'operation' && name === 'tags') {
    if (typeof given === 'string') return [given];
    if (!Array.isArray(given) || given.every((tag) => typeof tag === 'string')) return undefined;
    const names = given
      .filter((tag) => tag !== null)
      .map((tag: unknown) => (isRecord(tag) ? tag['name'] : tag));
    return names.every((tag) => ['string', 'number', 'boolean'].includes(typeof tag))
      ? names.map(String)
      : undefined;
  }
  if (name === 'parameters' && (kind === 'operation' || kind === 'path item')) {
    if (Array.isArray(given)) return given.includes(null) ? given.filter((each) => each !== null) : undefined;
    if (!isRecord(given)) return undefined;
    if (typeof given['name'] === 'string' && typeof given['in'] === 'string') return [given];
    return Object.keys(given).length === 0 ? [] : undefined;
  }
  if (kind === 'document' && name === 'tags') return tagsOf(given);
  if (kind === 'parameter' && name === 'name')
    return typeof given === 'number' || typeof given === 'boolean' ? String(given) : undefined;
  if (name === 'servers' && typeof given === 'string') return [{ url: given }];
  if (kind === 'schema' && name === 'enum' && isRecord(given)) {
    // The values by the names that they have in some language.
    const values = Object.values(given);
    return values.length > 0 && values.every((each) => typeof each !== 'object') ? values : undefined;
  }
  if (kind === 'schema' && name === 'enum')
    return ['string', 'number', 'boolean'].includes(typeof given) ? [given] : undefined;
  if (kind === 'schema' && name === 'examples') return schemaExamples(given);
  if (LISTS_OF_OBJECTS.has(name) && isRecord(given)) return [given];
  if (name === 'security' && Array.isArray(given)) return requirementsOf(given);
  if (name === 'servers' && Array.isArray(given) && given.some((server) => typeof server === 'string'))
    return given.map((server: unknown) => (typeof server === 'string' ? { url: server } : server));
  // In a schema, a list of one is as likely the beginning of a tuple.
  return typeof childOf(kind, name) === 'string' && name !== 'items' ? onlyItem(given) : undefined;
}

/** Text in several lines or languages. A format or an id can only be in a list of one. */
function textOf(name: string, given: unknown): string | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  if (typeof given !== 'object' || given === null) return undefined;
  const texts = Object.values(given).filter((each): each is string => typeof each === 'string');
  if (DESCRIBING.has(name)) return texts.join('\n');
  return Array.isArray(given) && given.length === 1 ? texts[0] : undefined;
}

const DESCRIBING: ReadonlySet<string> = new Set(['title', 'summary', 'description']);

/** As Python, YAML 1.1 and flags write a boolean. */
function booleanOf(given: unknown): boolean | undefined {
  if (given === 0 || given === 1) return given === 1;
  if (typeof given !== 'string') return undefined;
  return /^(?:true|yes|on)$/i.test(given) ? true : /^(?:false|no|off)$/i.test(given) ? false : undefined;
}

/** Turns names into tags, and removes tags without a name. */
function tagsOf(given: unknown): unknown {
  if (isRecord(given)) return Object.keys(given).map((name) => ({ name }));
  if (!Array.isArray(given)) return undefined;
  const isNameless = (tag: unknown): boolean => isRecord(tag) && (tag['name'] ?? '') === '';
  if (!given.some((tag) => typeof tag === 'string' || isNameless(tag))) return undefined;
  const named = given.filter((tag) => !isNameless(tag));
  return named.map((tag: unknown) => (typeof tag === 'string' ? { name: tag } : tag));
}

/** In a schema, examples are a list of values without names. */
function schemaExamples(given: unknown): unknown {
  if (Array.isArray(given)) return undefined;
  if (!isRecord(given)) return [given];
  return Object.values(given).map((example) =>
    isRecord(example) && Object.hasOwn(example, 'value') ? example['value'] : example,
  );
}

/** `security: [key]` and `security: [{ key: }]` mean `{ key: [] }`. */
function requirementsOf(given: readonly unknown[]): unknown {
  let changed = false;
  const read = given.map((requirement) => {
    if (typeof requirement === 'string') {
      changed = true;
      return { [requirement]: [] };
    }
    if (!isRecord(requirement)) return requirement;
    if (!Object.values(requirement).some((scopes) => scopes === null || typeof scopes === 'string'))
      return requirement;
    changed = true;
    return Object.fromEntries(
      Object.entries(requirement).map(([name, scopes]) => [
        name,
        typeof scopes === 'string' ? scopes.split(/[\s,]+/) : (scopes ?? []),
      ]),
    );
  });
  return changed ? read : undefined;
}

function describe(given: unknown): string {
  if (isRecord(given)) return 'an object';
  return Array.isArray(given) ? 'a list of other values' : JSON.stringify(given).slice(0, 60);
}
