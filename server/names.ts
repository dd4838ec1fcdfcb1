import { createHash, randomUUID } from 'node:crypto';

/** A name of bounded length for what callers make up: no two pairs share one. */
export function nameOf(scope: string, key: string): string {
  return digestOf(`${String(scope.length)}:${scope}${key}`);
}

/** What bodies are compared by, as every engine can keep it. */
export function comparable(bodyHash: string): string {
  return /^[\x20-\x7e]{0,128}$/.test(bodyHash) ? bodyHash : digestOf(bodyHash);
}

/** A token that says whose it is, so that its owner needs to remember nothing else. */
export interface Token {
  readonly text: string;
  readonly unique: string;
  readonly name: string;
}

export function newToken(name: string): Token {
  const unique = randomUUID();
  return { text: `${unique}.${name}`, unique, name };
}

/** @throws {TypeError} for what is no token of these stores */
export function readToken(text: string): Token {
  const [unique = '', name = '', ...rest] = text.split('.');
  if (!/^[\da-f-]{36}$/.test(unique) || name === '' || rest.length > 0)
    throw new TypeError('this is not a fence or ticket of this store');
  return { text, unique, name };
}

// --- internal ---

/** UTF-8 has no bytes for half a surrogate pair: such a text is told apart by its UTF-16. */
function digestOf(text: string): string {
  const bytes = /\p{Surrogate}/u.test(text)
    ? Buffer.concat([Buffer.from('utf-16 '), Buffer.from(text, 'utf16le')])
    : text;
  return createHash('sha256').update(bytes).digest('hex');
}
