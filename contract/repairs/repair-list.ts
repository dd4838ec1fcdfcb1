import { problem } from '../diagnostic-codes.ts';
import { type Locate, locateNear } from '../locate.ts';
import type { Diagnostic, SourceLocation } from '../model.ts';

/** One slip that was repaired. */
export interface Repair {
  /** The kind of slip: only the first slips of one kind are reported one by one. */
  readonly kind: string;
  readonly pointer: string;
  /** What the document contains, or lacks. */
  readonly wrong: string;
  /** How it is read. */
  readonly read: string;
  /** Show the name of the member and not its value. */
  readonly part?: 'name';
  /** The pointer of the member from now on. */
  readonly renamedTo?: string;
  /** Its place, when that is known already. */
  readonly location?: SourceLocation | undefined;
}

export type Repaired = (repair: Repair) => void;

/**
 * Turns repairs into warnings, and finds places in a document whose members were renamed. Of a slip that occurs a thousand
 * times, ten warnings name the place and one the number.
 */
export class RepairList {
  readonly #kinds = new Map<string, { count: number; readonly first: SourceLocation | undefined }>();
  readonly #places = new Set<string>();
  readonly #renamed = new Map<string, string>();
  readonly #source: () => Locate | undefined;
  readonly #report: (diagnostic: Diagnostic) => void;

  /** @param source where pointers stand in the files as they were read */
  constructor(source: () => Locate | undefined, report: (diagnostic: Diagnostic) => void) {
    this.#source = source;
    this.#report = report;
  }

  readonly add: Repaired = ({ kind, pointer, wrong, read, part, location, renamedTo }) => {
    // An alias of YAML is one value at several places, and is repaired once.
    const key = `${kind} ${pointer}`;
    if (this.#places.has(key)) return;
    this.#places.add(key);
    const place = location ?? locateNear(this.locate, pointer, part);
    if (renamedTo !== undefined) this.#renamed.set(renamedTo, pointer);
    const known = this.#kinds.get(kind) ?? { count: 0, first: place };
    known.count += 1;
    this.#kinds.set(kind, known);
    if (known.count > MOST_OF_A_KIND) return;
    this.#report(problem('repaired', wrong, { pointer, location: place, help: `read as: ${read}` }));
  };

  /** The place in the files of a pointer into the repaired document. */
  readonly locate: Locate = (pointer, part) => this.#source()?.(this.#earlier(pointer), part);

  /** Reports how many more there were. */
  end(): void {
    for (const [kind, { count, first }] of this.#kinds) {
      if (count <= MOST_OF_A_KIND) continue;
      const more = `${String(count - MOST_OF_A_KIND)} more places have this slip and were repaired: ${kind}`;
      this.#report(
        problem('repaired', more, { location: first, help: 'add --strict to see each as an error' }),
      );
    }
  }

  #earlier(pointer: string): string {
    if (this.#renamed.size === 0) return pointer;
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const earlier = this.#renamed.get(pointer.slice(0, end));
      // What is around it may have another name as well, but never the same one again.
      if (earlier !== undefined) {
        const cut = earlier.lastIndexOf('/');
        return this.#earlier(earlier.slice(0, cut)) + earlier.slice(cut) + pointer.slice(end);
      }
    }
    return pointer;
  }
}

// --- internal ---

const MOST_OF_A_KIND = 10;
