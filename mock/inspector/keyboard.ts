import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { go, route } from './route.ts';

export const helpOpen = signal(false);

/** What `j` and `k` move through in the view that is shown: the names of its rows in their order. */
let rows: readonly string[] = [];

export function useRows(names: readonly string[]): void {
  // Before it is painted: whoever sees the rows can move through them.
  useLayoutEffect(() => {
    rows = names;
    return () => {
      rows = [];
    };
  }, [names]);
}

export const keys: readonly (readonly [key: string, does: string])[] = [
  ['/', 'search'],
  ['j', 'next row'],
  ['k', 'previous row'],
  ['1 … 9', 'views, in their order'],
  ['p', 'pause the journal, and go on'],
  ['Esc', 'close what is open'],
  ['?', 'this help'],
];

/** Single letters work where nobody types. */
export function listen(views: readonly string[], onPause: () => void): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || helpOpen.value) return;
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    if (!act(event.key, views, onPause)) return;
    event.preventDefault();
  };
  addEventListener('keydown', pressed);
  return () => {
    removeEventListener('keydown', pressed);
  };
}

// --- internal ---

function act(key: string, views: readonly string[], onPause: () => void): boolean {
  const number = Number(key);
  const numbered = Number.isInteger(number) ? views[number - 1] : undefined;
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
  const at = row === undefined ? -1 : rows.indexOf(row);
  const next = rows[at < 0 ? 0 : Math.min(Math.max(0, at + by), rows.length - 1)];
  if (next === undefined) return false;
  go(view, next, search);
  return true;
}
