import { createHash, randomUUID } from 'node:crypto';

/** A name of bounded length for what callers make up: no two pairs share one. */
export function nameOf(scope: string, key: string): string {
  return createHash('sha256')
    .update(`${String(scope.length)}:${scope}${key}`)
    .digest('hex');
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
    throw new TypeError('this fence or ticket is none of this store');
  return { text, unique, name };
}
