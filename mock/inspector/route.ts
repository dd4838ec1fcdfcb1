import { computed, signal } from '@preact/signals';

/**
 * The current place: `#/jobs/7c1e?q=…` is the view `jobs`, the row `7c1e` and the search `q`. Every row has an
 * address.
 */
export interface ViewRoute {
  readonly view: string;
  readonly row: string | undefined;
  readonly search: string;
}

export const route = signal<ViewRoute>(readRoute(location.hash));
export const view = computed(() => route.value.view);

addEventListener('hashchange', () => {
  route.value = readRoute(location.hash);
});

export function readRoute(hash: string): ViewRoute {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...row] = path.split('/');
  return {
    view: view === '' ? 'journal' : view,
    row: row.length === 0 ? undefined : decode(row.join('/')),
    search: new URLSearchParams(query).get('q') ?? '',
  };
}

export function address(view: string, row?: string, search = ''): string {
  const path = row === undefined ? view : `${view}/${encodeURIComponent(row)}`;
  return `#/${path}${search === '' ? '' : `?${new URLSearchParams({ q: search }).toString()}`}`;
}

export function go(view: string, row?: string, search = ''): void {
  location.hash = address(view, row, search);
  // The browser reports the change in a later task, so two quick key presses would both start from here.
  route.value = { view, row, search };
}

/** A change of the search adds no entry to the browser's history. */
export function replaceSearch(search: string): void {
  const { view, row } = route.value;
  history.replaceState(undefined, '', address(view, row, search));
  route.value = { view, row, search };
}

/** Renames the row without a new entry in the history. */
export function replaceRow(row: string): void {
  const { view, search } = route.value;
  history.replaceState(undefined, '', address(view, row, search));
  route.value = { view, row, search };
}

// --- internal ---

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
