import { createHash } from 'node:crypto';

/** The hash of a text, in hexadecimal digits. */
export function hexOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The entity tag of a text. */
export function tagOf(text: string): string {
  return `"${hexOf(text).slice(0, 32)}"`;
}

/** The UUID (version 4 by its form) of a hash. */
export function uuidOf(hash: string): string {
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}
