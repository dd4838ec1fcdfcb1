/** A secret of the run and the name that replaces it in everything that is stored. */
export interface Mask {
  readonly secret: string;
  readonly placeholder: Placeholder;
  /** Set if it is masked only as the value of this request header. */
  readonly header?: string;
}

export const HEADER_PLACEHOLDERS = [
  '$HEADER_1',
  '$HEADER_2',
  '$HEADER_3',
  '$HEADER_4',
  '$HEADER_5',
  '$HEADER_6',
  '$HEADER_7',
  '$HEADER_8',
  '$HEADER_9',
] as const;

/**
 * The placeholders for secrets. The set is closed: any other text that looks like a variable comes from a
 * server. A shell must not expand it, and a replay must not replace it.
 */
export const placeholders = [
  '$API_KEY',
  '$JWT',
  '$FORBIDDEN_KEY',
  '$SECOND_KEY',
  '$NO_CREDITS_KEY',
  '$CONCURRENCY_KEY',
  '$SPEND_KEY',
  '$STATIC_TOKEN',
  '$PAT',
  '$REFUSED_KEY',
  '$OTHER_KEY',
  ...HEADER_PLACEHOLDERS,
] as const;
export type Placeholder = (typeof placeholders)[number];

const NAMES = placeholders.map((name) => name.slice(1)).join('|');

/** The placeholders in a text. */
export const placeholderPattern = new RegExp(`\\$(?:${NAMES})(?!\\w)`, 'g');

/** Removes secrets from texts, in linear time. */
export interface Masker {
  /**
   * @param keep how many characters are kept: a secret that crosses this end is masked as a whole
   * @param isBeginning whether `text` is the beginning of a longer one, so that it may end within a secret
   */
  (text: string, keep?: number, isBeginning?: boolean): string;
  /** How many characters after the kept ones have to be examined, to find a secret that crosses the end. */
  readonly margin: number;
}

/**
 * Masks the declared secrets in all possible spellings, even if the text was cut inside one, and text that
 * has the form of a secret although it was not declared.
 */
export function masker(masks: readonly Mask[]): Masker {
  const before = maskers.get(masks);
  // A run can learn further secrets: its list grows.
  if (before?.count === masks.length) return before.masker;
  const made = makeMasker(masks);
  maskers.set(masks, { count: masks.length, masker: made });
  return made;
}

// --- internal ---

/** One for each list: it would otherwise be made again for each exchange. */
const maskers = new WeakMap<readonly Mask[], { readonly count: number; readonly masker: Masker }>();

function makeMasker(masks: readonly Mask[]): Masker {
  const known = masks.filter(
    ({ secret, header }) => header === undefined && secret.length >= SHORTEST_SECRET,
  );
  const spelled = known
    .flatMap((mask) => [...new Set(spellings(mask.secret))].map((secret): Mask => ({ ...mask, secret })))
    .sort((a, b) => b.secret.length - a.secret.length);
  const margin = Math.max(MARGIN, LONGEST_ESCAPE * (spelled[0]?.secret.length ?? 0));
  const hidden = (text: string, keep: number, isBeginning: boolean): string => {
    let cut: Cut = { text, keep };
    const apply = (edits: Iterable<Edit>): void => {
      cut = edited(cut, edits);
    };
    if (ESCAPE.test(text)) apply(escapedSecrets(text, known));
    for (const mask of spelled) if (cut.text.includes(mask.secret)) apply(plainSecrets(cut.text, mask));
    if (isBeginning || text.includes('…'))
      for (const mask of spelled)
        if (cut.text.includes(mask.secret.slice(0, SHORTEST_STUMP)))
          apply(stumps(cut.text, mask, isBeginning));
    apply(secretMembers(cut.text));
    apply(matches(cut.text, SIGNED_QUERY));
    apply(matches(cut.text, isBeginning ? BEARER_OR_ITS_BEGINNING : BEARER));
    apply(webTokens(cut.text, isBeginning));
    return cut.text.slice(0, cut.keep);
  };
  // Names and values of headers are nearly the same in each exchange.
  const repeated = new Map<string, string>();
  const hide = (text: string, keep = text.length, isBeginning = false): string => {
    if (isBeginning || keep < text.length || text.length > LONGEST_REPEATED)
      return hidden(text, keep, isBeginning);
    const known = repeated.get(text);
    if (known !== undefined) return known;
    const made = hidden(text, keep, false);
    if (repeated.size >= MOST_REPEATED) repeated.clear();
    repeated.set(text, made);
    return made;
  };
  return Object.assign(hide, { margin });
}

/** Replacing shorter texts everywhere would destroy ordinary words. */
const SHORTEST_SECRET = 4;

/** A shorter prefix of a secret reveals nothing. */
const SHORTEST_STUMP = 6;

/** For secrets that are recognised by their form, how many characters after the end have to be examined. */
const MARGIN = 256;

/** Characters of a text that is remembered with its masked form, and how many texts are. */
const LONGEST_REPEATED = 100;
const MOST_REPEATED = 1_000;

/** Characters of `\u0041`. */
const LONGEST_ESCAPE = 6;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** A text, with the length of its kept beginning. */
interface Cut {
  readonly text: string;
  readonly keep: number;
}

/** Applies edits, in the order of the text. An edit that crosses the kept end is applied as a whole. */
function edited({ text, keep }: Cut, edits: Iterable<Edit>): Cut {
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  let kept: number | undefined;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const { start, end, by } of edits) {
    if (start < from) continue;
    if (start >= keep) kept ??= length + keep - from;
    add(text.slice(from, start));
    add(by);
    if (end > keep) kept ??= length;
    from = end;
  }
  if (from === 0) return { text, keep };
  kept ??= length + keep - from;
  add(text.slice(from));
  return { text: pieces.join(''), keep: kept };
}

function spellings(secret: string): readonly string[] {
  return [
    secret,
    // Lone surrogates cannot be spelled in this way.
    encodeURIComponent(Buffer.from(secret).toString()),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
}

function* plainSecrets(text: string, { secret, placeholder }: Mask): Generator<Edit> {
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length))
    yield { start, end: start + secret.length, by: placeholder };
}

const ESCAPE = /\\(?:u[0-9a-f]{4}|\/)/i;

/** JSON may write any character as an escape. */
function escapedSecrets(text: string, masks: readonly Mask[]): readonly Edit[] {
  const offsets: number[] = [];
  const characters: string[] = [];
  for (const { 0: spelled, index } of text.matchAll(/\\u[0-9a-f]{4}|\\[^]|[^]/gi)) {
    offsets.push(index);
    characters.push(unescaped(spelled));
  }
  offsets.push(text.length);
  const plain = characters.join('');
  return masks
    .flatMap((mask) => [...plainSecrets(plain, mask)])
    .map(({ start, end, by }) => ({ start: offsets[start] ?? 0, end: offsets[end] ?? text.length, by }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Always one UTF-16 unit. */
function unescaped(spelled: string): string {
  if (spelled.length === 6) return String.fromCharCode(Number.parseInt(spelled.slice(2), 16));
  if (spelled.length === 1) return spelled;
  return SHORT_ESCAPES[spelled.charAt(1)] ?? spelled.charAt(1);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * The beginning of a secret in a truncated text: before an ellipsis, or at the end of the beginning of a
 * longer text. Knuth-Morris-Pratt search, which examines each character once.
 */
function* stumps(text: string, { secret, placeholder }: Mask, isBeginning: boolean): Generator<Edit> {
  const borders = bordersOf(secret);
  let matched = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const isEnd = at === text.length ? isBeginning : text[at] === '…';
    if (isEnd && matched >= SHORTEST_STUMP) yield { start: at - matched, end: at, by: placeholder };
    while (matched > 0 && (matched === secret.length || secret[matched] !== text[at]))
      matched = borders[matched - 1] ?? 0;
    if (secret[matched] === text[at]) matched += 1;
  }
}

/** For each prefix of a text, the length of the longest shorter prefix that is also its suffix. */
function bordersOf(text: string): readonly number[] {
  const borders = [0];
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

const SECRET_NAME = /api_?key|secret|password|access_?token|refresh_?token|private_?key/i;

const STARTS_WITH_PLACEHOLDER = new RegExp(`^\\$(?:${NAMES})`);

/** JSON members whose name means that their value is a secret. */
function* secretMembers(text: string): Generator<Edit> {
  // A cheap test first: most texts contain none.
  if (!SECRET_NAME.test(text) && !text.includes('signedUrl')) return;
  const member = /"([\w-]*)"\s*:\s*"/g;
  for (let match = member.exec(text); match !== null; match = member.exec(text)) {
    const [whole, name = ''] = match;
    const start = match.index + whole.length;
    const isSigned = name === 'signedUrl';
    if (!isSigned && !SECRET_NAME.test(name)) continue;
    const end = endOfString(text, start);
    member.lastIndex = end + 1;
    const value = text.slice(start, end);
    if (isSigned) {
      const query = value.indexOf('?');
      if (query >= 0) yield { start: start + query, end, by: '?…' };
    } else if (!STARTS_WITH_PLACEHOLDER.test(value)) {
      // Not the placeholder of the declared token: a call with another token must not be repeated with that
      // one.
      if (name === 'personal_access_token') yield { start, end, by: '…' };
      else if (value !== '' && !value.startsWith('…')) yield { start, end, by: '$OTHER_KEY' };
    }
  }
}

/** The end of a JSON string; an unterminated one extends to the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}

const SIGNED_QUERY = new RegExp(
  '((?:[?&]|\\\\u0026|&amp;)(?:x-(?:amz|goog)-(?:signature|credential|security-token)|sig|signature|token|access_token|api_?key)=)' +
    `(?!\\$(?:${NAMES}))[^&\\s"'#\\\\<>]+`,
  'gi',
);

const BEARER = new RegExp(`(bearer +)(?!\\$(?:${NAMES}))[\\w.~+/=-]{16,}`, 'gi');
const BEARER_OR_ITS_BEGINNING = new RegExp(
  `(bearer +)(?!\\$(?:${NAMES}))(?:[\\w.~+/=-]{16,}|[\\w.~+/=-]+$)`,
  'gi',
);

/** The text after the first group of a pattern. */
function* matches(text: string, pattern: RegExp): Generator<Edit> {
  // A cheap test first: most texts contain none.
  if (text.search(pattern) < 0) return;
  for (const { 0: whole, 1: before = '', index } of text.matchAll(pattern))
    yield { start: index + before.length, end: index + whole.length, by: '…' };
}

/** JSON Web Tokens: three runs of Base64 with dots between them, the first one of an object. */
function* webTokens(text: string, isBeginning: boolean): Generator<Edit> {
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
        yield { start: offset + token.index, end: offset + length, by: '…' };
        at += 2;
        offset += length + 1;
      } else offset += head.length + 1;
    }
  }
}

/** Bounded by the test after it: the rest of the part has to be long enough. */
const TOKEN_HEAD = /(?<!\w)eyJ(?=[\w-]{8})/;
