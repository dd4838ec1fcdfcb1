import { joinPointer } from './pointer.ts';
import type { Source } from './sources.ts';

/** The anchors of files: names that their schemas give themselves by `$anchor` and `$dynamicAnchor`. */
export class Anchors {
  readonly #found = new Map<Source, ReadonlyMap<string, readonly string[]>>();

  /** The pointers of the schemas of a file that have this name. */
  named(source: Source, name: string): readonly string[] {
    const known = this.#found.get(source) ?? this.#search(source.value);
    this.#found.set(source, known);
    return known.get(name) ?? [];
  }

  #search(root: unknown): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    const seen = new Set<object>();
    const waiting: (readonly [value: unknown, pointer: string])[] = [[root, '']];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [value, pointer] = next;
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      const schema = value as Record<string, unknown>;
      const names = [schema['$anchor'], schema['$dynamicAnchor']].filter((name) => typeof name === 'string');
      for (const name of new Set(names)) found.set(name, [...(found.get(name) ?? []), pointer]);
      for (const [member, inner] of Object.entries(schema))
        if (!DATA.has(member) && !member.startsWith('x-'))
          waiting.push([inner, joinPointer(pointer, member)]);
    }
    return found;
  }
}

// --- internal ---

/** Members that hold values of users and no schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum', 'value']);
