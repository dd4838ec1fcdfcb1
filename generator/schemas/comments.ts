import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { prose } from '../printing.ts';
import { isObject } from './read-schema.ts';

/** The paragraphs of the comment above a member or a type. */
export function commentOf(schema: Schema): string[] {
  if (!isObject(schema)) return [];
  const { title, description, deprecated } = schema;
  const said = prose(
    typeof description === 'string' ? description : typeof title === 'string' ? title : undefined,
  );
  return [...said, ...detailsOf(schema), ...(deprecated === true ? ['@deprecated'] : [])];
}

/**
 * The facts about a value that a type cannot express: format and limits in one sentence, the default, an
 * example.
 */
export function detailsOf(schema: Schema): string[] {
  if (!isObject(schema)) return [];
  const { default: standard, example, examples } = schema;
  const limits = limitsOf(schema).join(', ');
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  return [
    ...prose(limits === '' ? undefined : `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`),
    ...tagged('default', isScalar(standard) ? standard : undefined, LONGEST_DEFAULT),
    ...tagged('example', shown, LONGEST_EXAMPLE),
  ];
}

// --- internal ---

const LONGEST_DEFAULT = 80;
const LONGEST_EXAMPLE = 120;
const LONGEST_PATTERN = 80;

function tagged(tag: string, value: Json | undefined, most: number): string[] {
  if (value === undefined || (typeof value === 'number' && !isExact(value))) return [];
  const text = JSON.stringify(value);
  return text.length > most ? [] : [`@${tag} ${prose(text).join('')}`];
}

function limitsOf(schema: JsonObject): string[] {
  const { format, pattern, multipleOf } = schema;
  const said = [
    typeof format === 'string' && format !== 'binary' ? `format \`${format}\`` : undefined,
    range(schema['minLength'], schema['maxLength'], 'character'),
    numbers(schema),
    typeof multipleOf === 'number' && multipleOf !== 1 ? `a multiple of ${String(multipleOf)}` : undefined,
    range(schema['minItems'], schema['maxItems'], 'item'),
    schema['uniqueItems'] === true ? 'no item twice' : undefined,
    range(schema['minProperties'], schema['maxProperties'], 'member'),
    typeof pattern === 'string' && pattern.length <= LONGEST_PATTERN ? `matches \`${pattern}\`` : undefined,
  ];
  return said.filter((part) => part !== undefined);
}

/** `1 to 64 characters`. */
function range(least: Json | undefined, most: Json | undefined, noun: string): string | undefined {
  const from = typeof least === 'number' && least > 0 ? least : undefined;
  const to = typeof most === 'number' ? most : undefined;
  const counted = (count: number): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
  if (to === undefined) return from === undefined ? undefined : `at least ${counted(from)}`;
  if (from === undefined) return `at most ${counted(to)}`;
  return from === to ? counted(to) : `${String(from)} to ${counted(to)}`;
}

function numbers(schema: JsonObject): string | undefined {
  const limit = (name: string): number | undefined => {
    const value = schema[name];
    return typeof value === 'number' && isExact(value) ? value : undefined;
  };
  const [least, most] = [limit('minimum'), limit('maximum')];
  const [above, below] = [limit('exclusiveMinimum'), limit('exclusiveMaximum')];
  if (least !== undefined && most !== undefined && above === undefined && below === undefined)
    return `from ${String(least)} to ${String(most)}`;
  const said = [
    least === undefined ? [] : [`at least ${String(least)}`],
    above === undefined ? [] : [`more than ${String(above)}`],
    most === undefined ? [] : [`at most ${String(most)}`],
    below === undefined ? [] : [`less than ${String(below)}`],
  ].flat();
  return said.length === 0 ? undefined : said.join(', ');
}

/** Whether a number still has the digits that the document gives it. */
function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || !Number.isInteger(value);
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
