import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

/**
 * A file that tells programs when and where a mock is ready. The file of an earlier mock is removed at once.
 *
 * @throws {CommandFailure} when that is not possible
 */
export async function readyFile(
  file: string,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<{ readonly write: (content: object) => Promise<void> }> {
  const path = resolve(cwd, file);
  const failed = (cause: unknown): never => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(2, `The ready file ${file} cannot be written: ${reason}`, [], { cause });
  };
  await rm(path, { force: true }).catch(failed);
  return {
    write: async (content) => {
      try {
        await mkdir(dirname(path), { recursive: true });
        // A program that waits for the file must never read half of it.
        await writeFile(`${path}.partial`, `${JSON.stringify(content)}\n`);
        await rename(`${path}.partial`, path);
      } catch (cause) {
        failed(cause);
      }
    },
  };
}
