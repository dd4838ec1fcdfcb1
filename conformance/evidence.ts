import { isObject, parseJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { StoredBody, StoredExchange } from './report.ts';

/** A secret of the run and the name that stands for it in everything that is kept. */
export interface Mask {
  readonly secret: string;
  readonly placeholder: Placeholder;
}

export interface EvidenceOptions {
  readonly masks: readonly Mask[];
  /** Bytes of a body that are kept; default 4096. */
  readonly keepBytes?: number;
  /** Bytes of the request's body that are kept, where it has to be sent again; default `keepBytes`. */
  readonly keepSentBytes?: number;
}

/**
 * What may stand for a secret. The set is closed: whatever else looks like a variable comes from a server, and must
 * neither be opened by a shell nor be filled in by a replay.
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
  '$OTHER_KEY',
] as const;
export type Placeholder = (typeof placeholders)[number];

/** The placeholders in a text. */
export const placeholderPattern = new RegExp(
  `\\$(?:${placeholders.map((name) => name.slice(1)).join('|')})(?!\\w)`,
  'g',
);

/** The form in which an exchange is kept: secrets masked, bodies cut, times relative to the start of the run. */
export function storeExchange(
  exchange: Exchange,
  runStartedAt: number,
  options: EvidenceOptions,
): StoredExchange {
  const hide = masker(options.masks);
  const headers = (list: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] =>
    list.map(([name, value]) => [name, COOKIES.has(name.toLowerCase()) ? '…' : hide(value)]);
  const keep = options.keepBytes ?? DEFAULT_KEEP;
  const body = (bytes: Uint8Array | undefined, most: number, status?: number): StoredBody | undefined =>
    bytes === undefined || bytes.length === 0 ? undefined : storeBody(bytes, hide, most, status);
  const { request, answer } = exchange;
  return {
    id: exchange.id,
    api: exchange.api,
    scenario: exchange.scenario,
    startedAtMs: exchange.startedAt - runStartedAt,
    durationMs: exchange.endedAt - exchange.startedAt,
    request: {
      method: request.method,
      target: hide(request.target),
      as: request.as,
      headers: headers(request.headers),
      body: body(request.body, options.keepSentBytes ?? keep),
    },
    answer:
      answer === undefined
        ? undefined
        : {
            status: answer.status,
            headers: headers(answer.headers),
            body: body(answer.body, keep, answer.status),
          },
    failure: exchange.failure === undefined ? undefined : hide(exchange.failure),
  };
}

/**
 * A function that takes every secret out of a text: the declared ones in all the spellings in which they may stand
 * there, also where a text was cut in their middle, and what looks like a secret although nobody declared it.
 */
export function masker(masks: readonly Mask[]): (text: string) => string {
  const known = masks.filter(({ secret }) => secret.length >= SHORTEST_SECRET);
  const replacements = known
    .flatMap(({ secret, placeholder }) =>
      [...new Set(spellings(secret))].map((spelling) => [spelling, placeholder] as const),
    )
    .sort(([a], [b]) => b.length - a.length);
  const plain = (text: string): string => {
    let masked = text;
    for (const [spelling, placeholder] of replacements) masked = masked.replaceAll(spelling, placeholder);
    if (masked.includes('…')) for (const mask of known) masked = withoutStump(masked, mask);
    for (const [pattern, replacement] of SECRET_LOOKS) masked = masked.replace(pattern, replacement);
    return masked;
  };
  return (text) => plain(withoutEscapedSecrets(text, known));
}

/** The exchange as a command line; the secrets are variables of the shell. */
export function curlLine(exchange: StoredExchange, baseUrl: string): string {
  const { method, target, headers, body } = exchange.request;
  const origin = new URL(baseUrl).origin;
  const parts = ['curl -i --path-as-is'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push(`-X ${method}`);
  for (const [name, value] of headers) {
    const line = `${name}: ${value}`.toLowerCase();
    if (!SET_BY_CURL.has(name.toLowerCase()) && !SET_BY_CURL.has(line))
      parts.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-binary ${shellQuote(body.cut ? `${body.text}…` : body.text)}`);
  parts.push(shellQuote(`${origin}${target}`));
  return parts.join(' ');
}

// --- internal ---

const DEFAULT_KEEP = 4096;

/** Their values are secrets as a whole. */
const COOKIES = new Set(['set-cookie', 'cookie']);

/** What is a secret by its place or its look, and what is left of it. */
const SECRET_LOOKS: readonly (readonly [RegExp, string])[] = [
  // Not the name of the declared token: a call with another one must not be repeated with that.
  [/("personal_access_token"\s*:\s*")(?!\$)(?:[^"\\]|\\.)*"/g, '$1…"'],
  [
    /("[\w-]*(?:api_?key|secret|password|access_?token|refresh_?token|private_?key)[\w-]*"\s*:\s*")(?![$…])(?:[^"\\]|\\.)+"/gi,
    '$1$$OTHER_KEY"',
  ],
  [/("signedUrl"\s*:\s*"[^"?]*)\?[^"]*"/g, '$1?…"'],
  [
    /((?:[?&]|\\u0026|&amp;)(?:x-(?:amz|goog)-(?:signature|credential|security-token)|sig|signature|token|access_token|api_?key)=)(?!\$)[^&\s"'#\\<>]+/gi,
    '$1…',
  ],
  [/(bearer +)(?!\$)[\w.~+/=-]{16,}/gi, '$1…'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '…'],
];

/** Replacing shorter texts everywhere would eat ordinary words. */
const SHORTEST_SECRET = 4;

/** A shorter beginning of a secret tells nothing. */
const SHORTEST_STUMP = 6;

function spellings(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ];
}

/** The beginning of a secret at the end of what was kept of a text. */
function withoutStump(text: string, { secret, placeholder }: Mask): string {
  let masked = text;
  for (let length = secret.length - 1; length >= SHORTEST_STUMP; length -= 1)
    masked = masked.replaceAll(`${secret.slice(0, length)}…`, `${placeholder}…`);
  return masked;
}

/** JSON may spell any character as an escape: such a text is written anew before it is searched. */
function withoutEscapedSecrets(text: string, masks: readonly Mask[]): string {
  if (!/\\(?:u[0-9a-f]{4}|\/)/i.test(text)) return text;
  const value = parseJson(text);
  if (value === undefined) return text;
  const written = JSON.stringify(value);
  return masks.some(({ secret }) => written.includes(JSON.stringify(secret).slice(1, -1))) ? written : text;
}

const SET_BY_CURL = new Set([
  'host',
  'content-length',
  'connection',
  'accept: */*',
  'user-agent: tallystick',
]);

function storeBody(
  bytes: Uint8Array,
  hide: (text: string) => string,
  keep: number,
  status?: number,
): StoredBody {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const masked = Buffer.from(hide(Buffer.from(bytes).toString('latin1')), 'latin1');
    const head = masked.subarray(0, keep);
    return {
      bytes: bytes.length,
      text: head.toString('base64'),
      encoding: 'base64',
      cut: head.length < masked.length,
    };
  }
  const masked = hide(status === 422 ? withoutEchoes(text) : text);
  return { bytes: bytes.length, text: masked.slice(0, keep), encoding: 'text', cut: masked.length > keep };
}

/** A model's refusal may echo parts of the input, which is the caller's own. */
function withoutEchoes(text: string): string {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value['detail'])) return text;
  const detail = value['detail'].map((entry: unknown) =>
    isObject(entry) && 'input' in entry ? { ...entry, input: '…' } : entry,
  );
  return JSON.stringify({ ...value, detail });
}

/** Quoted for a shell in which variables such as `$API_KEY` are open and nothing else is. */
function shellQuote(text: string): string {
  const rest = text.replaceAll(placeholderPattern, '');
  if (rest !== text && !/["`\\!$]/.test(rest)) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`.replaceAll(placeholderPattern, (name) => `'"${name}"'`);
}
