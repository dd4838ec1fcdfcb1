import { problem } from '../diagnostics/diagnostic-codes.ts';
import { type MisplacedReference, misplacedReferences, movedValue } from './misplaced-references.ts';
import type { Diagnostic } from '../model.ts';
import { isMapName, kindAt, type PlacedObject } from '../document/object-kinds.ts';
import { joinPointer, localPointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { ReferencePlace } from './reference-loops.ts';
import type { Repaired } from '../repairs/repair-list.ts';
import { movedReference, type Source, type Sources } from './sources.ts';

/** A place in the files of a document. */
export interface FilePlace {
  readonly source: Source;
  readonly pointer: string;
}

/** The files of a document, as an `Inliner` uses them. */
export interface InlinerHost {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly repaired: Repaired;
  readonly place: (from: Source, pointer: string) => ReferencePlace;
  /** The origin of a part of a file that was taken from another file. */
  readonly originAt: (from: Source, pointer: string) => FilePlace | undefined;
  readonly remember: (from: Source, pointer: string, origin: FilePlace) => void;
  /** Records the origin of a part that was put in a place. */
  readonly named: (from: Source, pointer: string, target: FilePlace & { readonly value: unknown }) => void;
}

/**
 * Resolves each `$ref` in a position for which OpenAPI defines no reference, such as a map of operations or a
 * Markdown description.
 */
export class Inliner {
  readonly #sources: Sources;
  readonly #host: InlinerHost;
  /** References without a target, already reported. */
  readonly #refused = new Set<unknown>();

  constructor(sources: Sources, host: InlinerHost) {
    this.#sources = sources;
    this.#host = host;
  }

  /** Whether an object has misplaced references. */
  isNeeded(object: PlacedObject): boolean {
    return misplacedReferences(object).length > 0;
  }

  /** Replaces the misplaced references of an object by their targets. */
  async inline(from: Source, object: Omit<PlacedObject, 'within'>): Promise<void> {
    for (let round = 0; round < MOST_HOPS; round += 1) {
      let isChanged = false;
      for (const found of misplacedReferences({ ...object, within: undefined }))
        isChanged = (await this.#inlineOne(from, found)) || isChanged;
      if (!isChanged) return;
    }
  }

  // --- internal ---

  async #inlineOne(from: Source, found: MisplacedReference): Promise<boolean> {
    const { owner, key, reference, pointer } = found;
    const slot = owner as Record<string | number, unknown>;
    if (this.#refused.has(slot[key])) return false;
    const at = joinPointer(pointer, '$ref');
    const place = (): ReferencePlace => this.#host.place(from, at);
    // Findings about the inlined part are reported at the place of the reference.
    const { location } = place();
    if (found.isData && !this.#sources.isThere(reference, from)) {
      this.#refused.add(slot[key]);
      return false;
    }
    const wrapped = this.#wrapped(from, found);
    const value =
      wrapped !== undefined
        ? wrapped
        : isTextFile(found)
          ? // A missing description has no effect on the API.
            ((await this.#sources.openText(reference, from, place)) ?? '')
          : await this.#valueOf(from, found, place);
    if (value === undefined) {
      this.#refused.add(slot[key]);
      return false;
    }
    slot[key] = value;
    const wrong = `OpenAPI has no $ref in the place of ${typeof key === 'number' ? 'an item' : key}`;
    this.#host.repaired({
      kind: '$ref where OpenAPI has none',
      pointer: at,
      wrong,
      read: reference,
      location,
    });
    return true;
  }

  /**
   * The reference in an object or a list, where OpenAPI has references: one to a schema in the place of a media
   * type, and one to a single object in the place of a list. `undefined` for any other reference.
   */
  #wrapped(from: Source, { owner, key, reference, position }: MisplacedReference): unknown {
    const given = (owner as Record<string | number, unknown>)[key];
    const pointer = localPointer(reference);
    if (position === undefined || pointer === undefined) return undefined;
    const target = valueAt(from.value, pointer);
    if (position.isList) return isRecord(target) ? [given] : undefined;
    return position.kind === 'media type' && kindAt(pointer) === 'schema' ? { schema: given } : undefined;
  }

  /**
   * A copy of the target of a reference, with the members beside the reference; `undefined` after a problem
   * has been reported.
   */
  async #valueOf(
    from: Source,
    { owner, key, reference, pointer, isData, position }: MisplacedReference,
    place: () => ReferencePlace,
  ): Promise<unknown> {
    const hash = reference.indexOf('#');
    const uri = hash === -1 ? reference : reference.slice(0, hash);
    const target = localPointer(hash === -1 ? '#' : reference.slice(hash));
    const source = uri === '' ? from : await this.#sources.open(uri, from, place);
    if (source === undefined) return undefined;
    const value = target === undefined ? undefined : valueAt(source.value, target);
    const refuse = (message: string, help: string): undefined => {
      this.#host.report(problem('ref-dangling', `${message}: ${reference}`, { ...place(), help }));
    };
    if (target === undefined || value === undefined)
      return refuse('$ref target not found', 'add the target, or correct the $ref');
    if (this.#isInside(from, pointer, { source, pointer: target }))
      return position === undefined
        ? undefined
        : refuse('circular $ref', 'OpenAPI does not allow $ref in this place: replace it by its target');
    const { $ref: _, ...siblings } = (owner as Record<string | number, unknown>)[key] as Record<
      string,
      unknown
    >;
    if (isData) return value;
    const copy = movedValue(value, {
      isMap: isMapName(key),
      moved: (text) => movedReference(text, source, from),
      isFile: (text) => this.#sources.isThere(text, source),
    });
    this.#host.remember(from, pointer, { source, pointer: target });
    this.#host.named(from, pointer, { source, pointer: target, value });
    return isRecord(copy) ? { ...copy, ...siblings } : copy;
  }

  /** Whether a place is inside its own target, or inside a part that was copied from that target. */
  #isInside(from: Source, pointer: string, target: FilePlace): boolean {
    if (from === target.source && `${pointer}/`.startsWith(`${target.pointer}/`)) return true;
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const origin = this.#host.originAt(from, pointer.slice(0, end));
      if (origin?.source === target.source && origin.pointer === target.pointer) return true;
    }
    return false;
  }
}

/** The limit for files that refer on to other files. */
const MOST_HOPS = 20;

function isTextFile({ isText, reference }: MisplacedReference): boolean {
  return isText && !reference.includes('#') && !/\.(?:json|ya?ml)$/i.test(reference);
}
