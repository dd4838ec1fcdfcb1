import { signal } from '@preact/signals';

/** The latest result or problem, in words. A problem is shown until the reader closes it. */
export interface PageNotice {
  readonly kind: 'problem' | 'done';
  readonly text: string;
  readonly undo?: () => void;
}

export const notice = signal<PageNotice | undefined>(undefined);

/** The token of the printed address, if the mock listens beyond this machine. Every request has to carry it. */
const token = takenToken();

/** The namespace in the address of the page; `undefined` for the mock itself. */
export const namespace = new URLSearchParams(location.search).get('namespace') ?? undefined;

export function controlAddress(path: string, query: Readonly<Record<string, string>> = {}): string {
  const all = new URLSearchParams({
    ...query,
    ...(namespace === undefined ? {} : { namespace }),
    ...(token === null ? {} : { token }),
  }).toString();
  return `control/v1/${path}${all === '' ? '' : `?${all}`}`;
}

/** Reads from the control API. */
export function read<Shape>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Shape> {
  return ask<Shape>('GET', controlAddress(path, query));
}

/** Sends a change to the control API. Shows a refusal, and then resolves with `undefined`. */
export async function steer<Shape>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Shape | undefined> {
  try {
    return await ask<Shape>(method, controlAddress(path), body);
  } catch (error) {
    notice.value = { kind: 'problem', text: error instanceof Error ? error.message : String(error) };
    return undefined;
  }
}

/**
 * Performs a deletion, and offers to undo it, which restores the earlier state. Journal and forced scenarios
 * are kept.
 *
 * @param more what else to restore
 */
export async function undoably(
  text: string,
  act: () => Promise<unknown>,
  more: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const before = await read<object>('snapshot').catch(() => undefined);
  if ((await act()) === undefined) return;
  const undo = (): void => void steer('PUT', 'snapshot', { ...before, keep: true }).then(more);
  notice.value = { kind: 'done', text, ...(before === undefined ? {} : { undo }) };
}

/** Shows why the mock refuses this page. */
export async function tellRefusal(): Promise<void> {
  const answer = await fetch(controlAddress('state')).catch(() => undefined);
  if (answer?.status === 404 && namespace !== undefined)
    notice.value = {
      kind: 'problem',
      text: `Namespace ${namespace} does not exist. The test that created it may have ended.`,
    };
  if (answer?.status !== 401) return;
  const text = 'This mock requires a token. Open the address that it printed at its start.';
  notice.value = { kind: 'problem', text };
}

// --- internal ---

/**
 * Moves the token from the address to the storage of the tab: a reload keeps it, and a copied link does not
 * contain it.
 */
function takenToken(): string | null {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  try {
    if (given === null) return sessionStorage.getItem('token');
    sessionStorage.setItem('token', given);
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address);
  } catch {
    // If the browser stores nothing for the page, the token stays in the address.
  }
  return given;
}

async function ask<Shape>(method: string, address: string, body?: unknown): Promise<Shape> {
  const response = await fetch(address, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Shape;
  const said = (answer as { readonly error?: unknown } | undefined)?.error;
  throw new Error(typeof said === 'string' ? said : `The mock answered ${response.status}.`);
}
