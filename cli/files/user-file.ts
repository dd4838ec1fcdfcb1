import { resolve } from 'node:path';
import { readText } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/**
 * The text of a file that a user named, without a byte order mark.
 *
 * @param help lines for the failure, after the one about the problem with the file
 * @throws {CommandFailure} if the file is missing, not a regular file, not readable, too large or not UTF-8
 */
export async function readUserFile(
  file: string,
  { cwd }: Pick<Context, 'cwd'>,
  help: readonly string[] = [],
): Promise<string> {
  const read = await readText(resolve(cwd, file), file);
  if (read.ok) return read.text;
  const { message, help: what } = read.diagnostic;
  throw new CommandFailure(2, message, [...(what === undefined ? [] : [what]), ...help]);
}

/**
 * The value in a JSON file that a user named.
 *
 * @param help lines for the failure, after those about the problem with the file
 * @throws {CommandFailure} if it cannot be read or is not JSON, with the place of the mistake
 */
export async function readUserJson(
  file: string,
  context: Pick<Context, 'cwd'>,
  help: readonly string[] = [],
): Promise<unknown> {
  return parseUserJson(file, await readUserFile(file, context, help), help);
}

/**
 * The value of a JSON text from a user's file.
 *
 * @param help lines for the failure, after those about the problem with the text
 * @throws {CommandFailure} with the place of the mistake if it is not JSON
 */
export async function parseUserJson(
  file: string,
  text: string,
  help: readonly string[] = [],
): Promise<unknown> {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // For some mistakes, the JavaScript engine reports no place, and its messages differ between versions.
    const { parseJsonFile } = await import('../../contract/text/parse.ts');
    const parsed = parseJsonFile(file, text);
    const [problem] = parsed.ok ? [] : parsed.diagnostics;
    const { line = 1, column = 1 } = problem?.location ?? {};
    const what = problem?.help === undefined ? [] : [problem.help];
    const message = `${file}:${String(line)}:${String(column)}: ${problem?.message ?? 'this is not JSON'}`;
    throw new CommandFailure(2, message, [...what, ...help], { cause });
  }
}
