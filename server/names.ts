import { createHash, randomUUID } from 'node:crypto';

/** A name of bounded length for a pair of texts from callers. Different pairs have different names. */
export function nameOf(scope: string, key: string): string {
  return digestOf(`${String(scope.length)}:${scope}${key}`);
}

/** The hash by which bodies are compared, in a form that every engine can store. */
export function comparable(bodyHash: string): string {
  return /^[\x20-\x7e]{0,128}$/.test(bodyHash) ? bodyHash : digestOf(bodyHash);
}

/** A token that contains the name of its owner, so that no other state is needed. */
export interface Token {
  readonly text: string;
  readonly unique: string;
  readonly name: string;
}

export function newToken(name: string): Token {
  const unique = randomUUID();
  return { text: `${unique}.${name}`, unique, name };
}

/** @throws {TypeError} for a text that is not a token of these stores */
export function readToken(text: string): Token {
  const [unique = '', name = '', ...rest] = text.split('.');
  if (!/^[\da-f-]{36}$/.test(unique) || name === '' || rest.length > 0)
    throw new TypeError('this is not a fence or ticket of this store');
  return { text, unique, name };
}

// --- internal ---

/** UTF-8 cannot encode half a surrogate pair, so such a text is encoded as UTF-16. */
function digestOf(text: string): string {
  const bytes = /\p{Surrogate}/u.test(text)
    ? Buffer.concat([Buffer.from('utf-16 '), Buffer.from(text, 'utf16le')])
    : text;
  return createHash('sha256').update(bytes).digest('hex');
}
