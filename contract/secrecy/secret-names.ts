import type { SecrecyFacts } from './facts.ts';

/** Whether a name says that its value is a secret, in any spelling: `apiKey`, `api_key`, `X-API-Key`, `APIKEY`. */
export function isSecretName(name: string): boolean {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = name.length <= LONGEST_NAME && judge(name);
  if (verdicts.size >= MOST_REMEMBERED) verdicts.clear();
  if (name.length <= LONGEST_NAME) verdicts.set(name, verdict);
  return verdict;
}

/** Whether names are secret in an API: anywhere, and in headers, queries, cookies and forms. */
export function namesOf({ names, members }: SecrecyFacts): {
  readonly ofMember: (name: string) => boolean;
  readonly inPlace: (name: string) => boolean;
} {
  const ofMember = (name: string): boolean => isSecretName(name) || members?.has(name.toLowerCase()) === true;
  return {
    ofMember,
    inPlace: (name) => ofMember(name) || names?.has(name.toLowerCase()) === true,
  };
}

/** Longer names are texts. */
export const LONGEST_NAME = 100;

// --- internal ---

/** The names of an API repeat in each of its messages. */
const verdicts = new Map<string, boolean>();
const MOST_REMEMBERED = 2_000;

function judge(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (ABOUT.has(last) || PUBLIC.test(name)) return false;
  if (last === 'id') return words.some((word) => /^sess(?:ion)?$/.test(word));
  const joined = words.join('');
  return SECRET.test(joined) || isToken(words) || words.some((word) => WORDS.has(word));
}

/** `accessToken2`, `access-token` and `ACCESS_TOKEN` have the same words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** A token, unless it marks a place in a list. `tokens` are counted by models. */
function isToken(words: readonly string[]): boolean {
  return words.some((word, at) => word === 'token' && !PLACES.has(words[at - 1] ?? ''));
}

const PLACES = new Set([
  ...['page', 'next', 'prev', 'previous', 'continuation', 'cursor', 'sync', 'resume', 'skip', 'start', 'end'],
  ...['max', 'per', 'stop', 'pagination', 'change', 'idempotency'],
]);

/** Parts of names that mean a secret, without the marks between their words. */
const SECRET = new RegExp(
  [
    'authorization|passw(?:or)?d|passphrase|passcode|credential|cookie|signature|secret(?!ar)',
    '(?:access|refresh|auth|client|bearer|csrf|xsrf)token|clientassertion|sess(?:ion)?id|sessionkey',
    '(?:api|app|access|private|signing|encryption|master|account|subscription|shared|auth|functions)key',
  ].join('|'),
);

/** Words that mean a secret only if they are alone between marks. */
const WORDS = new Set(['auth', 'jwt', 'pwd', 'sig', 'otp', 'hmac', 'apikey', 'bearer', 'idtoken']);

/** Endings of names that are about a secret: `token_type`, `password_changed_at`, `expires_in`. */
const ABOUT = new Set([
  ...['type', 'url', 'uri', 'endpoint', 'at', 'in', 'count', 'length', 'expires', 'expiry', 'ttl', 'name'],
  ...['policy', 'method', 'methods', 'algorithm', 'alg', 'limit', 'required', 'scheme', 'format', 'scopes'],
]);

/** Headers about credentials, and names of schemas and servers. */
const PUBLIC = /^(?:access-control-|www-authenticate|signature-input|securityschemes)/i;
