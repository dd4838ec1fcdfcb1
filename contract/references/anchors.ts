import { pathToFileURL } from 'node:url';
import { joinPointer } from '../pointer.ts';
import type { Source } from './sources.ts';

/**
 * A schema with an address of its own: its `$id`, resolved against the address of the schema or file around
 * it.
 */
export interface SchemaResource {
  readonly pointer: string;
  readonly address: string;
}

/** Finds schemas by the names that `$anchor`, `$dynamicAnchor` and `$id` give them. */
export class Anchors {
  readonly #found = new Map<Source, Names>();
  readonly #withIds = new Map<Source, boolean>();

  /** The pointers of the schemas with this name in a file. */
  named(source: Source, name: string): readonly string[] {
    return this.#know(source).anchors.get(name) ?? [];
  }

  /**
   * Only the schemas that belong directly to the schema resource at the pointer `resource`, not to one nested
   * in it.
   */
  namedIn(source: Source, name: string, resource: string): readonly string[] {
    return this.named(source, name).filter(
      (pointer) => this.resourceAround(source, pointer)?.pointer === resource,
    );
  }

  /**
   * The pointer of the schema in a file whose address is `uri`, which may be relative to the place `at` in
   * `from`.
   */
  identified(source: Source, uri: string, from: Source, at: string): string | undefined {
    if (!this.#mayHaveIds(source)) return undefined;
    const base = this.resourceAround(from, at)?.address ?? addressOf(from);
    const { ids } = this.#know(source);
    const found = ids.get(resolved(uri, base)) ?? ids.get(resolved(uri, addressOf(source)));
    return found?.length === 1 ? found[0] : undefined;
  }

  /**
   * The nearest enclosing schema with an address of its own; `undefined` if only the file is around the
   * place.
   */
  resourceAround(source: Source, at: string): SchemaResource | undefined {
    if (!this.#mayHaveIds(source)) return undefined;
    const { resources } = this.#know(source);
    for (let end = at.length; end > 0; end = at.lastIndexOf('/', end - 1)) {
      const pointer = at.slice(0, end);
      const address = resources.get(pointer);
      if (address !== undefined) return { pointer, address };
    }
    return undefined;
  }

  /** A cheap test first: a large file without any `$id` is not searched. */
  #mayHaveIds(source: Source): boolean {
    const { buffer, byteOffset, byteLength } = source.bytes;
    const known = this.#withIds.get(source) ?? Buffer.from(buffer, byteOffset, byteLength).includes('$id');
    this.#withIds.set(source, known);
    return known;
  }

  #know(source: Source): Names {
    const known = this.#found.get(source) ?? search(source);
    this.#found.set(source, known);
    return known;
  }
}

// --- internal ---

interface Names {
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  /** Pointers by address. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Addresses by pointer. */
  readonly resources: ReadonlyMap<string, string>;
}

function search(source: Source): Names {
  const anchors = new Map<string, string[]>();
  const ids = new Map<string, string[]>();
  const resources = new Map<string, string>();
  const seen = new Set<object>();
  const waiting: (readonly [value: unknown, pointer: string, base: string])[] = [
    [source.value, '', addressOf(source)],
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, pointer, around] = next;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const schema = value as Record<string, unknown>;
    const id = schema['$id'];
    const isAddress = typeof id === 'string' && id !== '' && !id.startsWith('#');
    const base = isAddress ? resolved(id, around) : around;
    if (isAddress) {
      ids.set(base, [...(ids.get(base) ?? []), pointer]);
      resources.set(pointer, base);
    }
    // Drafts before 2019-09 name a schema by an `$id` that is only a fragment.
    const old = typeof id === 'string' && /^#[^/]/.test(id) ? id.slice(1) : undefined;
    const names = [schema['$anchor'], schema['$dynamicAnchor'], old].filter(
      (name) => typeof name === 'string',
    );
    for (const name of new Set(names)) anchors.set(name, [...(anchors.get(name) ?? []), pointer]);
    for (const [member, inner] of Object.entries(schema))
      if (!DATA.has(member) && !member.startsWith('x-'))
        waiting.push([inner, joinPointer(pointer, member), base]);
  }
  return { anchors, ids, resources };
}

function addressOf({ address }: Source): string {
  return /^https?:/i.test(address) ? address : pathToFileURL(address).href;
}

function resolved(uri: string, base: string): string {
  return (URL.canParse(uri, base) ? new URL(uri, base).href : uri).replace(/#$/, '');
}

/** Members that hold data of the author, not schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum', 'value']);
