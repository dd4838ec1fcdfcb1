import { signal } from '@preact/signals';

/** What was done or went wrong last, in words; a problem is shown until it is read. */
export interface Notice {
  readonly kind: 'problem' | 'done';
  readonly text: string;
  readonly undo?: () => void;
}

export const notice = signal<Notice | undefined>(undefined);

/** Beyond this machine the address carries a token, which every request has to show. */
const token = new URLSearchParams(location.search).get('token');

export function controlAddress(path: string, query: Readonly<Record<string, string>> = {}): string {
  const all = new URLSearchParams({ ...query, ...(token === null ? {} : { token }) }).toString();
  return `control/v1/${path}${all === '' ? '' : `?${all}`}`;
}

/** Reads from the control API. */
export function read<Shape>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Shape> {
  return ask<Shape>('GET', controlAddress(path, query));
}

/** Steers the mock. What it refuses is shown, and the answer is `undefined`. */
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

// --- internal ---

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
