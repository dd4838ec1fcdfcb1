import { schemaFrom30 } from '../../contract/schemas/dialect.ts';
import type { Contract, Json, Schema } from '../../contract/index.ts';
import { joinPointer, parsePointer, valueAt } from '../../contract/pointer.ts';
import { type NameTable, typeName } from '../names.ts';
import { breakCycles } from './cycles.ts';
import { type Direction, splitDirections } from './directions.ts';
import { tagBranches, tagHeirs } from '../../contract/schemas/discriminator.ts';
import { splitParts } from './parts.ts';
import { isObject, readSchema } from './read-schema.ts';
import { referenceTo, referredName, type TableEntry } from './table-entry.ts';

/** All named schemas of an API, in document order. */
export interface SchemaTable {
  readonly entries: readonly TableEntry[];
  /** The entry that a reference of this table refers to. */
  follow(reference: string): TableEntry | undefined;
  /** The identifier of the schema at a pointer of the document, if it has its own. */
  nameAt(pointer: string): string | undefined;
}

/** A schema of an API outside `components`: of a body or a parameter of one of its operations. */
export interface LooseSchema {
  /** The identifier that it gets if that is free; without one it stays inline. */
  readonly wish: string | undefined;
  /** The alternative identifier. */
  readonly other?: string;
  readonly schema: Schema;
  /** The direction of its values, if that affects its members. */
  readonly direction?: Direction | undefined;
  /** It describes a multipart body, whose parts can be bytes. */
  readonly isMultipart?: boolean;
}

/**
 * Names every schema of a contract once. Components come first and keep the names of the document. Other
 * targets of references, such as a property of a component, become entries of their own.
 *
 * @returns the table, and for each loose schema its replacement: a reference to an entry, or the schema
 * itself
 */
export function schemaTable(
  contract: Contract,
  loose: readonly LooseSchema[],
  names: NameTable,
): { readonly table: SchemaTable; readonly placed: readonly Schema[] } {
  const byPointer = new Map<string, string>();
  const found: { name: string; raw: Schema; pointer: string | undefined }[] = [];

  const enter = (wish: string, raw: Schema, pointer?: string, others: readonly string[] = []): string => {
    const name = names.claimType(wish, ...others);
    if (pointer !== undefined) byPointer.set(pointer, name);
    found.push({ name, raw, pointer });
    return name;
  };
  const refer = (reference: string): Schema => {
    const pointer = localPointer(reference);
    if (pointer === undefined) return true;
    const known = byPointer.get(pointer);
    if (known !== undefined) return referenceTo(known);
    const raw = valueAt(contract.document.root, pointer);
    if (typeof raw !== 'boolean' && !isObject(raw)) return true;
    const schema = contract.document.dialect === '3.0' ? schemaFrom30(raw) : (raw as Schema);
    const tokens = parsePointer(pointer) ?? [];
    const whole = typeName(
      tokens
        .slice(tokens[0] === 'components' ? 2 : 0)
        .join(' ')
        .replaceAll('$', ''),
    );
    return referenceTo(enter(typeName(tokens.filter(isTelling).join(' ')), schema, pointer, [whole]));
  };

  for (const { name, schema } of tagHeirs(contract.schemas))
    enter(typeName(name), schema, joinPointer('/components/schemas', name));
  const at = (pointer: string): unknown => valueAt(contract.document.root, pointer);
  const read = (schema: Schema): Schema =>
    readSchema(schema, { refer, prepare: (object) => tagBranches(object, at) });

  const placed = loose.map(({ wish, other, schema }) => {
    if (wish === undefined) return read(schema);
    const only = onlyReference(schema);
    return only === undefined
      ? referenceTo(enter(wish, schema, undefined, other === undefined ? [] : [other]))
      : refer(only);
  });
  const entries: TableEntry[] = [];
  // Reading an entry may add further ones.
  for (let index = 0; index < found.length; index += 1) {
    const entry = found[index];
    if (entry !== undefined) entries.push({ name: entry.name, schema: read(entry.raw) });
  }
  const parts = splitParts(
    breakCycles(entries),
    placed.map((schema, index) => ({ schema, isMultipart: loose[index]?.isMultipart ?? false })),
    names,
  );
  const split = splitDirections(
    parts.entries,
    parts.placed.map((schema, index) => ({ schema, direction: loose[index]?.direction })),
    names,
  );
  return { table: tableOf(split.entries, byPointer), placed: split.placed };
}

// --- internal ---

function tableOf(entries: readonly TableEntry[], byPointer: ReadonlyMap<string, string>): SchemaTable {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    entries,
    follow: (reference) => byName.get(referredName(reference) ?? ''),
    nameAt: (pointer) => byPointer.get(pointer),
  };
}

/** The canonical pointer of a reference into the same document. */
function localPointer(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    const tokens = parsePointer(decodeURIComponent(reference.slice(1)));
    return tokens === undefined ? undefined : joinPointer('', ...tokens);
  } catch {
    return undefined;
  }
}

function onlyReference(schema: Schema): string | undefined {
  if (!isObject(schema)) return undefined;
  const reference: Json | undefined = schema['$ref'];
  return typeof reference === 'string' && Object.keys(schema).length === 1 ? reference : undefined;
}

/** Whether a token of a pointer is useful in a name. */
function isTelling(token: string): boolean {
  return !['components', 'schemas', 'properties', 'content', 'schema', 'paths', '$defs'].includes(token);
}
