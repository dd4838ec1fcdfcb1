import { isJson } from '../judge/body-format.ts';
import type { PlacedObject } from '../document/object-kinds.ts';
import { followed, joinPointer, parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/** Examples among the components that are their values. */
export function repairExampleValues({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { examples } = value;
  if (isRecord(examples)) repairValuesOf(examples, joinPointer(pointer, 'examples'), repaired);
}

/** Repairs slips in the examples of a media type, a parameter or a header. */
export function repairExamples({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const at = joinPointer(pointer, 'examples');
  if (Array.isArray(value['examples'])) {
    const list: readonly unknown[] = value['examples'];
    value['examples'] = Object.fromEntries(
      list.map((example, index) => [`example${String(index + 1)}`, { value: example }]),
    );
    repaired({
      kind: 'examples as a list',
      pointer: at,
      wrong: 'examples is a list',
      read: 'examples by the names example1, example2, …',
    });
  }
  const { examples } = value;
  if (!isRecord(examples)) return;
  repairValuesOf(examples, at, repaired);
  if (!Object.hasOwn(value, 'example')) return;
  const { example } = value;
  delete value['example'];
  const known = Object.values(examples).some(
    (each) => isRecord(each) && JSON.stringify(each['value']) === JSON.stringify(example),
  );
  const name = ['example', 'the example', 'the one example'].find((free) => !Object.hasOwn(examples, free));
  if (!known && name !== undefined) examples[name] = { value: example };
  repaired({
    kind: 'example beside examples',
    pointer: joinPointer(pointer, 'example'),
    wrong: 'example and examples exclude each other',
    read: 'one more of the examples',
    part: 'name',
  });
}

/**
 * Parses JSON examples that are written as a string of JSON, if the schema does not allow strings.
 *
 * @param root the document in which references of the schema are resolved
 */
export function repairJsonTexts(root: unknown, { value, pointer }: PlacedObject, repaired: Repaired): void {
  const mediaType = parsePointer(pointer)?.at(-1) ?? '';
  if (!isJson(mediaType) || mayBeText(root, value['schema'])) return;
  const read = (owner: Record<string, unknown>, member: string, at: string): void => {
    const whole = jsonIn(owner[member]);
    if (whole === undefined) return;
    owner[member] = whole;
    repaired({
      kind: 'an example that is JSON in a string',
      pointer: joinPointer(at, member),
      wrong: `${member} is a string with JSON in it, and the schema allows no string`,
      read: `${JSON.stringify(whole).slice(0, 60)}`,
    });
  };
  read(value, 'example', pointer);
  const { examples } = value;
  for (const [name, example] of isRecord(examples) ? Object.entries(examples) : [])
    if (isRecord(example)) read(example, 'value', joinPointer(pointer, 'examples', name));
}

// --- internal ---

function repairValuesOf(examples: Record<string, unknown>, at: string, repaired: Repaired): void {
  for (const [name, example] of Object.entries(examples)) {
    const members = isRecord(example) ? Object.keys(example) : [];
    if (members.some((member) => OF_AN_EXAMPLE.has(member) || member.startsWith('x-'))) continue;
    if (isRecord(example) && members.length === 0) continue;
    examples[name] = { value: example };
    repaired({
      kind: 'an example without value',
      pointer: joinPointer(at, name),
      wrong: `the example ${name} has no member value`,
      read: 'the value itself',
      part: 'name',
    });
  }
}

const OF_AN_EXAMPLE: ReadonlySet<string> = new Set([
  'value',
  'externalValue',
  'summary',
  'description',
  '$ref',
]);

/** The object or array that a text contains as JSON. */
function jsonIn(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a schema may allow a string; a schema without types does. */
function mayBeText(root: unknown, raw: unknown, depth = 0): boolean {
  const schema = followed(root, raw);
  if (!isRecord(schema) || depth > DEEPEST) return true;
  const { type, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) return [type].flat().includes('string');
  const may = (part: unknown): boolean => mayBeText(root, part, depth + 1);
  if (Array.isArray(allOf) && !allOf.every(may)) return false;
  for (const choices of [anyOf, oneOf])
    if (Array.isArray(choices) && choices.length > 0) return choices.some(may);
  // A schema with members or items describes an object or an array.
  return schema['properties'] === undefined && schema['items'] === undefined;
}

const DEEPEST = 8;
