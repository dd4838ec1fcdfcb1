import { Remembered } from '../../call/remembered.ts';
import type { Model } from './catalogue.ts';
import type { CursorSeal } from './cursor-seal.ts';

export interface Page {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The number of its entries. */
  readonly entries: number;
}

/**
 * Cached pages, for as long as they would be the same: an edit of the catalogue creates another list of
 * models, and a renewed seal another secret. They are frozen, because nothing may change a page afterwards.
 */
export class Pages {
  #models: readonly Model[] | undefined;
  #secret: Uint8Array | undefined;
  #made = new Remembered<Page>(MOST_PAGES);

  /** The page for these choices; `make` creates it on first use. */
  page(
    { models, cursors }: { readonly models: readonly Model[]; readonly cursors: CursorSeal },
    choices: readonly number[],
    make: () => Omit<Page, 'text'>,
  ): Page {
    const { secret } = cursors;
    if (this.#models !== models || this.#secret !== secret) {
      this.#models = models;
      this.#secret = secret;
      this.#made = new Remembered(MOST_PAGES);
    }
    const name = choices.join(' ');
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const { value, entries } = make();
    const page: Page = { value: frozen(value), text: JSON.stringify(value), entries };
    this.#made.set(name, page);
    return page;
  }
}

// --- internal ---

/** A page has up to a hundred entries. Only the number counts, because the names are short. */
const MOST_PAGES = { most: 200, characters: 2 ** 14, longest: 100 };

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
