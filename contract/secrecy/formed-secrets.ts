import type { Edit } from './edits.ts';
import { HIDDEN, isMasked } from './placeholders.ts';

/** The values after `Bearer` and `Basic`, at any place. */
export function* schemeValues(text: string, isBeginning: boolean): Generator<Edit> {
  // A cheap test first: most texts contain none.
  if (text.search(isBeginning ? ANY_OR_ITS_BEGINNING : ANY) < 0) return;
  for (const { 0: whole, 1: before = '', index } of text.matchAll(isBeginning ? ANY_OR_ITS_BEGINNING : ANY)) {
    const value = whole.slice(before.length);
    const isOpen = isBeginning && index + whole.length === text.length;
    const isSecret = /^basic/i.test(before) ? isUserAndPassword(value) : value.length >= SHORTEST_TOKEN;
    if (isMasked(value) || !(isOpen || isSecret)) continue;
    yield { start: index + before.length, end: index + whole.length, by: HIDDEN };
  }
}

/** `user:password@` in addresses, also with the slashes that PHP escapes; not the example of our own messages. */
export function* usersOfAddresses(text: string): Generator<Edit> {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    SLASHES.lastIndex = at + 1;
    const [slashes = ''] = SLASHES.exec(text) ?? [];
    if (slashes === '') continue;
    const start = at + 1 + slashes.length;
    AUTHORITY_END.lastIndex = start;
    const end = AUTHORITY_END.exec(text)?.index ?? text.length;
    const user = text.slice(start, end);
    const length = user.lastIndexOf('@');
    const isHelp = user.slice(0, length) === 'USER:PASSWORD';
    if (length > 0 && !isHelp && !isMasked(user.slice(0, length)))
      yield { start, end: start + length, by: HIDDEN };
    at = Math.max(at, end - 1);
  }
}

/** JSON Web Tokens: three runs of Base64 with dots between them, the first one of an object. */
export function* webTokens(text: string, isBeginning: boolean): Generator<Edit> {
  // A cheap test first: most texts contain none.
  if (!text.includes('eyJ')) return;
  for (const { 0: run, index } of text.matchAll(/[\w.-]+/g)) {
    const parts = run.split('.');
    const isOpen = isBeginning && index + run.length === text.length;
    let offset = index;
    for (let at = 0; at < parts.length; at += 1) {
      const [head = '', payload, signature] = parts.slice(at, at + 3);
      const token = isOpen && signature === undefined ? /(?<!\w)eyJ/.exec(head) : TOKEN_HEAD.exec(head);
      const isWhole = (payload ?? '') !== '' && signature !== undefined;
      if (token !== null && (isWhole || (isOpen && signature === undefined))) {
        const length = [head, payload, signature].filter((part) => part !== undefined).join('.').length;
        yield { start: offset + token.index, end: offset + length, by: HIDDEN };
        at += 2;
        offset += length + 1;
      } else offset += head.length + 1;
    }
  }
}

/** The user and the password of a Basic credential; `undefined` if it contains none. */
export function userAndPassword(base64: string): readonly [user: string, password: string] | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    const plain = new TextDecoder().decode(bytes);
    const colon = plain.indexOf(':');
    return colon < 0 ? undefined : [plain.slice(0, colon), plain.slice(colon + 1)];
  } catch {
    return undefined;
  }
}

// --- internal ---

const ANY = /((?:bearer|basic) +)(?:[\w.~+/-]{4,}=*)/gi;
const ANY_OR_ITS_BEGINNING = /((?:bearer|basic) +)(?:[\w.~+/-]{4,}=*|[\w.~+/=-]+$)/gi;

/** Shorter ones are words of a sentence. */
const SHORTEST_TOKEN = 16;

function isUserAndPassword(value: string): boolean {
  const whole = userAndPassword(value.slice(0, LONGEST_READ));
  // Words such as `authentication` are Base64 of such characters.
  return whole !== undefined && !/[\u0000-\u001f\ufffd]/.test(whole.join(''));
}

/** A multiple of four. */
const LONGEST_READ = 4_096;

const SLASHES = /(?:\\?\/){2}/y;
const AUTHORITY_END = /[/\s"'<>?#\\]/g;

/** Bounded by the test after it: the rest of the part has to be long enough. */
const TOKEN_HEAD = /(?<!\w)eyJ(?=[\w-]{8})/;
