import { createHash } from 'node:crypto';

/**
 * Identifiers for the objects of a document, the same in every run. A document's names are untrusted:
 * reserved words, names that differ only in characters that identifiers cannot have, names of 10 kB, and
 * empty names are all legal there.
 */
export interface NameTable {
  /**
   * A unique identifier of this table: the wish itself, the first free alternative, or the wish with a
   * number. First come, first served, so claim the names that users rely on most first.
   */
  claim(wish: string, ...others: readonly string[]): string;
  /**
   * An identifier for a type of the document. If only names of the runtime or of the platform conflict with
   * it, these are renamed: users see the wish itself, and our modules import it under the identifier.
   */
  claimType(wish: string, ...others: readonly string[]): string;
  /**
   * An identifier for a function of the document. As for types, names of the runtime step aside: the module that
   * declares the function exports it under the wish.
   */
  claimFunction(wish: string, ...others: readonly string[]): string;
  /** The public name of a type or a function. */
  publicName(name: string): string;
  has(name: string): boolean;
  /** Names of the runtime and of the platform that types of the document use. */
  taken(): ReadonlySet<string>;
}

/**
 * @param taken identifiers that the surrounding code uses itself
 * @param stepsAside identifiers that types of a document may use nevertheless
 */
export function nameTable(taken: Iterable<string> = [], stepsAside: Iterable<string> = []): NameTable {
  const yielding = new Set([...PLATFORM, ...stepsAside]);
  const used = new Set([...RESERVED, ...taken, ...yielding]);
  const next = new Map<string, number>();
  const publicNames = new Map<string, string>();
  const claim = (wish: string, ...others: readonly string[]): string => {
    let name = [wish, ...others].find((each) => !used.has(each)) ?? wish;
    let count = next.get(wish) ?? 2;
    while (used.has(name)) name = `${wish}${count++}`;
    next.set(wish, count);
    used.add(name);
    return name;
  };
  const claimPublic = (wish: string, others: readonly string[], instead: readonly string[]): string => {
    // Only the first one: afterwards the wish is taken.
    if (!yielding.delete(wish)) return claim(wish, ...others);
    const name = claim(wish, ...instead);
    publicNames.set(name, wish);
    return name;
  };
  return {
    claim,
    claimType: (wish, ...others) => claimPublic(wish, others, []),
    claimFunction: (wish, ...others) => claimPublic(wish, others, others),
    publicName: (name) => publicNames.get(name) ?? name,
    has: (name) => used.has(name),
    taken: () => new Set(publicNames.values()),
  };
}

/**
 * `block_content` → `BlockContent`. `prefix` is added if the text does not begin like an identifier, and if
 * it has no letters.
 */
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
 * A folder for an API: in lower case, so that two names never collide on a file system that ignores case, and
 * never a name that an operating system or this generator reserves.
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

/** Whether an object with a member of this name is not taken for a promise or something else. */
export function isOrdinaryMember(name: string): boolean {
  return !INHERITED.has(name);
}

/** Whether a text is a valid identifier. */
export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text) && !RESERVED.has(text);
}

// --- internal ---

const RESERVED_FOLDERS = /^(runtime|server-runtime|con|prn|aux|nul|com\d|lpt\d)$/;

const LONGEST = 80;
const HEAD = 32;

// Members that every object has, or that others look for. `then` would make a client object look like a promise.
const INHERITED: ReadonlySet<string> = new Set(
  (
    'constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString ' +
    'valueOf'
  ).split(' '),
);

const RESERVED: ReadonlySet<string> = new Set([
  ...INHERITED,
  ...(
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    'Infinity NaN globalThis'
  ).split(' '),
]);

/** Globals that generated modules use and must not shadow. */
const PLATFORM = (
  'AbortSignal Array ArrayBuffer AsyncGenerator AsyncIterable BigInt Blob Boolean Date Error Exclude FormData Headers ' +
  'Iterable JSON Map Math NonNullable Number Object Omit Partial Pick Promise RangeError ReadableStream Readonly Record RegExp ' +
  'Request RequestInit Response Set String Symbol TypeError URL URLSearchParams Uint8Array'
).split(' ');

// Identifiers may contain invisible joiners, but then two different names could look alike.
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

/** Keeps both ends, because long names often share their beginning and differ in their end. */
function shorten(name: string): string {
  if (name.length <= LONGEST) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, HEAD)}${digest}${name.slice(HEAD + 8 - LONGEST)}`;
}
