import type { FrontRequest } from './front.ts';
import type { Conceal } from '../journal/journal.ts';
import { withoutSignatures } from '../state/signature.ts';

/**
 * Keeps access tokens and signatures out of the journal. `secrets`: names of members whose values are secret.
 */
export function concealSecrets(secrets: readonly string[]): Conceal {
  const inQuery = new RegExp(`((?:^|[?&])(?:${secrets.join('|')})=)[^&#]*`, 'g');
  const known = new WeakMap<FrontRequest, readonly string[]>();
  return {
    target: (target) => withoutSignatures(target).replaceAll(inQuery, '$1…'),
    requestBody: (request) => bodyWithoutSecrets(request, secrets),
    responseBody: withoutSignatures,
    finding: (text, request) => {
      const found = known.get(request) ?? secretsIn(request, secrets);
      known.set(request, found);
      return found.reduce((left, secret) => left.replaceAll(secret, '…'), text);
    },
  };
}

/** The secret values of a request, at any depth of its body. */
export function secretsIn(request: FrontRequest, secrets: readonly string[]): readonly string[] {
  const body = request.body();
  if (body.kind !== 'json' || !mayHold(body.text, secrets)) return [];
  const found = new Set<string>();
  readJson(body.text, (name, value) => {
    if (secrets.includes(name) && typeof value === 'string') found.add(value);
    return value;
  });
  // Shorter texts are not treated as secrets, because masking them would mask much else.
  return [...found].filter((secret) => secret.length >= SHORTEST_SECRET);
}

// --- internal ---

const SHORTEST_SECRET = 6;

function bodyWithoutSecrets(request: FrontRequest, secrets: readonly string[]): string | undefined {
  const body = request.body();
  if (body.kind === 'none') return undefined;
  const text = body.kind === 'json' ? body.text : new TextDecoder().decode(request.raw.body);
  if (!mayHold(text, secrets)) return undefined;
  const shown =
    body.kind === 'json'
      ? readJson(text, (name, value) => (secrets.includes(name) ? '…' : value))
      : undefined;
  // A secret cannot be located in an unreadable body.
  if (shown === undefined) return `(${String(request.raw.body.length)} bytes that may contain a secret)`;
  return secretsIn(request, secrets).reduce(
    (left, secret) => left.replaceAll(JSON.stringify(secret).slice(1, -1), '…'),
    JSON.stringify(shown),
  );
}

/** Whether a member with this name can be in the text, written plainly or with escapes. */
function mayHold(text: string, secrets: readonly string[]): boolean {
  return text.includes('\\u') || secrets.some((name) => text.includes(name));
}

/** `undefined` for a value that is nested too deeply to be searched. */
function readJson(text: string, revive: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
