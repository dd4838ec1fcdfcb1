import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { go, route } from './route.ts';

export const helpOpen = signal(false);

/** What `j` and `k` move through: the names of a view's rows in their order. */
let rows: { readonly of: string; readonly names: readonly string[] } | undefined;
/** Moves that were wanted in a view before it had its rows. */
let early: { readonly of: string; readonly by: (1 | -1)[] } | undefined;

/** @param names of the rows; `undefined` while they are being read */
export function useRows(view: string, names: readonly string[] | undefined): void {
  // Before it is painted: a reader who sees the rows can move through them.
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
  ['1 … 9, 0', 'views, in their order'],
  ['p', 'pause the journal, and go on'],
  ['Esc', 'close what is open'],
  ['?', 'this help'],
];

/** Single letters work where nobody types. */
export function listen(views: () => readonly string[], onPause: () => void): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (helpOpen.value) {
      // The dialog closes itself when it is open, which it need not be yet.
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
  // The tenth is 0, as on a keyboard.
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
