import { isObject, parseJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { StoredBody, StoredExchange } from './report.ts';

/** A secret of the run and the name that stands for it in everything that is kept. */
export interface Mask {
  readonly secret: string;
  /** Such as `$API_KEY`. */
  readonly placeholder: string;
}

export interface EvidenceOptions {
  readonly masks: readonly Mask[];
  /** Bytes of a body that are kept; default 4096. */
  readonly keepBytes?: number;
}

/** The form in which an exchange is kept: secrets masked, bodies cut, times relative to the start of the run. */
export function storeExchange(
  exchange: Exchange,
  runStartedAt: number,
  options: EvidenceOptions,
): StoredExchange {
  const hide = masker(options.masks);
  const headers = (list: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] =>
    list.map(([name, value]) => [name, hide(value)]);
  const body = (bytes: Uint8Array | undefined, status?: number): StoredBody | undefined =>
    bytes === undefined || bytes.length === 0
      ? undefined
      : storeBody(bytes, hide, options.keepBytes ?? 4096, status);
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
      body: body(request.body),
    },
    answer:
      answer === undefined
        ? undefined
        : { status: answer.status, headers: headers(answer.headers), body: body(answer.body, answer.status) },
    failure: exchange.failure,
  };
}

/** A function that takes every secret out of a text, in all the spellings in which it may stand there. */
export function masker(masks: readonly Mask[]): (text: string) => string {
  const replacements = masks
    .filter(({ secret }) => secret.length >= SHORTEST_SECRET)
    .flatMap(({ secret, placeholder }) =>
      [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])].map(
        (spelling) => [spelling, placeholder] as const,
      ),
    )
    .sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const [spelling, placeholder] of replacements) masked = masked.replaceAll(spelling, placeholder);
    return masked
      .replace(/("personal_access_token"\s*:\s*")(?:[^"\\]|\\.)*"/g, '$1$PAT"')
      .replace(/("signedUrl"\s*:\s*"[^"?]*)\?[^"]*"/g, '$1?…"')
      .replace(/(bearer +)(?!\$)[\w.~+/=-]{16,}/gi, '$1…')
      .replace(/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '…');
  };
}

/** The exchange as a command line; the base URL and the secrets are variables of the shell. */
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

/** Replacing shorter texts everywhere would eat ordinary words. */
const SHORTEST_SECRET = 4;

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
    const head = bytes.subarray(0, keep);
    return {
      bytes: bytes.length,
      text: Buffer.from(head).toString('base64'),
      encoding: 'base64',
      cut: head.length < bytes.length,
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
  if (
    PLACEHOLDER.test(text) &&
    !/["`\\!]/.test(text) &&
    !text.replace(new RegExp(PLACEHOLDER, 'g'), '').includes('$')
  )
    return `"${text}"`;
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
  return quoted.replace(new RegExp(PLACEHOLDER, 'g'), (name) => `'"${name}"'`);
}

/** The names that masks put in the place of secrets. */
const PLACEHOLDER = /\$(?:[A-Z]+_)*(?:KEY|JWT|PAT|TOKEN)\b/;
