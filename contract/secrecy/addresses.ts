import { edited, type Edit } from './edits.ts';
import { usersOfAddresses } from './formed-secrets.ts';
import { secretPairs } from './named-values.ts';
import { HIDDEN } from './placeholders.ts';
import { isSecretName } from './secret-names.ts';

/**
 * A text whose addresses are without secrets: users, passwords, and the secret parts of queries. Everything else stays, so
 * that it can be used for texts about documents, which name members such as `password`.
 *
 * @param sameLength keeps the columns of what follows
 */
export function maskedAddresses(text: string, { sameLength = false } = {}): string {
  const edits = sameLength
    ? [...secretsOf(text)].map((edit) => ({ ...edit, by: HIDDEN.repeat(edit.end - edit.start) }))
    : secretsOf(text);
  return edited({ text, keep: text.length }, edits).text;
}

/** The secrets in the addresses of a text, as they are spelt there. */
export function secretsOfAddresses(text: string): readonly string[] {
  return [...secretsOf(text)].map(({ start, end }) => text.slice(start, end));
}

// --- internal ---

function* secretsOf(text: string): Generator<Edit> {
  if (!text.includes('://')) return;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const user = [...usersOfAddresses(address)];
    const pairs = secretPairs(address, isSecretName, true, (inner) => inner);
    for (const { start, end } of [...user, ...pairs])
      yield { start: index + start, end: index + end, by: HIDDEN };
  }
}

const ADDRESS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s'"`<>]+/gi;
