import { isRecord } from './record.ts';

/** The tokens of a JSON pointer (RFC 6901); `undefined` when the text is not a pointer. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~')
    ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    : tokens;
}

/** A JSON pointer of plain member names and indices, below `parent`. */
export function joinPointer(parent: string, ...tokens: readonly (string | number)[]): string {
  let pointer = parent;
  for (const token of tokens) pointer += `/${typeof token === 'number' ? token : escapeToken(token)}`;
  return pointer;
}

/** The value at a pointer; `undefined` if there is none. Inherited members are ignored. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of parsePointer(pointer) ?? []) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/** The pointer of a local reference; `undefined` if the text is not one. */
export function localPointer(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** The value that the text of a local reference leads to; `undefined` if it leads nowhere, and for any other text or value. */
export function referredValue(root: unknown, reference: unknown): unknown {
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  return pointer === undefined ? undefined : valueAt(root, pointer);
}

/** The target of a local reference in a value; `undefined` if the target does not exist. */
export function followed(root: unknown, raw: unknown): unknown {
  let value = raw;
  for (let hops = 0; isRecord(value) && typeof value['$ref'] === 'string' && hops < 100; hops += 1)
    value = referredValue(root, value['$ref']);
  return value;
}

// --- internal ---

function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}
