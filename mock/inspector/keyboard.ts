import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { go, route } from './route.ts';

export const helpOpen = signal(false);

/** The names of a view's rows in their order, for `j` and `k`. */
let rows: { readonly of: string; readonly names: readonly string[] } | undefined;
/** Moves that were requested before the rows of the view were read. */
let early: { readonly of: string; readonly by: (1 | -1)[] } | undefined;

/** @param names of the rows; `undefined` while they are being read */
export function useRows(view: string, names: readonly string[] | undefined): void {
  // Set before painting, so that keys work as soon as the rows are visible.
  useLayoutEffect(() => {
    if (names === undefined) return undefined;
    rows = { of: view, names };
    const moves = early?.of === view ? early.by : [];
    early = undefined;
    for (const by of moves) move(by);
    return () => {
      rows = undefined;
    };
  }, [view, names]);
}

export const keys: readonly (readonly [key: string, does: string])[] = [
  ['/', 'search'],
  ['j', 'next row'],
  ['k', 'previous row'],
  ['1 … 9, 0', 'switch to the view with this number'],
  ['p', 'pause or resume the journal'],
  ['Esc', 'close the open panel'],
  ['?', 'this help'],
];

/** Single letters do nothing while the reader types in a field. */
export function listen(views: () => readonly string[], onPause: () => void): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (helpOpen.value) {
      // An open dialog closes itself, but it may not be open yet.
      if (event.key === 'Escape') helpOpen.value = false;
      return;
    }
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    if (!act(event.key, views(), onPause)) return;
    event.preventDefault();
  };
  addEventListener('keydown', pressed);
  return () => {
    removeEventListener('keydown', pressed);
  };
}

// --- internal ---

function act(key: string, views: readonly string[], onPause: () => void): boolean {
  if (key !== 'j' && key !== 'k') early = undefined;
  // The key of the tenth view is 0.
  const numbered = /^\d$/.test(key) ? views[(Number(key) + 9) % 10] : undefined;
  if (numbered !== undefined) {
    go(numbered);
    return true;
  }
  switch (key) {
    case '/': {
      const search = document.querySelector<HTMLInputElement>('input[type="search"]');
      search?.focus();
      search?.select();
      return search !== null;
    }
    case 'j':
      return move(1);
    case 'k':
      return move(-1);
    case 'p':
      onPause();
      return true;
    case '?':
      helpOpen.value = true;
      return true;
    case 'Escape': {
      const { view, row, search } = route.value;
      if (row !== undefined) go(view, undefined, search);
      return row !== undefined;
    }
    default:
      return false;
  }
}

function move(by: 1 | -1): boolean {
  const { view, row, search } = route.value;
  if (rows?.of !== view) {
    early = early?.of === view ? early : { of: view, by: [] };
    early.by.push(by);
    return true;
  }
  const { names } = rows;
  const at = row === undefined ? -1 : names.indexOf(row);
  const next = names[at < 0 ? 0 : Math.min(Math.max(0, at + by), names.length - 1)];
  if (next === undefined) return false;
  go(view, next, search);
  return true;
}
