import { createHash } from 'node:crypto';

/**
 * Identifiers for the things of a document, the same in every run. A document's names are hostile: reserved words,
 * names that differ by a character that identifiers do not have, 10 kB long ones, and none at all are legal there.
 */
export interface NameTable {
  /**
   * An identifier that nobody else in this table has: the wish itself, or the wish with a number.
   * First come, first served: claim what users rely on most first.
   */
  claim(wish: string): string;
  has(name: string): boolean;
}

/** @param taken identifiers that the surrounding code uses itself */
export function nameTable(taken: Iterable<string> = []): NameTable {
  const used = new Set([...RESERVED, ...taken]);
  const next = new Map<string, number>();
  return {
    claim(wish) {
      let name = wish;
      let count = next.get(wish) ?? 2;
      while (used.has(name)) name = `${wish}${count++}`;
      next.set(wish, count);
      used.add(name);
      return name;
    },
    has: (name) => used.has(name),
  };
}

/** `block_content` → `BlockContent`; `prefix` stands before what could not begin an identifier, and for what has no letters. */
export function typeName(name: string, prefix = 'Schema'): string {
  const joined = words(name)
    .map((word) => upperFirst(word))
    .join('');
  return shorten(startsIdentifier(joined) ? joined : `${prefix}${joined}`);
}

/** `repos/list-for-org` → `reposListForOrg`, `PublishNode` → `publishNode`. */
export function valueName(name: string, prefix = 'call'): string {
  const [first = '', ...rest] = words(name);
  const joined = lowerFirst(first) + rest.map((word) => upperFirst(word)).join('');
  return shorten(startsIdentifier(joined) ? joined : `${prefix}${upperFirst(joined)}`);
}

/**
 * A folder for an API: lower case, so that two names never meet on a disk that ignores case, and no name that an
 * operating system or this generator keeps for itself.
 */
export function folderName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  if (plain === '') return 'api';
  return RESERVED_FOLDERS.test(plain) ? `${plain}-api` : plain;
}

/** Whether a text may stand where an identifier stands. */
export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text) && !RESERVED.has(text);
}

// --- internal ---

const RESERVED_FOLDERS = /^(runtime|server-runtime|con|prn|aux|nul|com\d|lpt\d)$/;

const LONGEST = 80;

// Reserved words, globals that generated modules use and must not shadow, and members that every object has.
// `then` would make a client object look like a promise.
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    'constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString valueOf ' +
    'AsyncGenerator Blob Infinity Math NaN NonNullable Object Promise Record RegExp Response Set globalThis'
  ).split(' '),
);

// Invisible joiners may stand in identifiers, but two names that look alike would then differ.
const WORD = /[\p{L}\p{Nd}\p{Mn}\p{Mc}$]+/gu;

function words(name: string): string[] {
  const text = name.normalize('NFC').replace(/[\u{10000}-\u{10ffff}]/gu, ' ');
  return (text.match(WORD) ?? []).filter((word) => /^[\p{ID_Continue}$]+$/u.test(word));
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Lowers a leading run of capitals as one word: `URLParser` → `urlParser`. */
function lowerFirst(word: string): string {
  const run = /^\p{Lu}+(?=\p{Lu}\p{Ll}|[^\p{L}]|$)/u.exec(word)?.[0] ?? word.charAt(0);
  return run.toLowerCase() + word.slice(run.length);
}

function startsIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$]/u.test(text);
}

function shorten(name: string): string {
  if (name.length <= LONGEST) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST - 8)}${digest}`;
}
