import type { ReferencePlace } from './reference-loops.ts';
import type { SourceLocation } from '../model.ts';
import type { Source } from './sources.ts';

/** A place in a file. */
export interface OriginalPlace {
  readonly source: Source;
  readonly pointer: string;
}

/** The target of a reference. */
export interface ReferenceTarget extends OriginalPlace {
  readonly value: unknown;
}

/** Remembers which parts of files were taken from other files, so that diagnostics name the original place. */
export class Origins {
  readonly #root: Source;
  readonly #byFile = new Map<Source, Map<string, OriginalPlace>>();

  constructor(root: Source) {
    this.#root = root;
  }

  /** The origin of exactly this part. */
  at(source: Source, pointer: string): OriginalPlace | undefined {
    return this.#byFile.get(source)?.get(pointer);
  }

  remember(source: Source, pointer: string, origin: OriginalPlace): void {
    const origins = this.#byFile.get(source) ?? new Map<string, OriginalPlace>();
    this.#byFile.set(source, origins.set(pointer, origin));
  }

  /** The original place of a pointer, or of the nearest part above it that came from another file. */
  locate(source: Source, pointer: string, part?: 'name'): SourceLocation | undefined {
    let place: OriginalPlace = { source, pointer };
    // An origin can be inside the part that it replaced; the text of the file has it once.
    const used = new Set<OriginalPlace>();
    for (let next = this.#before(place, used); next !== undefined; next = this.#before(place, used))
      place = next;
    return place.source.locate(place.pointer, part);
  }

  /**
   * The place of a pointer, or of the nearest part around it that the text has: a repair may have moved the part. A
   * pointer is given only for the root document, because the pointer of a diagnostic refers to that.
   */
  place(from: Source, pointer: string): ReferencePlace {
    let around = pointer;
    let location = from.locate(around);
    while (location === undefined && around !== '') {
      around = around.slice(0, Math.max(0, around.lastIndexOf('/')));
      location = from.locate(around);
    }
    return from === this.#root ? { location, pointer } : { location };
  }

  /** The place from which the part around a place was taken, by an origin that was not used before. */
  #before({ source, pointer }: OriginalPlace, used: Set<OriginalPlace>): OriginalPlace | undefined {
    const origins = this.#byFile.get(source);
    if (origins === undefined || used.size > MOST_HOPS) return undefined;
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const origin = origins.get(pointer.slice(0, end));
      if (origin === undefined || used.has(origin)) continue;
      used.add(origin);
      return { source: origin.source, pointer: origin.pointer + pointer.slice(end) };
    }
    return undefined;
  }
}

// --- internal ---

const MOST_HOPS = 100;
