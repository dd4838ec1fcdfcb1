import type { ObjectKind } from './object-kinds.ts';

/**
 * The objects of a document that a walk has met, and as what. A YAML alias repeats an object at another place, and
 * references lead to it again.
 */
export class VisitedObjects {
  readonly #first = new Map<object, ObjectKind>();
  /** Apart, because hardly any object is of two kinds. */
  readonly #more = new Map<object, Set<ObjectKind>>();

  /** Whether this is the first visit of the object as one of this kind. */
  isNew(kind: ObjectKind, value: object): boolean {
    const first = this.#first.get(value);
    if (first === undefined) {
      this.#first.set(value, kind);
      return true;
    }
    if (first === kind) return false;
    const more = this.#more.get(value) ?? new Set();
    if (more.has(kind)) return false;
    this.#more.set(value, more.add(kind));
    return true;
  }
}
