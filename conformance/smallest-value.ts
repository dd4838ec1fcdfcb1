import { textOfPattern } from '../contract/pattern-text.ts';
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
      return number(target, true);
    case 'number':
      return number(target, false);
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
  const { required, properties, minProperties } = schema;
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const others = isObject(properties) ? Object.keys(properties).filter((name) => !needed.includes(name)) : [];
  const names = [...needed, ...others.slice(0, Math.max(0, countOf(minProperties) - needed.length))];
  return Object.fromEntries(
    names.map((name) => [name, smallest(document, member(properties, name) ?? {}, depth + 1, effort)]),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'https://example.com/',
  'uri-reference': '/',
  url: 'https://example.com/',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'PT1H',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'somebody@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'dGV4dA==',
};

function text({ format, pattern, minLength, maxLength }: Readonly<Record<string, unknown>>): string {
  const least = countOf(minLength);
  const most = typeof maxLength === 'number' ? maxLength : LONGEST;
  if (typeof pattern === 'string') {
    // The shortest one first: repetitions are as few as may be, then as many.
    const made = [() => 0, (count: number) => count].map((choose) => textOfPattern(pattern, choose));
    const fitting = made.find((one) => one !== undefined && one.length >= least && one.length <= most);
    if (fitting !== undefined) return fitting;
  }
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known ?? 'text'.repeat(Math.max(1, Math.ceil(least / 4))).slice(0, Math.max(most, least));
}

/** A whole number where there is one. @param isWhole whether it has to be one */
function number(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: Readonly<Record<string, unknown>>,
  isWhole: boolean,
): number {
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  const most = isNumber(maximum)
    ? maximum
    : isNumber(exclusiveMaximum)
      ? exclusiveMaximum - 1
      : Number.POSITIVE_INFINITY;
  const whole = isNumber(minimum)
    ? Math.ceil(minimum)
    : isNumber(exclusiveMinimum)
      ? Math.floor(exclusiveMinimum) + 1
      : Math.min(1, Math.floor(most));
  if (isNumber(multipleOf) && multipleOf > 0) return Math.ceil(whole / multipleOf) * multipleOf;
  if (isWhole || whole <= most) return whole;
  return isNumber(minimum) ? minimum : isNumber(exclusiveMinimum) ? (exclusiveMinimum + most) / 2 : whole;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, LONGEST) : 0;
}
