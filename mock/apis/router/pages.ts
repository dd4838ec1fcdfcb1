import { Remembered } from '../../call/remembered.ts';
import type { Model } from './catalogue.ts';
import type { CursorSeal } from './cursor-seal.ts';

export interface Page {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** How many entries are on it. */
  readonly entries: number;
}

/**
 * Pages as they were made, for as long as they would be made the same: an edit of the catalogue brings another list of
 * models, and a renewed seal another secret. Nothing may change a page afterwards, so they are frozen.
 */
export class Pages {
  #models: readonly Model[] | undefined;
  #secret: Uint8Array | undefined;
  #made = new Remembered<Page>(MOST_PAGES);

  /** The page of these choices; `make` tells its value. */
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

/** A page has up to a hundred entries; what counts here is the number, as the names are short. */
const MOST_PAGES = { most: 200, characters: 2 ** 14, longest: 100 };

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
