import { isObject, member } from './exchange.ts';
import { resolve } from './schema-document.ts';

/**
 * A small value that a schema takes, as far as this reading of it goes: an example or a default where the schema has
 * one, else the required members alone. It is a suggestion for a person; nothing is judged by it.
 */
export function smallestValue(document: unknown, schema: unknown): unknown {
  return smallest(document, schema, 0, { left: MOST_SCHEMAS });
}

// --- internal ---

/** A schema may refer to itself in many places: so many are looked at altogether, and the rest is left empty. */
const MOST_SCHEMAS = 2000;

interface Effort {
  left: number;
}

function smallest(document: unknown, schema: unknown, depth: number, effort: Effort): unknown {
  effort.left -= 1;
  const target = resolve(document, schema);
  if (!isObject(target) || depth > DEEPEST || effort.left < 0) return {};
  const { examples, example, const: constant, enum: values, allOf, anyOf, oneOf } = target;
  const given = [
    Array.isArray(examples) ? (examples as unknown[])[0] : undefined,
    example,
    target['default'],
  ];
  const told = [...given, constant, Array.isArray(values) ? (values as unknown[])[0] : undefined].find(
    (value) => value !== undefined,
  );
  if (told !== undefined) return told;
  const [choice] = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  if (choice !== undefined && target['type'] === undefined)
    return smallest(document, choice, depth + 1, effort);
  if (Array.isArray(allOf)) {
    const parts = (allOf as unknown[]).map((part) => smallest(document, part, depth + 1, effort));
    return Object.assign(
      {},
      smallestObject(document, target, depth, effort),
      ...parts.filter(isObject),
    ) as unknown;
  }
  switch (firstType(target)) {
    case 'string':
      return text(target);
    case 'integer':
    case 'number':
      return number(target);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: countOf(target['minItems']) }, () =>
        smallest(document, target['items'] ?? {}, depth + 1, effort),
      );
    default:
      return smallestObject(document, target, depth, effort);
  }
}

const DEEPEST = 8;

/** Longer texts are no suggestion any more. */
const LONGEST = 100;

function firstType(schema: Readonly<Record<string, unknown>>): unknown {
  return [schema['type']].flat()[0];
}

function smallestObject(
  document: unknown,
  schema: Readonly<Record<string, unknown>>,
  depth: number,
  effort: Effort,
): Readonly<Record<string, unknown>> {
  const { required, properties } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(
    names.map((name) => [name, smallest(document, member(properties, name) ?? {}, depth + 1, effort)]),
  );
}

function text({ format, minLength }: Readonly<Record<string, unknown>>): string {
  switch (format) {
    case 'uri':
      return 'https://example.com/';
    case 'date-time':
      return '2026-01-01T00:00:00Z';
    case 'date':
      return '2026-01-01';
    case 'uuid':
      return '00000000-0000-4000-8000-000000000000';
    default:
      return 'text'.repeat(Math.max(1, Math.ceil(Math.min(countOf(minLength), LONGEST) / 4)));
  }
}

function number({ minimum, exclusiveMinimum, maximum }: Readonly<Record<string, unknown>>): number {
  if (typeof minimum === 'number') return Math.ceil(minimum);
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === 'number' ? Math.min(1, Math.floor(maximum)) : 1;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, LONGEST) : 0;
}
