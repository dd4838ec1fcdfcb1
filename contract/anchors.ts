import { joinPointer } from './pointer.ts';
import type { Source } from './sources.ts';

/** The anchors of files: names that their schemas give themselves by `$anchor` and `$dynamicAnchor`. */
export class Anchors {
  readonly #found = new Map<Source, Names>();

  /** The pointers of the schemas of a file that have this name. */
  named(source: Source, name: string): readonly string[] {
    return this.know(source).anchors.get(name) ?? [];
  }

  /** The pointer of the schema of a file that has this address by `$id`. */
  identified(source: Source, uri: string): string | undefined {
    const found = this.know(source).ids.get(uri);
    return found?.length === 1 ? found[0] : undefined;
  }

  /** Reads the names of a file, if that has not been done: they are taken out later. */
  know(source: Source): Names {
    const known = this.#found.get(source) ?? this.#search(source.value);
    this.#found.set(source, known);
    return known;
  }

  #search(root: unknown): Names {
    const found = new Map<string, string[]>();
    const ids = new Map<string, string[]>();
    const seen = new Set<object>();
    const waiting: (readonly [value: unknown, pointer: string])[] = [[root, '']];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, pointer] = next;
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      const schema = value as Record<string, unknown>;
      const names = [schema['$anchor'], schema['$dynamicAnchor']].filter((name) => typeof name === 'string');
      for (const name of new Set(names)) found.set(name, [...(found.get(name) ?? []), pointer]);
      const id = schema['$id'];
      if (typeof id === 'string' && id !== '') ids.set(id, [...(ids.get(id) ?? []), pointer]);
      for (const [member, inner] of Object.entries(schema))
        if (!DATA.has(member) && !member.startsWith('x-'))
          waiting.push([inner, joinPointer(pointer, member)]);
    }
    return { anchors: found, ids };
  }
}

// --- internal ---

interface Names {
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  readonly ids: ReadonlyMap<string, readonly string[]>;
}

/** Members that hold values of users and no schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum', 'value']);
