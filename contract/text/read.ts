import { readdir, readFile, stat } from 'node:fs/promises';
import { parse } from 'node:path';
import { type DiagnosticCode, problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import type { ReferencePlace } from '../references/reference-loops.ts';
import { maskedAddresses } from '../secrecy/addresses.ts';
import { suggest } from '../diagnostics/suggest.ts';

/** Larger files are refused before they are read. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** A file that was read, or the diagnostic that says why not. */
export type ReadFile =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * Reads a text file. A file that is missing, too large, not a regular file or not UTF-8 results in a
 * diagnostic, not an exception.
 *
 * @param file the name that the user gave, for messages
 * @param referredFrom the place that names the file, if it is not the user's own choice
 */
export async function readText(
  path: string,
  file: string,
  referredFrom?: () => ReferencePlace,
): Promise<ReadFile> {
  const place = referredFrom ?? (() => ({ location: { file, line: 1, column: 1 } }));
  const refuse = (code: DiagnosticCode, message: string, help: string): ReadFile => ({
    ok: false,
    diagnostic: problem(code, message, { ...place(), help }),
  });
  let bytes: Uint8Array;
  try {
    const status = await stat(path);
    if (status.isDirectory())
      return refuse('file-unreadable', `${file} is a directory`, 'give the path of a file inside it');
    if (!status.isFile())
      return refuse('file-unreadable', `${file} is not a regular file`, 'copy its content to a file first');
    if (status.size > MOST_BYTES) return refuse('file-too-large', tooLarge(file, status.size), SPLIT);
    bytes = await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const meant = await similarName(path);
      if (meant !== undefined)
        return refuse('file-missing', `${file} does not exist`, `did you mean ${meant}?`);
      return refuse('file-missing', `${file} does not exist`, 'check the path');
    }
    const { reason, help } = unreadable[code] ?? { reason: code, help: 'check the path' };
    return refuse('file-unreadable', `${file} cannot be read: ${reason}`, help);
  }
  const decoded = decodeText(bytes, file);
  return decoded.ok
    ? { ok: true, bytes, text: decoded.text }
    : {
        ok: false,
        diagnostic: problem('file-encoding', decoded.message, { ...place(), help: 'save it as UTF-8 text' }),
      };
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: { redirect: 'manual'; signal: AbortSignal }) => Promise<Response>;

/**
 * Fetches a text file. Redirects are followed only to allowed hosts.
 *
 * @param allowRemote hosts, each with its port unless that is the default
 */
export async function readRemoteText(
  url: URL,
  options: {
    readonly allowRemote: readonly string[];
    readonly fetch: Fetch;
    readonly place: () => ReferencePlace;
  },
): Promise<ReadFile> {
  const file = maskedAddresses(url.href);
  const refuse = (message: string): ReadFile => ({
    ok: false,
    diagnostic: problem('file-unreachable', message, {
      ...options.place(),
      help: 'save a copy next to the document and refer to that',
    }),
  });
  try {
    let response: Response | undefined;
    for (let next = url, hops = 0; response === undefined; hops += 1) {
      const answer = await options.fetch(next.href, {
        redirect: 'manual',
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      });
      const onward = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
      if (onward === null) response = answer;
      else {
        next = new URL(onward, next);
        if (hops === MOST_REDIRECTS) return refuse(`${file} redirects more than ${MOST_REDIRECTS} times`);
        if (!options.allowRemote.includes(next.host))
          return refuse(`${file} redirects to ${next.host}, which is not allowed`);
      }
    }
    if (!response.ok) return refuse(`${file} responded with status ${response.status}`);
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > MOST_BYTES) return refuse(tooLarge(file, size));
      parts.push(part);
    }
    const bytes = Buffer.concat(parts);
    const decoded = decodeText(bytes, file);
    return decoded.ok ? { ok: true, bytes, text: decoded.text } : refuse(decoded.message);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = maskedAddresses(cause instanceof Error ? cause.message : String(cause));
    return refuse(`${file} cannot be fetched: ${reason}`);
  }
}

/** Decodes UTF-8, and removes a byte order mark. */
export function decodeText(
  bytes: Uint8Array,
  file: string,
): { ok: true; text: string } | { ok: false; message: string } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { ok: false, message: `${file} is UTF-16, not UTF-8` };
  }
  if (bytes.includes(0)) return { ok: false, message: `${file} is binary, not text` };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, message: `${file} is not UTF-8` };
  }
}

// --- internal ---

/**
 * A file in the same folder with a similar name. Names are not similar just because they share an extension.
 */
async function similarName(path: string): Promise<string | undefined> {
  const wanted = parse(path);
  const names = await readdir(wanted.dir).catch(() => []);
  const similar = names.filter((name) => suggest(wanted.name, [parse(name).name]) !== undefined);
  return suggest(wanted.base, similar);
}

const LONGEST_WAIT_MS = 30_000;
const MOST_REDIRECTS = 5;

const SPLIT = 'split it into several files and join them with $ref';

function tooLarge(file: string, bytes: number): string {
  const megabytes = (size: number): string => `${Math.ceil(size / 1024 / 1024)} MiB`;
  return `${file} is too large: ${megabytes(bytes)}, the limit is ${megabytes(MOST_BYTES)}`;
}

const DENIED = { reason: 'permission denied', help: 'check the permissions of the file and its folders' };

const unreadable: Readonly<Record<string, { readonly reason: string; readonly help: string }>> = {
  EACCES: DENIED,
  EPERM: DENIED,
  ELOOP: { reason: 'it is a symbolic link to itself', help: 'correct the link' },
  ENAMETOOLONG: { reason: 'the name is too long', help: 'check the path' },
};
