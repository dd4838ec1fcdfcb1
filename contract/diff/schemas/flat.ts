import type { Contract, JsonObject, Schema } from '../../model.ts';
import { joinPointer, localPointer, parsePointer } from '../../pointer.ts';
import { FlatReading, isAnnotation } from './flat-reading.ts';
import type { FlatSchema, Group, Node, Part } from './flat-schema.ts';

interface Target {
  readonly part: Part;
  readonly name: string;
}

/** Reads the schemas of one contract. */
export class Schemas {
  readonly #named: ReadonlyMap<string, Part>;
  readonly #flats = new Map<string, FlatSchema>();
  readonly #reading = new Set<string>();
  readonly #targets = new Map<string, Target | undefined>();

  constructor({ schemas }: Pick<Contract, 'schemas'>) {
    this.#named = new Map(schemas.map(({ name, schema, pointer }) => [name, { schema, pointer }]));
  }

  /** A node of one schema. If the schema is only a reference, its target is used. */
  node(schema: Schema | undefined, pointer: string, label: string): Node {
    if (schema === undefined) return { parts: [], label, around: pointer };
    return this.nodeOf([{ schema, pointer }], label, pointer);
  }

  nodeOf(parts: readonly Part[], label: string, around: string): Node {
    const [only, ...others] = parts;
    if (only === undefined || others.length > 0) return { parts, label, around };
    let part = only;
    let name = label;
    for (let hops = 0; hops < MOST_HOPS && isMereReference(part.schema); hops += 1) {
      const target = this.#target(part.schema);
      if (target === undefined) break;
      ({ part, name } = target);
    }
    return { parts: [part], label: name, around };
  }

  named(name: string): Node | undefined {
    const part = this.#named.get(name);
    return part && this.nodeOf([part], name, part.pointer);
  }

  flat(node: Node): FlatSchema {
    const key = keyOf(node);
    const known = this.#flats.get(key);
    if (known !== undefined) return known;
    // A schema is read a second time only if it is an alternative of itself. It then adds no constraint.
    if (this.#reading.has(key)) return anything(node);
    this.#reading.add(key);
    const flat = this.#read(node);
    this.#reading.delete(key);
    this.#flats.set(key, flat);
    return flat;
  }

  // --- internal ---

  #read(node: Node): FlatSchema {
    const { parts: atoms, isCut } = this.#atoms(node.parts);
    const read = new FlatReading(node);
    for (const atom of atoms) read.add(atom);
    for (const { schema, pointer } of atoms)
      for (const keyword of ['oneOf', 'anyOf'] as const) this.#addGroup(read, { schema, pointer }, keyword);
    return read.end(isCut);
  }

  /** Follows references and opens `allOf`: the result is the list of schemas that all apply. */
  #atoms(parts: readonly Part[]): {
    readonly parts: { schema: JsonObject; pointer: string }[];
    isCut: boolean;
  } {
    const seen = new Set<string>();
    const found: { schema: JsonObject; pointer: string }[] = [];
    const waiting = [...parts];
    for (const part of waiting) {
      if (seen.has(part.pointer)) continue;
      seen.add(part.pointer);
      if (seen.size > MOST_PARTS) return { parts: found, isCut: true };
      if (part.schema === true) continue;
      if (part.schema === false) {
        found.push({ schema: { enum: [] }, pointer: part.pointer });
        continue;
      }
      const { schema, pointer } = part;
      found.push({ schema, pointer });
      const target = this.#target(schema);
      if (target !== undefined) waiting.push(target.part);
      const { allOf } = schema;
      if (Array.isArray(allOf))
        (allOf as readonly Schema[]).forEach((inner, index) =>
          waiting.push({ schema: inner, pointer: joinPointer(pointer, 'allOf', index) }),
        );
    }
    return { parts: found, isCut: false };
  }

  #addGroup(
    read: FlatReading,
    { schema, pointer }: { schema: JsonObject; pointer: string },
    keyword: Group['keyword'],
  ): void {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) return;
    const at = joinPointer(pointer, keyword);
    const all = (branches as readonly Schema[])
      .slice(0, MOST_PARTS)
      .map((branch, index) => this.node(branch, joinPointer(at, index), read.label));
    if (all.length < branches.length) read.cut();
    const others = all.filter((branch) => !isNull(branch));
    const [only, second] = others;
    if (only !== undefined && second === undefined) {
      read.single = only;
      read.addFlat(this.flat(only), all.length > 1);
      return;
    }
    const types = new Set(others.flatMap((branch) => [...this.flat(branch).types]));
    if (others.length < all.length) types.add('null');
    read.narrow(types);
    if (others.length === 0) return;
    read.groups.push({ keyword, branches: others, pointer: at });
  }

  #target(schema: Schema): Target | undefined {
    const reference = typeof schema === 'boolean' ? undefined : schema['$ref'];
    if (typeof reference !== 'string') return undefined;
    if (!this.#targets.has(reference)) this.#targets.set(reference, this.#lookUp(reference));
    return this.#targets.get(reference);
  }

  #lookUp(reference: string): Target | undefined {
    const [components, schemas, name, ...more] = parsePointer(localPointer(reference) ?? '') ?? [];
    if (components !== 'components' || schemas !== 'schemas' || name === undefined || more.length > 0)
      return undefined;
    const part = this.#named.get(name);
    return part && { part, name };
  }
}

/** A key that is the same for the same parts of the same document. */
export function keyOf({ parts, around }: Node): string {
  const [only, second] = parts;
  if (only === undefined) return `- ${around}`;
  return second === undefined ? only.pointer : parts.map(({ pointer }) => pointer).join(' ');
}

// --- internal ---

const MOST_HOPS = 100;
const MOST_PARTS = 1000;

function isMereReference(schema: Schema): schema is JsonObject {
  return typeof schema === 'object' && '$ref' in schema && Object.keys(schema).every(isAnnotation);
}

function isNull({ parts }: Node): boolean {
  const [only, second] = parts;
  if (only === undefined || second !== undefined || typeof only.schema === 'boolean') return false;
  const { type, enum: values } = only.schema;
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return true;
  if ('const' in only.schema) return only.schema['const'] === null;
  return Array.isArray(values) && values.length === 1 && values[0] === null;
}

function anything(node: Node): FlatSchema {
  return new FlatReading(node).end(false);
}
