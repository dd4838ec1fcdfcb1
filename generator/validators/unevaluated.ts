import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { access, schemasIn } from './members.ts';
import type { Writer } from './values.ts';

/** Writes functions that note which parts of a value schemas evaluate. */
export interface NoteWriter extends Writer {
  /** The name of the function that notes the parts that a schema evaluates; `undefined` if there are none. */
  note(schema: Schema, kind: Kind, words: readonly string[]): string | undefined;
}

/** Statements for `unevaluatedProperties` or `unevaluatedItems`, after those for all other keywords. */
export function unevaluatedLines(
  schema: JsonObject,
  kind: Kind,
  words: readonly string[],
  writer: NoteWriter,
): string[] {
  const { module } = writer;
  const keyword = KEYWORDS[kind];
  const { [keyword]: rest, ...others } = schema;
  if (rest === undefined || rest === true) return [];
  const notes = noteLines(others, kind, words, writer);
  const validate = rest === false ? [] : [writer.refer(rest as Schema, [...words, 'unevaluated'])];
  const check = kind === 'Members' ? 'unseenMembers' : 'unseenItems';
  const statements = [
    `const s = ${module.call('nothingSeen')}`,
    ...notes,
    module.call(check, 'v', 'e', ...(kind === 'Items' ? ['p'] : []), 's', ...validate),
  ];
  const block = `{\n${statements.map((line) => `    ${line}\n`).join('')}  }`;
  return kind === 'Items' ? [`if (Array.isArray(v)) ${block}`] : [block];
}

/** Statements that note the parts of a value that a schema evaluates, if the value is valid by it. */
export function noteLines(
  schema: JsonObject,
  kind: Kind,
  words: readonly string[],
  writer: NoteWriter,
): string[] {
  const { module } = writer;
  if (schema[KEYWORDS[kind]] !== undefined) return [module.call('seeFirst', 's')];
  const lines = kind === 'Members' ? ownMembers(schema, writer) : ownItems(schema, words, writer);
  if (lines === 'all') return [module.call('seeFirst', 's')];
  const always = [
    ...(schema['$ref'] === undefined ? [] : [{ $ref: schema['$ref'] }]),
    ...((schema['allOf'] ?? []) as Schema[]),
  ];
  always.forEach((part, index) => lines.push(...noted(part, kind, [...words, `part ${index + 1}`], writer)));
  for (const keyword of ['anyOf', 'oneOf'])
    ((schema[keyword] ?? []) as Schema[]).forEach((part, index) => {
      const at = [...words, `option ${index + 1}`];
      const note = writer.note(part, kind, at);
      if (note !== undefined) lines.push(module.call('seeBy', 's', 'v', 'e', writer.refer(part, at), note));
    });
  lines.push(...conditional(schema, kind, words, writer));
  for (const [name, part] of kind === 'Members' ? schemasIn(schema['dependentSchemas']) : []) {
    const note = writer.note(part, kind, [...words, 'with', name]);
    if (note !== undefined) lines.push(`if (${access(name, writer)} !== undefined) ${note}(v, e, s);`);
  }
  return lines;
}

// --- internal ---

type Kind = 'Members' | 'Items';

const KEYWORDS = { Members: 'unevaluatedProperties', Items: 'unevaluatedItems' } as const;

function ownMembers(schema: JsonObject, { module }: NoteWriter): string[] | 'all' {
  if (schema['additionalProperties'] !== undefined) return 'all';
  const names = [...schemasIn(schema['properties']).keys()];
  return [
    ...(names.length === 0 ? [] : [module.call('see', 's', module.names(names))]),
    ...[...schemasIn(schema['patternProperties']).keys()].map((pattern) =>
      module.call('seeMatching', 's', 'v', module.pattern(pattern)),
    ),
  ];
}

function ownItems(
  { items, prefixItems, contains }: JsonObject,
  words: readonly string[],
  writer: NoteWriter,
): string[] | 'all' {
  const { module } = writer;
  if (items !== undefined) return 'all';
  const validate = contains === undefined ? '' : writer.refer(contains as Schema, [...words, 'contained']);
  return [
    ...(Array.isArray(prefixItems) ? [module.call('seeFirst', 's', String(prefixItems.length))] : []),
    ...(validate === '' ? [] : [module.call('seeItems', 's', 'v', 'e', validate)]),
  ];
}

function noted(part: Schema, kind: Kind, words: readonly string[], writer: NoteWriter): string[] {
  const note = writer.note(part, kind, words);
  return note === undefined ? [] : [`${note}(v, e, s);`];
}

function conditional(
  { if: condition, then: held, else: otherwise }: JsonObject,
  kind: Kind,
  words: readonly string[],
  writer: NoteWriter,
): string[] {
  if (condition === undefined) return [];
  const { module } = writer;
  const noteOf = (part: Json | undefined, word: string): string | undefined =>
    part === undefined ? undefined : writer.note(part as Schema, kind, [...words, word]);
  const [first, then, or] = [noteOf(condition, 'if'), noteOf(held, 'then'), noteOf(otherwise, 'else')];
  const seen = (...notes: readonly string[]): string =>
    module.call('seeBy', 's', 'v', 'e', writer.refer(condition as Schema, [...words, 'if']), ...notes);
  const lines: string[] = [];
  if (first !== undefined) lines.push(seen(first));
  if (then !== undefined || or !== undefined)
    lines.push(seen(then ?? module.use('anything'), ...(or === undefined ? [] : [or])));
  return lines;
}
