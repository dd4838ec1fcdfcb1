import { shellWord } from '../../contract/index.ts';
import { keyInTarget } from '../target/key-in-target.ts';
import { placeholderPattern } from '../../contract/secrecy/index.ts';
import type { StoredExchange } from '../verdicts/report.ts';
import { wordOf } from './script-values.ts';
import type { ScriptPiece } from './script-values.ts';

/**
 * The exchange as a command line. The secrets are shell variables, and none is part of the address unless the
 * API expects its key there. Redirects are not followed, regardless of `~/.curlrc`, because they would send
 * the secrets elsewhere.
 */
export function curlLine(exchange: StoredExchange, baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  return `${bodyPipe(exchange)}curl -i --no-location --path-as-is --globoff ${curlArguments(exchange, origin, (text) => [text])}`;
}

/** Passes a binary body to curl. */
export function bodyPipe({ request: { body } }: StoredExchange): string {
  if (body?.encoding !== 'base64') return '';
  const octal = [...Buffer.from(body.text, 'base64')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `printf '${octal.join('')}' | `;
}

/**
 * The arguments of curl for an exchange.
 *
 * @param origin of the server, or the variable that contains it
 * @param piecesOf replaces fresh and captured values in a text of the request
 */
export function curlArguments(
  { request }: StoredExchange,
  origin: ScriptPiece,
  piecesOf: (text: string) => readonly ScriptPiece[],
): string {
  const { method, target, headers, body } = request;
  const parts: string[] = [];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET') parts.push(`-X ${shellWord(method)}`);
  let hasType = false;
  for (const [name, value] of headers) {
    const line = value === '' ? `${name};` : `${name}: ${value}`;
    if (name.toLowerCase() === 'content-type') hasType = true;
    if (SET_BY_CURL.has(name.toLowerCase()) || SET_BY_CURL.has(line.toLowerCase())) continue;
    const secret = CREDENTIAL.test(value) ? placeholderPattern : undefined;
    parts.push(`-H ${wordOf(piecesOf(line), secret)}`);
  }
  if (body !== undefined) {
    if (!hasType) parts.push(`-H 'Content-Type:'`);
    if (body.bytes > LONGEST_UNASKED) parts.push(`-H 'Expect:'`);
    const text = body.cut ? `${body.text}…` : body.text;
    if (body.encoding === 'base64') parts.push('--data-binary @-');
    else parts.push(`--data-raw ${wordOf(piecesOf(text), placeholderPattern)}`);
  }
  // A target without a leading slash could change the origin.
  if (!target.startsWith('/')) parts.push(`--request-target ${shellWord(target)}`);
  const carried = keyInTarget(request);
  const path = target.startsWith('/') ? piecesOf(carried?.before ?? target) : ['/'];
  const key = carried === undefined ? [] : [{ variable: carried.key.slice(1) }];
  parts.push(wordOf(joined([origin, ...path, ...key])));
  return parts.join(' ');
}

// --- internal ---

/**
 * Only a header or a cookie that is a credential as a whole: other text of a server may contain the name of
 * one.
 */
const CREDENTIAL = /^(?:bearer +|(?:[^=;$]+=…; )*[^=;$]+=)?\$\w+$/i;

/** curl would wait for permission before it sends a longer body. */
const LONGEST_UNASKED = 1_000_000;

const SET_BY_CURL = new Set([
  'host',
  'content-length',
  'connection',
  'accept: */*',
  // curl requests no content coding by default.
  'accept-encoding: identity',
  'user-agent: tallystick',
]);

function joined(pieces: readonly ScriptPiece[]): readonly ScriptPiece[] {
  return pieces.reduce<ScriptPiece[]>((done, piece) => {
    const last = done.at(-1);
    if (typeof last === 'string' && typeof piece === 'string') done.splice(-1, 1, last + piece);
    else done.push(piece);
    return done;
  }, []);
}
