import { problem } from '../diagnostics/diagnostic-codes.ts';
import { type Locate, locateNear } from '../text/locate.ts';
import type { Diagnostic, SourceLocation } from '../model.ts';

/** One slip that was repaired. */
export interface Repair {
  /** The kind of slip: only the first few slips of each kind are reported individually. */
  readonly kind: string;
  readonly pointer: string;
  /** The faulty text, or the missing part, of the document. */
  readonly wrong: string;
  /** The meaning that the document is given. */
  readonly read: string;
  /** Point to the name of the member instead of its value. */
  readonly part?: 'name';
  /** The pointer of the member after the repair. */
  readonly renamedTo?: string;
  /** Its place, if that is already known. */
  readonly location?: SourceLocation | undefined;
}

export type Repaired = (repair: Repair) => void;

/**
 * Turns repairs into warnings, and finds the places of members that were renamed. For a slip that occurs a
 * thousand times, ten warnings give the place and one gives the number.
 */
export class RepairList {
  readonly #kinds = new Map<string, { count: number; readonly first: SourceLocation | undefined }>();
  readonly #places = new Set<string>();
  readonly #renamed = new Map<string, string>();
  readonly #source: () => Locate | undefined;
  readonly #report: (diagnostic: Diagnostic) => void;

  /** @param source the places of pointers in the original files */
  constructor(source: () => Locate | undefined, report: (diagnostic: Diagnostic) => void) {
    this.#source = source;
    this.#report = report;
  }

  readonly add: Repaired = ({ kind, pointer, wrong, read, part, location, renamedTo }) => {
    // A YAML alias makes one value appear at several places, but it is repaired once.
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

  /** Reports how many more slips there were. */
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
      // An enclosing member may have been renamed as well, but never this member a second time.
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
