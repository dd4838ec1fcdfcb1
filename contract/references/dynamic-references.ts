import type { Anchors } from './anchors.ts';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import { kindAt, type PlacedObject } from '../document/object-kinds.ts';
import type { Origins } from './origins.ts';
import { joinPointer, localPointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from '../repairs/repair-list.ts';
import type { Source } from './sources.ts';

/** Replaces `$dynamicRef` and `$recursiveRef` by `$ref`. */
export class DynamicReferences {
  readonly #root: Source;
  readonly #anchors: Anchors;
  readonly #origins: Origins;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #repaired: Repaired | undefined;

  constructor(
    root: Source,
    parts: {
      readonly anchors: Anchors;
      readonly origins: Origins;
      readonly report: (diagnostic: Diagnostic) => void;
      readonly repaired: Repaired | undefined;
    },
  ) {
    this.#root = root;
    this.#anchors = parts.anchors;
    this.#origins = parts.origins;
    this.#report = parts.report;
    this.#repaired = parts.repaired;
  }

  /**
   * `$dynamicRef` to an anchor that only one schema of the file has is equivalent to a `$ref`.
   * `$recursiveRef`, of an earlier draft, refers to the enclosing schema with `$recursiveAnchor`, or to the
   * outermost schema.
   */
  settle(from: Source, { value, pointer }: Pick<PlacedObject, 'value' | 'pointer'>): void {
    for (const keyword of ['$dynamicRef', '$recursiveRef']) {
      const text = value[keyword];
      if (text === undefined) continue;
      const at = joinPointer(pointer, keyword);
      const found =
        keyword === '$dynamicRef'
          ? this.#dynamicTarget(from, text)
          : this.#recursiveTarget(from, text, pointer);
      if (keyword === '$dynamicRef' && found === 'any' && this.#repaired !== undefined) {
        const { location } = this.#origins.place(from, at);
        const wrong = `$dynamicRef ${String(text)} has different targets, depending on the path of evaluation`;
        this.#repaired({ kind: '$dynamicRef', pointer: at, wrong, read: 'any value', location });
        Reflect.deleteProperty(value, keyword);
        continue;
      }
      if (found === undefined || found === 'any' || value['$ref'] !== undefined) {
        const help = 'use $ref instead';
        this.#report(
          problem('ref-dynamic', `${keyword} is not supported`, { ...this.#origins.place(from, at), help }),
        );
        continue;
      }
      Reflect.deleteProperty(value, keyword);
      value['$ref'] = `#${encodeURI(found)}`;
      if (keyword === '$dynamicRef') continue;
      const { location } = this.#origins.place(from, at);
      const wrong = '$recursiveRef is a keyword of an earlier draft';
      this.#repaired?.({ kind: '$recursiveRef', pointer: at, wrong, read: `$ref: '#${found}'`, location });
    }
  }

  /**
   * A pointer, or `any` if several schemas have the name: then the target depends on the path of evaluation.
   */
  #dynamicTarget(from: Source, text: unknown): string | undefined {
    const name = typeof text === 'string' ? localPointer(text) : undefined;
    if (name === undefined || name === '' || name.startsWith('/')) return name === '' ? undefined : name;
    const found = this.#anchors.named(from, name);
    return found.length > 1 ? 'any' : found[0];
  }

  #recursiveTarget(from: Source, text: unknown, pointer: string): string | undefined {
    if (text !== '#' || this.#repaired === undefined || from !== this.#root) return undefined;
    let outermost: string | undefined;
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      if (kindAt(at) !== 'schema') continue;
      outermost = at;
      const schema = valueAt(from.value, at);
      if (isRecord(schema) && schema['$recursiveAnchor'] === true) return at;
    }
    return outermost;
  }
}
