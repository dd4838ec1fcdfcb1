import { readFile, stat } from 'node:fs/promises';
import { type DiagnosticCode, problem } from './diagnostic-codes.ts';
import type { Diagnostic, SourceLocation } from './model.ts';

/** Larger files are refused before they are read. */
export const MOST_BYTES = 64 * 1024 * 1024;

export type ReadFile =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly text: string }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * Reads a text file. One that is missing, no file, too large or no UTF-8 gives a diagnostic and not an exception.
 *
 * @param file how the user named it, for messages
 * @param referredFrom the place that names the file, if it is not the user's own choice
 */
export async function readText(path: string, file: string, referredFrom?: SourceLocation): Promise<ReadFile> {
  const location = referredFrom ?? { file, line: 1, column: 1 };
  const refuse = (code: DiagnosticCode, message: string, help: string): ReadFile => ({
    ok: false,
    diagnostic: problem(code, message, { location, help }),
  });
  let bytes: Uint8Array;
  try {
    const status = await stat(path);
    if (status.isDirectory())
      return refuse('file-unreadable', `${file} is a directory`, 'name a file inside it');
    if (!status.isFile())
      return refuse('file-unreadable', `${file} is no regular file`, 'save it as a file first');
    if (status.size > MOST_BYTES) return refuse('file-too-large', tooLarge(file, status.size), SPLIT);
    bytes = await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return refuse(
        'file-missing',
        `${file} does not exist`,
        'check the path; it is relative to the working directory',
      );
    }
    return refuse('file-unreadable', `${file} cannot be read: ${code}`, 'check its permissions');
  }
  const decoded = decodeText(bytes, file);
  return decoded.ok
    ? { ok: true, bytes, text: decoded.text }
    : {
        ok: false,
        diagnostic: problem('file-encoding', decoded.message, { help: 'save it as UTF-8 text', location }),
      };
}

/** UTF-8 to text, without a byte order mark. */
export function decodeText(
  bytes: Uint8Array,
  file: string,
): { ok: true; text: string } | { ok: false; message: string } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { ok: false, message: `${file} is UTF-16` };
  }
  if (bytes.includes(0)) return { ok: false, message: `${file} is binary, not text` };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, message: `${file} is not UTF-8` };
  }
}

// --- internal ---

const SPLIT = 'split it into several files that refer to each other';

function tooLarge(file: string, bytes: number): string {
  const megabytes = (size: number): string => `${Math.ceil(size / 1024 / 1024)} MiB`;
  return `${file} has ${megabytes(bytes)}; at most ${megabytes(MOST_BYTES)} are read`;
}
