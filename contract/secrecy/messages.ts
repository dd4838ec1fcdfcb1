import type { Edit } from './edits.ts';
import { userAndPassword } from './formed-secrets.ts';
import { secretMembers } from './json-members.ts';
import { withoutEscapes } from './known-secrets.ts';
import type { SecrecyFacts } from './facts.ts';
import { SHORTEST_SECRET, type Masker } from './masking.ts';
import { isAddressOrForm, secretElements, secretLines, secretPairs, secretParts } from './named-values.ts';
import { HIDDEN, isMasked } from './placeholders.ts';
import { namesOf } from './secret-names.ts';

type Header = readonly [name: string, value: string];

/** A request, or an answer, which has no target. */
export interface Message {
  readonly target?: string;
  readonly headers: readonly Header[];
  readonly body: string;
}

/** The headers of a request or an answer, without secrets. Schemes, names of cookies and attributes stay. */
export function maskedHeaders(headers: readonly Header[], hide: Masker): readonly Header[] {
  return headers.map(([name, value]) => [hide(name), maskedHeader(name, value, hide)]);
}

/** The secrets that a message carries in places for secrets. Its other places may repeat them. */
export function secretsIn({ target = '', headers, body }: Message, facts: SecrecyFacts): readonly string[] {
  const { inPlace, ofMember } = namesOf(facts);
  const found = new Set<string>();
  const add = (value: string): void => {
    if (found.size < MOST_SECRETS && value.length >= SHORTEST_FOUND && value.length <= LONGEST_FOUND)
      if (!isMasked(value) && facts.publicValues?.has(value) !== true) found.add(value);
  };
  const addEach = (text: string, edits: Iterable<Edit>): void => {
    for (const { start, end } of edits) {
      const value = text.slice(start, end);
      for (const plain of [withoutEscapes(value), formDecoded(value)]) add(plain);
      if (found.size >= MOST_SECRETS) return;
    }
  };
  for (const [name, value] of headers)
    if (isSecretHeader(name, facts)) for (const secret of secretsOfHeader(name, value)) add(secret);
  const pairs = (text: string): Iterable<Edit> =>
    secretPairs(text, inPlace, isAddressOrForm(text), (inner) => inner);
  addEach(target, pairs(target));
  addEach(
    body,
    secretMembers(body, ofMember, () => HIDDEN),
  );
  addEach(body, pairs(body));
  addEach(body, secretLines(body, inPlace));
  addEach(body, secretElements(body, ofMember));
  if (body.includes('form-data')) addEach(body, secretParts(body, inPlace));
  return [...found];
}

// --- internal ---

/** A shorter value is a word that other places contain as well. */
const SHORTEST_FOUND = SHORTEST_SECRET + 2;
const LONGEST_FOUND = 4_096;
const MOST_SECRETS = 50;

const COOKIE = /^(?:set-)?cookie2?$/i;

/** `Bearer abc` and `AWS4-HMAC-SHA256 Credential=…`: the scheme, and what follows it. */
const SCHEME = /^[A-Za-z][\w-]{1,30} +(?=\S)/;

/** Whether the whole value of a header is a secret. */
function isSecretHeader(name: string, facts: SecrecyFacts): boolean {
  return namesOf(facts).inPlace(name) || /(?:^|-)session(?:-|$)/i.test(name);
}

function maskedHeader(name: string, value: string, hide: Masker): string {
  const shown = hide(value);
  if (COOKIE.test(name)) return maskedCookies(shown);
  if (!isSecretHeader(name, hide.facts) || isSwitch(value)) return shown;
  if (hide.facts.publicValues?.has(value) === true) return shown;
  const scheme = SCHEME.exec(shown)?.[0] ?? '';
  return isMasked(shown.slice(scheme.length)) ? shown : `${scheme}${HIDDEN}`;
}

function isSwitch(value: string): boolean {
  return /^(?:true|false|[?]?[01])?$/i.test(value.trim());
}

/** Cookies with their names and attributes. A declared credential keeps its placeholder, so that the request can be sent again. */
function maskedCookies(shown: string): string {
  return shown
    .split(/; ?/)
    .map((pair, index) => {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=');
      if (isMasked(value) || (index > 0 && ATTRIBUTE.test(name.trim()))) return pair;
      return rest.length === 0 ? HIDDEN : `${name}=${HIDDEN}`;
    })
    .join('; ');
}

const ATTRIBUTE = /^(?:expires|max-age|domain|path|secure|httponly|samesite|partitioned|priority)$/i;

function secretsOfHeader(name: string, value: string): readonly string[] {
  if (COOKIE.test(name)) {
    const pairs = value.split(/; ?/).slice(0, /^set-/i.test(name) ? 1 : MOST_SECRETS);
    return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1));
  }
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  const secret = value.slice(scheme.length).trim();
  return [secret, ...(/^basic/i.test(scheme) ? (userAndPassword(secret)?.slice(1) ?? []) : [])];
}

function formDecoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
