import { createHash } from 'node:crypto';

/** The hash of a text, in hexadecimal digits. */
export function hexOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The UUID (version 4 by its form) of a hash. */
export function uuidOf(hash: string): string {
  const parts = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ] as const;
  const [a, b, c, d, e] = parts.map(([from, to]) => hash.slice(from, to));
  return `${a ?? ''}-${b ?? ''}-4${c ?? ''}-8${d ?? ''}-${e ?? ''}`;
}
